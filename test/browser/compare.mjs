/** A page's view of a fixture's database, compared with Rust's list of its rows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromHex, rowToJson } from "../../dist/index.js";

const fixtures = fileURLToPath(new URL("../../fixtures/", import.meta.url));

/** The folder of a fixture's database. */
export function database(name) {
  return join(fixtures, name, "db");
}

/** The rows of a fixture's database, as Rust wrote them down: one line of JSON each. */
export function linesOf(name) {
  const text = readFileSync(join(fixtures, name, "rows.jsonl"), "utf8");
  return text.trimEnd().split("\n");
}

/** The number of lines that differ from the wanted ones, surplus and missing ones included. */
export function different(found, wanted) {
  const length = Math.max(found.length, wanted.length);
  return Array.from({ length }).filter((_, index) => found[index] !== wanted[index]).length;
}

/** The first thing that failed in the page, as text; undefined if nothing did. */
export function failureOf({ error, columns = [], kinds = [] }) {
  const first = error ?? [...columns, ...kinds].find((part) => part.error)?.error;
  return first && `${first.name} ${first.code ?? ""} ${first.message}`;
}

/** The form of a row that the page must show as long as it redacts secrets. */
function redacted(schema, line) {
  const { column, key, value } = JSON.parse(line);
  return JSON.stringify(rowToJson(schema, column, { key: fromHex(key), value: fromHex(value) }));
}

const total = (list, of) => list.reduce((sum, one) => sum + of(one), 0);

/** Compares everything: `{ what, ok, detail }` for each thing compared. */
export function compare(name, schema, answer) {
  const failure = failureOf(answer);
  if (failure !== undefined) return [{ what: "is read", ok: false, detail: failure }];
  const { columns, kinds, context, seconds, noise, warnings } = answer;
  const lines = linesOf(name);
  const rows = lines.map((line) => JSON.parse(line));

  const names = new Set([...schema.columns, ...rows.map(({ column }) => column)]);
  const miscounted = [...names].filter((column) => {
    const found = columns.find((one) => one.name === column)?.revealed.length;
    return found !== rows.filter((row) => row.column === column).length;
  });
  const misread = kinds.filter((one) => one.rows !== rows.filter(({ kind }) => kind === one.kind).length);
  const decoded = total(kinds, (kind) => kind.rows);
  const undecodable = total(kinds, (kind) => kind.undecodable);
  const revealed = columns.flatMap((column) => column.revealed);
  const shown = columns.flatMap((column) => column.redacted);
  const byKey = total(columns, (column) => column.byKey);
  const backwards = total(columns, (column) => column.backwards);
  const last = rows.filter(({ kind }) => kind === "ContextMeta").at(-1);
  const beside = [...noise, ...warnings.map(({ message }) => message), ...answer.ofNode];

  return [
    { what: "revision", ok: answer.revision === schema.name, detail: answer.revision },
    {
      what: "rows of each column family",
      ok: miscounted.length === 0,
      detail: `${revealed.length} in ${columns.length}${miscounted.map((column) => `, not ${column}`).join("")}`,
    },
    {
      what: "typed rows of each kind",
      ok: misread.length === 0 && undecodable === 0,
      detail: `${decoded} in ${kinds.filter((kind) => kind.rows > 0).length}${misread.map(({ kind }) => `, not ${kind}`).join("")}, ${undecodable} undecodable, ${Math.round(decoded / seconds)} rows/s`,
    },
    { what: "bytes and decoded values", ...none(different(revealed, lines)) },
    {
      what: "without secrets",
      ...none(
        different(
          shown,
          lines.map((line) => redacted(schema, line)),
        ),
      ),
    },
    { what: "by key", ...none(lines.length - byKey) },
    { what: "backwards", ...none(lines.length - backwards) },
    {
      what: "a typed value",
      ok: context?.contextId === last.parts.contextId && context.rootHash === last.decoded.rootHash,
      detail: `context ${context?.contextId} has root ${context?.rootHash}`,
    },
    {
      what: "loads nothing, prints nothing, has nothing of Node",
      ok: beside.length === 0,
      detail: beside.join("; "),
    },
  ];
}

function none(count) {
  return { ok: count === 0, detail: `different ${count}` };
}
