/** The canvas of a graph: it covers the rows that are in the page, scrolls with them, and is drawn when they change. */
import { useLayoutEffect, useReducer, useRef } from "preact/hooks";
import { type DrawnRow, drawRows, graphWidth } from "./draw.js";

/** The canvas beside the rows of a list. */
export function LaneCanvas({
  top,
  rows,
  above,
  lanes,
  rowHeight,
  pitch,
  width,
  shift = 0,
}: {
  /** Pixels from the top of the list to the first row. */
  top: number;
  rows: readonly DrawnRow[];
  above: DrawnRow["below"];
  lanes: number;
  rowHeight: number;
  pitch: number;
  /** Pixels of the column. If lanes need more, `shift` pixels at the left are out of sight. */
  width: number;
  shift?: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [scheme, schemeChanged] = useReducer((n: number) => n + 1, 0);
  useLayoutEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const listen = () => schemeChanged(0);
    dark.addEventListener("change", listen);
    return () => dark.removeEventListener("change", listen);
  }, []);
  const shown = Math.min(width, graphWidth(lanes, pitch));
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const scale = Math.min(devicePixelRatio, 3);
    element.width = Math.ceil(shown * scale);
    element.height = Math.ceil(rows.length * rowHeight * scale);
    context.scale(scale, scale);
    context.translate(-shift, 0);
    const styles = getComputedStyle(element);
    const known = new Map<string, string>();
    const colour = (name: string): string => {
      let value = known.get(name);
      if (value === undefined) {
        value = styles.getPropertyValue(`--${name}`).trim();
        known.set(name, value);
      }
      return value;
    };
    drawRows(context, rows, above, { row: rowHeight, pitch, colour });
  }, [rows, above, rowHeight, pitch, shown, shift, scheme]);
  return (
    <div class="lane-canvas" aria-hidden="true" style={{ top: `${top}px` }}>
      <canvas ref={canvas} style={{ width: `${shown}px`, height: `${rows.length * rowHeight}px` }} />
    </div>
  );
}
