/** Tables that show more lines on request. */
import { count } from "../../parts/text.js";

/** Lines of a table at first, and how many more each time. */
export const [FIRST, MORE] = [50, 200];

/** The foot of a table that does not show all; undefined for one that does. */
export function moreOf(shown: number, all: number, more: () => void) {
  if (shown >= all) return undefined;
  return (
    <div class="rowflex">
      <span class="quiet">
        {count(shown)} of {count(all)}
      </span>
      <button type="button" class="btn small" onClick={more}>
        Show more
      </button>
    </div>
  );
}
