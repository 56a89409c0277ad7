/** The grid. It has a column for each part and field, and draws only the rows in sight. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { newKeys } from "../../page/live.js";
import { ask } from "../../page/worker-client.js";
import { GapRow } from "../../parts/gap-row.js";
import { rowHeight, useRowWindow } from "../../parts/row-window.js";
import { stepTo } from "../../parts/steps.js";
import { count } from "../../parts/text.js";
import type { RowChoice } from "../../worker/rows/choice.js";
import { GridLine, rowId } from "./grid-line.js";
import { pinClass, pinStyle, pinsOf, widthOf } from "./pins.js";
import type { Grid, GridRows } from "./use-grid.js";

/** Pixels of the line above the rows. */
const HEAD = 29;

export function RowGrid({
  rows,
  grid,
  hidden,
  choice,
  selected,
  reveal,
  onSort,
  onSelect,
}: {
  rows: GridRows;
  grid: Grid;
  hidden: ReadonlySet<string>;
  choice: RowChoice;
  /** The key, in hex, of the selected row. */
  selected: string | undefined;
  /** A row to bring into sight. Each object does so once. */
  reveal: { readonly row: number } | undefined;
  /** Sorts by a column, `-` before it from the last to the first; empty for the order of the keys. */
  onSort: (sort: string) => void;
  onSelect: (key: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = useMemo(() => rowHeight("--row-tight"), []);
  const shown = useRowWindow(scroller, grid.count, height, HEAD);
  const [active, setActive] = useState(0);
  /** Counts the moves of the person: an answered place from before the last move comes too late. */
  const moves = useRef(0);
  const columns = useMemo(
    () => grid.columns.filter(({ name }) => !hidden.has(name)),
    [JSON.stringify(grid.columns), hidden],
  );
  useEffect(() => rows.want(shown.first, shown.count));
  useEffect(() => goTo(reveal?.row), [reveal]);
  // The row of the address may be far away.
  useEffect(() => {
    if (selected === undefined || rows.row(active)?.key === selected) return;
    let current = true;
    const moved = moves.current;
    ask("a", "rowPlace", choice, selected).then(
      (row) => current && moves.current === moved && goTo(row),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [selected, JSON.stringify(choice.order)]);

  function goTo(index: number | undefined): void {
    if (index === undefined || grid.count === 0) return;
    const row = Math.min(index, grid.count - 1);
    setActive(row);
    shown.reveal(row, "center");
  }

  const choose = (row: number) => {
    const key = rows.row(row)?.key;
    moves.current++;
    setActive(row);
    if (key !== undefined) onSelect(key);
  };

  const click = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest("a")) return;
    const line = target.closest("[aria-rowindex]");
    if (line) choose(Number(line.getAttribute("aria-rowindex")) - 1);
  };

  const move = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && event.target === event.currentTarget) choose(active);
    const row = stepTo(event.key, active, grid.count, Math.max(1, shown.visible - 1));
    if (row === undefined) return;
    event.preventDefault();
    moves.current++;
    setActive(row);
    shown.reveal(row);
  };

  const pins = pinsOf(columns);
  const sort = choice.order?.sort ?? "";
  const numbers = Array.from({ length: shown.count }, (_, at) => shown.first + at);
  const isDrawn = active >= shown.first && active < shown.first + shown.count;
  return (
    <section class="panel" aria-label="Rows of this kind">
      <div class="grid-scroll" ref={scroller}>
        <table
          class="tbl grid"
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the keys move in it
          role="grid"
          aria-label="Rows"
          aria-rowcount={grid.count}
          aria-activedescendant={isDrawn ? rowId(active) : undefined}
          tabIndex={0}
          onKeyDown={move}
          onClick={click}
          style={{ width: `${columns.reduce((sum, one) => sum + widthOf(one), 0)}ch` }}
        >
          <colgroup>
            {columns.map((one) => (
              <col key={one.name} style={{ width: `${widthOf(one)}ch` }} />
            ))}
          </colgroup>
          <Head columns={columns} pins={pins} sort={sort} onSort={onSort} />
          <tbody>
            <GapRow height={shown.above} columns={columns.length} />
            {numbers.map((index) => {
              const row = rows.row(index);
              return (
                <GridLine
                  key={index}
                  index={index}
                  row={row}
                  isLost={rows.isLost(index)}
                  columns={columns}
                  pins={pins}
                  isActive={index === active}
                  isSelected={row !== undefined && row.key === selected}
                  isNew={row !== undefined && newKeys.value.has(row.key)}
                />
              );
            })}
            <GapRow height={shown.below} columns={columns.length} />
          </tbody>
        </table>
      </div>
      <div class="panel-foot">
        Rows {count(shown.top + 1)} to {count(Math.min(grid.count, shown.top + shown.visible))} of{" "}
        {count(grid.count)}
        {[...new Set(columns.flatMap(({ day }) => day ?? []))].map((day) => ` · ${day}`)}
        {grid.parts.length > 0 && (
          <span class="hide-s">
            {" · "}
            {sort === "" ? "in the order of the key: " : "the order of the key is "}
            {grid.parts.join(", ")}
          </span>
        )}
      </div>
    </section>
  );
}

function Head({
  columns,
  pins,
  sort,
  onSort,
}: {
  columns: Grid["columns"];
  pins: ReturnType<typeof pinsOf>;
  /** The column by which the rows are sorted, as `onSort` takes it. */
  sort: string;
  onSort: (sort: string) => void;
}) {
  return (
    <thead>
      <tr>
        {columns.map(({ name, isPart, isNumber, isSortable, day }, at) => (
          <th
            key={name}
            class={`${isNumber ? "num" : ""} ${pinClass(pins, at)}`}
            style={pinStyle(pins, at)}
            title={isPart ? `${name}, a part of the key` : name}
            aria-sort={sort === name ? "ascending" : sort === `-${name}` ? "descending" : undefined}
          >
            {isSortable ? (
              <button
                type="button"
                class="sort"
                tabIndex={-1}
                onClick={() => onSort(sort === name ? `-${name}` : sort === `-${name}` ? "" : name)}
              >
                {name}
              </button>
            ) : (
              <span>{name}</span>
            )}
            {day !== undefined && <span title={day}>, UTC</span>}
          </th>
        ))}
      </tr>
    </thead>
  );
}
