/**
 * The panels beside the table: the delta of the moment, the life of the chosen entry, and the differences from a pinned
 * moment.
 */
import "./side-panels.css";
import { useAnswer } from "../../page/use-answer.js";
import { useLatest } from "../../page/use-latest.js";
import { ask } from "../../page/worker-client.js";
import { Id } from "../../parts/id.js";
import { Author } from "../../parts/marks.js";
import { Value } from "../../parts/past-value.js";
import { count, counted, Text } from "../../parts/text.js";
import { utc, utcTime } from "../../parts/time.js";
import { Panel } from "../../parts/view.js";
import { Name, Words } from "../../parts/words.js";
import type { By, Moment, PastChange, PastDiff, PastRow } from "../../worker/past/answers.js";
import type { TimeOf } from "../../worker/past/time.js";

type HistoryOf = (id: string) => string;

function Who({ by }: { by: By }) {
  return (
    <Author author={by.colour}>{by.author === undefined ? "no author" : <Name of={by.author} />}</Author>
  );
}

/** Changes of a delta that are written out. */
const WRITTEN = 4;

/** The delta or operation of the moment. */
export function ThisStep({
  of,
  then,
  size,
  historyOf,
}: {
  of: TimeOf;
  then: Moment;
  size: number;
  historyOf: HistoryOf;
}) {
  const { by, words, changes, changeCount, parents, facts, position } = then;
  return (
    <Panel
      title={of === "context" ? "This delta" : "This operation"}
      remark={position === 0 ? undefined : `${count(position)} of ${count(size)}`}
    >
      <div class="panel-body step">
        {words !== undefined && (
          <p class="say">
            <Words words={words} />
          </p>
        )}
        {by === undefined && <p class="quiet">The state before the first delta that is here.</p>}
        {by !== undefined && changeCount === 0 && (
          <p class="quiet">
            It changed nothing {of === "context" ? "of these entries" : "of these members"}.
          </p>
        )}
        {changes.slice(0, WRITTEN).map((change) => (
          <Change key={change.name} {...change} isPlain={of === "group"} />
        ))}
        {changeCount > WRITTEN && <p class="quiet">and {count(changeCount - WRITTEN)} more</p>}
        {by !== undefined && (
          <p>
            <Who by={by} /> <Id id={by.id} address={historyOf(by.id)} />
          </p>
        )}
        {by !== undefined && (
          <p class="quiet">
            {parents.length > 1 ? "merges " : "follows "}
            {parents.length === 0 && "nothing"}
            {parents.slice(0, 4).map((id) => (
              <code key={id}>{/^0+$/.test(id) ? "nothing" : id.slice(0, 8)} </code>
            ))}
          </p>
        )}
        {facts.length > 0 && (
          <dl class="kv">
            {facts.map(([term, content]) => [
              <dt key={term}>{term}</dt>,
              <dd key={`${term} is`}>{content}</dd>,
            ])}
          </dl>
        )}
      </div>
    </Panel>
  );
}

function Change({ name, before, after, isPlain }: PastChange & { isPlain: boolean }) {
  const verb = after === undefined ? "removed" : before === undefined ? "added" : "changed";
  const show = (value: PastChange["before"]) =>
    isPlain && value !== undefined && value !== null ? (
      <Text value={value} most={120} />
    ) : (
      <Value value={value} text={undefined} />
    );
  return (
    <div>
      <p class="say">
        <b>{verb}</b>{" "}
        <code>
          <Text value={name} most={120} />
        </code>
      </p>
      <p class="say">
        <span class="second">{show(before)}</span>{" "}
        <span role="img" aria-label="became">
          →
        </span>{" "}
        {show(after)}
      </p>
    </div>
  );
}

/** The deltas that wrote an entry, the oldest first. Deltas after the moment have another background. */
export function Life({
  id,
  revealed,
  row,
  position,
  historyOf,
  to,
}: {
  id: string;
  revealed: boolean;
  row: PastRow;
  position: number;
  historyOf: HistoryOf;
  to: (position: number) => void;
}) {
  const { answer = [] } = useAnswer("timeLife", id, revealed, row.key);
  const isLast = !answer.some(({ by }) => (by?.position ?? 0) > position);
  return (
    <Panel
      title="Who wrote it"
      remark={
        <code class="cut">
          <Text value={row.name} most={40} />
        </code>
      }
    >
      <ol class="blame">
        {answer.map(({ value, by }) => (
          <li key={by?.id ?? ""} class={(by?.position ?? 0) > position ? "future" : ""}>
            <span class={`author au-${by?.colour ?? 6}`} />
            <span class="grow">
              {value === undefined ? (
                "removed"
              ) : (
                <>
                  set to <Value value={value} text={undefined} />
                </>
              )}{" "}
              {by?.author !== undefined && (
                <>
                  <span class="quiet">by</span> <Name of={by.author} />
                </>
              )}
              <br />
              {by === undefined ? (
                <span class="quiet">before the first delta</span>
              ) : (
                <>
                  <button
                    type="button"
                    class="link"
                    title="Go to this moment"
                    onClick={() => to(by.position ?? 0)}
                  >
                    {by.time === undefined ? `delta ${by.position}` : utcTime(by.time)}
                  </button>{" "}
                  <Id id={by.id} address={historyOf(by.id)} />
                </>
              )}
            </span>
          </li>
        ))}
        {answer.length > 0 && isLast && <li class="end quiet">no later delta touches it</li>}
      </ol>
    </Panel>
  );
}

/** The most names in one line of differences. */
const NAMED = 4;

/** The differences between the pinned moment and this one. */
export function Differences({
  of,
  id,
  revealed,
  from,
  to,
}: {
  of: TimeOf;
  id: string;
  revealed: boolean;
  from: number | undefined;
  to: number;
}) {
  const [first, last] = [Math.min(from ?? 0, to), Math.max(from ?? 0, to)];
  const { answer: diff } = useLatest(from === undefined ? undefined : `${first} ${last}`, () =>
    ask("a", "timeDiff", of, id, revealed, first, last),
  );
  return (
    <Panel
      title={
        from === last && from !== to ? "From here to the pinned moment" : "From the pinned moment to here"
      }
    >
      {from === undefined || diff === undefined ? (
        <p class="panel-body quiet">
          Pin a moment, then go to another: what was added, removed and changed between them stands here.
        </p>
      ) : (
        <>
          <p class="pdt quiet">
            <code>{moment(diff.from)}</code> → <code>{moment(diff.to)}</code>,{" "}
            {counted(diff.steps, of === "context" ? "delta" : "operation")}
          </p>
          <Kind words="added" count={diff.counts[0]} changes={diff.added} />
          <Kind words="removed" count={diff.counts[1]} changes={diff.removed} />
          <Kind words="changed" count={diff.counts[2]} changes={diff.changed} />
        </>
      )}
    </Panel>
  );
}

function moment(by: PastDiff["from"]): string {
  if (by === undefined) return "the beginning";
  return by.time === undefined ? by.id.slice(0, 8) : utc(by.time).slice(11);
}

function Kind({
  words,
  count: number,
  changes,
}: {
  words: string;
  count: number;
  changes: readonly PastChange[];
}) {
  const more = number - NAMED;
  const line = (
    <>
      <b class="num">{count(number)}</b> <span>{words}</span>{" "}
      <span class="second">
        {changes.slice(0, NAMED).map(({ name }) => (
          <code key={name}>
            <Text value={name} most={40} />{" "}
          </code>
        ))}
        {more > 0 && `and ${count(more)} more`}
      </span>
    </>
  );
  if (number === 0) return <div class="pdl">{line}</div>;
  return (
    <details class="pdl">
      <summary>{line}</summary>
      <ul class="plainlist">
        {changes.map(({ name, before, after }) => (
          <li key={name}>
            <code>
              <Text value={name} most={80} />
            </code>{" "}
            <Value value={before} text={undefined} /> → <Value value={after} text={undefined} />
          </li>
        ))}
        {number > changes.length && <li class="quiet">{counted(number - changes.length, "more")}</li>}
      </ul>
    </details>
  );
}
