/** Tabs with counts. */
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
  return (
    <nav class="seg" aria-label={label}>
      {segments.map(({ words, address, count: number, isCurrent }) => (
        <a key={address} href={address} aria-current={isCurrent ? "true" : undefined}>
          {words}
          {number !== undefined && <span class="n">{count(number)}</span>}
        </a>
      ))}
    </nav>
  );
}
