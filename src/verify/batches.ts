/** Runs of rows with the same id. Scans are in key order, so the rows of a context or group follow each other. */
import { equalBytes } from "../bytes/order.js";

/** Rows of one context or group in one batch. */
export interface Run<Row> {
  readonly id: Uint8Array;
  readonly rows: readonly Row[];
  /** True if these are its first rows. */
  readonly begins: boolean;
  /** True if these are its last rows. */
  readonly ends: boolean;
}

/** Yields the rows in runs of one id each. */
export async function* runsById<Row>(
  batches: AsyncIterable<readonly Row[]>,
  idOf: (row: Row) => Uint8Array,
): AsyncGenerator<Run<Row>, void, undefined> {
  for await (const pieces of runsOfBatch(batches, idOf)) yield* pieces;
}

/** Yields the runs of a batch at once: for rules that look up something for each id. */
export async function* runsOfBatch<Row>(
  batches: AsyncIterable<readonly Row[]>,
  idOf: (row: Row) => Uint8Array,
): AsyncGenerator<readonly Run<Row>[], void, undefined> {
  // The last run of a batch waits for the next batch, which may continue it.
  let last: Omit<Run<Row>, "ends"> | undefined;
  for await (const batch of batches) {
    const done: Run<Row>[] = [];
    for (const { id, rows } of pieces(batch, idOf)) {
      const begins = last === undefined || !equalBytes(last.id, id);
      if (last !== undefined) done.push({ ...last, ends: begins });
      last = { id, rows, begins };
    }
    if (done.length > 0) yield done;
  }
  if (last !== undefined) yield [{ ...last, ends: true }];
}

function* pieces<Row>(
  batch: readonly Row[],
  idOf: (row: Row) => Uint8Array,
): Generator<{ readonly id: Uint8Array; readonly rows: readonly Row[] }> {
  const end = batch.at(-1);
  if (end === undefined) return;
  const last = idOf(end);
  for (let start = 0; start < batch.length; ) {
    const id = idOf(batch[start] as Row);
    let next = start + 1;
    // Mostly the rest is all of one id: then its last row tells.
    if (equalBytes(id, last)) next = batch.length;
    else while (equalBytes(id, idOf(batch[next] as Row))) next++;
    yield { id, rows: start === 0 && next === batch.length ? batch : batch.slice(start, next) };
    start = next;
  }
}

/**
 * A value that is computed of a batch once for all rules, which are given it before the next one. Only the last is
 * kept: the entries of a young WeakMap outlive collections of young garbage, and all rows with them.
 */
export class OncePerBatch<Batch extends object, R> {
  #last: { readonly batch: Batch; readonly result: R } | undefined;

  of(batch: Batch, compute: () => R): R {
    if (this.#last?.batch !== batch) this.#last = { batch, result: compute() };
    return this.#last.result;
  }
}

/** Returns whether a row passes a test; without one, whether there is a row. It reads no further than necessary. */
export async function some<Row>(
  batches: AsyncIterable<readonly Row[]>,
  test: (row: Row) => boolean = () => true,
): Promise<boolean> {
  for await (const rows of batches) if (rows.some(test)) return true;
  return false;
}

/** Batches whose work is under way at once: threads that verify have enough to do while the next rows are read. */
const AHEAD = 16;

/** The result of each batch, in order, while the next ones are begun: for work that other threads do. */
export async function* ahead<Row, R>(
  batches: AsyncIterable<readonly Row[]>,
  work: (rows: readonly Row[]) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const begun: Promise<R>[] = [];
  for await (const rows of batches) {
    const result = work(rows);
    result.catch(() => undefined); // the caller who takes it gets the error; nobody may
    begun.push(result);
    if (begun.length >= AHEAD) yield await (begun.shift() as Promise<R>);
  }
  for (const result of begun) yield await result;
}
