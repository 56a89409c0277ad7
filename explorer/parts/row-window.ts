/** Which rows of a long list are in sight, where every row is equally high. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

/** Pixels that browsers let an element be high; longer lists scroll in proportion. */
const MOST_PIXELS = 12_000_000;
/** Rows that are drawn beyond those in sight, at each end. */
const BEYOND = 8;

/** The rows in sight. */
export interface RowWindow {
  /** The number of the first row that is drawn. */
  readonly first: number;
  /** How many are drawn. */
  readonly count: number;
  /** The first row in sight, and how many whole ones. */
  readonly top: number;
  readonly visible: number;
  /** Pixels of space above the drawn rows and below them. */
  readonly above: number;
  readonly below: number;
  /** Brings a row into sight. */
  reveal(row: number, where?: "nearest" | "center"): void;
}

/** The rows in sight of an element that scrolls. `head`: pixels of what sticks at its top. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  length: number,
  rowHeight: number,
  head: number,
): RowWindow {
  const [scrolled, setScrolled] = useState(0);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = () => setScrolled(element.scrollTop);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, []);
  const room = Math.max(0, height - head);
  const visible = Math.floor(room / rowHeight);
  const all = length * rowHeight;
  const drawn = Math.min(all, MOST_PIXELS);
  // Where the list is longer than an element can be, a pixel of scrolling stands for several of the list.
  const scale = drawn > room ? (all - room) / (drawn - room) : 1;
  const top = Math.min(
    Math.max(0, Math.floor((scrolled * scale) / rowHeight)),
    Math.max(0, length - visible),
  );
  const first = Math.max(0, top - BEYOND);
  const count = Math.min(length - first, visible + 1 + 2 * BEYOND);
  const above = scale === 1 ? first * rowHeight : Math.max(0, scrolled - (top - first) * rowHeight);
  return {
    ...{ first, count, top, visible, above },
    below: Math.max(0, drawn - above - count * rowHeight),
    reveal(row, where = "nearest") {
      const element = scroller.current;
      if (element === null) return;
      if (where === "nearest" && row >= top && row < top + visible) return;
      const begin = where === "center" ? row - visible / 2 : row < top ? row : row - visible + 1;
      element.scrollTop = (Math.max(0, begin) * rowHeight) / scale;
      setScrolled(element.scrollTop);
    },
  };
}
