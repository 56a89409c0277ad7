import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openNode } from "../src/node/index.js";
import { contextOf, groupOf } from "./calls.js";
import { makeDatabase } from "./database.js";
import { median } from "./measure.js";
import type { Question } from "./question.js";
import { temporaryFolder } from "./temporary-folder.js";

/** The database of a real node. */
const SMALL = "fixtures/core-0.11/node-a/db";

/** The commands that read a whole database, or one group or context. `DB` is the database, `NEW` a folder that does not exist. */
const COMMANDS = [
  "status DB",
  "groups DB",
  "contexts DB",
  "members DB GROUP",
  "log DB GROUP --limit 20",
  "log DB CONTEXT --limit 20",
  "show DB CONTEXT",
  "state DB CONTEXT",
  "migration DB",
  "find DB text-that-no-row-has",
  "du DB",
  "hash DB",
  "stuck DB",
  "diff DB DB",
  "why DB DB",
  "verify DB",
  "metrics DB",
  "upgrade-check DB --to core-1.0",
  "unknown DB",
  "scan DB ContextMeta",
  "export DB -o NEW",
  "backup DB NEW",
  "db copy DB NEW",
  "recover DB NEW",
] as const;

/** The time and the memory of one run of a command. */
interface Run {
  /** Milliseconds until it first wrote something. */
  readonly first: number;
  /** Milliseconds of the processor. */
  readonly cpu: number;
  /** Megabytes of memory at most. */
  readonly peak: number;
}

export default {
  name: "commands",
  asks: "What does each command take of a real node's small database, and how does it grow when there are ten times as many rows?",
  wanted: "first words within 1 s; 10 ± 15 % of the time, ± 10 % of the memory",
  onlyNamed: true,
  async *answer({ options, database }) {
    const small = await database();
    const large = await makeDatabase(10 * options.rows, (sentence) => console.log(sentence));
    const [ofNode, ofOne, ofTen] = (await Promise.all([SMALL, small.path, large.path].map(wordsFor))) as [
      Words,
      Words,
      Words,
    ];
    for (const command of COMMANDS) {
      const real = await run(command, ofNode, 3);
      const one = await run(command, ofOne);
      const ten = await run(command, ofTen);
      const growth = `${(ten.cpu / one.cpu).toFixed(1)} times the CPU, ${(ten.peak / one.peak).toFixed(2)} times the memory`;
      yield `${command}: first words after ${real.first.toFixed(0)} ms; ${usage(one)}, then ${usage(ten)}: ${growth}`;
    }
  },
} satisfies Question;

function usage({ cpu, peak }: Run): string {
  return `${(cpu / 1000).toFixed(2)} s ${peak.toFixed(0)} MB`;
}

/** Words of a command that stand for others. */
type Words = ReadonlyMap<string, string>;

/** The words for a database. */
async function wordsFor(path: string): Promise<Words> {
  await using node = await openNode(path);
  const [group, context] = [await groupOf(node), await contextOf(node)];
  return new Map([
    ["DB", path],
    ["GROUP", group],
    ["CONTEXT", context],
  ]);
}

/** Runs a command several times. Medians. */
async function run(command: string, words: Words, times = 1): Promise<Run> {
  const all: Run[] = [];
  for (let time = 0; time < times; time++) all.push(await once(command, words));
  const middle = (of: (run: Run) => number): number => median(all.map(of));
  return {
    first: middle(({ first }) => first),
    cpu: middle(({ cpu }) => cpu),
    peak: middle(({ peak }) => peak),
  };
}

async function once(command: string, words: Words): Promise<Run> {
  const folder = temporaryFolder();
  const usageFile = join(folder, "usage");
  const target = join(folder, "new");
  const hook = new URL("exit-usage.js", import.meta.url).href;
  const args = command.split(" ").map((word) => (word === "NEW" ? target : (words.get(word) ?? word)));
  const start = performance.now();
  const child = spawn(process.execPath, ["--import", hook, "bin/merostore.js", ...args], {
    env: { ...process.env, USAGE_FILE: usageFile },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let first: number | undefined;
  const note = (): void => {
    first ??= performance.now() - start;
  };
  child.stdout.on("data", note);
  child.stderr.on("data", note);
  await new Promise((resolve) => child.on("close", resolve));
  note();
  const { cpu, peak } = JSON.parse(readFileSync(usageFile, "utf8")) as { cpu: number; peak: number };
  rmSync(target, { recursive: true, force: true });
  return { first: first as number, cpu, peak };
}
