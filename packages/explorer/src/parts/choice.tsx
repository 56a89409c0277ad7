/** A choice of one of several things: tabs, or a list if they are too many for tabs. */
import { go } from "../page/address.js";
import { type Segment, Segments } from "./segments.js";
import { count } from "./text.js";

/** The most tabs: each is drawn. */
const MOST_TABS = 200;

/** Tabs, or a list to choose from. */
export function Choice({ label, segments }: { label: string; segments: readonly Segment[] }) {
  if (segments.length <= MOST_TABS) return <Segments label={label} segments={segments} />;
  const current = segments.find(({ isCurrent }) => isCurrent);
  return (
    <select
      class="field"
      aria-label={label}
      value={current?.address ?? ""}
      onChange={({ currentTarget }) => go(currentTarget.value)}
    >
      {current === undefined && <option value="">Choose one</option>}
      {segments.map(({ words, address, count: number }) => (
        <option key={address} value={address}>
          {number === undefined ? words : `${words}, ${count(number)}`}
        </option>
      ))}
    </select>
  );
}
