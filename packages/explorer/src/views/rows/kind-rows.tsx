/** The rows of one kind: their number, filters, the grid, and the selected row. */

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { closeTo, go } from "../../page/address.js";
import { rowsAddress } from "../../page/addresses.js";
import { announce } from "../../page/announcements.js";
import { countedRows } from "../../page/row-counts.js";
import { database, secretsRevealed } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import { ask } from "../../page/worker-client.js";
import { SHOWN_DIGITS } from "../../parts/id.js";
import { kindGroup } from "../../parts/kind-groups.js";
import { Empty, Note, Waiting } from "../../parts/states.js";
import { count, counted, plainText, Text } from "../../parts/text.js";
import { useEscape } from "../../parts/use-escape.js";
import { View } from "../../parts/view.js";
import type { RowOrder } from "../../worker/rows/choice.js";
import { Filters } from "./filters.js";
import { Inspector } from "./inspector.js";
import { RowGrid } from "./row-grid.js";
import { SelectedRow } from "./selected-row.js";
import { type Grid, useGrid } from "./use-grid.js";

const UNKNOWN = /^column:/;

export function KindRows({
  kind,
  parts,
  order,
  selected,
  list,
}: {
  kind: string;
  parts: Readonly<Record<string, string>>;
  order: RowOrder | undefined;
  selected: string | undefined;
  list: ComponentChildren;
}) {
  const rows = useGrid(kind, parts, order);
  const addressWith = (changed: Partial<RowOrder>, key?: string) =>
    rowsAddress(kind, parts, key, { sort: "", where: "", ...order, ...changed });
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [reveal, setReveal] = useState<{ readonly row: number }>();
  const detail = useAnswer("rowDetail", kind, selected, secretsRevealed.value);
  const { grid, error } = rows;
  const isUnknown = UNKNOWN.test(kind);
  const title = isUnknown ? `Unknown rows of ${kind.replace(UNKNOWN, "")}` : kind;
  const location = database.value?.location ?? "";
  const scanned = isUnknown ? ["--column", kind.replace(UNKNOWN, "")] : [kind, ...(grid?.words ?? [])];
  const words = selected === undefined ? undefined : detail.answer?.words;
  /** The name of a part that was given as an id: every row has it. */
  const nameOf = (part: string, text: string): string => {
    const cell = rows.row(0)?.cells[part];
    if (cell?.id !== text) return text;
    return cell.thing?.name ?? text.slice(0, SHOWN_DIGITS);
  };
  const jumps = useRef(0);
  const jump = async (key: string) => {
    const own = ++jumps.current;
    const row = await ask("a", "rowPlace", { kind, parts, order }, key);
    if (own !== jumps.current) return;
    if (row === undefined) announce("None of these rows has this key.");
    else setReveal({ row });
  };
  const leave = (): boolean => {
    if (selected !== undefined) closeTo(addressWith({}));
    return selected !== undefined;
  };
  useEscape(leave);
  return (
    <View
      title={title}
      class="rows-view"
      crumbs={[{ words: "Rows", address: "#/rows" }]}
      command={
        error !== undefined || (words === undefined && order !== undefined)
          ? undefined
          : words === undefined
            ? ["scan", location, ...scanned]
            : ["show", location, ...words]
      }
    >
      <div class={`cols rws ${selected === undefined ? "" : "with-row"}`}>
        {list}
        <div class="cols rows-main">
          <header class="view-head">
            <div class="line">
              <h1>
                <Text value={title} most={80} />
              </h1>
              {error === undefined && (
                <span class={`kind k-${kindGroup(kind)} second`}>
                  family <Text value={grid?.column ?? "…"} most={40} />
                </span>
              )}
            </div>
            <p class="answer">
              {error === undefined && (
                <Sentence
                  kind={kind}
                  rows={rows.read}
                  grid={grid}
                  given={Object.entries(parts).map(([name, text]) => `${name} ${nameOf(name, text)}`)}
                  isFiltered={(order?.where ?? "") !== ""}
                />
              )}
            </p>
            {grid !== undefined && <Columns columns={grid.columns} hidden={hidden} onChange={setHidden} />}
          </header>
          {error !== undefined && (
            <Note severity="error">
              <p>
                <b>
                  {error.code === "INVALID_ARGUMENT"
                    ? "No row has these parts."
                    : "These rows cannot be shown."}
                </b>
              </p>
              <p>
                <Text value={error.message} />
              </p>
            </Note>
          )}
          <div class="rowflex">
            <Filters
              names={grid?.parts ?? Object.keys(parts)}
              parts={parts}
              nameOf={nameOf}
              where={order?.where ?? ""}
              onChange={(changed) => go(rowsAddress(kind, changed, undefined, order))}
              onFilter={(where) => go(addressWith({ where }))}
              onJump={jump}
            />
          </div>
          {grid === undefined && error === undefined && <Waiting what="Reading the keys." lines={8} />}
          {grid !== undefined && grid.count > 0 && (
            <RowGrid
              rows={rows}
              grid={grid}
              hidden={hidden}
              choice={{ kind, parts, order }}
              selected={selected}
              reveal={reveal}
              onSort={(sort) => go(addressWith({ sort }, selected), { replace: true })}
              onSelect={(key) => go(addressWith({}, key), { replace: selected !== undefined })}
            />
          )}
          {grid !== undefined && grid.count === 0 && <NoRows kind={kind} grid={grid} order={order} />}
        </div>
        {selected !== undefined && (
          <Inspector>
            <SelectedRow asked={detail} onClose={leave} />
          </Inspector>
        )}
      </div>
    </View>
  );
}

/** The reason why there are no rows, and a link to other rows. */
function NoRows({ kind, grid, order }: { kind: string; grid: Grid; order: RowOrder | undefined }) {
  const where = order?.where ?? "";
  const isOfParts = grid.words.length > 0;
  const none = isOfParts ? "No row has these parts." : "There are no rows of this kind.";
  return (
    <Empty heading={where === "" ? none : unknownColumn(where, grid)}>
      {where !== "" && (
        <p class="second">
          A filter is a word, or a column with =, !=, &gt; or &lt; and a value; “and” joins several. The
          columns: {grid.columns.map(({ name }) => name).join(", ")}.
        </p>
      )}
      {(isOfParts || order !== undefined) && (
        <p>
          <a href={rowsAddress(kind)}>Show all rows of this kind</a>
        </p>
      )}
    </Empty>
  );
}

/** The reason why no row passes a filter. */
function unknownColumn(where: string, { columns }: Grid): string {
  const named = where
    .split(/\s+and\s+/i)
    .flatMap((term) => /^\s*([\w.]+)\s*(?:!=|[<>]=?|=)/.exec(term)?.[1] ?? []);
  const unknown = named.find((name) => !columns.some((column) => column.name === name));
  return unknown === undefined
    ? "No row passes the filter."
    : `There is no column ${plainText(unknown, 60)}.`;
}

function Sentence({
  kind,
  grid,
  rows,
  given,
  isFiltered,
}: {
  kind: string;
  grid: Grid | undefined;
  rows: number;
  /** The given parts in words. */
  given: readonly string[];
  isFiltered: boolean;
}) {
  if (grid === undefined) return <>{rows > 0 ? `${count(rows)} keys read so far.` : "Reading the keys."}</>;
  if (grid.words.length === 0 && !isFiltered) return <b>{counted(grid.count, "row")}</b>;
  const all = allOf(kind);
  return (
    <>
      <b>{count(grid.count)}</b> of {all === undefined ? "the rows" : counted(all, "row")}
      {grid.words.length > 0 && (
        <>
          {" "}
          with <Text value={given.slice(0, grid.words.length).join(", ")} most={200} />
        </>
      )}
      {isFiltered && " that pass the filter"}
    </>
  );
}

/** The number of all rows of a kind, once they are counted. */
function allOf(kind: string): number | undefined {
  for (const { kinds } of countedRows.value.counts?.families ?? [])
    for (const one of kinds) if (one.kind === kind) return one.rows;
  return undefined;
}

function Columns({
  columns,
  hidden,
  onChange,
}: {
  columns: Grid["columns"];
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
}) {
  const toggle = (name: string) => {
    const changed = new Set(hidden);
    if (!changed.delete(name)) changed.add(name);
    onChange(changed);
  };
  return (
    <details class="columns">
      <summary class="btn">Columns</summary>
      <fieldset>
        <legend class="sr">Columns that are shown</legend>
        {columns.map(({ name }) => (
          <label key={name} class="rowflex">
            <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
