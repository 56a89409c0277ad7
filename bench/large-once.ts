/** A process of its own that does one thing with a whole database, and prints its time, processor time and peak memory as JSON. */
import { readFileSync } from "node:fs";
import { core010, countRows, openStore } from "../src/index.js";
import { copyDatabase, exportStore } from "../src/transfer/index.js";
import { verifyStore, workerThreads } from "../src/verify/index.js";
import { keep } from "./measure.js";

const [task, path, target = ""] = process.argv.slice(2) as [keyof typeof tasks, string, string?];

/** The cache of the command `verify`. */
const CACHE = 16 * 1024 * 1024;

const open = (cacheBytes?: number) => openStore(path, { schema: core010, cacheBytes });

const tasks = {
  async open() {
    await using store = await open();
    keep(store.columns.length);
  },
  async info() {
    await using store = await open();
    for await (const { rows } of countRows(store)) keep(rows);
  },
  async scan() {
    await using store = await open();
    for (const column of store.columns)
      for await (const chunk of store.raw.scan(column).chunks())
        for (const { key, value } of chunk) keep((key[0] ?? 0) + (value[0] ?? 0));
  },
  async verify() {
    await using store = await open(CACHE);
    await using work = workerThreads();
    for await (const { rule } of verifyStore(store, { work })) keep(rule.length);
  },
  async export() {
    await using store = await open();
    for await (const piece of exportStore(store, { revealSecrets: true })) keep(piece.length);
  },
  async copy() {
    await copyDatabase(path, target);
  },
};

const start = performance.now();
await tasks[task]();
const time = performance.now() - start;
const { user, system } = process.cpuUsage();
const highest = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
const peak = highest === null ? process.memoryUsage.rss() : Number(highest[1]) * 1024;
console.log(JSON.stringify({ time, cpu: (user + system) / 1000, peak }));
