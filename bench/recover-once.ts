/** A process of its own: recovers a database, and prints the number of rows and the peak memory as JSON. */
import { readFileSync } from "node:fs";
import { recoverDatabase } from "../src/engines/index.js";

const [path, target] = process.argv.slice(2) as [string, string];
const { rows } = await recoverDatabase(path, target);
const highest = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
const peak = highest === null ? process.memoryUsage.rss() : Number(highest[1]) * 1024;
console.log(JSON.stringify({ rows, peak }));
