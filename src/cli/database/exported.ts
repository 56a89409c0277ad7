/** Opens an export as a database with its rows in memory. */
import { openMemoryEngine } from "../../engines/index.js";
import { isMerostoreError, orUndefined, type Warning } from "../../errors.js";
import { revisionOf, type Schema } from "../../schemas/index.js";
import { type Store, storeOn } from "../../store/index.js";
import { type ExportedRow, readExport, schemaOfExport } from "../../transfer/index.js";
import { kindOfLocation } from "../arguments/location.js";
import { LackingRows } from "./lacking-rows.js";
import { inFile, packedFile } from "./packed-file.js";

const MEMBERSHIPS: ReadonlySet<string> = new Set(["GroupMember", "ContextIdentity"]);

/**
 * Opens a file that `export` or `bundle` wrote, without the rows whose values it lacks; undefined for anything else.
 *
 * @throws MerostoreError `EXPORT_INVALID` for an incomplete export
 */
export async function openExport(path: string, revision: string | undefined): Promise<Store | undefined> {
  if (kindOfLocation(path) !== "file") return undefined;
  const reading = await readExport(packedFile(path).open()).catch((error: unknown) => {
    if (isMerostoreError(error, "EXPORT_INVALID")) return undefined;
    throw error;
  });
  if (reading === undefined) return undefined;
  const { header } = reading;
  try {
    const schema = revision === undefined ? schemaOfExport(header) : revisionOf(revision);
    const warnings: Warning[] = [];
    const engine = openMemoryEngine({ columns: header.columns, warnings });
    const lacking = new LackingRows(header);
    for await (const rows of reading.rows(schema)) {
      const found = rows.map((row) => ({ ...row, value: row.value ?? membership(schema, row) }));
      await engine.write(
        found.flatMap(({ column, key, value }) =>
          value === undefined ? [] : { type: "put" as const, column, key, value },
        ),
      );
      for (const { column, key, value, shown } of found) {
        const kind = schema.identify(column, key)?.kind ?? column;
        if (value === undefined) lacking.add(column, key, kind, shown);
        else if (hidesPart(shown)) lacking.addPart(column, key, kind, shown);
      }
    }
    warnings.push(...lacking.warnings());
    const store = await storeOn(engine, { schema });
    lacking.noteWhenRead(store as unknown as Store);
    return store;
  } catch (error) {
    await reading.close();
    throw inFile(path, error);
  }
}

function hidesPart(shown: unknown): boolean {
  return typeof shown === "object" && shown !== null && Object.values(shown).includes("redacted");
}

/**
 * The row of a group's or a context's member without its keys, if only these were left out; undefined for any other
 * row.
 */
function membership(schema: Schema, { column, key, shown }: ExportedRow): Uint8Array | undefined {
  const row = schema.identify(column, key);
  if (row === undefined || !MEMBERSHIPS.has(row.kind) || typeof shown !== "object" || shown === null)
    return undefined;
  const plain = Object.entries(shown).map(([name, value]) => [name, value === "redacted" ? null : value]);
  return orUndefined(() => row.value.encode(row.value.fromJson(Object.fromEntries(plain))));
}
