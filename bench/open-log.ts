/** A process of its own: opens a database with the engine `files` or the native binding; prints time and peak memory as JSON. */
import { readFileSync } from "node:fs";
import { openFilesEngine } from "../src/engines/index.js";
import { openRaw } from "./raw.js";

const [side, path] = process.argv.slice(2) as ["files" | "raw", string];
const start = performance.now();
const opened = side === "files" ? await openFilesEngine(path) : await openRaw(path, "read");
const time = performance.now() - start;
const highest = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
const peak = highest === null ? process.memoryUsage.rss() : Number(highest[1]) * 1024;
console.log(JSON.stringify({ time, peak }));
await opened.close();
