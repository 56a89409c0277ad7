/** An export as a database: its rows in memory. */
import { openMemoryEngine } from "../engines/index.js";
import { isMerostoreError } from "../errors.js";
import { revisionOf } from "../schemas/index.js";
import { type Store, storeOn } from "../store/index.js";
import { readExport, schemaOfExport } from "../transfer/index.js";
import { kindOfLocation } from "./location.js";
import { inFile, packedFile } from "./packed-file.js";

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
    const engine = openMemoryEngine({ columns: header.columns });
    for await (const rows of reading.rows(schema))
      await engine.write(
        rows.flatMap(({ column, key, value }) =>
          value === undefined ? [] : { type: "put" as const, column, key, value },
        ),
      );
    return await storeOn(engine, { schema });
  } catch (error) {
    await reading.close();
    throw inFile(path, error);
  }
}
