/** When a row of a history was made. */
import type { HistoryRow } from "../../worker/history-rows.js";
import { utc, utcTime, utcToSecond } from "../time.js";

/** The time, or the bound of it that is known. */
export function RowTime({
  words: { after, before },
  hasDates,
}: {
  words: Pick<HistoryRow, "after" | "before">;
  hasDates: boolean;
}) {
  const bound = before ?? after;
  if (bound === undefined) return <span class="time">time unknown</span>;
  const word = after === before ? "" : before === undefined ? "after " : "before ";
  const shown = hasDates ? utcToSecond(bound) : utcTime(bound);
  return (
    <span class="time" title={`${word}${utc(bound)} UTC`}>
      {word}
      {word !== "" && !hasDates ? shown.slice(0, 8) : shown}
    </span>
  );
}
