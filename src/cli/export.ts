import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { MerostoreError } from "../errors.js";
import type { Store } from "../store/index.js";
import { type ExportSummary, exportStore } from "../transfer/index.js";
import { type DatabaseOptions, openDatabase } from "./database.js";
import { checkOut, writeOut } from "./out-file.js";
import { parseSelection, type SelectionOptions } from "./selection.js";
import type { Terminal } from "./terminal.js";
import { count } from "./text.js";

export interface ExportCommandOptions extends DatabaseOptions, SelectionOptions {
  readonly out?: string | undefined;
  readonly gzip?: boolean | undefined;
  readonly revealSecrets?: boolean | undefined;
  readonly withoutSecrets?: boolean | undefined;
}

/**
 * Writes a database out as text. A file gets its name only when it is complete. Status 1 when rows lack their value and
 * nobody asked for that.
 */
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
  const lines = exportStore(store, {
    ...selection,
    revealSecrets,
    onProgress: (rows, bytes) => progress.at(rows, size === 0 ? undefined : Math.min(0.99, bytes / size)),
  });
  let summary: ExportSummary = { rows: 0, withoutValue: 0 };
  const pieces = async function* () {
    summary = yield* lines;
  };
  const streams = [Readable.from(pieces()), ...(options.gzip ? [createGzip()] : [])];
  if (out !== undefined) await writeOut(out, streams);
  else {
    const stdout = new Writable({
      write: (piece: Uint8Array, _encoding, done) => void terminal.bytes(piece).then(() => done(), done),
    });
    await pipeline([...streams, stdout]);
  }
  return tellMissing(terminal, summary, options);
}

/** Says how many rows nobody can restore from the export. Returns the exit status. */
function tellMissing(
  terminal: Terminal,
  { rows, withoutValue }: ExportSummary,
  { withoutSecrets }: ExportCommandOptions,
): number {
  if (withoutValue === 0) return 0;
  const missing = `${count(withoutValue)} of ${count(rows)} rows are exported without their values, which hold secrets or are not understood`;
  if (withoutSecrets) {
    terminal.remark(`merostore: ${missing}`);
    return 0;
  }
  terminal.remark(
    `merostore: ${missing}: import cannot restore them. Add --reveal-secrets to export everything, or --without-secrets if they may be missing`,
  );
  return 1;
}

/** About how many bytes of rows there are: what the share of the work is reckoned from. */
async function sizeOf(store: Store, columns: readonly string[] | undefined): Promise<number> {
  let size = 0;
  for (const column of columns ?? store.columns) {
    if (store.raw.columns.includes(column)) size += await store.raw.approximateSize(column);
  }
  return size;
}
