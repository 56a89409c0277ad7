/** The lines of a history's list: rows, and folded runs. */

import { CHECKPOINT, HEAD, PENDING } from "../../parts/graph/drawn-rows.js";
import type { PlacedFold, PlacedRow } from "../../parts/graph/graph-list.js";
import { RowTime } from "../../parts/graph/row-time.js";
import { Author, Tag } from "../../parts/marks.js";
import { count } from "../../parts/text.js";
import { utc, utcTime } from "../../parts/time.js";
import { Name, Words, wordsText } from "../../parts/words.js";
import type { HistoryRow } from "../../worker/history-rows.js";

/** A row. */
export function RowLine({
  line,
  top,
  count: length,
  isActive,
  hasDates,
  row,
  words,
  colour,
  marks,
  parents,
  stubs,
  isSelected,
}: PlacedRow<HistoryRow> & {
  hasDates: boolean;
  colour: number;
  marks: number;
}) {
  return (
    <div
      id={`line-${line}`}
      data-row={row}
      class={`op ${isSelected ? "sel" : ""} ${isActive ? "is-active" : ""}`}
      role="option"
      aria-selected={isSelected}
      aria-busy={words === undefined ? "true" : undefined}
      aria-label={words === undefined ? "not read yet" : undefined}
      aria-posinset={line + 1}
      aria-setsize={length}
      tabIndex={-1}
      style={{ top: `${top}px` }}
    >
      {words === undefined ? (
        <span class="what">
          <span class="sr">being read</span>
          <span class={`skel skel-${row % 4}`} />
        </span>
      ) : (
        <>
          <span class="what" title={wordsText(words.words)}>
            <span class="sentence">
              <Words words={words.words} />
            </span>
            {(marks & HEAD) !== 0 && <Tag look="accent">head</Tag>}
            {(marks & PENDING) !== 0 && <Tag look="warning">pending</Tag>}
            {(marks & CHECKPOINT) !== 0 && <Tag>checkpoint</Tag>}
            {parents > 1 && <Tag>merges {count(parents)}</Tag>}
            {stubs > 0 && (
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
    </div>
  );
}

/** A folded run. */
export function FoldLine({
  line,
  top,
  count: length,
  isActive,
  hasDates,
  fold: { start, author, after, before },
  hidden,
  colour,
}: PlacedFold & { hasDates: boolean; colour: number }) {
  const time = hasDates ? utc : utcTime;
  return (
    <div
      id={`line-${line}`}
      data-fold={start}
      class={`fold ${isActive ? "is-active" : ""}`}
      role="option"
      aria-selected={false}
      aria-posinset={line + 1}
      aria-setsize={length}
      tabIndex={-1}
      style={{ top: `${top}px` }}
    >
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
    </div>
  );
}
