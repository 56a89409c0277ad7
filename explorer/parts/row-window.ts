/** Which rows of a long list are in sight of an element that scrolls. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type RowPlaces, rowPlaces } from "./row-places.js";

/** The rows in sight. */
export interface RowWindow extends RowPlaces {
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
  const exact = useRef({ scrolled: -1, top: 0 });
  const room = Math.max(0, height - head);
  const exactTop = exact.current.scrolled === scrolled ? exact.current.top : undefined;
  const places = rowPlaces({ length, rowHeight, room, scrolled, exactTop });
  const { scale, top, visible } = places;
  const isScaled = useRef(false);
  isScaled.current = scale !== 1;
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
    const onScroll = () => {
      const at = element.scrollTop;
      // Within a row nothing changes but what the browser moves by itself.
      setScrolled(isScaled.current ? at : Math.floor(at / rowHeight) * rowHeight);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [rowHeight]);
  return {
    ...places,
    reveal(row, where = "nearest") {
      const element = scroller.current;
      if (element === null) return;
      if (where === "nearest" && row >= top && row < top + visible) return;
      const begin = where === "center" ? row - Math.floor(visible / 2) : row < top ? row : row - visible + 1;
      const to = Math.max(0, Math.min(begin, length - visible));
      element.scrollTop = (to * rowHeight) / scale;
      if (scale !== 1) exact.current = { scrolled: element.scrollTop, top: to };
      setScrolled(scale === 1 ? Math.floor(element.scrollTop / rowHeight) * rowHeight : element.scrollTop);
    },
  };
}
