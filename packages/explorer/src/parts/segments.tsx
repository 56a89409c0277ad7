/** Tabs with counts. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { count } from "./text.js";

/** A tab. */
export interface Segment {
  readonly words: string;
  readonly address: string;
  readonly count?: number | undefined;
  readonly isCurrent: boolean;
}

/** A row of tabs, each a link. */
export function Segments({ label, segments }: { label: string; segments: readonly Segment[] }) {
  const tabs = useRef<HTMLElement>(null);
  const current = segments.find(({ isCurrent }) => isCurrent)?.address;
  useLayoutEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>("[aria-current]");
    if (tabs.current && tab)
      tabs.current.scrollLeft =
        tab.offsetLeft - tabs.current.offsetLeft - (tabs.current.clientWidth - tab.offsetWidth) / 2;
  }, [current, segments.length]);
  return (
    <nav class="seg" aria-label={label} ref={tabs}>
      {segments.map(({ words, address, count: number, isCurrent }) => (
        <a key={address} href={address} aria-current={isCurrent ? "true" : undefined}>
          {words}
          {number !== undefined && <span class="n">{count(number)}</span>}
        </a>
      ))}
    </nav>
  );
}
