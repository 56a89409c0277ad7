/** The rows of one kind: how many, filters, the grid, and the selected row. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { go } from "../../page/address.js";
import { rowsAddress } from "../../page/addresses.js";
import { database } from "../../page/session.js";
import { ask } from "../../page/worker-client.js";
import { kindGroup } from "../../parts/kind-groups.js";
import { Note, Waiting } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import { Columns } from "./columns.js";
import { Filters } from "./filters.js";
import { RowGrid } from "./row-grid.js";
import { SelectedRow } from "./selected-row.js";
import { useGrid } from "./use-grid.js";

const UNKNOWN = /^column:/;

export function KindRows({
  kind,
  parts,
  selected,
  list,
}: {
  kind: string;
  parts: Readonly<Record<string, string>>;
  selected: string | undefined;
  list: ComponentChildren;
}) {
  const rows = useGrid(kind, parts);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [reveal, setReveal] = useState<number>();
  const { grid, error } = rows;
  const isUnknown = UNKNOWN.test(kind);
  const title = isUnknown ? `Unknown rows of ${kind.replace(UNKNOWN, "")}` : kind;
  const location = database.value?.location ?? "";
  const words = isUnknown ? [] : [kind, ...(grid?.words ?? [])];
  const jump = async (key: string) => setReveal(await ask("a", "rowPlace", { kind, parts }, key));
  return (
    <View
      title={title}
      crumbs={[{ words: "Rows", address: "#/rows" }]}
      command={
        isUnknown ? ["scan", location, "--column", kind.replace(UNKNOWN, "")] : ["scan", location, ...words]
      }
    >
      <div class="cols rws">
        {list}
        <div class="cols rows-main">
          <header class="view-head">
            <div class="line">
              <h1>
                <Text value={title} most={80} />
              </h1>
              <span class={`kind k-${kindGroup(kind)} second`}>family {grid?.column ?? "…"}</span>
            </div>
            <p class="answer">
              <Sentence rows={rows.read} grid={grid} />
            </p>
          </header>
          {error !== undefined && (
            <Note severity="error">
              <p>
                <b>These rows cannot be shown.</b>
              </p>
              <p>
                <Text value={error.message} />
              </p>
            </Note>
          )}
          <div class="rowflex">
            <Filters
              names={grid?.parts ?? []}
              parts={parts}
              onChange={(changed) => go(rowsAddress(kind, changed))}
              onJump={jump}
            />
            {grid !== undefined && <Columns columns={grid.columns} hidden={hidden} onChange={setHidden} />}
          </div>
          {grid === undefined && error === undefined && <Waiting what="Reading the keys." lines={8} />}
          {grid !== undefined && grid.count > 0 && (
            <RowGrid
              rows={rows}
              grid={grid}
              hidden={hidden}
              choice={{ kind, parts }}
              selected={selected}
              reveal={reveal}
              onSelect={(key) => go(rowsAddress(kind, parts, key), { replace: selected !== undefined })}
            />
          )}
          {selected !== undefined && grid !== undefined && (
            <SelectedRow
              column={grid.column}
              rowKey={selected}
              onClose={() => go(rowsAddress(kind, parts))}
            />
          )}
        </div>
      </div>
    </View>
  );
}

function Sentence({ grid, rows }: { grid: ReturnType<typeof useGrid>["grid"]; rows: number }) {
  if (grid === undefined) return <>{rows > 0 ? `${count(rows)} keys read so far.` : "Reading the keys."}</>;
  const key = grid.parts.length > 0 ? `Key: ${grid.parts.join(", ")}.` : "";
  if (grid.words.length > 0)
    return (
      <>
        <b>{counted(grid.count, "row")}</b> with <Text value={grid.words.join(", ")} most={200} />. {key}
      </>
    );
  return (
    <>
      <b>{counted(grid.count, "row")}</b>. {key}
    </>
  );
}
