/** The chunks of one scan of the files. */

import { CHUNK_ROWS, type ChunkSource } from "../../engine/chunked-scan.js";
import type { RawRow } from "../../engine/engine.js";
import type { Closable, Lifecycle } from "../../engine/lifecycle.js";
import type { FamilyScan } from "./read/family.js";
import type { State } from "./state.js";

export class FilesScan implements ChunkSource, Closable {
  readonly #open: (() => Promise<FamilyScan>) | undefined;
  readonly #state: State;
  readonly #life: Lifecycle;
  #left: number;
  #scan: Promise<FamilyScan> | undefined;
  #reading: Promise<unknown> | undefined;
  #closing: Promise<void> | undefined;

  /** @param open undefined for a scan of nothing */
  constructor(open: (() => Promise<FamilyScan>) | undefined, limit: number, state: State, life: Lifecycle) {
    this.#open = open;
    this.#left = limit;
    this.#state = state.retain();
    this.#life = life;
    life.own(this);
  }

  check(): void {
    this.#life.check();
  }

  async next(): Promise<readonly RawRow[] | undefined> {
    this.check();
    if (this.#open === undefined || this.#left === 0) return undefined;
    this.#scan ??= this.#open();
    const reading = this.#scan.then(({ rows }) => rows.next(Math.min(CHUNK_ROWS, this.#left)));
    this.#reading = reading;
    const rows = await reading;
    this.check();
    this.#left -= rows.length;
    return rows.length === 0 ? undefined : rows;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#reading?.catch(() => undefined);
    await this.#scan?.then((scan) => scan.close()).catch(() => undefined);
    this.#state.release();
    this.#life.disown(this);
  }
}
