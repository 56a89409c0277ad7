/** What is this id? Every row that has an id, a name or a text. */
import { place } from "../../page/address.js";
import { database } from "../../page/session.js";
import { Empty, Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import { BestMatch } from "./best-match.js";
import { FoundRows } from "./found-rows.js";
import { KindCounts } from "./kind-counts.js";
import { type Found, useSearch } from "./use-search.js";
import "./search.css";

export function Search() {
  const text = place.value.options.for ?? "";
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
      {found?.match !== undefined && <BestMatch match={found.match} />}
      {found?.ambiguous !== undefined && (
        <Note severity="info">
          <Text value={found.ambiguous} />
        </Note>
      )}
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
          <FoundRows kinds={found.kinds} />
          <KindCounts kinds={found.kinds} />
        </div>
      )}
      {found?.isDone && found.count === 0 && (
        <Empty heading="No row has it.">
          <p>
            {counted(found.read, "row")} were searched, in keys and values, for the id, the name and the text
            as it is written. Text inside of compressed or encrypted values is not found.
          </p>
        </Empty>
      )}
    </View>
  );
}

function Sentence({ found }: { found: Found }) {
  const { match, kinds, count: rows, isDone } = found;
  const where = (
    <>
      <b>{counted(rows, "row")}</b> of {counted(kinds.length, "kind")} {rows === 1 ? "has" : "have"} it
      {isDone ? "" : " so far"}
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
