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

/** Yields all runs of a batch as one list, for rules that look up a row for each id. */
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
    // If the last row has the id too, so do all rows between: keys are in order.
    if (equalBytes(id, last)) next = batch.length;
    else while (equalBytes(id, idOf(batch[next] as Row))) next++;
    yield { id, rows: start === 0 && next === batch.length ? batch : batch.slice(start, next) };
    start = next;
  }
}

/**
 * Computes a value of a batch once for all rules. All rules get a batch before the next one, so only the last value is
 * kept. A WeakMap would keep all rows of a batch alive during collections of young garbage.
 */
export class OncePerBatch<Batch extends object, R> {
  #last: { readonly batch: Batch; readonly result: R } | undefined;

  of(batch: Batch, compute: () => R): R {
    if (this.#last?.batch !== batch) this.#last = { batch, result: compute() };
    return this.#last.result;
  }
}

/**
 * Returns whether a row passes the test, or whether there is any row if no test is given. It stops reading at the first
 * match.
 */
export async function some<Row>(
  batches: AsyncIterable<readonly Row[]>,
  test: (row: Row) => boolean = () => true,
): Promise<boolean> {
  for await (const rows of batches) if (rows.some(test)) return true;
  return false;
}

/** The number of batches in work at the same time: the threads stay busy while the next rows are read. */
const AHEAD = 16;

/**
 * Yields the results of the batches in order, and starts the work on later batches meanwhile. For work that threads do.
 */
export async function* ahead<Row, R>(
  batches: AsyncIterable<readonly Row[]>,
  work: (rows: readonly Row[]) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const begun: Promise<R>[] = [];
  for await (const rows of batches) {
    const result = work(rows);
    result.catch(() => undefined); // the caller that awaits it gets the error; a caller may stop before that
    begun.push(result);
    if (begun.length >= AHEAD) yield await (begun.shift() as Promise<R>);
  }
  for (const result of begun) yield await result;
}
