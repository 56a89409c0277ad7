/** Runs cases one by one, each within bounds of memory, and counts how they end. */

import { Watchdog } from "../watchdog.js";
import { Allocations } from "./allocations.js";
import type { Hostile } from "./databases.js";
import { type Exercise, exercise } from "./exercise.js";

const MIB = 1024 * 1024;

/** Limits of one array, for an expanded block, and of all, which also hold what awaits the garbage collector. */
const LIMITS = { single: 65 * MIB, growth: 192 * MIB };

export class Runner {
  readonly #watchdog = new Watchdog();
  readonly #allocations = new Allocations();
  /** Cases that were run. */
  cases = 0;
  /** Cases without any error. */
  whole = 0;
  rows = 0;
  /** Errors with their names and numbers left out. */
  readonly errors = new Map<string, number>();

  /**
   * @param now whether files can be read without waiting; undefined for both by turns
   * @returns about ten failures at most
   */
  async run(
    cases: Iterable<Hostile> | AsyncIterable<Hostile>,
    { checksums, now }: { readonly checksums: boolean; readonly now?: boolean | undefined },
  ): Promise<string[]> {
    const wrong: string[] = [];
    let at = 0;
    for await (const hostile of cases) {
      at++;
      const failure = await this.#one(hostile, { now: now ?? at % 3 !== 0, checksums });
      if (failure !== undefined) wrong.push(`${hostile.name}: ${failure}`);
      if (wrong.length > 10) break;
    }
    return wrong;
  }

  async stop(): Promise<void> {
    this.#allocations.stop();
    await this.#watchdog.stop();
  }

  async #one({ name, files }: Hostile, way: Exercise): Promise<string | undefined> {
    this.#watchdog.begin(name);
    this.#allocations.begin();
    try {
      const { rows, errors } = await exercise(files, way);
      this.#allocations.check(LIMITS);
      this.cases++;
      this.rows += rows;
      if (errors.length === 0) this.whole++;
      for (const { message } of errors) this.#count(message);
      return undefined;
    } catch (error) {
      return (error as Error).stack;
    }
  }

  #count(message: string): void {
    const kind = /\((.*)\)/.exec(message)?.[1] ?? message;
    const plain = kind.replace(/\d+/g, "…");
    this.errors.set(plain, (this.errors.get(plain) ?? 0) + 1);
  }
}
