/** A page as it was at one commit: nothing that happens later changes it. */
import { copyBytes, isBytes } from "../../bytes/bytes.js";
import { concatAll } from "../../bytes/concat.js";
import { compareBytes } from "../../bytes/order.js";
import { RowIterator } from "../../engine/row-iterator.js";
import { MerostoreError } from "../../errors.js";
import { checkOptions, isFlag, isWholeNumber, type OptionChecks } from "../../options.js";
import { pieceType } from "../objects/digest.js";
import type { Commit } from "../storage/commit.js";
import { missingPieces, valuesOf } from "../storage/entry-values.js";
import type { FetchPiece, ObjectReader } from "../storage/object-reader.js";
import type { Priority, TreeEntry } from "../tables/tree-node.js";
import { entryRuns, findEntry } from "../tree/iterate.js";
import { type EntryKey, isKey, keyBytes } from "./key.js";

/** An entry of a page. Its bytes are copies. */
export interface PageEntry {
  readonly key: Uint8Array;
  /** Undefined if the entry is lazy and its value is not on this device. */
  readonly value: Uint8Array | undefined;
  readonly priority: Priority;
}

/** Entries or keys in ascending order; `chunks()` gives many at a time, which spares a round for each. One pass. */
export interface PageScan<T> extends AsyncIterable<T> {
  chunks(): AsyncIterableIterator<readonly T[]>;
}

/** Some of the entries or keys, and where to go on. */
export interface PagePart<T> {
  readonly items: readonly T[];
  /** The key after the last one; undefined at the end. */
  readonly next: Uint8Array | undefined;
}

/** Which entries a snapshot shows, or a watcher tells of. */
export interface PrefixOptions {
  /** Only entries whose keys begin so; all unless given. */
  readonly prefix?: EntryKey | undefined;
}

/** Checks of {@link PrefixOptions}. */
export const PREFIX_OPTIONS: OptionChecks<PrefixOptions> = { prefix: isKey };

/** Where a scan begins. */
export interface ScanFrom {
  /** The first key that may come; unless given the first of the page. */
  readonly from?: EntryKey | undefined;
}

/** The part of the entries or keys to return. */
export interface PartOptions extends ScanFrom {
  /** At most so many. */
  readonly limit?: number | undefined;
}

/** What of a value is read. */
export interface ValueOptions {
  /** Go for what is not on this device, which fails with NETWORK_ERROR where that is not possible. */
  readonly fetch?: boolean | undefined;
}

const SCAN_OPTIONS: OptionChecks<ScanFrom> = { from: isKey };
const PART_OPTIONS: OptionChecks<PartOptions> = { ...SCAN_OPTIONS, limit: isWholeNumber(1) };
const VALUE_OPTIONS: OptionChecks<ValueOptions> = { fetch: isFlag };

/** Where the objects of a page come from. */
export interface PageObjects {
  readonly objects: ObjectReader;
  readonly fetch: FetchPiece;
}

/** Most entries whose values are read in one round. */
const CHUNK_ENTRIES = 256;
/** Most entries and bytes of what is given in parts: what one message of the service held. */
export const PART_ENTRIES = 64;
export const PART_BYTES = Math.floor((65_536 * 9) / 10);

/**
 * The entries of a page at one moment, or those that have a prefix. It stays as it is whatever happens to the page, until
 * it is closed.
 *
 * @example
 * await using snapshot = await page.snapshot({ prefix: "contact/" });
 * for await (const { key, value } of snapshot.entries()) console.log(key, value);
 */
export class PageSnapshot implements AsyncDisposable {
  readonly #source: PageObjects;
  readonly #commit: Commit;
  readonly #prefix: Uint8Array;
  readonly #onClose: () => Promise<void>;
  #closing: Promise<void> | undefined;

  /** For pages: {@link Page.snapshot} makes them. */
  constructor(source: PageObjects, commit: Commit, prefix: Uint8Array, onClose: () => Promise<void>) {
    this.#source = source;
    this.#commit = commit;
    this.#prefix = prefix;
    this.#onClose = onClose;
  }

  /** The id of the commit that it shows, 32 bytes. */
  get commitId(): Uint8Array {
    return copyBytes(this.#commit.id);
  }

  /** Whether there is an entry with this key. */
  async has(key: EntryKey): Promise<boolean> {
    return (await this.#find(key)) !== undefined;
  }

  /**
   * The value at a key, or undefined if there is no such entry.
   * @throws MerostoreError NEEDS_FETCH for a lazy value that is not here; NETWORK_ERROR; DATA_INTEGRITY_ERROR if pieces of
   * an eager value are missing, and fetching does not bring them back
   */
  async get(key: EntryKey, options?: ValueOptions): Promise<Uint8Array | undefined> {
    checkOptions("get", options, VALUE_OPTIONS);
    const entry = await this.#find(key);
    return entry && this.#source.objects.whole(entry.value, this.#missing(entry, options));
  }

  /**
   * A part of the value at a key, or undefined if there is no such entry. What is out of range is left out.
   *
   * @param offset where the part begins; negative: so many bytes before the end
   * @param size its bytes; negative: all to the end
   */
  async getPartial(
    key: EntryKey,
    offset: number,
    size: number,
    options?: ValueOptions,
  ): Promise<Uint8Array | undefined> {
    checkOptions("getPartial", options, VALUE_OPTIONS);
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(size))
      throw new MerostoreError("INVALID_ARGUMENT", "offset and size are whole numbers");
    const entry = await this.#find(key);
    if (entry === undefined) return undefined;
    const { objects } = this.#source;
    const fetch = this.#missing(entry, options);
    const from = offset < 0 ? offset + (await objects.size(entry.value, fetch)) : offset;
    // More before the beginning than there is: nothing, as after the end.
    if (from < 0) return new Uint8Array(0);
    const range = { from, to: size < 0 ? Number.POSITIVE_INFINITY : from + size };
    const chunks: Uint8Array[] = [];
    for await (const chunk of objects.chunks(entry.value, range, fetch)) chunks.push(chunk);
    return concatAll(chunks);
  }

  /** The value at a key, chunk by chunk of at most 64 KiB, at constant memory. Nothing if there is no such entry. */
  stream(key: EntryKey, options?: ValueOptions): AsyncGenerator<Uint8Array, void, undefined> {
    checkOptions("stream", options, VALUE_OPTIONS);
    return this.#stream(isBytes(key) ? copyBytes(key) : key, options);
  }

  /**
   * Entries with their values, in ascending order of their keys. Nothing is fetched.
   * @throws MerostoreError DATA_INTEGRITY_ERROR, during the iteration, if pieces of an eager value are missing
   */
  entries(options?: ScanFrom): PageScan<PageEntry> {
    checkOptions("entries", options, SCAN_OPTIONS);
    return new SnapshotScan(this.#valueChunks(this.#from(options)));
  }

  /** Keys in ascending order. No value is read. */
  keys(options?: ScanFrom): PageScan<Uint8Array> {
    checkOptions("keys", options, SCAN_OPTIONS);
    return new SnapshotScan(this.#keyChunks(this.#from(options)));
  }

  /**
   * The next entries: at most `limit` (64 unless given), and so many that their keys and values are no more than 58,982
   * bytes, but at least one.
   */
  async entriesPart(options?: PartOptions): Promise<PagePart<PageEntry>> {
    checkOptions("entriesPart", options, PART_OPTIONS);
    const { from, limit = PART_ENTRIES } = options ?? {};
    return part(this.entries({ from }), limit, ({ key, value }) => [key, key.length + (value?.length ?? 0)]);
  }

  /** The next keys: at most `limit`, and no more than 58,982 bytes of them. */
  async keysPart(options?: PartOptions): Promise<PagePart<Uint8Array>> {
    checkOptions("keysPart", options, PART_OPTIONS);
    const { from, limit = Number.POSITIVE_INFINITY } = options ?? {};
    return part(this.keys({ from }), limit, (key) => [key, key.length]);
  }

  /** Ends it: what only it kept from being removed may go. */
  close(): Promise<void> {
    this.#closing ??= this.#onClose();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #find(key: EntryKey): Promise<TreeEntry | undefined> {
    this.#check();
    const bytes = keyBytes(key);
    const entry = await findEntry(this.#source.objects, this.#commit.root, bytes);
    return entry !== undefined && this.#includes(entry.key) ? entry : undefined;
  }

  async *#stream(key: EntryKey, options?: ValueOptions): AsyncGenerator<Uint8Array, void, undefined> {
    const entry = await this.#find(key);
    if (entry === undefined) return;
    const fetch = this.#missing(entry, options);
    for await (const chunk of this.#source.objects.chunks(entry.value, undefined, fetch)) {
      yield chunk;
      this.#check();
    }
  }

  async *#keyChunks(from: Uint8Array): AsyncGenerator<readonly Uint8Array[], void, undefined> {
    for await (const run of this.#runs(from)) yield run.map(({ key }) => copyBytes(key));
  }

  async *#valueChunks(from: Uint8Array): AsyncGenerator<readonly PageEntry[], void, undefined> {
    const { objects } = this.#source;
    for await (const run of this.#runs(from)) {
      for (let at = 0; at < run.length; ) {
        // A value of several pieces comes alone: it may be of any size.
        const large = run.findIndex(({ value }, index) => index >= at && pieceType(value.digest) === "index");
        const end = large === at ? at + 1 : Math.min(at + CHUNK_ENTRIES, large < 0 ? run.length : large);
        const entries = run.slice(at, end);
        const values = await valuesOf(objects, entries);
        this.#check();
        yield entries.map(({ key, priority }, index) => ({
          key: copyBytes(key),
          value: values[index],
          priority,
        }));
        at = end;
      }
    }
  }

  /** Runs of entries with the prefix. */
  async *#runs(from: Uint8Array): AsyncGenerator<readonly TreeEntry[], void, undefined> {
    this.#check();
    for await (const run of entryRuns(this.#source.objects, this.#commit.root, from)) {
      this.#check();
      const last = run.at(-1);
      if (last !== undefined && this.#includes(last.key)) {
        yield run;
        continue;
      }
      const rest = run.filter(({ key }) => this.#includes(key));
      if (rest.length > 0) yield rest;
      return;
    }
  }

  #from(options: ScanFrom | undefined): Uint8Array {
    this.#check();
    if (options?.from === undefined) return this.#prefix;
    const from = keyBytes(options.from);
    return compareBytes(from, this.#prefix) > 0 ? from : this.#prefix;
  }

  #includes(key: Uint8Array): boolean {
    return hasPrefix(key, this.#prefix);
  }

  #missing(entry: TreeEntry, options: ValueOptions | undefined): FetchPiece | undefined {
    return missingPieces(entry, options?.fetch === true ? this.#source.fetch : undefined);
  }

  #check(): void {
    if (this.#closing !== undefined) throw new MerostoreError("CLOSED", "the snapshot is closed");
  }
}

/** Whether a key begins with a prefix. */
export function hasPrefix(key: Uint8Array, prefix: Uint8Array): boolean {
  return key.length >= prefix.length && compareBytes(key.subarray(0, prefix.length), prefix) === 0;
}

class SnapshotScan<T> implements PageScan<T> {
  readonly #chunks: AsyncIterableIterator<readonly T[]>;

  constructor(chunks: AsyncIterableIterator<readonly T[]>) {
    this.#chunks = chunks;
  }

  chunks(): AsyncIterableIterator<readonly T[]> {
    return this.#chunks;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return new RowIterator(this.#chunks, () => {});
  }
}

/** As many items as fit, and the key of the next one. */
async function part<T>(
  scan: PageScan<T>,
  limit: number,
  measure: (item: T) => readonly [key: Uint8Array, bytes: number],
): Promise<PagePart<T>> {
  const items: T[] = [];
  let bytes = 0;
  for await (const item of scan) {
    const [key, size] = measure(item);
    if (items.length >= limit || (items.length > 0 && bytes + size > PART_BYTES)) return { items, next: key };
    items.push(item);
    bytes += size;
  }
  return { items, next: undefined };
}
