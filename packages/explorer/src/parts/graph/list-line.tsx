/** A line of the list of a graph, as people and their programs find it. */
import type { ComponentChildren } from "preact";
import type { PlacedLine } from "./graph-list.js";

/** A row or a folded run; `row` and `fold` tell the list which. */
export function ListLine({
  place: { line, top, count, isActive },
  row,
  fold,
  isSelected = false,
  isRead = true,
  children,
}: {
  place: PlacedLine;
  row?: number;
  fold?: number;
  isSelected?: boolean;
  /** True if its words are there. */
  isRead?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div
      id={`line-${line}`}
      data-row={row}
      data-fold={fold}
      class={`${fold === undefined ? "op" : "fold"} ${isSelected ? "sel" : ""} ${isActive ? "is-active" : ""}`}
      role="option"
      aria-selected={isSelected}
      aria-busy={isRead ? undefined : "true"}
      aria-label={isRead ? undefined : "not read yet"}
      aria-posinset={line + 1}
      aria-setsize={count}
      tabIndex={-1}
      style={{ top: `${top}px` }}
    >
      {isRead ? (
        children
      ) : (
        <span class="what">
          <span class={`skel skel-${(row ?? 0) % 4}`} />
        </span>
      )}
    </div>
  );
}
