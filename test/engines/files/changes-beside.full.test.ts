/** Following writers in processes of their own, which flush, compact, end and are killed meanwhile. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { type FilesEngine, openFilesEngine } from "../../../src/engines/index.js";
import { isMerostoreError } from "../../../src/errors.js";
import { removeTemporary, temporaryFolder } from "../temporary.js";
import { batchOf, COUNT, FAMILIES } from "./batches.mjs";
import { Writer } from "./beside.js";
import { apply, type Rows, rowsOf, textOf } from "./changed-rows.js";

afterAll(removeTemporary);

/** The batch with a number, as it must be seen. */
function expected(number: number, sequence: number): string {
  const operations = batchOf(number).map(({ column, key, value }) =>
    value === undefined
      ? ({ type: "delete", column, key } as const)
      : ({ type: "put", column, key, value } as const),
  );
  return textOf({ sequence, operations });
}

/** The number of the last batch in a state. */
async function countIn(engine: FilesEngine): Promise<number> {
  const count = await engine.get(FAMILIES[0] as string, COUNT);
  return count === undefined ? 0 : Buffer.from(count).readUInt32BE();
}

/** Follows a database: expects each batch once, in order, and counts the times it had to start over. */
class Follower {
  rescans = 0;
  batches = 0;
  /** The number of the last batch that was seen. */
  number = 0;
  since: number;
  rows: Rows = new Map();
  readonly path: string;
  readonly engine: FilesEngine;

  private constructor(path: string, engine: FilesEngine) {
    this.path = path;
    this.engine = engine;
    this.since = engine.sequence;
  }

  static async start(path: string): Promise<Follower> {
    const follower = new Follower(path, await openFilesEngine(path));
    await follower.#begin();
    return follower;
  }

  async poll(): Promise<void> {
    try {
      for await (const batch of this.engine.changes(this.since)) {
        this.number++;
        this.batches++;
        expect(textOf(batch)).toBe(expected(this.number, batch.sequence));
        this.since = batch.sequence;
        apply(this.rows, batch.operations);
      }
    } catch (error) {
      if (!isMerostoreError(error, "CHANGES_LOST")) throw error;
      this.rescans++;
      await this.engine.refresh();
      await this.#begin();
    }
  }

  async #begin(): Promise<void> {
    this.since = this.engine.sequence;
    this.number = await countIn(this.engine);
    this.rows = await rowsOf(this.engine);
  }

  /** Expects that the followed rows are those of the database. */
  async expectRows(): Promise<void> {
    await this.poll();
    await using now = await openFilesEngine(this.path);
    expect(this.rows).toEqual(await rowsOf(now));
  }
}

describe("beside a writer that flushes and compacts", () => {
  it("each batch is seen once and in order", async () => {
    const path = join(temporaryFolder(), "db");
    const writer = await Writer.start(path);
    const follower = await Follower.start(path);
    try {
      while (follower.batches < 500) {
        await follower.poll();
        await sleep(follower.batches % 20);
      }
      writer.expectWell();
    } finally {
      await writer.stop();
    }
    await follower.poll();
    await follower.expectRows();
    await follower.engine.close();
  });
});

describe("beside a writer that is killed and started again", () => {
  it("each batch is seen once and in order", async () => {
    const path = join(temporaryFolder(), "db");
    const program = join(import.meta.dirname, "../../faults/killed-writer.mjs");
    let follower: Follower | undefined;
    for (let life = 0; life < 6; life++) {
      const first = (follower?.number ?? 0) + 1;
      const child = spawn(process.execPath, [program, path, String(first)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = once(child, "close");
      let output = "";
      child.stdout.setEncoding("latin1").on("data", (text: string) => {
        output += text;
      });
      while (!output.includes("\n")) {
        await follower?.poll();
        await sleep(5);
      }
      follower ??= await Follower.start(path);
      const end = output.length + 500 + life * 100;
      while (output.length < end) {
        await follower.poll();
        await sleep(life);
      }
      child.kill("SIGKILL");
      await ended;
      await follower.poll();
      const acknowledged = output.slice(0, output.lastIndexOf("\n")).split("\n").at(-1);
      expect(follower.number).toBeGreaterThanOrEqual(Number(acknowledged));
      await follower.expectRows();
    }
    await follower?.engine.close();
  });
});
