/** A history in a sentence. */
import { capitalised } from "../../parts/capitalised.js";
import { counted } from "../../parts/text.js";
import { spanOf } from "../../parts/time.js";
import { spoken, spokenCount } from "../../parts/words.js";
import type { HistoryShape } from "../../worker/history/history.js";
import type { HistoryOf } from "../../worker/history/rows.js";

/** The answer to the view's question. */
export function Summary({ of, shape }: { of: HistoryOf; shape: HistoryShape }) {
  const { size, people, forks, merges, heads, pending, orphans, activity } = shape;
  const authors = people.filter(({ person }) => person !== undefined).length;
  const what = of === "context" ? counted(size, "delta") : counted(size, "operation");
  return (
    <>
      <b>{what}</b>
      {authors > 0 && ` by ${spokenCount(authors, "account")}`}
      {of === "context" &&
        activity !== undefined &&
        activity.to > activity.from &&
        ` in ${spanOf(activity.to - activity.from)}`}
      .{" "}
      {forks === 0
        ? "The history never forked: "
        : `The history forked ${times(forks)}${merges === 0 ? "" : heads === 1 ? " and came together again" : ` and was merged ${times(merges)}`}: `}
      {heads === 0 ? "no head is named" : "it has "}
      {heads > 0 && <b>{spokenCount(heads, "head")}</b>}
      {of === "context" && (pending === 0 ? ", and nothing is pending" : ", and ")}
      {of === "context" && pending > 0 && (
        <b>
          {spoken(pending)} {pending === 1 ? "is" : "are"} pending
        </b>
      )}
      .
      {orphans > 0 && (
        <>
          {" "}
          {orphans === 1 ? "One follows" : capitalised(`${spoken(orphans)} follow`)} something that is not in
          the database.
        </>
      )}
    </>
  );
}

function times(number: number): string {
  return number === 1 ? "once" : number === 2 ? "twice" : `${spoken(number)} times`;
}
