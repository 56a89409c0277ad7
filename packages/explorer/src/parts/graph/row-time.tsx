/** When a row of a history was made. */
import type { HistoryRow } from "../../worker/history/rows.js";
import { timeWords, utcClock, utcDate, utcTime } from "../time.js";

/** The time, or its known bound. A bound is shown with its day: it may be far from the times beside it. */
export function RowTime({
  words: { after, before },
  hasDates,
}: {
  words: Pick<HistoryRow, "after" | "before">;
  hasDates: boolean;
}) {
  const bound = before ?? after;
  if (bound === undefined) return <span class="time">time unknown</span>;
  const isExact = after === before;
  const hasDay = hasDates || !isExact;
  return (
    <span class={`time ${hasDay ? "dated" : ""}`} title={timeWords(after, before)}>
      {!isExact && (before === undefined ? "after " : "before ")}
      {hasDay && utcDate(bound)}{" "}
      <span class="clock">
        {utcClock(bound)}
        {!hasDay && <span class="ms">{utcTime(bound).slice(8)}</span>}
      </span>
    </span>
  );
}
