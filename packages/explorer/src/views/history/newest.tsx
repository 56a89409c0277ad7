/** The newest rows of a history, shown while the others are read. */
import { useAnswer } from "../../page/use-answer.js";
import { RowTime } from "../../parts/graph/row-time.js";
import { Author } from "../../parts/marks.js";
import { Name, Words, wordsText } from "../../parts/words.js";
import type { HistoryOf } from "../../worker/history/rows.js";

/** The rows without the lanes: these need all rows. */
export function Newest({ of, id }: { of: HistoryOf; id: string }) {
  const { answer = [] } = useAnswer("newestRows", of, id);
  return (
    <ol class="graph history-graph newest" style={{ "--gw": "0px" }} aria-label="The newest rows">
      {answer.map((row) => (
        <li key={row.id} class="op">
          <span class="what" title={wordsText(row.words)}>
            <span class="sentence">
              <Words words={row.words} />
            </span>
          </span>
          <Author author={row.colour}>
            <span class="author-name">
              {row.author === undefined ? "no author" : <Name of={row.author} />}
            </span>
          </Author>
          <code class="oid">{row.id.slice(0, 8)}</code>
          <RowTime words={row} hasDates />
        </li>
      ))}
    </ol>
  );
}
