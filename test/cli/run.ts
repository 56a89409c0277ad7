/** Running the command line: its commands in this process, or the built program in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { ledger } from "../../packages/ledger/src/commands/program.js";
import type { CommandGroup } from "../../src/cli/arguments/command.js";
import { parserOf, runWords } from "../../src/cli/arguments/parser.js";
import { reportFailure } from "../../src/cli/database/failure.js";
import { Terminal } from "../../src/cli/output/terminal.js";
import { merostore as program } from "../../src/cli/program.js";
import type { RowJson } from "../../src/schemas/index.js";
import { copyOfDatabase, type FixtureRow } from "../support/fixtures.js";

export const main = fileURLToPath(new URL("../../dist/cli/merostore.js", import.meta.url));
if (!existsSync(main)) throw new Error("dist/cli/merostore.js is missing: run `npm run build` first");

// Vitest asks for colours, and a person may have a database of their own.
delete process.env.FORCE_COLOR;
delete process.env.MEROSTORE_DB;
process.env.NO_COLOR = "1";

/** Kills a process that hangs; no test depends on how long one takes. */
const WATCHDOG_MS = 500_000;

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the built program. */
export function start(words: readonly string[], stdin: "ignore" | "pipe" = "ignore"): ChildProcess {
  return spawn(process.execPath, [main, ...words], {
    stdio: [stdin, "pipe", "pipe"],
    timeout: WATCHDOG_MS,
    killSignal: "SIGKILL",
  });
}

/** Runs the built program to its end, in a process of its own. */
export async function cliProcess(...words: readonly string[]): Promise<Outcome> {
  const child = start(words);
  const [stdout, stderr, status] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    exitOf(child),
  ]);
  return { status, stdout, stderr };
}

/** The exit status; null if a signal ended the process. */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  const [status] = (await once(child, "exit")) as [number | null];
  return status;
}

/** Everything that a stream gives. */
export async function textOf(stream: AsyncIterable<Buffer> | null): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** A stream that keeps its input; a terminal if it has `columns`. */
export class Sink extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly columns: number;

  constructor(columns = 0) {
    super();
    this.isTTY = columns > 0;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString("utf8");
    done();
  }
}

/** The command line where the package merostore-ledger is installed. */
export const merostore: CommandGroup = {
  ...program,
  commands: program.commands.map((one) => ("words" in one && one.words.startsWith("ledger ") ? ledger : one)),
};

/** Runs a command as a person sees it, on a terminal of 120 columns. Errors are thrown. */
export function onTerminal(...words: readonly string[]): Promise<Outcome> {
  return inProcess(new Sink(120), words);
}

/** Runs a command that writes to a pipe, in this process. Errors are thrown. */
export function intoPipe(...words: readonly string[]): Promise<Outcome> {
  return inProcess(new Sink(), words);
}

/** Runs a command in this process, on a terminal if it has `columns`. Reports errors as the program does. */
export function played(columns: number, ...words: readonly string[]): Promise<Outcome> {
  return inProcess(new Sink(columns), words, reportFailure);
}

/** Runs a command that writes to a pipe, in this process. Reports errors as the program does. */
export function cli(...words: readonly string[]): Promise<Outcome> {
  return played(0, ...words);
}

async function inProcess(
  out: Sink,
  words: readonly string[],
  report?: (terminal: Terminal, error: unknown) => number,
): Promise<Outcome> {
  const err = new Sink();
  const terminal = new Terminal(out, err);
  let status: number | null = null;
  const done = (result: number): void => {
    status = result;
  };
  const command = parserOf(merostore, terminal, done, words);
  try {
    await runWords(command, merostore, words);
  } catch (error) {
    if (report === undefined) throw error;
    status = report(terminal, error);
  }
  await terminal.flush();
  return { status, stdout: out.text, stderr: err.text };
}

/** The rows of NDJSON output. */
export function rowsOf({ stdout }: Outcome): readonly RowJson[] {
  return linesOf(stdout).map((line) => JSON.parse(line) as RowJson);
}

export function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Expects a refusal: nothing on stdout, one line of the program's on stderr, and no stack trace. */
export function expectRefusal({ status, stdout, stderr }: Outcome, expected: number, says: RegExp): void {
  expect({ status, stdout, lines: linesOf(stderr).length }, stderr).toEqual({
    status: expected,
    stdout: "",
    lines: 1,
  });
  expect(stderr).toMatch(/^merostore: /);
  expect(stderr).not.toMatch(/ {4}at |\.js:\d/);
  expect(stderr).toMatch(says);
}

/** The path of a copy of a fixture's database that the tests of a file share. */
export function sharedCopy(name: string): string {
  const copy = copyOfDatabase(name);
  afterAll(() => copy[Symbol.dispose]());
  return copy.path;
}

/** `part=value` words that name a row. */
export function wordsOf(row: FixtureRow): readonly string[] {
  return [row.kind ?? "", ...Object.entries(row.parts ?? {}).map(([name, value]) => `${name}=${value}`)];
}
