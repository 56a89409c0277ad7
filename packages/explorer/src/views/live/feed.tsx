/** The changes, newest first: deltas and operations in words, other rows by their keys. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { historyAddress, rowsAddress, thingAddress } from "../../page/addresses.js";
import type { LiveRow } from "../../page/live.js";
import { SHOWN_DIGITS } from "../../parts/id.js";
import { Author, Kind } from "../../parts/marks.js";
import { Value } from "../../parts/past-value.js";
import { count, Text } from "../../parts/text.js";
import { utcClock, utcTime } from "../../parts/time.js";
import { Name, Words } from "../../parts/words.js";
import type { Told } from "../../worker/past/told.js";

/** A row, and its words. */
export interface Item {
  readonly row: LiveRow;
  readonly told: Told | undefined;
}

/** The most consecutive similar items that are listed whole, and the number that is listed if there are more. */
const [MOST_ALIKE, SHOWN_ALIKE] = [20, 5];

/**
 * The list.
 *
 * @param checked the number of the last checked row, with the line that marks it
 */
export function Feed({
  items,
  checked,
}: {
  items: readonly Item[];
  checked: { readonly number: number; readonly words: ComponentChildren } | undefined;
}) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const lines: ComponentChildren[] = [];
  let isLined = false;
  /** Draws the line of the check. */
  const line = (): void => {
    if (!isLined && checked !== undefined)
      lines.push(
        <li key="checked" class="line">
          {checked.words}
        </li>,
      );
    isLined = true;
  };
  for (const run of runsOf(items, checked?.number)) {
    const first = run[0] as Item;
    if (checked !== undefined && first.row.number <= checked.number) line();
    const isFolded = run.length > MOST_ALIKE && !open.has(first.row.key);
    for (const item of isFolded ? run.slice(0, SHOWN_ALIKE) : run)
      lines.push(<Line key={`${item.row.number} ${item.row.key}`} item={item} />);
    if (!isFolded) continue;
    lines.push(
      <li key={`fold ${first.row.key}`} class="sep">
        <button type="button" class="btn small" onClick={() => setOpen(new Set([...open, first.row.key]))}>
          Unfold
        </button>{" "}
        {count(run.length - SHOWN_ALIKE)} more like these
      </li>,
    );
  }
  if (items.length > 0) line();
  return <ol class="feed">{lines}</ol>;
}

/** Runs of consecutive similar items, split at the line of the check. */
function runsOf(items: readonly Item[], checked = 0): readonly (readonly Item[])[] {
  const runs: Item[][] = [];
  let last = "";
  for (const item of items) {
    const likeness = `${likenessOf(item)} ${item.row.number <= checked}`;
    if (likeness === last) runs.at(-1)?.push(item);
    else runs.push([item]);
    last = likeness;
  }
  return runs;
}

function likenessOf({ row, told }: Item): string {
  return told === undefined ? `${row.kind} ${row.column}` : `${told.of} ${told.author?.id} ${told.where.id}`;
}

function Line({ item: { row, told } }: { item: Item }) {
  if (told === undefined) return <RowLine row={row} />;
  const { of, id, author, colour, where, history } = told;
  const time = told.after ?? told.before;
  return (
    <li class="fresh">
      <a class="t" href={historyAddress(of === "delta" ? "context" : "namespace", history.id, id)}>
        {time === undefined
          ? utcClock(row.at)
          : told.after === told.before
            ? utcTime(time)
            : `by ${utcClock(time)}`}
      </a>
      <Author author={colour}>{author === undefined ? "no author" : <Name of={author} />}</Author>
      <span class="w">
        <Did told={told} />
      </span>
      <a class="k" href={thingAddress(where.kind, where.id)}>
        <Kind kind={of === "delta" ? "ContextMeta" : "GroupOpLog"}>
          <Name of={where} />
        </Kind>
      </a>
    </li>
  );
}

/** The most entries that a line names. */
const NAMED = 2;

/** The entries that a delta changed, each with its values before and after; for other items, their words. */
function Did({ told: { words, changes, changeCount } }: { told: Told }) {
  if (changes.length === 0) return <Words words={words} linked />;
  return (
    <>
      {changes.slice(0, NAMED).map(({ name, before, after }) => (
        <span key={name} class="did">
          {after === undefined ? "deleted" : "set"}{" "}
          <code>
            <Text value={name} most={120} />
          </code>{" "}
          {after === undefined ? (
            <del>
              <Value value={before} text={undefined} />
            </del>
          ) : (
            <Value value={before} text={undefined} />
          )}{" "}
          <span class="arrow">→</span> <Value value={after} text={undefined} />
        </span>
      ))}
      {changeCount > NAMED && <span class="quiet">and {count(changeCount - NAMED)} more</span>}
    </>
  );
}

function RowLine({ row }: { row: LiveRow }) {
  const { kind, column, key, parts, type } = row;
  const words =
    parts.length === 0
      ? "the only row"
      : parts.map(([name, text]) => (
          <span key={name} class="part">
            <span class="quiet">{name}</span>{" "}
            <code>
              {/^[0-9a-f]{64}$/.test(text) ? text.slice(0, SHOWN_DIGITS) : <Text value={text} most={60} />}
            </code>
          </span>
        ));
  return (
    <li class="fresh">
      <span class="t">{utcClock(row.at)}</span>
      <span class="second">{whatOf(row)}</span>
      <span class="w">
        {kind === undefined || type === "delete" ? words : <a href={rowsAddress(kind, {}, key)}>{words}</a>}
      </span>
      <span class="k">
        <Kind kind={kind ?? ""}>{kind ?? <Text value={column} most={40} />}</Kind>
      </span>
    </li>
  );
}

function whatOf({ type, existed }: LiveRow): string {
  if (type === "delete") return "deleted";
  if (existed === undefined) return "written";
  return existed ? "changed" : "new";
}
