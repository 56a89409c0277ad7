import { revisionOf } from "../schemas/index.js";
import { importExport } from "../transfer/index.js";
import { inFile, packedFile } from "./packed-file.js";
import type { Terminal } from "./terminal.js";
import { count } from "./text.js";

export interface ImportCommandOptions {
  readonly revision?: string | undefined;
  readonly intoExisting?: boolean | undefined;
  readonly withoutSecrets?: boolean | undefined;
  readonly acceptLogLoss?: boolean | undefined;
}

/** Makes a database out of an export, or adds the rows to one. */
export async function importCommand(
  terminal: Terminal,
  path: string,
  database: string,
  options: ImportCommandOptions,
): Promise<number> {
  using progress = terminal.progress("import");
  const file = packedFile(path);
  const all = (options.intoExisting ? 2 : 1) * file.size;
  const imported = await importExport(file.open, database, {
    schema: options.revision === undefined ? undefined : revisionOf(options.revision),
    intoExisting: options.intoExisting,
    withoutSecrets: options.withoutSecrets,
    acceptLogLoss: options.acceptLogLoss,
    onProgress: (rows) => progress.at(rows, Math.min(0.99, file.read() / all)),
  }).catch((error) => {
    throw inFile(path, error);
  });
  terminal.remark(`merostore: ${count(imported.rows)} rows imported into ${database}`);
  if (imported.withoutValue > 0)
    terminal.remark(
      `merostore: ${count(imported.withoutValue)} rows left out, whose values the export has not`,
    );
  if (imported.selection !== undefined && !options.intoExisting)
    terminal.remark("merostore: the export has only part of a database, and so has the new one");
  return 0;
}
