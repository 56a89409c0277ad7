/** One kind of row, explained. */

import { type AnyRow, revisionOf, revisions, type Schema } from "../../schemas/index.js";
import { rowsOfKind } from "../../store/index.js";
import { shownLocation } from "../arguments/location.js";
import { keyOfZeros, usageOf } from "../arguments/parts.js";
import { openDatabase } from "../database/database.js";
import { table } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { prefixText } from "../output/text.js";
import { rowText } from "../rows/row-text.js";
import { rowForm, withPrivateEntities } from "../rows/rows.js";
import { explainKind } from "./kinds.js";

/** The layout of a kind in a revision. */
export interface KindLayout {
  readonly row: AnyRow;
  /** Other revisions that have a kind of this name. */
  readonly revisions: readonly string[];
}

/** The layout of a kind. @throws MerostoreError `UNKNOWN_NAME`, with the nearest kinds */
export function kindLayout(revision: string, kind: string): KindLayout {
  const row = (revisionOf(revision) as Schema).row(kind);
  const having = revisions.filter((one) => one.rows.some((other) => other.kind === kind));
  return { row, revisions: having.map(({ name }) => name) };
}

/** The lines that explain a kind. */
export function kindLines({ row, revisions }: KindLayout): string[] {
  const { column, kind, key, value } = row;
  const said = explainKind(kind);
  const size = `${key.VARIABLE ? "at least " : ""}${key.SIZE} bytes`;
  const fields = key.FIELDS.map(({ name, type }) => `${name} ${type}`).join(" ‖ ");
  const secret = row.value.secret ? "in some field" : row.secret(keyOfZeros(key)) ? "by key" : "no";
  const cells = [
    ["column family", key.PREFIX === undefined ? column : `${column}, prefix ${prefixText(key.PREFIX)}`],
    ["key", `${fields === "" ? "nothing but the prefix" : fields}, ${size}`],
    ["value", value.layout === value.signature ? value.signature : `${value.signature} ${value.layout}`],
    ["secret", secret],
    ["revisions", revisions.join(", ")],
    ["typed as", `${kind} ${usageOf(key)}`.trimEnd()],
  ];
  return [
    kind,
    ...(said === undefined ? [] : [`  ${said.purpose}`, `  ${said.writer}`]),
    "",
    ...table(cells).map((line) => `  ${line}`),
  ];
}

/** Prints the first row of the kind in a database. */
export async function printExample(
  terminal: Terminal,
  db: string,
  row: AnyRow,
  keyFile: string | undefined,
): Promise<void> {
  await using store = await openDatabase(terminal, db, { keyFile });
  const known = store.schema.row(row.kind);
  const options = await withPrivateEntities(store, known.column, {});
  for await (const [first] of rowsOfKind(store.raw, known.key.range({}), { limit: 1 })) {
    if (first === undefined) continue;
    await terminal.line("");
    await terminal.lines(rowText(rowForm(store.schema, known.column, first, options), terminal.width));
    return;
  }
  await terminal.line("");
  await terminal.line(`${shownLocation(db)} has no row of this kind`);
}
