import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { MerostoreError } from "../errors.js";
import type { Store } from "../store/index.js";
import { exportStore } from "../transfer/index.js";
import { type DatabaseOptions, openDatabase } from "./database.js";
import { checkOut, writeOut } from "./out-file.js";
import { parseSelection, type SelectionOptions } from "./selection.js";
import type { Terminal } from "./terminal.js";

export interface ExportCommandOptions extends DatabaseOptions, SelectionOptions {
  readonly out?: string | undefined;
  readonly gzip?: boolean | undefined;
  readonly revealSecrets?: boolean | undefined;
}

/** Writes a database out as text. A file gets its name only when it is complete. */
export async function exportCommand(
  terminal: Terminal,
  path: string,
  options: ExportCommandOptions,
): Promise<number> {
  const { out, revealSecrets } = options;
  const selection = parseSelection(options);
  if (out !== undefined) checkOut(out);
  else if (options.gzip && terminal.interactive)
    throw new MerostoreError("INVALID_ARGUMENT", "a terminal shows no packed bytes: name a file with --out");
  await using store = await openDatabase(terminal, path, options);
  using progress = terminal.progress("export", out === undefined ? "rows" : "nothing");
  const size = await sizeOf(store, options.column);
  const pieces = exportStore(store, {
    ...selection,
    revealSecrets,
    onProgress: (rows, bytes) => progress.at(rows, size === 0 ? undefined : Math.min(0.99, bytes / size)),
  });
  const streams = [Readable.from(pieces), ...(options.gzip ? [createGzip()] : [])];
  if (out !== undefined) {
    // Whoever reads secrets has the node's keys.
    await writeOut(out, streams, revealSecrets ? 0o600 : 0o666);
    return 0;
  }
  const stdout = new Writable({
    write: (piece: Uint8Array, _encoding, done) => void terminal.bytes(piece).then(() => done(), done),
  });
  await pipeline([...streams, stdout]);
  return 0;
}

/** About how many bytes of rows there are: what the share of the work is reckoned from. */
async function sizeOf(store: Store, columns: readonly string[] | undefined): Promise<number> {
  let size = 0;
  for (const column of columns ?? store.columns) {
    if (store.raw.columns.includes(column)) size += await store.raw.approximateSize(column);
  }
  return size;
}
