/** The grid: a column for each part and field, and of a million rows only those in sight. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { newKeys } from "../../page/live.js";
import { ask } from "../../page/worker-client.js";
import { useRowWindow } from "../../parts/row-window.js";
import { count } from "../../parts/text.js";
import { rowHeight } from "../../parts/virtual-rows.js";
import { GridCell } from "./grid-cell.js";
import type { Grid, GridRow, GridRows } from "./use-grid.js";

/** Characters of the widest column. */
const WIDEST = 34;
/** Pixels of the two lines above the rows. */
const HEAD = 58;

export function RowGrid({
  rows,
  grid,
  hidden,
  choice,
  selected,
  reveal,
  onSelect,
}: {
  rows: GridRows;
  grid: Grid;
  hidden: ReadonlySet<string>;
  choice: { readonly kind: string; readonly parts: Readonly<Record<string, string>> };
  /** The key, in hex, of the selected row. */
  selected: string | undefined;
  /** A row to bring into sight. */
  reveal: number | undefined;
  onSelect: (key: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = useMemo(rowHeight, []);
  const shown = useRowWindow(scroller, grid.count, height, HEAD);
  const [active, setActive] = useState(0);
  const columns = grid.columns.filter(({ name }) => !hidden.has(name));
  useEffect(() => rows.want(shown.first, shown.count));
  useEffect(() => goTo(reveal), [reveal]);
  // The row of the address may be far away.
  useEffect(() => {
    if (selected === undefined || rows.row(active)?.key === selected) return;
    ask("a", "rowPlace", choice, selected).then(goTo, () => undefined);
  }, [selected]);

  function goTo(index: number | undefined): void {
    if (index === undefined || grid.count === 0) return;
    const row = Math.min(index, grid.count - 1);
    setActive(row);
    shown.reveal(row, "center");
  }

  const move = (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      const key = rows.row(active)?.key;
      if (key !== undefined) onSelect(key);
      return;
    }
    const page = Math.max(1, shown.visible - 1);
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: grid.count - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const row = Math.max(0, Math.min(grid.count - 1, to));
    setActive(row);
    shown.reveal(row);
  };

  const parts = columns.filter(({ isPart }) => isPart).length;
  const numbers = Array.from({ length: shown.count }, (_, at) => shown.first + at);
  return (
    <section class="panel" aria-label="Rows of this kind">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move in the grid */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move in the grid */}
      <div class="grid-scroll" ref={scroller} tabIndex={0} onKeyDown={move}>
        <table
          class="tbl grid"
          aria-rowcount={grid.count}
          style={{ width: `${widthOf(columns, rows, shown.first)}ch` }}
        >
          <colgroup>
            {columns.map(({ name }) => (
              <col key={name} style={{ width: `${charactersOf(name, rows, shown.first)}ch` }} />
            ))}
          </colgroup>
          <thead>
            <tr class="parts">
              {parts > 0 && <th colSpan={parts}>Key</th>}
              {columns.length > parts && <th colSpan={columns.length - parts}>Value</th>}
            </tr>
            <tr>
              {columns.map(({ name }) => (
                <th key={name} class={isNumber(rows.row(shown.top), name) ? "num" : ""} title={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Space height={shown.above} columns={columns.length} />
            {numbers.map((index) => (
              <Row
                key={index}
                index={index}
                row={rows.row(index)}
                columns={columns}
                isActive={index === active}
                isSelected={rows.row(index)?.key === selected && selected !== undefined}
                onSelect={(key) => {
                  setActive(index);
                  onSelect(key);
                }}
              />
            ))}
            <Space height={shown.below} columns={columns.length} />
          </tbody>
        </table>
      </div>
      <div class="panel-foot">
        Rows {count(shown.top + 1)} to {count(Math.min(grid.count, shown.top + shown.visible))} of{" "}
        {count(grid.count)}
      </div>
    </section>
  );
}

function Space({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td class="space" colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  );
}

function Row({
  index,
  row,
  columns,
  isActive,
  isSelected,
  onSelect,
}: {
  index: number;
  row: GridRow | undefined;
  columns: Grid["columns"];
  isActive: boolean;
  isSelected: boolean;
  onSelect: (key: string) => void;
}) {
  if (row === undefined)
    return (
      <tr aria-rowindex={index + 1} aria-busy="true">
        {columns.map(({ name }) => (
          <td key={name}>
            <span class="skel" />
          </td>
        ))}
      </tr>
    );
  const look = `${isSelected ? "sel" : ""} ${isActive ? "active" : ""} ${newKeys.value.has(row.key) ? "new" : ""}`;
  return (
    <tr
      class={look}
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      onClick={(event) => {
        if (!(event.target as HTMLElement).closest("a")) onSelect(row.key);
      }}
    >
      {columns.map(({ name }) => (
        <GridCell key={name} cell={row.cells[name]} />
      ))}
    </tr>
  );
}

/** Characters of a column: of its name, and of the first cells in sight, so that columns keep still while scrolling. */
function charactersOf(name: string, rows: GridRows, first: number): number {
  const cells = [0, 1, 2, 3, 4, 5].map((at) => rows.row(first + at)?.cells[name]);
  const lengths = cells.map((cell) => {
    if (cell === undefined) return 0;
    if (cell.id === undefined) return cell.text.length;
    return 9 + (cell.thing?.name === undefined ? 0 : cell.thing.name.length + 1);
  });
  return 4 + Math.min(WIDEST, Math.max(name.length, ...lengths));
}

function widthOf(columns: Grid["columns"], rows: GridRows, first: number): number {
  return columns.reduce((sum, { name }) => sum + charactersOf(name, rows, first), 0);
}

function isNumber(row: GridRow | undefined, name: string): boolean {
  return row?.cells[name]?.look === "number";
}
