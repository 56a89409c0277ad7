import { invalidArgument } from "../errors.js";
import type { RawRow, RawScan } from "./engine.js";
import { RowIterator } from "./row-iterator.js";

/**
 * Rows in key order, read in chunks. Iterate the scan for single rows, or
 * `chunks()` for arrays of rows, which is faster. A scan can be iterated once. Leaving the loop ends the scan; so does
 * `await using`.
 */
export class Scan<T> implements AsyncIterable<T>, AsyncDisposable {
  readonly #chunks: AsyncGenerator<readonly T[], void, undefined>;
  readonly #check: () => void;
  #taken = false;

  /** @param check throws if rows already read must not be returned */
  constructor(chunks: AsyncGenerator<readonly T[], void, undefined>, check: () => void) {
    this.#check = check;
    this.#chunks = chunks;
    // Generators are disposable from Node 24 on.
    chunks[Symbol.asyncDispose] ??= async () => void (await chunks.return());
  }

  /** Iterates the rows in non-empty arrays. */
  chunks(): AsyncGenerator<readonly T[], void, undefined> {
    this.take();
    return this.#chunks;
  }

  /** Reads all rows into an array. */
  async toArray(): Promise<T[]> {
    const rows: T[] = [];
    for await (const chunk of this.chunks()) for (const row of chunk) rows.push(row);
    return rows;
  }

  /** Marks the scan as iterated. @throws MerostoreError `INVALID_ARGUMENT` if it is already marked */
  protected take(): void {
    if (this.#taken) throw invalidArgument("a scan can be iterated once; call scan() again for another pass");
    this.#taken = true;
  }

  /** Iterates over the rows. @throws MerostoreError `INVALID_ARGUMENT` for a second iteration */
  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> & AsyncDisposable {
    return new RowIterator(this.chunks(), this.#check);
  }

  /** Ends the scan and its iteration. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return();
  }
}

/** A scan of an engine. */
export class RowScan extends Scan<RawRow> implements RawScan {
  readonly #read: (keysOnly: boolean) => AsyncGenerator<readonly RawRow[], void, undefined>;
  readonly #checkRow: () => void;

  /**
   * @param read begins the scan at the request for its first chunk
   * @param check throws if rows already read must not be returned
   */
  constructor(
    read: (keysOnly: boolean) => AsyncGenerator<readonly RawRow[], void, undefined>,
    check: () => void,
  ) {
    super(read(false), check);
    this.#read = read;
    this.#checkRow = check;
  }

  keys(): Scan<Uint8Array> {
    this.take();
    return new Scan(keysOf(this.#read(true)), this.#checkRow);
  }
}

async function* keysOf(
  chunks: AsyncIterable<readonly RawRow[]>,
): AsyncGenerator<readonly Uint8Array[], void, undefined> {
  for await (const chunk of chunks) yield chunk.map(({ key }) => key);
}
