/** The rows of a long list that are in sight of an element that scrolls. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type RowPlaces, rowPlaces } from "./row-places.js";

/** The rows in sight. */
export interface RowWindow extends RowPlaces {
  /** Brings a row into sight. */
  reveal(row: number, where?: "nearest" | "center" | "start"): void;
}

/** The height of a row of data in pixels, larger on touch screens; `--row-tight` is the height in grids. */
export function rowHeight(token: "--row" | "--row-tight" = "--row"): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(token));
}

/** The rows in sight of an element that scrolls. `head`: the height of its sticky head in pixels. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  length: number,
  rowHeight: number,
  head = 0,
): RowWindow {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [scrolled, setScrolled] = useState(0);
  const [height, setHeight] = useState(0);
  const exact = useRef({ scrolled: -1, top: 0 });
  const placesAt = (at: number, heightAt: number): RowPlaces => {
    const exactTop = exact.current.scrolled === at ? exact.current.top : undefined;
    return rowPlaces({ length, rowHeight, room: Math.max(0, heightAt - head), scrolled: at, exactTop });
  };
  const places = placesAt(scrolled, height);
  const isScaled = useRef(false);
  isScaled.current = places.scale !== 1;
  /** A scroll within one row changes nothing here: the browser moves the rows. */
  const read = ({ scrollTop }: HTMLElement): void =>
    setScrolled(isScaled.current ? scrollTop : Math.floor(scrollTop / rowHeight) * rowHeight);
  // The element may exist only when the list has rows.
  useLayoutEffect(() => setElement(scroller.current));
  useLayoutEffect(() => {
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, [element]);
  useEffect(() => {
    if (element === null) return;
    const onScroll = () => read(element);
    onScroll();
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [element, rowHeight]);
  return {
    ...places,
    reveal(row, where = "nearest") {
      const at = scroller.current;
      if (at === null) return;
      const { scale, top, visible } = placesAt(at.scrollTop, at.clientHeight);
      const isCut = scale === 1 && at.scrollTop > top * rowHeight;
      if (where === "nearest" && row >= top + (isCut ? 1 : 0) && row < top + visible) return;
      const isAbove = row <= top;
      const begin =
        where === "center"
          ? row - Math.floor(visible / 2)
          : where === "start" || isAbove
            ? row
            : row - Math.max(1, visible) + 1;
      const to = Math.max(0, Math.min(begin, length - visible));
      at.scrollTop = (to * rowHeight) / scale;
      if (scale !== 1) exact.current = { scrolled: at.scrollTop, top: to };
      read(at);
    },
  };
}
