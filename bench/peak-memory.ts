/** A separate process that exports or verifies a whole database and prints its peak memory as JSON. */
import { readFileSync } from "node:fs";
import { core010, openStore } from "../src/index.js";
import { exportStore } from "../src/transfer/index.js";
import { verifyStore, workerThreads } from "../src/verify/index.js";
import { keep } from "./measure.js";

const [task, path] = process.argv.slice(2) as ["export" | "verify", string];

/** The cache of the command `verify`. */
const cacheBytes = task === "verify" ? 16 * 1024 * 1024 : undefined;
await using store = await openStore(path, { schema: core010, cacheBytes });
if (task === "export") {
  for await (const piece of exportStore(store, { revealSecrets: true })) keep(piece.length);
} else {
  await using work = workerThreads();
  for await (const { rule } of verifyStore(store, { work })) keep(rule.length);
}
const highest = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
console.log(
  JSON.stringify({ peak: highest === null ? process.memoryUsage.rss() : Number(highest[1]) * 1024 }),
);
