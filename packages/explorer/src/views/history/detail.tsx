/** Everything about the selected operation or delta. */
import type { RefObject } from "preact";
import {
  historyAddress,
  rowsAddress,
  searchAddress,
  stateAddress,
  thingAddress,
  timeAddress,
} from "../../page/addresses.js";
import { useAnswer } from "../../page/use-answer.js";
import { CopiedId } from "../../parts/copied-id.js";
import { CHECKPOINT, PENDING } from "../../parts/graph/drawn-rows.js";
import { Icon } from "../../parts/icon.js";
import { Id } from "../../parts/id.js";
import { Author } from "../../parts/marks.js";
import { Pair } from "../../parts/pair.js";
import { Answered, Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { timeWords } from "../../parts/time.js";
import { Words } from "../../parts/words.js";
import type { HistoryDetail, Relative } from "../../worker/history/detail.js";
import type { HistoryShape } from "../../worker/history/history.js";
import type { HistoryOf } from "../../worker/history/rows.js";

/** The most characters of the fields of an operation. */
const MOST_FIELDS = 8000;

/** The detail. */
export function Detail({
  of,
  id,
  at,
  row,
  shape,
  heading,
  close,
}: {
  of: HistoryOf;
  id: string;
  /** The id in the address. */
  at: string;
  /** Its row; undefined if the history has none. */
  row: number | undefined;
  shape: HistoryShape;
  heading: RefObject<HTMLHeadingElement | null>;
  close: () => void;
}) {
  const asked = useAnswer("historyDetail", of, id, row ?? -1);
  const { answer } = asked;
  const isPresent = answer?.row === row;
  return (
    <aside class="panel detail" aria-labelledby="detail-heading" aria-busy={!isPresent && row !== undefined}>
      <div class="panel-head">
        <h2 id="detail-heading" ref={heading} tabIndex={-1}>
          {row === undefined ? (
            "Not in this history"
          ) : answer ? (
            <Words words={answer.words} />
          ) : (
            "Reading it."
          )}
        </h2>
        <button type="button" class="copy" aria-label="Close" title="Close" onClick={() => close()}>
          <Icon name="close" />
        </button>
      </div>
      {row === undefined ? (
        <div class="panel-body">
          <Note severity="warning">
            <p>
              <b>This history has nothing with the id</b>{" "}
              <code>
                <Text value={at} most={64} />
              </code>
              . It may be in another one.
            </p>
            <p>
              <a href={searchAddress(at)}>Search for it</a>
            </p>
          </Note>
        </div>
      ) : (
        <Answered asked={asked} what="Reading its row.">
          {(detail) =>
            detail && <Facts of={of} id={id} detail={detail} colour={shape.colours[detail.row] ?? 6} />
          }
        </Answered>
      )}
    </aside>
  );
}

function Facts({
  of,
  id,
  detail,
  colour,
}: {
  of: HistoryOf;
  id: string;
  detail: HistoryDetail;
  colour: number;
}) {
  const { author, stored, operation, parents, parentCount, followers, followerCount } = detail;
  return (
    <div class="panel-body cols facts-of">
      <dl class="kv">
        <Pair term={of === "context" ? "Delta" : "Operation"}>
          <CopiedId id={detail.id} what="the id" />
        </Pair>
        <Pair term="Who">
          <Author author={colour}>
            {author === undefined ? (
              "no author"
            ) : (
              <Id id={author.id} name={author.name} address={thingAddress(author.kind, author.id)} plain />
            )}
          </Author>
        </Pair>
        <Pair term="When" class="num left">
          {detail.after === undefined && detail.before === undefined
            ? "not known: operations carry no time"
            : timeWords(detail.after, detail.before)}
        </Pair>
        <Pair term="State">{stateOf(detail)}</Pair>
        {detail.sequence !== undefined && (
          <Pair term="Number" class="num left">
            {count(BigInt(detail.sequence))}
          </Pair>
        )}
        {detail.kind !== undefined && (
          <Pair term="Kind">
            <code>{detail.kind}</code>
          </Pair>
        )}
        {operation !== undefined && (
          <Pair term="Signed by">
            <Id id={operation.signer} address={searchAddress(operation.signer)} />
          </Pair>
        )}
        {operation?.keyId !== undefined && (
          <Pair term="Encrypted">
            with group key <Id id={operation.keyId} address={searchAddress(operation.keyId)} />
          </Pair>
        )}
        {stored !== undefined && (
          <Pair term="Row">
            <a href={rowsAddress(stored.kind, {}, stored.key)}>
              {counted(stored.bytes, "byte")} in {stored.kind}
            </a>
          </Pair>
        )}
        {detail.events.length > 0 && (
          <Pair term="Emitted">
            {typeof detail.events === "string" ? (
              `events that are ${detail.events}`
            ) : (
              <Text value={detail.events.join(", ")} most={300} />
            )}
          </Pair>
        )}
      </dl>
      <Relatives
        heading={
          parentCount === 0
            ? "It follows nothing"
            : parentCount > 1
              ? `Merges ${count(parentCount)} parents`
              : "Follows"
        }
        relatives={parents}
        of={of}
        id={id}
        more={parentCount - parents.length}
      />
      <Relatives
        heading={followerCount === 0 ? "Nothing follows it" : "Followed by"}
        relatives={followers}
        of={of}
        id={id}
        more={followerCount - followers.length}
      />
      {detail.actions !== undefined && <Actions detail={detail} contextId={id} />}
      {operation?.fields !== undefined && (
        <div>
          <h3>Fields</h3>
          <pre class="hex fields-json">
            <Text value={operation.fields} most={MOST_FIELDS} lines />
          </pre>
        </div>
      )}
      <div class="rowflex">
        {of === "context" && (
          <a class="btn" href={timeAddress("context", id, detail.id)}>
            Show the state of then
          </a>
        )}
        {stored !== undefined && (
          <a class="btn" href={rowsAddress(stored.kind, {}, stored.key)}>
            Show bytes
          </a>
        )}
      </div>
    </div>
  );
}

/** Returns whether a delta is applied, or an operation can be read. */
function stateOf({ marks, operation, parents }: HistoryDetail): string {
  if (operation === undefined) {
    if ((marks & CHECKPOINT) !== 0) return "checkpoint";
    if ((marks & PENDING) === 0) return "applied";
    return parents.some(({ row }) => row === undefined) ? "pending: a parent is not here" : "pending";
  }
  const states: Readonly<Record<string, string>> = {
    readable: operation.keyId === undefined ? "in clear" : "decrypted",
    encrypted: "encrypted with a key that is not here",
    undecryptable: "encrypted, and does not decrypt",
    skeleton: "only its skeleton is here",
  };
  return states[operation.state] ?? operation.state;
}

function Relatives({
  heading,
  relatives,
  of,
  id,
  more,
}: {
  heading: string;
  relatives: readonly Relative[];
  of: HistoryOf;
  id: string;
  more: number;
}) {
  return (
    <div>
      <h3>{heading}</h3>
      <ul class="plainlist">
        {relatives.map(({ id: other, row, words }) => (
          <li key={other}>
            <Id
              id={other}
              address={row === undefined ? searchAddress(other) : historyAddress(of, id, other)}
            />{" "}
            <span class="second">
              {row === undefined ? "not in the database" : words && <Words words={words} />}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">and {count(more)} more</p>}
    </div>
  );
}

function Actions({
  detail: { actions = [], actionCount },
  contextId,
}: {
  detail: HistoryDetail;
  contextId: string;
}) {
  return (
    <div>
      <h3>{counted(actionCount, "action")}</h3>
      <div class="scroll">
        <table class="tbl tight">
          <tbody>
            {actions.map(({ kind, entity, size, words }, at) => (
              <tr key={`${at} ${entity}`}>
                <td class="nowrap">{kind === "DeleteRef" ? "Delete" : kind}</td>
                <td class="cut-words" title={size === 0 ? undefined : counted(size, "byte")}>
                  <Words words={words} />
                </td>
                <td class="num">
                  <Id id={entity} address={stateAddress(contextId, entity)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {actionCount > actions.length && <p class="quiet">and {count(actionCount - actions.length)} more</p>}
    </div>
  );
}
