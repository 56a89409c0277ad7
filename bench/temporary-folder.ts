import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder that is removed when the process ends. */
export function temporaryFolder(): string {
  if (folders.length === 0)
    process.on("exit", () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
  const folder = mkdtempSync(join(tmpdir(), "merostore-bench-"));
  folders.push(folder);
  return folder;
}

const folders: string[] = [];
