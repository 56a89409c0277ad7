/** The lines of a history's list: rows, and folded runs. */

import { Author, Tag } from "../../parts/marks.js";
import { count } from "../../parts/text.js";
import { utc, utcDate, utcTime } from "../../parts/time.js";
import { Name, Words, wordsText } from "../../parts/words.js";
import type { Fold } from "../../worker/folds.js";
import type { HistoryRow } from "../../worker/history-rows.js";
import { CHECKPOINT, HEAD, PENDING } from "./drawn-rows.js";

interface Placed {
  /** The place in the list. */
  readonly line: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  /** Lines of the list. */
  readonly count: number;
  /** Whether keys act on it. */
  readonly isActive: boolean;
  readonly hasDates: boolean;
}

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
}: Placed & {
  row: number;
  /** Undefined while they are on their way. */
  words: HistoryRow | undefined;
  colour: number;
  marks: number;
  parents: number;
  stubs: number;
  isSelected: boolean;
}) {
  return (
    <div
      id={`line-${line}`}
      data-row={row}
      class={`op ${isSelected ? "sel" : ""} ${isActive ? "is-active" : ""}`}
      role="option"
      aria-selected={isSelected}
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
          <Time words={words} hasDates={hasDates} />
        </>
      )}
    </div>
  );
}

function Time({ words: { after, before }, hasDates }: { words: HistoryRow; hasDates: boolean }) {
  const bound = before ?? after;
  if (bound === undefined) return <span class="time">time unknown</span>;
  const word = after === before ? "" : before === undefined ? "after " : "before ";
  const shown = hasDates ? `${utcDate(bound)} ${utcTime(bound).slice(0, 8)}` : utcTime(bound);
  return (
    <span class="time" title={`${word}${utc(bound)} UTC`}>
      {word}
      {word !== "" && !hasDates ? shown.slice(0, 8) : shown}
    </span>
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
}: Placed & { fold: Fold; hidden: number; colour: number }) {
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
