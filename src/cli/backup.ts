import { backupDatabase } from "../engines/index.js";
import type { Terminal } from "./terminal.js";
import { count, size } from "./text.js";

/** Copies a database, beside a running node. */
export async function backup(terminal: Terminal, path: string, target: string): Promise<number> {
  using progress = terminal.progress("backup", "nothing", "MB");
  const { tables, logs, bytes, warnings } = await backupDatabase(path, target, (done, all) =>
    progress.at(Math.round(done / 1e6), done / Math.max(1, all)),
  );
  for (const warning of warnings) terminal.remark(`merostore: ${warning}`);
  terminal.remark(
    `merostore: ${size(bytes)} copied to ${target}: ${count(tables)} tables, ${count(logs)} write-ahead logs`,
  );
  return 0;
}
