/** The entries or members of a moment, with their lives. Removed ones stay, struck through. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { GapRow } from "../../parts/gap-row.js";
import { Author, Tag } from "../../parts/marks.js";
import { Value } from "../../parts/past-value.js";
import { rowHeight, useRowWindow } from "../../parts/row-window.js";
import { stepTo } from "../../parts/steps.js";
import { count, counted, Text } from "../../parts/text.js";
import { utc, utcDate, utcTime, utcToSecond } from "../../parts/time.js";
import { Panel } from "../../parts/view.js";
import { Name } from "../../parts/words.js";
import type { Moment, PastRow, RowsWanted } from "../../worker/past/answers.js";
import type { TimeOf } from "../../worker/past/time.js";
import type { Shape } from "./axis.js";

/** Pixels of the line of headings. */
const HEAD = 32;
/** Rows that are requested at a time. */
const PAGE = 40;
/** The columns that are visible at every width. A cell that spans more would make room for hidden columns. */
const LEAST_COLUMNS = 3;

type PlacedText = NonNullable<Parameters<typeof Value>[0]["text"]>;

export function PastTable({
  of,
  id,
  revealed,
  then,
  shape,
  wanted,
  onWant,
  selected,
  onSelect,
}: {
  of: TimeOf;
  id: string;
  revealed: boolean;
  then: Moment;
  shape: Shape;
  wanted: RowsWanted;
  onWant: (rows: RowsWanted) => void;
  selected: string | undefined;
  onSelect: (key: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = useMemo(() => rowHeight(), []);
  const shown = useRowWindow(scroller, then.total, height, HEAD);
  const from = Math.max(0, Math.floor(shown.first / PAGE) * PAGE);
  const to = from + 2 * PAGE;
  useEffect(() => {
    if (wanted.from !== from || wanted.to !== to) onWant({ ...wanted, from, to });
  }, [from, to]);
  const rows = Array.from({ length: shown.count }, (_, at) => then.rows[shown.first + at - wanted.from]);
  const isContext = of === "context";
  const hasDates =
    shape.size > 0 && utcDate(shape.times[0] as number) !== utcDate(shape.times.at(-1) as number);
  const move = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = then.rows.findIndex(({ key }) => key === selected) + wanted.from;
    const row = stepTo(event.key, at, then.total, Math.max(1, shown.visible - 1));
    const key = row === undefined ? undefined : then.rows[row - wanted.from]?.key;
    if (row === undefined) return;
    event.preventDefault();
    shown.reveal(row);
    if (key !== undefined) onSelect(key);
  };
  return (
    <Panel
      title={isContext ? "Data at this moment" : "Members at this moment"}
      remark={
        <span class="rowflex past-bar">
          <span>
            {isContext ? counted(then.count, "entry", "entries") : counted(then.count, "member")}
            {then.removed > 0 && `, ${count(then.removed)} ${isContext ? "removed" : "gone"}`}
          </span>
          <Choice isContext={isContext} wanted={wanted} onWant={onWant} />
        </span>
      }
      foot={
        then.total === 0
          ? wanted.filter === ""
            ? "Nothing was there"
            : "Nothing passes the filter"
          : `${count(shown.top + 1)} to ${count(Math.min(then.total, shown.top + shown.visible))} of ${count(then.total)}`
      }
    >
      <div class="past-scroll" ref={scroller}>
        <table
          class={`tbl tmt ${isContext ? "" : "of-members"}`}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the keys move in it
          role="grid"
          aria-label={isContext ? "Entries" : "Members"}
          aria-rowcount={then.total}
          tabIndex={0}
          onKeyDown={move}
        >
          <thead>
            <tr>
              <th>{isContext ? "Entry" : "Member"}</th>
              <th>{isContext ? "Value" : "Role"}</th>
              <th class="who">{isContext ? "Written by" : "By"}</th>
              <th class="num hide-s">When, UTC</th>
              {isContext && <th class="life hide-s">Its life, in {counted(shape.size, "delta")}</th>}
            </tr>
          </thead>
          <tbody>
            <GapRow height={shown.above} columns={LEAST_COLUMNS} />
            {rows.map((row, at) =>
              row === undefined ? (
                <tr key={`row ${shown.first + at}`}>
                  <td colSpan={LEAST_COLUMNS} class="quiet">
                    …
                  </td>
                </tr>
              ) : (
                <PastLine
                  key={row.key}
                  row={row}
                  index={shown.first + at}
                  isContext={isContext}
                  isSelected={row.key === selected}
                  text={{ id, revealed, position: then.position, path: row.name }}
                  size={shape.size}
                  hasDates={hasDates}
                  onSelect={onSelect}
                />
              ),
            )}
            <GapRow height={shown.below} columns={LEAST_COLUMNS} />
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

/** The filter and the order of the rows. */
function Choice({
  isContext,
  wanted,
  onWant,
}: {
  isContext: boolean;
  wanted: RowsWanted;
  onWant: (rows: RowsWanted) => void;
}) {
  return (
    <>
      <input
        class="field"
        type="search"
        aria-label={`Filter by name or ${isContext ? "value" : "role"}`}
        placeholder="Filter"
        size={8}
        onInput={({ currentTarget }) => onWant({ ...wanted, filter: currentTarget.value })}
      />
      <fieldset class="seg sm" aria-label="Order">
        {(["newest", "name"] as const).map((order) => (
          <button
            key={order}
            type="button"
            aria-pressed={wanted.order === order}
            onClick={() => onWant({ ...wanted, order })}
          >
            {order === "newest" ? "Newest change" : "Name"}
          </button>
        ))}
      </fieldset>
    </>
  );
}

/** An entry or a member. */
function PastLine({
  row,
  index,
  isContext,
  isSelected,
  text,
  size,
  hasDates,
  onSelect,
}: {
  row: PastRow;
  /** The place among all rows. */
  index: number;
  isContext: boolean;
  isSelected: boolean;
  /** The place of a value in the data, and of the moment. */
  text: PlacedText;
  /** The number of deltas. */
  size: number;
  /** True if times have their days. */
  hasDates: boolean;
  onSelect: (key: string) => void;
}) {
  const { by } = row;
  return (
    <tr
      class={row.value === undefined ? "gone" : ""}
      aria-selected={isSelected}
      aria-rowindex={index + 1}
      onClick={() => onSelect(row.key)}
    >
      <td class="cut">
        {isContext ? (
          <code>
            <Text value={row.name} most={120} />
          </code>
        ) : (
          <Text value={row.name} most={60} />
        )}
      </td>
      <td class="cut">
        <RowValue row={row} text={text} isPlain={!isContext} />
      </td>
      <td class="cut">
        {by === undefined ? (
          <span class="quiet">{isContext ? "before the first delta" : "a founder"}</span>
        ) : (
          <Author author={by.colour}>
            {by.author === undefined ? "no author" : <Name of={by.author} />}
          </Author>
        )}
      </td>
      <td class="num quiet hide-s nowrap">
        {by?.time !== undefined &&
          (isContext ? (hasDates ? utc : utcTime)(by.time) : `before ${utcToSecond(by.time)}`)}
      </td>
      {isContext && (
        <td class="life hide-s">
          <Lifeline row={row} size={size} position={text.position} />
        </td>
      )}
    </tr>
  );
}

function RowValue({
  row: { value, was },
  text,
  isPlain,
}: {
  row: PastRow;
  text: PlacedText;
  isPlain: boolean;
}) {
  if (value !== undefined)
    return isPlain ? <Text value={value ?? ""} most={120} /> : <Value value={value} text={text} />;
  if (isPlain) return <Tag>{was}</Tag>;
  return (
    <>
      <del>{was === null ? "a text" : <Value value={was} text={undefined} />}</del>{" "}
      <small class="quiet">removed</small>
    </>
  );
}

/** The life of an entry in numbers of deltas: times would hide bursts of changes. */
function Lifeline({
  row: { life, value },
  size,
  position,
}: {
  row: PastRow;
  size: number;
  position: number;
}) {
  if (life === undefined) return null;
  const x = (at: number): number => (size === 0 ? 0 : (Math.min(at, size) / size) * 100);
  const [from, to, now] = [x(life.from), x(life.to), x(position)];
  const isGone = value === undefined;
  const colour = `au-${life.colour}`;
  return (
    <span class="lf" aria-hidden="true">
      <i class={colour} style={{ left: `${from}%`, width: `max(3px, ${(isGone ? to : now) - from}%)` }} />
      {!isGone && to > now && (
        <i class={`fut ${colour}`} style={{ left: `${now}%`, width: `${to - now}%` }} />
      )}
      {(isGone || life.to <= size) && <u style={{ left: `${to}%` }} />}
      <s style={{ left: `${now}%` }} />
    </span>
  );
}
