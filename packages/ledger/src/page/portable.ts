/**
 * A page as a file: the entries of a snapshot, without history.
 *
 *     "MLX1" ‖ entry … ‖ 0 (1) ‖ SHA-256 of all before it (32)
 *     entry: 1 (1) ‖ priority (1): 0 eager, 1 lazy ‖ bytes of the key (u16) ‖ key ‖ chunk … ‖ 0 (u32)
 *     chunk: its bytes (u32), 1 to 65,536 ‖ a part of the value
 *
 * Numbers are little-endian.
 */
import {
  checkOptions,
  concat,
  concatAll,
  describeValue,
  equalBytes,
  Follower,
  invalidArgument,
  isBytes,
  type MerostoreError,
  type OptionChecks,
  Pause,
  type ProgressOptions,
  progressOptions,
  startSha256,
} from "merostore/internal";
import { damage } from "../tables/table-reader.js";
import type { Priority } from "../tables/tree-node.js";
import { MAX_KEY_SIZE } from "./key.js";
import type { PageTransaction } from "./operations.js";
import type { Page } from "./page.js";
import { VALUE_OPTIONS, type ValueOptions } from "./page-scan.js";
import type { PageSnapshot } from "./snapshot.js";
import { takingValue } from "./value.js";

const MAGIC = new TextEncoder().encode("MLX1");
const MOST_CHUNK = 65_536;
const HASH_SIZE = 32;
const PRIORITIES: readonly Priority[] = ["eager", "lazy"];

/** Options of {@link exportEntries}. The progress counts entries, as rows. */
export interface ExportEntriesOptions extends ValueOptions, ProgressOptions {}

const EXPORT_OPTIONS: OptionChecks<ExportEntriesOptions> = { ...VALUE_OPTIONS, ...progressOptions };

/**
 * Yields the entries of a snapshot as the content of a file, at constant memory. {@link importEntries} reads it.
 *
 * @throws MerostoreError NEEDS_FETCH for a lazy value that is not on this device, unless `fetch` is true; NETWORK_ERROR
 * @example
 * import { createWriteStream } from "node:fs";
 * import { pipeline } from "node:stream/promises";
 *
 * await using snapshot = await page.snapshot();
 * await pipeline(exportEntries(snapshot), createWriteStream("contacts.page"));
 */
export function exportEntries(
  snapshot: PageSnapshot<unknown>,
  options?: ExportEntriesOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  checkOptions("exportEntries", options, EXPORT_OPTIONS);
  if (typeof (snapshot as Partial<typeof snapshot> | undefined)?.streamedEntries !== "function")
    throw invalidArgument(`exportEntries takes a snapshot of a page, not ${describeValue(snapshot)}`);
  return exportedContent(snapshot, { ...options });
}

async function* exportedContent(
  snapshot: PageSnapshot<unknown>,
  { fetch, ...options }: ExportEntriesOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const follower = new Follower(options);
  const hash = startSha256();
  const pause = new Pause();
  let parts: Uint8Array[] = [MAGIC];
  let size = 0;
  const add = (...more: readonly Uint8Array[]): void => {
    parts.push(...more);
    for (const { length } of more) size += length;
  };
  /** All parts as one. */
  const joined = (): Uint8Array => {
    const bytes = concatAll(parts);
    hash.update(bytes);
    parts = [];
    size = 0;
    return bytes;
  };
  for await (const { key, priority, chunks } of snapshot.streamedEntries({ fetch })) {
    add(Uint8Array.of(1, PRIORITIES.indexOf(priority)), number(2, key.length), key);
    for await (const chunk of chunks) {
      if (chunk.length > 0) add(number(4, chunk.length), chunk);
      if (size >= MOST_CHUNK) yield joined();
      if (pause.isLong) await pause.ifLong();
      options.signal?.throwIfAborted();
    }
    add(number(4, 0));
    follower.add(1);
  }
  add(Uint8Array.of(0));
  yield joined();
  follower.end();
  yield Uint8Array.from(hash.digest());
}

/**
 * Puts the entries of an exported page into a page: one transaction, which is rolled back if the content is damaged.
 * Other entries of the page stay. If the call is rejected, a stream is destroyed.
 *
 * @param options the progress counts entries, as rows
 * @param source the content of the file; streams of Node are such sources
 * @returns how many entries it has
 * @throws MerostoreError DATA_INTEGRITY_ERROR for a damaged or incomplete content; the errors of the source
 * @example
 * import { createReadStream } from "node:fs";
 *
 * await importEntries(page, createReadStream("contacts.page"));
 */
export async function importEntries(
  page: Page,
  source: AsyncIterable<Uint8Array>,
  options: ProgressOptions = {},
): Promise<number> {
  return takingValue(source, async () => {
    checkOptions("importEntries", options, progressOptions);
    const follower = new Follower(options);
    const { [Symbol.asyncIterator]: iterate } = (source ?? {}) as Partial<AsyncIterable<Uint8Array>>;
    if (typeof iterate !== "function") throw notBytes(source);
    return page.transaction(async (tx) => {
      const content = new Content(source, options.signal);
      try {
        return await putAll(tx, content, follower);
      } finally {
        await content.close();
      }
    });
  });
}

/** Puts the entries of a file. Returns how many it has. */
async function putAll(tx: PageTransaction, content: Content, follower: Follower): Promise<number> {
  if (!equalBytes(await content.take(MAGIC.length), MAGIC))
    throw damage("this is not an exported page: nothing was imported");
  let count = 0;
  for (; (await content.number(1)) === 1; count++) {
    const priority = PRIORITIES[await content.number(1)];
    const size = await content.number(2);
    if (priority === undefined || size > MAX_KEY_SIZE) throw damaged("has a wrong entry");
    const key = await content.take(size);
    await tx.put(key, await content.value(), { priority });
    follower.add(1);
  }
  await content.end();
  follower.end();
  return count;
}

/** Reads the content of a file piece by piece. */
class Content {
  readonly #source: AsyncIterator<unknown>;
  readonly #hash = startSha256();
  readonly #signal: AbortSignal | undefined;
  readonly #pause = new Pause();
  #rest: Uint8Array = new Uint8Array(0);
  /** The last byte before the digest was 0. */
  #last = 1;

  constructor(source: AsyncIterable<unknown>, signal: AbortSignal | undefined) {
    this.#source = source[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  /** Reads a number of bytes, at most the bytes of a chunk. */
  async take(size: number): Promise<Uint8Array> {
    const bytes = await this.#take(size);
    this.#hash.update(bytes);
    return bytes;
  }

  async number(size: 1 | 2 | 4): Promise<number> {
    const bytes = await this.take(size);
    this.#last = bytes[0] as number;
    return bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
  }

  /** Reads a value: as a stream if it has several chunks. */
  async value(): Promise<Uint8Array | AsyncGenerator<Uint8Array, void, undefined>> {
    const first = await this.#chunk();
    const second = first && (await this.#chunk());
    if (first === undefined || second === undefined) return first ?? new Uint8Array(0);
    return this.#chunks(first, second);
  }

  /** @throws MerostoreError DATA_INTEGRITY_ERROR if the digest is another one, or something follows */
  async end(): Promise<void> {
    const expected = Uint8Array.from(this.#hash.digest());
    const isWhole = this.#last === 0 && equalBytes(await this.#take(HASH_SIZE), expected);
    if (!isWhole || this.#rest.length > 0 || (await this.#more())) throw damaged("is damaged");
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async *#chunks(first: Uint8Array, second: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
    yield first;
    for (let next: Uint8Array | undefined = second; next !== undefined; next = await this.#chunk())
      yield next;
  }

  async #chunk(): Promise<Uint8Array | undefined> {
    if (this.#pause.isLong) await this.#pause.ifLong();
    const size = await this.number(4);
    if (size > MOST_CHUNK) throw damaged("has a chunk of too many bytes");
    return size === 0 ? undefined : this.take(size);
  }

  async #take(size: number): Promise<Uint8Array> {
    while (this.#rest.length < size) if (!(await this.#more())) throw damaged("is incomplete");
    const bytes = this.#rest.slice(0, size);
    this.#rest = this.#rest.subarray(size);
    return bytes;
  }

  /** Reads on, and returns false at the end. */
  async #more(): Promise<boolean> {
    this.#signal?.throwIfAborted();
    const { done, value } = await this.#source.next();
    if (done === true) return false;
    if (!isBytes(value)) throw notBytes(value);
    this.#rest = concat(this.#rest, value); // a copy: the source may fill its buffer again
    return true;
  }
}

function number(size: 2 | 4, value: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => (value >>> (8 * at)) & 0xff);
}

function notBytes(value: unknown): MerostoreError {
  const message = `an exported page comes as a stream of bytes, not as ${describeValue(value)}`;
  return invalidArgument(message);
}

function damaged(why: string): MerostoreError {
  return damage(`the exported page ${why}: nothing was imported`);
}
