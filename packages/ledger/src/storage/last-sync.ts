/** The last complete sync of a page, stored beside what its cloud remembers. */
import type { EngineReader } from "merostore/engine";
import { syncMetadataRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import type { WriteQueue } from "./write-queue.js";

/** A sync of a page after which both sides had everything of each other. */
export interface LastSync {
  /** The time when it ended, by the clock of this device. */
  readonly at: Date;
  /** The cloud: the path or URL of its folder, or `memory`. */
  readonly cloud: string;
}

const ROW = { key: new TextEncoder().encode("merostore last sync") };
/** Milliseconds during which a stored time counts as new: a sync that finds nothing must not write each time. */
const STORED_FOR = 60_000;

/** Reads the last sync of a page; undefined if there was none. */
export async function readLastSync(engine: EngineReader): Promise<LastSync | undefined> {
  const bytes = await engine.get(COLUMN, syncMetadataRow.key.encode(ROW));
  try {
    const { at, cloud } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    const date = new Date(String(at));
    if (typeof cloud === "string" && !Number.isNaN(date.getTime())) return { at: date, cloud };
  } catch {
    // Another cloud may keep something else at this key.
  }
  return undefined;
}

/** The last sync of an open page. */
export class LastSyncs {
  readonly #engine: EngineReader;
  readonly #writes: WriteQueue;
  #last: LastSync | undefined;
  #stored = Number.NEGATIVE_INFINITY;

  constructor(engine: EngineReader, writes: WriteQueue) {
    this.#engine = engine;
    this.#writes = writes;
  }

  async read(): Promise<LastSync | undefined> {
    return this.#last ?? readLastSync(this.#engine);
  }

  /** Remembers that a sync has ended now. Stores it, unless it has stored one with this cloud a moment ago. */
  async ended(cloud: string): Promise<void> {
    const isStored = this.#last?.cloud === cloud && performance.now() - this.#stored < STORED_FOR;
    this.#last = { at: new Date(), cloud };
    if (isStored) return;
    const value = new TextEncoder().encode(JSON.stringify(this.#last));
    await this.#writes.exclusively((write) => write([syncMetadataRow.put(ROW, value)]));
    this.#stored = performance.now();
  }
}
