/** Opens the compared databases and exports. */
import { type RowSource, rowsOfExport, rowsOfStore } from "../../diff/index.js";
import { invalidArgument, MerostoreError } from "../../errors.js";
import { revisionOf } from "../../schemas/index.js";
import type { Store } from "../../store/index.js";
import { kindOfLocation } from "../arguments/location.js";
import { openDatabase, refuseLost } from "../database/database.js";
import { inFile, packedFile } from "../database/packed-file.js";
import type { Terminal } from "../output/terminal.js";

type ReadingOptions = Parameters<typeof openDatabase>[2];

/** A compared database or export. */
export interface Side extends AsyncDisposable {
  readonly rows: RowSource;
  /** The database; undefined for an export. */
  readonly store?: Store;
}

/**
 * The databases of two sides.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` if one of them is an export
 */
export function storesOf(a: Side, b: Side): readonly [Store, Store] {
  if (a.store !== undefined && b.store !== undefined) return [a.store, b.store];
  throw invalidArgument("the data of an application is compared in databases, not in exports");
}

/** Opens a database or an export. */
export async function openSide(terminal: Terminal, path: string, options: ReadingOptions): Promise<Side> {
  const kind = kindOfLocation(path);
  if (kind === "missing") throw new MerostoreError("DATABASE_NOT_FOUND", `${path} does not exist`);
  if (kind !== "file") {
    const store = await openDatabase(terminal, path, options);
    try {
      refuseLost(store);
    } catch (error) {
      await store.close();
      throw error;
    }
    return { rows: rowsOfStore(store), store, [Symbol.asyncDispose]: () => store.close() };
  }
  const rows = await exportRows(path, options);
  return { rows, [Symbol.asyncDispose]: async () => rows.close?.() };
}

/** The rows of an export. Errors name the file, because there may be two. */
async function exportRows(path: string, { revision }: ReadingOptions): Promise<RowSource> {
  const { open } = packedFile(path);
  const named = revision === undefined ? undefined : revisionOf(revision);
  const fail = (error: unknown): never => {
    throw inFile(path, error);
  };
  const source = await rowsOfExport(open, named).catch(fail);
  return {
    schema: source.schema,
    columns: source.columns,
    leftOut: source.leftOut,
    selection: source.selection,
    async *rows(column, ranges) {
      try {
        yield* source.rows(column, ranges);
      } catch (error) {
        fail(error);
      }
    },
    privateEntities: () => source.privateEntities().catch(fail),
    finish: async () => source.finish?.().catch(fail),
    close: async () => source.close?.(),
  };
}
