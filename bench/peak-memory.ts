/** A separate process that exports or verifies a whole database and prints its peak memory as JSON. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { core010, openStore } from "../src/index.js";
import { exportParquet } from "../src/sql/index.js";
import { exportStore } from "../src/transfer/index.js";
import { verifyStore, workerThreads } from "../src/verify/index.js";
import { keep } from "./measure.js";

const [task, path] = process.argv.slice(2) as ["export" | "parquet" | "verify", string];

/** The cache of the command `verify`. */
const cacheBytes = task === "verify" ? 16 * 1024 * 1024 : undefined;
await using store = await openStore(path, { schema: core010, cacheBytes });
if (task === "export") {
  for await (const piece of exportStore(store, { revealSecrets: true })) keep(piece.length);
} else if (task === "parquet") {
  const folder = mkdtempSync(join(tmpdir(), "merostore-bench-"));
  await exportParquet(store, join(folder, "parquet"), { revealSecrets: true });
  rmSync(folder, { recursive: true, force: true });
} else {
  await using work = workerThreads();
  for await (const { rule } of verifyStore(store, { work })) keep(rule.length);
}
const highest = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
console.log(
  JSON.stringify({ peak: highest === null ? process.memoryUsage.rss() : Number(highest[1]) * 1024 }),
);
