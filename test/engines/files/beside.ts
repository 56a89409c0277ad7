/** A writer that never rests, and the rows that a reader beside it must see. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { EngineReader, RawRow } from "../../../src/engines/index.js";
import { listOf } from "../../support/lists.js";
import { COUNT, FAMILIES, rowsAfter } from "./batches.mjs";

/** A process that writes batches into a new database until it is stopped. */
export class Writer {
  readonly path: string;
  /** The number of the last batch that the process reported as written. */
  acknowledged = 0;
  #complaints = "";
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;

  /** Starts a writer and waits until it has done some work. */
  static async start(path: string): Promise<Writer> {
    const writer = new Writer(path);
    await writer.until(() => writer.acknowledged > 200);
    return writer;
  }

  private constructor(path: string) {
    this.path = path;
    this.#process = spawn(process.execPath, [join(import.meta.dirname, "writer.mjs"), path], {
      stdio: "pipe",
    });
    this.#process.stdout.setEncoding("utf8").on("data", (lines: string) => {
      this.acknowledged = Number(lines.trimEnd().split("\n").at(-1));
    });
    this.#process.stderr.setEncoding("utf8").on("data", (said: string) => {
      this.#complaints += said;
    });
  }

  /** Expects that the writer still runs and has reported no error. */
  expectWell(): void {
    expect(this.#complaints).toBe("");
    expect(this.#process.exitCode).toBeNull();
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#process.exitCode !== null) throw new Error(`the writer ended: ${this.#complaints}`);
      await sleep(2);
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.stdin.end();
    await ended;
  }
}

async function rowsOf(reader: EngineReader, column: string): Promise<RawRow[]> {
  return (await listOf(reader.scan(column).chunks())).flat();
}

/** Counts the batches that a reader shows, and checks that it shows exactly their rows. */
export async function batchesIn(reader: EngineReader): Promise<number> {
  const count = await reader.get(FAMILIES[0] as string, COUNT);
  const number = count === undefined ? 0 : Buffer.from(count).readUInt32BE();
  for (const column of FAMILIES) {
    const hex = ({ key, value }: RawRow) =>
      `${Buffer.from(key)} ${Buffer.from(value).toString("hex", 0, 8)} ${value.length}`;
    expect((await rowsOf(reader, column)).map(hex), `${column} after batch ${number}`).toEqual(
      rowsAfter(number, column).map(hex),
    );
  }
  return number;
}
