/** Pages that nobody uses close their files: a process may have more pages open than files. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/fixtures.js";

it.skipIf(process.platform === "win32").each([
  ["leveldb", 300],
  ["rocksdb", 160],
])(
  "a process on %s that may open 1,024 files has %d pages open, writes to all at once and reads all",
  (engine, count) => {
    using folder = temporaryFolder();
    const program = join(import.meta.dirname, "many-pages.mjs");
    const command = 'ulimit -n 1024; exec "$0" "$@"';
    const words = ["-c", command, process.execPath, program, engine, folder.path, `${count}`];
    const { stdout, stderr } = spawnSync("bash", words, { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ right: count, depth: 150 });
  },
  600_000,
);
