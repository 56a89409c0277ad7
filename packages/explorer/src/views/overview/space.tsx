/** The use of space: a treemap of the kinds, and a table with every number. */
import { useMemo } from "preact/hooks";
import { addressOf, place } from "../../page/address.js";
import { countedRows } from "../../page/row-counts.js";
import { Segments } from "../../parts/segments.js";
import { Waiting } from "../../parts/states.js";
import { Panel } from "../../parts/view.js";
import { SpaceTable } from "./space-table.js";
import { type Area, type Cell, Treemap } from "./treemap.js";

/** The use of space, once the rows are counted. */
export function Space() {
  const { counts, state } = countedRows.value;
  const cells = useMemo(() => cellsOf(counts?.families.flatMap(({ kinds }) => kinds) ?? []), [counts]);
  if (state === "failed") return null;
  if (counts === undefined) return <Waiting what="Counting the rows." lines={6} />;
  if (cells.length === 0)
    return (
      <Panel title="What takes the space">
        <p class="panel-body quiet">There are no rows.</p>
      </Panel>
    );
  const { words, options } = place.value;
  const area: Area = options.area === "rows" ? "rows" : "bytes";
  const segment = (of: Area, title: string) => ({
    words: title,
    address: addressOf("overview", words, { ...options, area: of === "bytes" ? undefined : of }),
    isCurrent: of === area,
  });
  return (
    <Panel
      title="What takes the space"
      remark={<Segments label="Area shows" segments={[segment("bytes", "Bytes"), segment("rows", "Rows")]} />}
    >
      <div class="cols tmcols">
        <div class="treemap-frame">
          <Treemap cells={cells} area={area} />
        </div>
        <div class="space-frame">
          <SpaceTable cells={cells} area={area} />
        </div>
      </div>
    </Panel>
  );
}

/** Joins the cells of each kind: rows of no known kind may be in several column families. */
function cellsOf(kinds: readonly Cell[]): readonly Cell[] {
  const cells = new Map<string, Cell>();
  for (const { kind, rows, bytes } of kinds) {
    const cell = cells.get(kind);
    cells.set(kind, { kind, rows: rows + (cell?.rows ?? 0), bytes: bytes + (cell?.bytes ?? 0) });
  }
  return [...cells.values()];
}
