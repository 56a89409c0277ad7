/** The lines of a history's list: rows, and folded runs. */

import { CHECKPOINT, HEAD, PENDING } from "../../parts/graph/drawn-rows.js";
import type { PlacedFold, PlacedRow } from "../../parts/graph/graph-list.js";
import { ListLine } from "../../parts/graph/list-line.js";
import { RowTime } from "../../parts/graph/row-time.js";
import { Author, Tag } from "../../parts/marks.js";
import { count } from "../../parts/text.js";
import { utc, utcTime } from "../../parts/time.js";
import { Name, Words, wordsText } from "../../parts/words.js";
import type { HistoryRow } from "../../worker/history/rows.js";

/** A row. */
export function RowLine({
  hasDates,
  row,
  words,
  colour,
  marks,
  parents,
  stubs,
  isElsewhere,
  isSelected,
  ...place
}: PlacedRow<HistoryRow> & {
  hasDates: boolean;
  colour: number;
  marks: number;
  /** True if the missing parents are in the log of the namespace. */
  isElsewhere: boolean;
}) {
  return (
    <ListLine place={place} row={row} isSelected={isSelected} isRead={words !== undefined}>
      {words !== undefined && (
        <>
          <span class="what" title={wordsText(words.words)}>
            <span class="sentence">
              <Words words={words.words} />
            </span>
            {(marks & HEAD) !== 0 && <Tag look="accent">head</Tag>}
            {(marks & PENDING) !== 0 && <Tag look="warning">pending</Tag>}
            {(marks & CHECKPOINT) !== 0 && <Tag>checkpoint</Tag>}
            {parents > 1 && (
              <span class="merges">
                <Tag>merges {count(parents)}</Tag>
              </span>
            )}
            {isElsewhere && <Tag>follows the namespace’s log</Tag>}
            {stubs > 0 && !isElsewhere && (
              <Tag look="warning">{stubs === 1 ? "a parent" : `${count(stubs)} parents`} missing</Tag>
            )}
          </span>
          <Author author={colour}>
            <span class="author-name">
              {words.author === undefined ? "no author" : <Name of={words.author} />}
            </span>
          </Author>
          <code class="oid">{words.id.slice(0, 8)}</code>
          <RowTime words={words} hasDates={hasDates} />
        </>
      )}
    </ListLine>
  );
}

/** A folded run. */
export function FoldLine({
  hasDates,
  fold: { start, author, after, before },
  hidden,
  colour,
  ...place
}: PlacedFold & { hasDates: boolean; colour: number }) {
  const time = hasDates ? utc : utcTime;
  return (
    <ListLine place={place} fold={start}>
      <span class="what">
        {count(hidden)} more by{" "}
        <Author author={colour}>{author === undefined ? "nobody" : <Name of={author} />}</Author> in one line
        {!Number.isNaN(after) && !Number.isNaN(before) && (
          <span class="hide-m">
            , {time(after)} to {time(before)}
          </span>
        )}
      </span>
      <span class="btn small">Unfold</span>
    </ListLine>
  );
}
