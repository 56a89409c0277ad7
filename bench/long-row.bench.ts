import { spawnSync } from "node:child_process";
import { makeLongRow } from "./long-row-database.js";
import type { Question } from "./question.js";

export default {
  name: "long-row",
  asks: "What is the longest turn of the event loop, and the memory, of each answer about a delta of 100,000 actions?",
  wanted: "≤ 10 ms",
  async *answer() {
    const program = new URL("long-row-once.js", import.meta.url).pathname;
    const path = await makeLongRow(console.log);
    for (const task of ["verify", "log", "patch", "state", "why", "diff", "sql"]) {
      const { stdout, stderr } = spawnSync(process.execPath, [program, task, path], { encoding: "utf8" });
      if (stdout === "") throw new Error(stderr);
      const { longest, over, collection, seconds, memory } = JSON.parse(stdout) as Record<string, number>;
      yield `${task} of a delta of 100,000 actions: ${seconds} s; the longest turn of the event loop took ${longest} ms of CPU beside collections of garbage, wanted ≤ 10 (${over} took longer), and the longest of these ${collection} ms; ${memory} MB beyond the open store, wanted ≤ 300`;
    }
  },
} satisfies Question;
