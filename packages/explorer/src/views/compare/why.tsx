/**
 * The reason why two nodes differ in a context or a group: the verdict in a sentence, and each cause with the rows that
 * it explains.
 */
import "./why.css";
import { useState } from "preact/hooks";
import { historyAddress, rowsAddress, thingAddress } from "../../page/addresses.js";
import { useAnswerOfBoth } from "../../page/use-answer.js";
import { capitalised } from "../../parts/capitalised.js";
import { Kind, type Severity, SeverityMark, Tag } from "../../parts/marks.js";
import { Answered, Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { timeWords, utcClock } from "../../parts/time.js";
import { Name } from "../../parts/words.js";
import type { Thing } from "../../worker/compare/compare.js";
import type { Cause, CauseEvent, CauseRow, Why as Found } from "../../worker/compare/why.js";
import { LaneLines, type Lanes, lanesOf } from "./lanes.js";
import type { ComparedThing } from "./options.js";

/** Kinds of rows that a cause names. */
const MOST_KINDS = 4;
/**
 * Hex digits of a long key that a row shows: the first ones, and the last ones, in which the keys of one context
 * differ.
 */
const [FIRST_DIGITS, LAST_DIGITS] = [8, 16];

const VERDICTS: Readonly<Record<Found["verdict"], readonly [Severity, string]>> = {
  same: ["ok", "the same"],
  expected: ["info", "expected"],
  wrong: ["error", "not expected"],
  unknown: ["warning", "unknown"],
};

/** The panel. */
export function Why({ of, thing }: { of: ComparedThing["of"]; thing: Thing }) {
  const asked = useAnswerOfBoth("why", of, thing.id);
  return (
    <section class="panel why" aria-labelledby="why">
      <div class="panel-head">
        <h2 id="why">
          {asked.answer?.verdict === "same" ? "Why rows differ in" : "Why they differ in"}{" "}
          <a href={thingAddress(of, thing.id)}>
            <Name of={{ kind: of, ...thing }} />
          </a>
        </h2>
        {asked.answer && <VerdictMark found={asked.answer} />}
      </div>
      <Answered asked={asked} what="Replaying both histories.">
        {(found) =>
          found === undefined ? (
            <p class="panel-body">Neither node has this {of}.</p>
          ) : (
            <Answer key={thing.id} found={found} />
          )
        }
      </Answered>
    </section>
  );
}

function VerdictMark({ found: { verdict } }: { found: Found }) {
  const [severity, words] = VERDICTS[verdict];
  return <SeverityMark severity={severity}>{words}</SeverityMark>;
}

/** A sentence as it begins a paragraph. The name of a node at its beginning stays as it is. */
function begun(sentence: string): string {
  return sentence.startsWith("both ") ? capitalised(sentence) : sentence;
}

function Answer({ found }: { found: Found }) {
  const { verdict, sentence, causes, unexplained, unread } = found;
  const all = causes.reduce((sum, { rowCount }) => sum + rowCount, unexplained.rowCount);
  const first = verdict === "same" ? undefined : causes.find(({ isOwn }) => !isOwn);
  const lanes = lanesOf(causes, first);
  return (
    <>
      <p class="panel-body said">
        <b>
          <Text value={begun(sentence)} most={1_000} />.
        </b>
      </p>
      {unread.length > 0 && (
        <Note severity="warning">
          <p>
            Rows in <Text value={unread.join(", ")} /> cannot be read: an answer without them may be untrue.
          </p>
        </Note>
      )}
      <ol class="chain">
        {causes.map((cause, at) => (
          <CauseLine
            key={at}
            cause={cause}
            lanes={lanes[at]}
            all={all}
            isCause={cause === first}
            isWrong={cause === first && verdict === "wrong"}
          />
        ))}
        <CauseLine
          cause={unexplained}
          all={all}
          isCause={false}
          isWrong={unexplained.rowCount > 0}
          remark={unexplained.rowCount === 0 ? "every row that differs has a cause" : undefined}
        />
      </ol>
    </>
  );
}

/** The side of a cause: the only side with its operations or deltas, or with all its rows; otherwise both. */
function sideOf({ event, rows }: Cause): CauseEvent["on"] {
  if (event !== undefined) return event.on;
  const [first] = rows;
  return first !== undefined && rows.every(({ on }) => on === first.on) ? first.on : "both";
}

/**
 * A cause.
 *
 * @param all rows of all causes
 */
function CauseLine({
  cause,
  lanes,
  all,
  isCause,
  isWrong,
  remark,
}: {
  cause: Cause;
  lanes?: Lanes | undefined;
  all: number;
  isCause: boolean;
  isWrong: boolean;
  remark?: string | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  const { sentence, event, rowCount, rows, kinds } = cause;
  const counts = kinds.reduce((sum, [, number]) => sum + number, 0);
  const side = sideOf(cause);
  return (
    <li class={`w-${side} ${isCause ? "cause" : ""} ${isWrong ? "red" : ""}`}>
      <span class="where">
        {side === "each" ? (
          "on each"
        ) : side !== "both" ? (
          <>
            <Tag look={side}>{side.toUpperCase()}</Tag> only
          </>
        ) : (
          (event !== undefined || rowCount > 0) && "on both"
        )}
      </span>
      <span class={`ln ${side === "b" && lanes ? "right" : ""}`}>
        {lanes && <LaneLines lanes={lanes} />}
        <em class="d" />
      </span>
      <div>
        <p class="h">
          <Text value={sentence} most={1_000} />
        </p>
        <p class="s kinds">
          {kinds.slice(0, MOST_KINDS).map(([kind, number]) => (
            <Kind key={kind} kind={kind}>
              <Text value={kind} most={60} /> {count(number)}
            </Kind>
          ))}
          {kinds.length > MOST_KINDS && ` and ${counted(kinds.length - MOST_KINDS, "more kind")}`}
          {counts < rowCount && ` in the first ${count(counts)} rows`}
          {remark}
        </p>
        {isOpen && <Rows rows={rows} />}
      </div>
      <div class="rt">
        {event && <When event={event} />}
        {isCause && <Tag look={isWrong ? "error" : "warning"}>the cause</Tag>}
        {rowCount > 0 && (
          <span class="bar" aria-hidden="true">
            <i style={{ width: `${(100 * rowCount) / all}%` }} />
          </span>
        )}
        {rows.length > 0 ? (
          <button
            type="button"
            class="btn small plain"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {counted(rowCount, "row")}
          </button>
        ) : (
          <span class="quiet">
            {remark !== undefined ? "0" : rowCount === 0 ? "" : counted(rowCount, "row")}
          </span>
        )}
      </div>
    </li>
  );
}

/** The time of a cause, with a link to its first operation or delta. Bounds of times are shown as bounds. */
function When({ event: { after, before, of, within, id } }: { event: CauseEvent }) {
  const last = before === undefined ? undefined : utcClock(before);
  const words =
    after === undefined
      ? last === undefined
        ? "In history"
        : `by ${last}`
      : last === undefined
        ? `from ${utcClock(after)}`
        : utcClock(after) === last
          ? last
          : `${utcClock(after)} to ${last}`;
  return (
    <a href={historyAddress(of, within, id)} title={`${timeWords(after, before)}: show it in history`}>
      {words}
    </a>
  );
}

function Rows({ rows }: { rows: readonly CauseRow[] }) {
  return (
    <ul class="rows-of">
      {rows.map((row) => (
        <li key={`${row.kind} ${row.key}`}>
          <Kind kind={row.kind}>
            <Text value={row.kind} most={60} />
          </Kind>{" "}
          <Key row={row} />{" "}
          <span class="quiet">{row.on === "both" ? "differs" : `only on ${row.on.toUpperCase()}`}</span>
        </li>
      ))}
    </ul>
  );
}

/** The key. It is a link if A has the row, because the view of rows shows A. */
function Key({ row: { kind, key, on, hasView } }: { row: CauseRow }) {
  const digits = (
    <code title={key}>
      {key.length > 40 ? `${key.slice(0, FIRST_DIGITS)}…${key.slice(-LAST_DIGITS)}` : key}
    </code>
  );
  return hasView && on !== "b" ? <a href={rowsAddress(kind, {}, key)}>{digits}</a> : digits;
}
