/** An export as a database: its rows in memory. */
import { count } from "../bytes/quantity.js";
import { openMemoryEngine } from "../engines/index.js";
import { isMerostoreError } from "../errors.js";
import { revisionOf } from "../schemas/index.js";
import { type Store, storeOn } from "../store/index.js";
import { type ExportHeader, readExport, schemaOfExport } from "../transfer/index.js";
import { kindOfLocation } from "./location.js";
import { inFile, packedFile } from "./packed-file.js";
import { printable } from "./text.js";

/**
 * Opens a file that `export` or `bundle` wrote, without the rows whose values it lacks; undefined for anything else.
 *
 * @throws MerostoreError `EXPORT_INVALID` for an export that is not whole
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
    const warnings: string[] = [];
    const engine = openMemoryEngine({ columns: header.columns, warnings });
    const withoutValue = new Map<string, number>();
    for await (const rows of reading.rows(schema)) {
      await engine.write(
        rows.flatMap(({ column, key, value }) =>
          value === undefined ? [] : { type: "put" as const, column, key, value },
        ),
      );
      for (const { column, key } of rows.filter(({ value }) => value === undefined)) {
        const kind = schema.identify(column, key)?.kind ?? column;
        withoutValue.set(kind, (withoutValue.get(kind) ?? 0) + 1);
      }
    }
    warnings.push(...lackOf(header, withoutValue));
    return await storeOn(engine, { schema });
  } catch (error) {
    await reading.close();
    throw inFile(path, error);
  }
}

/** The parts of the database that an export lacks, as a warning; nothing if it lacks nothing. */
function lackOf({ columns, selection }: ExportHeader, withoutValue: ReadonlyMap<string, number>): string[] {
  const only = selection?.columns;
  const { context, group, members } = selection ?? {};
  const families = only === undefined ? [] : columns.filter((column) => !only.includes(column));
  const kinds = [...withoutValue].map(([kind, rows]) => `${kind} (${count(rows)})`);
  const lacks = [
    ...(families.length === 0 ? [] : [`all rows of ${families.map(printable).join(", ")}`]),
    ...(kinds.length === 0 ? [] : [`the rows without a value, ${kinds.map(printable).join(", ")}`]),
    ...((context ?? group ?? members) ? ["the rows of other contexts, groups or members"] : []),
  ];
  if (lacks.length === 0) return [];
  return [`this export leaves out ${lacks.join("; and ")}: answers about them are not about the node`];
}
