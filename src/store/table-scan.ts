/** A scan of a table. */
import type { EngineReader, RawRow } from "../engine/engine.js";
import { Scan } from "../engine/scan.js";
import type { AnyKey, AnyKeyClass, KeyRange } from "../keys/index.js";
import { Pause } from "../pause.js";
import { Follower, type ProgressOptions } from "../progress.js";
import type { AnyRow } from "../schemas/index.js";
import { entriesOf, type StoredEntry } from "./entry.js";
import { rowsOfKind } from "./scan.js";

/** The number of rows decoded in one step. */
const PIECE = 128;

/** The plan of a table's scan: its rows and options. */
interface TableScanPlan extends ProgressOptions {
  readonly raw: EngineReader;
  readonly row: AnyRow;
  readonly range: KeyRange<AnyKeyClass>;
  readonly reverse: boolean | undefined;
  readonly limit: number | undefined;
  /** Throws if the store is closed. */
  readonly checkOpen: () => void;
}

/**
 * Rows of a table in key order. `keys()` reads keys only, `toArray()` and `chunks()` return arrays. It can be iterated
 * once; leaving the loop ends it.
 */
export class TableScan<E extends StoredEntry<AnyKey>> extends Scan<E> {
  readonly #plan: TableScanPlan;

  /** @internal */
  constructor(plan: TableScanPlan) {
    const toEntry = entriesOf(plan.row);
    const { key } = plan.row;
    const decode = (row: RawRow): E => toEntry(key.view(row.key), row.value) as StoredEntry<AnyKey> as E;
    super(read(plan, decode, false), () => check(plan));
    this.#plan = plan;
  }

  /** The keys of the rows, without their values. Like the scan itself, they can be iterated once. */
  keys(): Scan<E["key"]> {
    this.take();
    const { key } = this.#plan.row;
    const toKey = (row: RawRow): E["key"] => key.view(row.key) as E["key"];
    return new Scan(read(this.#plan, toKey, true), () => check(this.#plan));
  }
}

/** Throws if the scan may not return another row. */
function check({ signal, checkOpen }: TableScanPlan): void {
  signal?.throwIfAborted();
  checkOpen();
}

async function* read<T>(
  { raw, range, reverse, limit, signal, onProgress }: TableScanPlan,
  decode: (row: RawRow) => T,
  keysOnly: boolean,
): AsyncGenerator<readonly T[], void, undefined> {
  const follower = new Follower({ onProgress, signal });
  const pause = new Pause();
  for await (const chunk of rowsOfKind(raw, range, { reverse, limit, keysOnly })) {
    follower.add(chunk.length);
    for (let start = 0; start < chunk.length; start += PIECE) {
      if (pause.isLong) await pause.ifLong();
      yield chunk.slice(start, start + PIECE).map(decode);
    }
  }
  follower.end();
}
