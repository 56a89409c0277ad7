/** Snapshots: a page as it was at one commit. */
import {
  checkOptions,
  compareBytes,
  concatAll,
  copyBytes,
  invalidArgument,
  isBytes,
  MerostoreError,
  Scan,
} from "merostore/internal";
import type { Commit } from "../storage/commit.js";
import { type ChangeSet, NO_CHANGES } from "../storage/journal.js";
import { type FetchPiece, missingPieces, type ObjectReader, valuesOf } from "../storage/object-reader.js";
import type { Priority, TreeEntry } from "../tables/tree-node.js";
import { entryRuns, entryRunsBefore } from "../tree/iterate.js";
import { type EntryKey, keyBytes } from "./key.js";
import {
  COUNT_OPTIONS,
  chunksOf,
  type EntryBounds,
  type EntryCountOptions,
  type EntryScanOptions,
  findChanged,
  isInRange,
  isSplit,
  type KeyRange,
  keyRange,
  PART_ENTRIES,
  PART_OPTIONS,
  type PagePart,
  type PageScan,
  partOf,
  SCAN_OPTIONS,
  VALUE_OPTIONS,
  type ValueOptions,
  withChanges,
} from "./page-scan.js";
import { BYTES, type DecodeValue } from "./value-codec.js";

/** An entry of a page. Its bytes are copies. */
export interface PageEntry<Value = Uint8Array> {
  /** The key, at most 256 bytes. */
  readonly key: Uint8Array;
  /** Undefined if the entry is lazy and its value is not on this device. */
  readonly value: Value | undefined;
  /** `eager` if syncing brings the value, `lazy` if it is fetched when it is needed. */
  readonly priority: Priority;
}

/** @internal An entry, and the chunks of its value, at most 64 KiB each. */
export interface StreamedEntry extends Pick<PageEntry, "key" | "priority"> {
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** The entries that an iteration reads. */
interface Range extends KeyRange {
  readonly reverse: boolean;
  readonly limit: number;
  /** Throws if the next entry must not be returned. */
  readonly check: () => void;
}

/** The objects of a page, as a snapshot reads them. */
export interface PageObjects {
  readonly objects: ObjectReader;
  readonly fetch: FetchPiece;
}

/**
 * The entries of a page at one commit, all or with a prefix. A snapshot does not change when the page does. It can be
 * read until it is closed.
 *
 * @example
 * await using snapshot = await page.snapshot({ prefix: "contact/" });
 * for await (const { key, value } of snapshot.entries()) console.log(key, value);
 */
export class PageSnapshot<Value = Uint8Array> implements AsyncDisposable {
  readonly #source: PageObjects;
  readonly #commit: Commit;
  readonly #prefix: Uint8Array;
  readonly #decode: DecodeValue<Value>;
  readonly #onClose: () => Promise<void>;
  readonly #changes: ChangeSet;
  #closing: Promise<void> | undefined;

  /** @internal Called by pages: use {@link Page.snapshot}. */
  constructor(
    source: PageObjects,
    commit: Commit,
    prefix: Uint8Array,
    decode: DecodeValue<Value>,
    onClose: () => Promise<void>,
    changes: ChangeSet = NO_CHANGES,
  ) {
    this.#changes = changes;
    this.#source = source;
    this.#commit = commit;
    this.#prefix = prefix;
    this.#decode = decode;
    this.#onClose = onClose;
  }

  /**
   * The id of the commit, 32 bytes. If several heads are merged later, it is the id that their merge would have now.
   * Until the page stores the same merge, no commit of {@link Page.history} has this id, and {@link Page.snapshotAt}
   * fails with COMMIT_NOT_FOUND.
   */
  get commitId(): Uint8Array {
    return copyBytes(this.#commit.id);
  }

  /** Returns whether there is an entry with this key. */
  async has(key: EntryKey): Promise<boolean> {
    return (await this.#find(key)) !== undefined;
  }

  /**
   * Returns the value at a key, or undefined if there is no such entry.
   * @throws MerostoreError NEEDS_FETCH for a lazy value that is not on this device; NETWORK_ERROR; DATA_INTEGRITY_ERROR
   * if pieces of an eager value are missing and cannot be fetched; DECODE_FAILED
   */
  async get(key: EntryKey, options?: ValueOptions): Promise<Value | undefined> {
    checkOptions("get", options, VALUE_OPTIONS);
    const entry = await this.#find(key);
    if (entry === undefined) return undefined;
    const bytes = await this.#source.objects.whole(entry.value, this.#missing(entry, options));
    return this.#decode(entry.key, bytes);
  }

  /**
   * Returns a part of the bytes of the value at a key, or undefined if there is no such entry. The part ends where the
   * value ends.
   *
   * @param offset the first byte of the part; a negative offset counts from the end
   * @param size the bytes of the part; negative for all bytes to the end
   */
  async getPartial(
    key: EntryKey,
    offset: number,
    size: number,
    options?: ValueOptions,
  ): Promise<Uint8Array | undefined> {
    checkOptions("getPartial", options, VALUE_OPTIONS);
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(size))
      throw invalidArgument("offset and size are whole numbers");
    const entry = await this.#find(key);
    if (entry === undefined) return undefined;
    const { objects } = this.#source;
    const fetch = this.#missing(entry, options);
    const from = offset < 0 ? offset + (await objects.size(entry.value, fetch)) : offset;
    // A range before the beginning is empty, like a range after the end.
    if (from < 0) return new Uint8Array(0);
    const range = { from, to: size < 0 ? Number.POSITIVE_INFINITY : from + size };
    const chunks: Uint8Array[] = [];
    for await (const chunk of objects.chunks(entry.value, range, fetch)) chunks.push(chunk);
    return concatAll(chunks);
  }

  /**
   * Streams the bytes of the value at a key in chunks of at most 64 KiB, at constant memory. Yields nothing if there is
   * no such entry.
   */
  stream(key: EntryKey, options?: ValueOptions): AsyncGenerator<Uint8Array, void, undefined> {
    checkOptions("stream", options, VALUE_OPTIONS);
    return this.#stream(isBytes(key) ? copyBytes(key) : key, options);
  }

  /**
   * Iterates over entries with their values, in ascending order of the keys unless `reverse` is given. Fetches nothing.
   * @throws MerostoreError DATA_INTEGRITY_ERROR, during the iteration, if pieces of an eager value are missing;
   * DECODE_FAILED after all entries before a value that does not decode
   */
  entries(options?: EntryScanOptions): PageScan<PageEntry<Value>> {
    checkOptions("entries", options, SCAN_OPTIONS);
    return this.#scan(options, (range) => this.#valueChunks(range, this.#decode));
  }

  /** Iterates over keys like {@link PageSnapshot.entries}. Reads no values. */
  keys(options?: EntryScanOptions): PageScan<Uint8Array> {
    checkOptions("keys", options, SCAN_OPTIONS);
    return this.#scan(options, (range) => this.#keyChunks(range));
  }

  /** Returns the number of entries within bounds. Reads no values. */
  async count(options?: EntryCountOptions): Promise<number> {
    checkOptions("count", options, COUNT_OPTIONS);
    let count = 0;
    for await (const run of this.#runs(this.#range(options))) count += run.length;
    return count;
  }

  /**
   * Returns the next entries: at most `limit` (64 unless given), with at most 58,982 bytes of keys and values, but at
   * least one.
   */
  async entriesPart(options?: EntryBounds): Promise<PagePart<PageEntry<Value>>> {
    checkOptions("entriesPart", options, PART_OPTIONS);
    const { limit = PART_ENTRIES, ...bounds } = options ?? {};
    const entries = this.#scan(bounds, (range) => this.#valueChunks(range, BYTES.decode));
    const { items, next } = await partOf(entries, limit, ({ key, value }) => [
      key,
      key.length + (value?.length ?? 0),
    ]);
    const decoded = items.map(({ key, value, priority }) => ({
      key,
      value: value && this.#decode(key, value),
      priority,
    }));
    return { items: decoded, next };
  }

  /** Returns the next keys: at most `limit`, with at most 58,982 bytes. */
  async keysPart(options?: EntryBounds): Promise<PagePart<Uint8Array>> {
    checkOptions("keysPart", options, PART_OPTIONS);
    const { limit = Number.POSITIVE_INFINITY, ...bounds } = options ?? {};
    return partOf(this.keys(bounds), limit, (key) => [key, key.length]);
  }

  /** @internal Iterates over entries. Values that have several pieces, or are not on this device, are streamed. */
  async *streamedEntries(options?: ValueOptions): AsyncGenerator<StreamedEntry, void, undefined> {
    const { objects } = this.#source;
    const range = this.#range();
    const { check } = range;
    for await (const entries of chunksOf(this.#runs(range))) {
      const wholes = entries.some(isSplit) ? [] : entries.map(({ value }) => value);
      const values = await objects.wholes(wholes).finally(check);
      for (const [index, entry] of entries.entries()) {
        const value = values[index];
        const chunks = value === undefined ? this.#chunks(entry, options) : [value];
        yield { key: entry.key, priority: entry.priority, chunks };
        check();
      }
    }
  }

  /** Closes the snapshot. Commits and pieces that only it used may then be removed. */
  close(): Promise<void> {
    this.#closing ??= this.#onClose();
    return this.#closing;
  }

  /** Closes the snapshot. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #find(key: EntryKey): Promise<TreeEntry | undefined> {
    this.#check();
    const bytes = keyBytes(key);
    const entry = await findChanged(this.#source.objects, this.#commit.root, this.#changes, bytes);
    return entry !== undefined && hasPrefix(entry.key, this.#prefix) ? entry : undefined;
  }

  async *#stream(key: EntryKey, options?: ValueOptions): AsyncGenerator<Uint8Array, void, undefined> {
    const entry = await this.#find(key);
    if (entry !== undefined) yield* this.#chunks(entry, options);
  }

  async *#chunks(entry: TreeEntry, options?: ValueOptions): AsyncGenerator<Uint8Array, void, undefined> {
    const fetch = this.#missing(entry, options);
    for await (const chunk of this.#source.objects.chunks(entry.value, undefined, fetch)) {
      yield chunk;
      this.#check();
    }
  }

  async *#keyChunks(range: Range): AsyncGenerator<readonly Uint8Array[], void, undefined> {
    for await (const run of this.#runs(range)) yield run.map(({ key }) => copyBytes(key));
  }

  /**
   * Yields entries with their values. From the second chunk on, reads the values of the next chunk while the caller
   * uses the present one, unless the next chunk has a value of several pieces.
   */
  async *#valueChunks<V>(
    range: Range,
    decode: DecodeValue<V>,
  ): AsyncGenerator<readonly PageEntry<V>[], void, undefined> {
    const { objects } = this.#source;
    let isFirst = true;
    let ahead:
      | { readonly entries: readonly TreeEntry[]; readonly values: ReturnType<typeof valuesOf> }
      | undefined;
    for await (const entries of chunksOf(this.#runs(range))) {
      const isAlone = isFirst || entries.some(isSplit);
      isFirst = false;
      const next = isAlone ? undefined : { entries, values: valuesOf(objects, entries) };
      // The caller that reads the chunk gets the error; perhaps no caller does.
      next?.values.catch(() => undefined);
      if (ahead !== undefined) yield* this.#pageEntries(ahead.entries, ahead.values, decode);
      ahead = next;
      if (isAlone) yield* this.#pageEntries(entries, valuesOf(objects, entries), decode);
    }
    if (ahead !== undefined) yield* this.#pageEntries(ahead.entries, ahead.values, decode);
  }

  /**
   * Yields entries with their values. If a value does not decode, yields the entries before it, then throws its error.
   */
  async *#pageEntries<V>(
    entries: readonly TreeEntry[],
    reading: ReturnType<typeof valuesOf>,
    decode: DecodeValue<V>,
  ): AsyncGenerator<readonly PageEntry<V>[], void, undefined> {
    const chunk: PageEntry<V>[] = [];
    try {
      const values = await reading;
      for (const [index, { key, priority }] of entries.entries()) {
        const value = values[index];
        chunk.push({ key: copyBytes(key), value: value && decode(key, value), priority });
      }
    } catch (error) {
      // A closed snapshot may lack pieces: the error is CLOSED then, not damage.
      this.#check();
      if (chunk.length > 0) yield chunk;
      throw error;
    }
    this.#check();
    yield chunk;
  }

  #scan<T>(
    options: EntryScanOptions | undefined,
    chunks: (range: Range) => AsyncGenerator<readonly T[], void, undefined>,
  ): PageScan<T> {
    this.#check();
    const range = this.#range(options);
    return new Scan(chunks(range), range.check);
  }

  #range(options: EntryScanOptions = {}): Range {
    const { signal, reverse = false, limit = Number.POSITIVE_INFINITY } = options;
    const check = (): void => {
      signal?.throwIfAborted();
      this.#check();
    };
    return { ...keyRange(this.#prefix, options), reverse, limit, check };
  }

  /** Yields runs of entries within a range. */
  async *#runs({
    from,
    to,
    reverse,
    limit,
    check,
  }: Range): AsyncGenerator<readonly TreeEntry[], void, undefined> {
    check();
    let left = limit;
    const isIn = (key: Uint8Array): boolean => isInRange({ from, to }, key);
    if (left === 0) return;
    for await (const run of this.#changedRuns({ from, to }, reverse, isIn)) {
      check();
      const last = run.at(-1);
      const isWhole = last !== undefined && run.length <= left && isIn(last.key);
      const rest = isWhole ? run : run.filter(({ key }) => isIn(key)).slice(0, left);
      if (rest.length > 0) yield rest;
      left -= rest.length;
      if (!isWhole || left === 0) return;
    }
  }

  /** Yields all runs from the first key of a range on, with the changes. */
  #changedRuns(
    { from, to }: KeyRange,
    reverse: boolean,
    isIn: (key: Uint8Array) => boolean,
  ): AsyncGenerator<readonly TreeEntry[], void, undefined> {
    const { objects } = this.#source;
    const { root } = this.#commit;
    const runs = reverse ? entryRunsBefore(objects, root, to) : entryRuns(objects, root, from);
    const { clear, changes } = this.#changes;
    if (!clear && changes.length === 0) return runs;
    const within = changes.filter(({ key }) => isIn(key));
    return withChanges(clear ? [] : runs, reverse ? within.reverse() : within, reverse);
  }

  #missing(entry: TreeEntry, options: ValueOptions | undefined): FetchPiece | undefined {
    return missingPieces(entry, options?.fetch === true ? this.#source.fetch : undefined);
  }

  #check(): void {
    if (this.#closing !== undefined) throw new MerostoreError("CLOSED", "the snapshot is closed");
  }
}

/** Returns whether a key begins with a prefix. */
export function hasPrefix(key: Uint8Array, prefix: Uint8Array): boolean {
  return key.length >= prefix.length && compareBytes(key.subarray(0, prefix.length), prefix) === 0;
}
