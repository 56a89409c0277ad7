/**
 * Ends the process when a case never ends. A loop without a pause keeps the timeouts of a test runner from firing, so a
 * separate thread watches. Nothing else is decided by time.
 */

import { Worker } from "node:worker_threads";

/** Longer than any case takes on the slowest machine. */
const PATIENCE_SECONDS = 120;

const NAME_BYTES = 256;

const lookOn = `
const { workerData: { shared, patience, pid } } = require("node:worker_threads");
const count = new Int32Array(shared, 0, 1);
let last = -1;
let idle = 0;
setInterval(() => {
  const now = Atomics.load(count, 0);
  idle = now === last ? idle + 1 : 0;
  last = now;
  if (idle < patience) return;
  const name = Buffer.from(new Uint8Array(shared, 4)).toString().replace(/\\0+$/, "");
  require("node:fs").writeSync(2, "\\nThis never ends: " + name + "\\n");
  process.kill(pid, "SIGKILL");
}, 1000);
`;

export class Watchdog {
  readonly #shared = new SharedArrayBuffer(4 + NAME_BYTES);
  readonly #worker = new Worker(lookOn, {
    eval: true,
    workerData: { shared: this.#shared, patience: PATIENCE_SECONDS, pid: process.pid },
  });

  constructor() {
    this.#worker.unref();
  }

  /** Notes the beginning of a case. */
  begin(name: string): void {
    const bytes = new Uint8Array(this.#shared, 4);
    bytes.fill(0);
    bytes.set(new TextEncoder().encode(name).subarray(0, NAME_BYTES));
    Atomics.add(new Int32Array(this.#shared, 0, 1), 0, 1);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
