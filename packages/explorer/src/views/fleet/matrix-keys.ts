/** The arrow keys in the matrix. */
import { stepTo } from "../../parts/steps.js";

/** Moves the focus in the grid: Tab reaches one cell, the arrow keys reach the others. */
export function moveInGrid(event: KeyboardEvent, table: HTMLTableElement | null): void {
  if (table === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const cells = [...(rows[at]?.cells ?? [])];
  const column = cells.findIndex((cell) => cell.contains(document.activeElement));
  if (at < 0 || column < 0) {
    if (event.key === "ArrowDown") table.querySelector("button")?.focus();
    return;
  }
  const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const to = side === undefined ? stepTo(event.key, at, rows.length) : at;
  if (to === undefined) return;
  event.preventDefault();
  const step = side ?? Math.sign(to - at);
  if (side !== undefined) {
    for (let next = column + step; next > 0 && next < cells.length; next += step)
      if (focused(cells[next])) return;
  } else
    for (let next = to; next >= 0 && next < rows.length && step !== 0; next += step)
      if (focused(rows[next]?.cells[column])) return;
}

function focused(cell: Element | undefined): boolean {
  const button = cell?.querySelector<HTMLElement>("button");
  button?.focus();
  return button != null;
}
