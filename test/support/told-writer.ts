/** A writer in a separate process, controlled by a test. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { toHex } from "../../src/bytes/hex.js";
import type { WriteOperation } from "../../src/engines/index.js";

export class ToldWriter {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  #done = 0;
  #wanted = 1;

  static async start(path: string): Promise<ToldWriter> {
    const writer = new ToldWriter(path);
    await writer.#wait();
    return writer;
  }

  private constructor(path: string) {
    this.#process = spawn(process.execPath, [join(import.meta.dirname, "told-writer.mjs"), path], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#process.stdout.setEncoding("latin1").on("data", (text: string) => {
      this.#done += text.split("\n").length - 1;
    });
  }

  /** Resolves when the batch is written. */
  async write(operations: readonly WriteOperation[]): Promise<void> {
    const hex = operations.map((operation) =>
      Object.fromEntries(
        Object.entries(operation).map(([name, value]) => [
          name,
          value instanceof Uint8Array ? toHex(value) : value,
        ]),
      ),
    );
    await this.tell(hex);
  }

  /** Resolves when it is done. */
  async tell(what: "flush" | "reopen" | object): Promise<void> {
    this.#process.stdin.write(`${JSON.stringify(what)}\n`);
    this.#wanted++;
    await this.#wait();
  }

  async kill(): Promise<void> {
    const ended = once(this.#process, "close");
    this.#process.kill("SIGKILL");
    await ended;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, "close");
    this.#process.stdin.end();
    await ended;
  }

  async #wait(): Promise<void> {
    while (this.#done < this.#wanted) {
      if (this.#process.exitCode !== null) throw new Error("the writer has ended");
      await once(this.#process.stdout, "data");
    }
  }
}
