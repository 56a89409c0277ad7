/** Keeps pages of files, and requests missing pages with few, long requests and ahead of scans. */

import { copyBytes } from "../../bytes/bytes.js";
import { LruCache } from "../../collections/lru-cache.js";

/** Bytes of a page. */
const PAGE = 64 * 1024;

/** The most pages of a request. */
const LONGEST = 64;

/** A gap of at most this many pages is read too, because a second request would take longer. */
const GAP = 2;

/** The most requests at the same time. */
const AT_ONCE = 6;

/** A read of at least so many bytes starts the read-ahead, if it begins at the end of the last read. */
const LONG_READ = 256 * 1024;
/** The number of pages to read ahead of a scan, and the number of remaining pages at which more are read. */
const PAGES_AHEAD = 128;
const FEWEST_AHEAD = 64;

/** The end of a table has its index, about a fiftieth of the size. One request reads this share of the file. */
const TAIL_SHARE = 40;
const MOST_TAIL_PAGES = 64;

/** The cached pages of all files of a database. */
export class PageCache extends LruCache<Uint8Array> {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param the bytes of all pages together */
  constructor(bytes: number) {
    super(Math.ceil(bytes / PAGE));
  }

  /** Runs a request when it is its turn. */
  async run<T>(request: () => Promise<T>): Promise<T> {
    if (this.#running === AT_ONCE) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await request();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}

/** A wanted page. */
interface Wanted {
  readonly page: number;
  readonly resolve: (page: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  /** True if it is only read ahead. */
  readonly isAhead: boolean;
}

/** Reads the bytes of a file from `start` on, before `end`. */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array>;

/** A file that is read in pages. Reads in the same turn of the event loop share requests. */
export class PagedFile {
  readonly #name: string;
  readonly #size: number;
  readonly #cache: PageCache;
  readonly #readRange: ReadRange;
  /** The pages of the next requests. */
  #wanted: Wanted[] = [];
  /** Wanted and requested pages. */
  readonly #pending = new Map<number, Promise<Uint8Array>>();
  #isBegun = false;
  /** The end of the last read. */
  #end = -1;
  /** The page up to which the read-ahead of a scan goes. */
  #aheadTo = 0;

  constructor(name: string, size: number, cache: PageCache, readRange: ReadRange) {
    this.#name = name;
    this.#size = size;
    this.#cache = cache;
    this.#readRange = readRange;
  }

  /** Fills `target` with bytes from `offset` on. The range must be within the file. */
  async read(offset: number, target: Uint8Array): Promise<Uint8Array> {
    const end = offset + target.length;
    const first = Math.floor(offset / PAGE);
    const last = Math.floor((end - 1) / PAGE);
    const pages: Promise<Uint8Array>[] = [];
    for (let page = first; page <= last; page++) pages.push(this.#page(page, false));
    if (!this.#isBegun && end === this.#size) this.#want(this.#tailStart(), first, false);
    if (offset === this.#end && target.length >= LONG_READ) this.#readAhead(last + 1);
    this.#isBegun = true;
    this.#end = end;
    const found = await Promise.all(pages);
    for (const [at, bytes] of found.entries()) {
      const start = (first + at) * PAGE;
      const from = Math.max(offset, start);
      target.set(bytes.subarray(from - start, Math.min(end, start + PAGE) - start), from - offset);
    }
    return target;
  }

  /**
   * Requests the pages after a read of a scan. It requests many together, because a request takes as long as several
   * pages.
   */
  #readAhead(next: number): void {
    const isFarFrom = this.#aheadTo < next || this.#aheadTo - next > PAGES_AHEAD;
    if (!isFarFrom && this.#aheadTo - next > FEWEST_AHEAD) return;
    this.#aheadTo = Math.min(next + PAGES_AHEAD, Math.ceil(this.#size / PAGE));
    this.#want(next, this.#aheadTo, true);
  }

  #tailStart(): number {
    const pages = Math.min(MOST_TAIL_PAGES, Math.ceil(this.#size / TAIL_SHARE / PAGE));
    return Math.max(0, Math.floor(this.#size / PAGE) - pages);
  }

  /** Adds pages to the next requests. Errors of read-ahead pages are reported by a later read of them. */
  #want(first: number, end: number, isAhead: boolean): void {
    for (let page = first; page < end; page++) this.#page(page, isAhead).catch(() => undefined);
  }

  #page(page: number, isAhead: boolean): Promise<Uint8Array> {
    const kept = this.#cache.get(`${this.#name}/${page}`);
    if (kept !== undefined) return Promise.resolve(kept);
    const pending = this.#pending.get(page);
    if (pending !== undefined) return pending;
    if (this.#wanted.length === 0) setTimeout(() => this.#request(), 0);
    const promise = new Promise<Uint8Array>((resolve, reject) => {
      this.#wanted.push({ page, resolve, reject, isAhead });
    });
    this.#pending.set(page, promise);
    return promise;
  }

  /** Sends the requests for all wanted pages. */
  #request(): void {
    const wanted = this.#wanted.sort((a, b) => a.page - b.page);
    this.#wanted = [];
    for (const isAhead of [false, true])
      for (const group of groupsOf(wanted.filter((one) => one.isAhead === isAhead)))
        void this.#requestGroup(group);
  }

  async #requestGroup(group: readonly Wanted[]): Promise<void> {
    const start = (group[0] as Wanted).page * PAGE;
    const end = Math.min(this.#size, ((group.at(-1) as Wanted).page + 1) * PAGE);
    try {
      const bytes = await this.#cache.run(() => this.#readRange(start, end));
      for (const { page, resolve } of group) {
        const at = page * PAGE - start;
        // A copy, so that a cached page does not keep the whole response in memory.
        const content = copyBytes(bytes.subarray(at, at + PAGE));
        this.#cache.set(`${this.#name}/${page}`, content);
        resolve(content);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      for (const { page } of group) this.#pending.delete(page);
    }
  }
}

/** Groups pages, one group for each request. */
function groupsOf(wanted: readonly Wanted[]): (readonly Wanted[])[] {
  const groups: Wanted[][] = [];
  for (const one of wanted) {
    const group = groups.at(-1);
    const [first, last] = [group?.[0]?.page, group?.at(-1)?.page];
    const isNear = first !== undefined && last !== undefined && one.page - last <= GAP + 1;
    if (isNear && one.page - first < LONGEST) group?.push(one);
    else groups.push([one]);
  }
  return groups;
}
