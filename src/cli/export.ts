import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { parseId } from "../bytes/id.js";
import { MerostoreError } from "../errors.js";
import type { Store } from "../store/index.js";
import { exportStore } from "../transfer/index.js";
import { type DatabaseOptions, openDatabase } from "./database.js";
import type { Terminal } from "./terminal.js";

export interface ExportCommandOptions extends DatabaseOptions {
  readonly out?: string | undefined;
  readonly column?: readonly string[] | undefined;
  readonly context?: string | undefined;
  readonly group?: string | undefined;
  readonly gzip?: boolean | undefined;
  readonly revealSecrets?: boolean | undefined;
}

/** Writes a database out as text. A file gets its name only when it is complete. */
export async function exportCommand(
  terminal: Terminal,
  path: string,
  options: ExportCommandOptions,
): Promise<number> {
  await using store = await openDatabase(terminal, path, options);
  using progress = terminal.progress("export", options.out === undefined ? "rows" : "nothing");
  const size = await sizeOf(store, options.column);
  const pieces = exportStore(store, {
    columns: options.column,
    contextId: options.context === undefined ? undefined : parseId(options.context),
    groupId: options.group === undefined ? undefined : parseId(options.group),
    revealSecrets: options.revealSecrets,
    onProgress: (rows, bytes) => progress.at(rows, size === 0 ? undefined : Math.min(0.99, bytes / size)),
  });
  const packed = options.gzip ? [createGzip()] : [];
  const { out } = options;
  if (out === undefined) {
    const stdout = new Writable({
      write: (piece: Uint8Array, _encoding, done) => void terminal.write(piece).then(() => done(), done),
    });
    await pipeline([Readable.from(pieces), ...packed, stdout]);
    return 0;
  }
  const part = `${out}.part`;
  try {
    await pipeline([Readable.from(pieces), ...packed, createWriteStream(part)]);
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw errorOf(error, out);
  }
  return 0;
}

/** What the system says of a file, with the file's name. */
function errorOf(error: unknown, out: string): unknown {
  if (!(error instanceof Error && "syscall" in error)) return error;
  return new MerostoreError("ENGINE_FAILED", `${out} cannot be written: ${error.message}`, { cause: error });
}

/** About how many bytes of rows there are: what the share of the work is reckoned from. */
async function sizeOf(store: Store, columns: readonly string[] | undefined): Promise<number> {
  let size = 0;
  for (const column of columns ?? store.columns) {
    if (store.raw.columns.includes(column)) size += await store.raw.approximateSize(column);
  }
  return size;
}
