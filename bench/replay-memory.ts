/** A process of its own: replays a database and says what time and memory it took beyond opening it. */
import { readFileSync } from "node:fs";
import { core011, openStore } from "../src/index.js";
import { namespacesWithOperations, replayFacts } from "../src/node/replay/facts.js";
import { prepare } from "../src/node/replay/prepared.js";
import { replay } from "../src/node/replay/replay.js";
import { readSources } from "../src/node/replay/sources.js";
import type { NodeReader } from "../src/node/tables/rows.js";
import { keep } from "./measure.js";

const [task, path] = process.argv.slice(2) as ["replay" | "facts" | "scan", string];

/** The most resident memory that this process ever had, where the system says it; else what it has now. */
function peakMemory(): number {
  const highest = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
  return highest === null ? process.memoryUsage.rss() : Number(highest[1]) * 1024;
}

await using store = await openStore(path, { schema: core011, cacheBytes: 16 * 1024 * 1024 });
const reader = store as unknown as NodeReader;
const before = peakMemory();
const start = process.cpuUsage();
const since = performance.now();
let rows = 0;
if (task === "scan") {
  for await (const chunk of store.raw.scan("Group").chunks()) rows += chunk.length;
} else if (task === "replay") {
  const sources = await readSources(reader);
  for (const namespace of await namespacesWithOperations(reader))
    rows += (await replay(await prepare(sources, namespace))).sequence.order.length;
} else {
  for await (const fact of replayFacts(store)) {
    if (fact.fact === "row" && fact.status !== "proven" && fact.status !== "explained")
      throw new Error(`a row of ${fact.kind} is not what the operations lead to`);
    rows++;
  }
}
keep(rows);
const { user, system } = process.cpuUsage(start);
const time = performance.now() - since;
console.log(JSON.stringify({ rows, time, cpu: (user + system) / 1000, before, peak: peakMemory() }));
