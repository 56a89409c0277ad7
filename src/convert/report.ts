/** The report of a conversion: counts by kind and by reason, and the file of the rows left behind. */

import { toHex } from "../bytes/hex.js";
import { UndecryptedBytes } from "../bytes/undecrypted.js";
import type { Engine, RawRow, WriteOperation } from "../engines/index.js";
import { Pause } from "../pause.js";
import type { NewRow, Outcome } from "./conversion.js";
import type { LeftBehind } from "./left-behind.js";

/** Rows that were left behind, or that lost fields, for one reason. */
export interface LeftRows {
  /** The reason. */
  readonly why: string;
  /** Number of rows. */
  readonly rows: number;
}

/** The counts of a kind. */
export interface ConvertedKind {
  /** Name of the column family. */
  readonly column: string;
  /** The kind in core-0.10; null for rows of no known kind. */
  readonly kind: string | null;
  /** Rows in the old database. */
  readonly rows: number;
  /** Rows of the old database that the new one has in their new form. */
  readonly converted: number;
  /** Rows that are only in the file of rows left behind, by reason. */
  readonly left: readonly LeftRows[];
  /** Rows that were converted without some fields, by reason; the file has these fields. Counted in `converted`. */
  readonly lost: readonly LeftRows[];
}

interface Counts {
  readonly column: string;
  readonly kind: string | null;
  rows: number;
  converted: number;
  readonly left: Map<string, number>;
  readonly lost: Map<string, number>;
}

const UNDECRYPTED = "no given master key decrypts its value; the file has its key only";

/** Limits of one batch. */
const BATCH_ROWS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Takes the outcomes of rows: writes new rows, keeps the rest in the file, and counts. */
export class Report {
  readonly #target: Engine;
  readonly #left: LeftBehind;
  readonly #counts = new Map<string, Counts>();
  readonly #onRow: (bytes: number) => void;
  readonly #pause = new Pause();
  #batch: WriteOperation[] = [];
  /** Values of the batch by column family and key. */
  #pending = new Map<string, Uint8Array>();
  #bytes = 0;
  /** Rows that the new database has. */
  written = 0;

  constructor(target: Engine, left: LeftBehind, onRow: (bytes: number) => void) {
    this.#target = target;
    this.#left = left;
    this.#onRow = onRow;
  }

  /** Takes the outcome of a row. An undecrypted row is left behind, whatever its outcome. */
  async take(column: string, kind: string | null, row: RawRow, converted: Outcome): Promise<void> {
    await this.#pause.ifLong();
    const outcome: Outcome = row.value instanceof UndecryptedBytes ? { left: UNDECRYPTED } : converted;
    const counts = this.#of(column, kind);
    counts.rows++;
    this.#onRow(row.key.length + row.value.length);
    if (outcome.rows === undefined) {
      add(counts.left, outcome.left);
      return this.#left.row(column, row, outcome.left);
    }
    counts.converted++;
    for (const one of outcome.rows) await this.#put(one);
    if (outcome.lost === undefined) return;
    const { fields, why } = outcome.lost;
    add(counts.lost, why);
    await this.#left.fields(column, kind ?? "", row.key, fields, why);
  }

  /** Returns the value of a row that was written. */
  async get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#pending.get(`${column} ${toHex(key)}`) ?? (await this.#target.get(column, key));
  }

  /** Writes the pending rows. Returns the counts in the order of the kinds. */
  async finish(): Promise<readonly ConvertedKind[]> {
    await this.#write();
    const list = (of: Map<string, number>) => [...of].map(([why, rows]) => ({ why, rows }));
    return [...this.#counts.values()].map(({ left, lost, ...counts }) => ({
      ...counts,
      left: list(left),
      lost: list(lost),
    }));
  }

  #of(column: string, kind: string | null): Counts {
    const name = `${column} ${kind}`;
    let counts = this.#counts.get(name);
    if (counts === undefined) {
      counts = { column, kind, rows: 0, converted: 0, left: new Map(), lost: new Map() };
      this.#counts.set(name, counts);
    }
    return counts;
  }

  async #put({ column, key, value }: NewRow): Promise<void> {
    this.#batch.push({ type: "put", column, key, value });
    this.#pending.set(`${column} ${toHex(key)}`, value);
    this.#bytes += key.length + value.length;
    this.written++;
    if (this.#batch.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.#write();
  }

  async #write(): Promise<void> {
    if (this.#batch.length > 0) await this.#target.write(this.#batch, { owned: true });
    this.#batch = [];
    this.#pending = new Map();
    this.#bytes = 0;
  }
}

function add(counts: Map<string, number>, why: string): void {
  counts.set(why, (counts.get(why) ?? 0) + 1);
}
