import { spawnSync } from "node:child_process";
import { loadavg } from "node:os";
import { PostgresServer } from "../packages/postgres/test/support/postgres-server.js";
import { makeDatabase } from "./database.js";
import type { Question } from "./question.js";

const FACTOR = 10;
const TASKS = ["open", "info", "scan", "verify", "export", "copy"] as const;

export default {
  name: "large",
  asks: "Do ten times as many rows take ten times as long, and no more memory? Opening, counting, scan, verification, export, copy to PostgreSQL, each in a process of its own. Only if named: the first time, 15 minutes go into the database, which takes 4.8 GB",
  against: "the database of --rows",
  wanted: "10 times (± 20 %), the same memory",
  onlyNamed: true,
  async *answer({ options, database }) {
    const small = await database();
    const large = await makeDatabase(options.rows * FACTOR, (sentence) => console.log(sentence));
    const server = await PostgresServer.start({ settings: { shared_buffers: "256MB" } });
    try {
      for (const task of TASKS) {
        const few = run(task, small.path, server.url(`few-${task}`));
        const many = run(task, large.path, server.url(`many-${task}`));
        yield `${task} of ${small.rows} and ${large.rows} rows: ${text(few)}; ${text(many)}; wanted ${FACTOR} times (± 20 %) and the same memory; load ${(loadavg()[0] as number).toFixed(1)}, ratio=${(many.time / few.time).toFixed(2)}`;
      }
    } finally {
      await server.stop();
    }
  },
} satisfies Question;

interface Run {
  /** Milliseconds. */
  readonly time: number;
  /** Milliseconds of all threads of the process. */
  readonly cpu: number;
  /** Bytes. */
  readonly peak: number;
}

function run(task: string, path: string, target: string): Run {
  const program = new URL("large-once.js", import.meta.url).pathname;
  const { stdout, stderr } = spawnSync(process.execPath, [program, task, path, target], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Run;
}

function text({ time, cpu, peak }: Run): string {
  return `${(time / 1000).toFixed(2)} s (${(cpu / 1000).toFixed(2)} s of CPU), ${(peak / 2 ** 20).toFixed(0)} MB`;
}
