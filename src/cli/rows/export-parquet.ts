/** Exports Parquet: a folder with a file for each kind of row. */

import { counted } from "../../bytes/quantity.js";
import { invalidArgument } from "../../errors.js";
import { exportParquet } from "../../sql/index.js";
import type { ExitStatus } from "../arguments/command.js";
import type { SelectionOptions } from "../arguments/selection.js";
import { type DatabaseOptions, openDatabase } from "../database/database.js";
import type { Terminal } from "../output/terminal.js";
import { remarkUndecoded, untilEnded } from "../sql/answer.js";

interface ParquetOptions extends DatabaseOptions, SelectionOptions {
  readonly out: string | undefined;
  readonly gzip: boolean;
  readonly revealSecrets: boolean;
}

/** Writes the folder. Status 1 if values do not decode. */
export async function exportToParquet(
  terminal: Terminal,
  db: string,
  options: ParquetOptions,
): Promise<ExitStatus> {
  const { out, gzip, revealSecrets, column, context, group, member } = options;
  if (out === undefined) throw invalidArgument("--format parquet needs a folder: name it with -o");
  if (gzip) throw invalidArgument("--gzip is for text: Parquet files are packed as they are");
  if ([column, context, group, member].some((one) => one !== undefined))
    throw invalidArgument(
      "--format parquet takes whole databases; select rows with merostore sql … -o FILE.parquet",
    );
  await using store = await openDatabase(terminal, db, options);
  using progress = terminal.progress("export");
  const { rows, undecoded, files } = await untilEnded(terminal, undefined, (signal) =>
    exportParquet(store, out, {
      revealSecrets,
      signal,
      onProgress: progress.show,
    }),
  );
  terminal.remark(`${counted(rows, "row")} in ${counted(files.length, "file")}`);
  remarkUndecoded(terminal, undecoded);
  return undecoded === 0 ? 0 : 1;
}
