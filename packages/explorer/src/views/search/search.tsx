/** The view Search: the meaning of an id, and every row with an id, a name or a text. */

import { place } from "../../page/address.js";
import { rowsAddress, searchAddress } from "../../page/addresses.js";
import { database } from "../../page/session.js";
import { moveByArrows } from "../../parts/arrow-keys.js";
import { Id } from "../../parts/id.js";
import { Kind, Tag } from "../../parts/marks.js";
import { Empty, Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { Panel, View } from "../../parts/view.js";
import { BestMatch } from "./best-match.js";
import { FoundRows } from "./found-rows.js";
import { type Found, useSearch } from "./use-search.js";
import "./search.css";

export function Search() {
  const text = place.value.options.for ?? place.value.words[0] ?? "";
  const { found, error, stop } = useSearch(text);
  const location = database.value?.location ?? "";
  if (text === "")
    return (
      <View title="Search">
        <h1 class="sr">Search</h1>
        <Empty heading="Search for an id, a name or a text.">
          <p>The first digits of an id are enough. Press / to write.</p>
        </Empty>
      </View>
    );
  return (
    <View
      title="Search"
      command={["find", location, text]}
      head={
        <h1>
          <Text value={text} most={80} />
        </h1>
      }
      answer={found === undefined ? "Searching." : <Sentence found={found} />}
    >
      {error !== undefined && (
        <Note severity="error">
          <b>The search ended.</b> <Text value={error} />
        </Note>
      )}
      {found?.match !== undefined && <BestMatch match={found.match} kinds={found.kinds} />}
      {found !== undefined && found.candidates.length > 0 && <Candidates candidates={found.candidates} />}
      {found !== undefined && !found.isDone && error === undefined && (
        <div class="rowflex" role="status">
          <span class="quiet">{count(found.read)} rows read so far.</span>
          <button type="button" class="btn small" onClick={stop}>
            Stop
          </button>
        </div>
      )}
      {found !== undefined && found.count > 0 && (
        <div class="cols sea">
          <FoundRows kinds={found.kinds} match={found.match} />
          <KindCounts kinds={found.kinds} />
        </div>
      )}
      {found?.isDone && found.count === 0 && (
        <Empty heading={found.isStopped ? "No row that was searched has it." : "No row has it."}>
          <p>
            {found.isStopped && "You stopped the search. "}
            {counted(found.read, "row")} {found.read === 1 ? "was" : "were"} searched, in keys and values, for
            the id, the name and the text as it is written. Text inside of compressed or encrypted values is
            not found.
          </p>
        </Empty>
      )}
    </View>
  );
}

function Sentence({ found }: { found: Found }) {
  const { match, candidates, kinds, count: rows, read, isDone, isStopped } = found;
  const where = (
    <>
      <b>{counted(rows, "row")}</b> of {counted(kinds.length, "kind")} {rows === 1 ? "has" : "have"} it
      {isStopped ? `, of the first ${count(read)} rows: you stopped the search` : isDone ? "" : " so far"}
    </>
  );
  if (candidates.length > 0)
    return (
      <>
        It may mean {counted(candidates.length, "thing")}. {where}.
      </>
    );
  if (match === undefined) return <>{where}.</>;
  const name = match.name;
  return (
    <>
      It is {/^[aeiou]/.test(match.kind) ? "an" : "a"} {match.kind}
      {name !== undefined && (
        <>
          ,{" "}
          <b>
            <Text value={name} most={80} />
          </b>
        </>
      )}
      . {where}.
    </>
  );
}

function Candidates({ candidates }: { candidates: Found["candidates"] }) {
  return (
    <Panel title="It may mean" class="candidates">
      <ul class="panel-body plainlist" onKeyDown={(event) => moveByArrows(event, "a")}>
        {candidates.map(({ kind, id, name }) => (
          <li key={kind + id}>
            <Id id={id} name={name} digits={16} address={searchAddress(id)} /> <Tag>{kind}</Tag>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function KindCounts({ kinds }: { kinds: Found["kinds"] }) {
  const sorted = [...kinds].sort((a, b) => b.count - a.count);
  return (
    <Panel title="By kind" remark="rows" class="hide-m">
      <div class="list">
        {sorted.map(({ kind, known, column, count: rows }) => (
          <a key={kind} class="item" href={rowsAddress(kind)}>
            <Kind kind={known ?? ""}>{known ?? <Text value={`unknown, of ${column}`} most={60} />}</Kind>
            <span class="num">{count(rows)}</span>
          </a>
        ))}
      </div>
    </Panel>
  );
}
