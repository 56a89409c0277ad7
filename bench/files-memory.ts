/** A process of its own: scans all rows of a column family and says what memory it took. */
import { readFileSync } from "node:fs";
import { openFilesEngine } from "../src/engines/index.js";
import { keep } from "./measure.js";

const [path, column] = process.argv.slice(2) as [string, string];

/** The most resident memory that this process ever had, where the system says it; else what it has now. */
function peakMemory(): number {
  const highest = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
  return highest === null ? process.memoryUsage.rss() : Number(highest[1]) * 1024;
}

await using engine = await openFilesEngine(path);
await engine.get(column, new Uint8Array(64)); // the code is loaded, the index read
const before = peakMemory();
let rows = 0;
for await (const chunk of engine.scan(column).chunks()) {
  for (const { key, value } of chunk) keep(key.length + value.length);
  rows += chunk.length;
}
console.log(JSON.stringify({ rows, before, peak: peakMemory() }));
