/** The use of space as a treemap: each area is a kind of rows. */

import { hierarchy, treemap } from "d3-hierarchy";
import { size } from "merostore/internal";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { rowsAddress } from "../../page/addresses.js";
import { kindGroup } from "../../parts/kind-groups.js";
import { count, counted } from "../../parts/text.js";

/** Rows of a kind in a column family. */
export interface Cell {
  /** Empty for rows of no known kind. */
  readonly kind: string;
  readonly rows: number;
  readonly bytes: number;
}

/** The measure that the areas show. */
export type Area = "bytes" | "rows";

interface Placed {
  readonly cell: Cell;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The kinds as areas, each a link to its rows. The table beside it has the numbers. */
export function Treemap({ cells, area }: { cells: readonly Cell[]; area: Area }) {
  const svg = useRef<SVGSVGElement>(null);
  const [[width, height], setSize] = useState<readonly [number, number]>([0, 0]);
  useLayoutEffect(() => {
    const element = svg.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setSize([element.clientWidth, element.clientHeight]));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const placed = useMemo(() => places(cells, area, width, height), [cells, area, width, height]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing of HTML groups the parts of a drawing.
    <svg
      ref={svg}
      class="treemap"
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label={`${area === "bytes" ? "Bytes" : "Rows"} of each kind, as areas`}
    >
      {placed.map((place) => (
        <Area key={place.cell.kind} place={place} />
      ))}
    </svg>
  );
}

function places(cells: readonly Cell[], area: Area, width: number, height: number): readonly Placed[] {
  if (width === 0 || cells.length === 0) return [];
  const root = hierarchy<{ readonly cell?: Cell; readonly children?: readonly { readonly cell: Cell }[] }>({
    children: cells.map((cell) => ({ cell })),
  })
    .sum(({ cell }) => cell?.[area] ?? 0)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const laid = treemap<typeof root.data>().size([width, height]).round(true)(root);
  return laid.leaves().flatMap(({ data: { cell }, x0, y0, x1, y1 }) => {
    if (cell === undefined || x1 <= x0 || y1 <= y0) return [];
    return [{ cell, x: x0, y: y0, width: x1 - x0, height: y1 - y0 }];
  });
}

/** The approximate width of a letter in pixels, and of a letter of a name, which is bold. */
const [LETTER, BOLD] = [6.6, 8.6];

function Area({ place: { cell, x, y, width, height } }: { place: Placed }) {
  const { kind, rows, bytes } = cell;
  const name = kind || "Unknown rows";
  const bytesText = counted(bytes, "byte");
  const rowsText = counted(rows, "row");
  const fits = (text: string, at: number, letter = LETTER) =>
    at + 8 < height && text.length * letter < width - 18;
  const hasName = fits(name, 14, BOLD);
  const content = (
    <g class={`k-${kindGroup(kind)}`}>
      <title>{`${name}: ${rowsText}, ${bytesText}`}</title>
      <rect class="cell" x={x} y={y} width={width} height={height} />
      {width > 7 && height > 7 && <rect class="edge" x={x + 1} y={y + 1} width={3} height={height - 2} />}
      {hasName && (
        <>
          <text x={x + 12} y={y + 18} font-weight="600">
            {name}
          </text>
          {fits(size(bytes), 32) && (
            <text class="b" x={x + 12} y={y + 35}>
              {size(bytes)}
            </text>
          )}
          {fits(rowsText, 48) && (
            <text class="b" x={x + 12} y={y + 51}>
              {count(rows)} {rows === 1 ? "row" : "rows"}
            </text>
          )}
        </>
      )}
    </g>
  );
  if (kind === "") return content;
  // The table has the same links for the keyboard.
  return (
    <a
      href={rowsAddress(kind)}
      tabIndex={-1}
      aria-label={hasName ? undefined : `${name}: ${rowsText}, ${bytesText}`}
    >
      {content}
    </a>
  );
}
