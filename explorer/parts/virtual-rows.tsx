/** A list of any length: only the rows in sight are in the page. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useReducer, useRef } from "preact/hooks";

/** Rows beyond those in sight that are drawn, at each end. */
const OVERSCAN = 12;
/** Pixels that browsers allow an element to be high. Longer lists are scrolled proportionally. */
export const MOST_PIXELS = 12_000_000;

/** A row in sight. */
export interface VirtualRow {
  /** Its place in the list, from 0. */
  readonly index: number;
  /** Pixels from the top of the list. */
  readonly start: number;
}

/** The rows in sight of a list, and how to reach others. */
export interface VirtualList {
  readonly rows: readonly VirtualRow[];
  /** Pixels of all rows together. */
  readonly height: number;
  /** Brings a row into sight. */
  scrollTo(index: number, where?: "auto" | "center" | "start"): void;
}

/**
 * The rows of a list that are in sight of an element that scrolls.
 *
 * @param rowHeight pixels of each row
 */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  length: number,
  rowHeight: number,
): VirtualList {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const kept = useRef<Virtualizer<HTMLElement, HTMLElement> | undefined>(undefined);
  const options: VirtualizerOptions<HTMLElement, HTMLElement> = {
    count: length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw(0),
  };
  if (kept.current === undefined) kept.current = new Virtualizer(options);
  const virtualizer = kept.current;
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [rowHeight]);
  return {
    rows: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    scrollTo: (index, where = "auto") => virtualizer.scrollToIndex(index, { align: where }),
  };
}

/** The height of a row of data in pixels, which is larger where a finger points. */
export function rowHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));
}

/** A frame that scrolls its rows. */
export function Scroller({
  scroller,
  class: extra = "",
  children,
}: {
  scroller: RefObject<HTMLDivElement>;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <div class={`scroller ${extra}`} ref={scroller}>
      {children}
    </div>
  );
}
