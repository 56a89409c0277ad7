import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { calls } from "./calls.js";
import { DATA } from "./kept-database.js";
import type { Question } from "./question.js";
import type { Turns } from "./turns.js";

/** The report of a process about its call. */
interface Made extends Turns {
  /** Milliseconds of the processor, the start of Node included. */
  readonly cpu: number;
  /** Megabytes of memory at most. */
  readonly peak: number;
}

export default {
  name: "calls",
  asks: "How long does each call of the library hold the event loop, and what does it take?",
  wanted: "≤ 10 ms",
  onlyNamed: true,
  async *answer({ database }) {
    const { path } = await database();
    const program = new URL("calls-once.js", import.meta.url).pathname;
    const made: (Made & { readonly name: string })[] = [];
    for (const name of Object.keys(calls)) {
      const words = [program, name, path, join(DATA, "called")];
      const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
      if (stdout === "") throw new Error(stderr);
      const one = JSON.parse(stdout) as Made;
      made.push({ name, ...one });
      const { longest, over, collection, cpu, peak } = one;
      yield `${name}: longest turn ${longest} ms, ${over} above 10, collection of garbage ${collection} ms; ${(cpu / 1000).toFixed(2)} s of CPU, ${peak} MB`;
    }
    const worst = made.toSorted((a, b) => b.longest - a.longest).slice(0, 3);
    yield `longest turns: ${worst.map(({ name, longest }) => `${name} ${longest} ms`).join(", ")}, wanted ≤ 10`;
  },
} satisfies Question;
