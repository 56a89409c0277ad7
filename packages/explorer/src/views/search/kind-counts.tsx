/** The number of found rows of each kind. */
import { rowsAddress } from "../../page/addresses.js";
import { Kind } from "../../parts/marks.js";
import { count, Text } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";
import type { Found } from "./use-search.js";

export function KindCounts({ kinds }: { kinds: Found["kinds"] }) {
  const sorted = [...kinds].sort((a, b) => b.count - a.count);
  return (
    <Panel title="By kind" remark="rows" class="hide-m">
      <div class="list">
        {sorted.map(({ kind, known, column, count: rows }) => (
          <a key={kind} class="item" href={rowsAddress(kind)}>
            <Kind kind={known ?? ""}>{known ?? <Text value={`unknown, of ${column}`} most={60} />}</Kind>
            <span class="num">{count(rows)}</span>
          </a>
        ))}
      </div>
    </Panel>
  );
}
