/** One file of a database that the explorer's server serves, as it was at opening. */
import { MerostoreError } from "merostore";
import type { FileSource } from "merostore/engine/files";
import { type PageCache, PagedFile, RESTORE } from "merostore/internal";
import { type Answer, type ServerRequests, unexpected } from "./server-requests.js";

/** Bytes of the longest request: the server and the page hold no more at once. */
const LONGEST = 16 * 1024 * 1024;

/** The place of a file on the server. */
export interface FilePlace {
  readonly requests: ServerRequests;
  /** The path of the file on the server, with its version. */
  readonly path: string;
  /** The name of the file in messages. */
  readonly where: string;
}

/** Parts of files that no longer change are kept in pages. */
export class ServedFile implements FileSource {
  readonly size: number;
  readonly version: string;
  readonly #place: FilePlace;
  readonly #pages: PagedFile | undefined;
  readonly #closing = new AbortController();
  readonly #closed: (file: ServedFile) => void;
  #sizeNow: number;
  #isReplaced = false;

  /**
   * @param cache keeps the pages of a file that no longer changes; undefined for others
   * @param closed called when the file is closed
   */
  constructor(
    place: FilePlace,
    version: string,
    size: number,
    cache: PageCache | undefined,
    closed: (file: ServedFile) => void,
  ) {
    this.#place = place;
    this.version = version;
    this.size = size;
    this.#sizeNow = size;
    this.#closed = closed;
    if (cache !== undefined)
      this.#pages = new PagedFile(place.path, size, cache, (start, end) => this.#range(start, end));
  }

  async read(offset: number, target: Uint8Array): Promise<Uint8Array> {
    this.#checkOpen();
    const end = offset + target.length;
    if (end > this.#sizeNow) throw this.#truncated(this.#sizeNow);
    if (target.length === 0) return target;
    if (this.#pages !== undefined) return this.#pages.read(offset, target);
    for (let at = offset; at < end; ) {
      const stop = Math.min(end, at + LONGEST);
      target.set(await this.#range(at, stop), at - offset);
      at = stop;
    }
    return target;
  }

  /** The size when the files were last listed. */
  sizeNow(): number {
    return this.#sizeNow;
  }

  /** Returns true if the last list of the files had another file of this name. */
  isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** Takes note that another file has its name. */
  replace(): void {
    this.#isReplaced = true;
  }

  /** Takes over a size that the server has named. A read notices a file that is shorter now. */
  grow(size: number): void {
    this.#sizeNow = Math.max(this.#sizeNow, size);
  }

  /** Asks the server for the size of a file that is in no list any more. */
  async refresh(): Promise<void> {
    const answer = await this.#place.requests.send(this.#place.path, { method: "HEAD" });
    if (answer.status === 200) this.grow(sizeOf(answer));
  }

  /** Ends the requests that were begun ahead, for which no caller waits. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(this.#closedError());
    this.#closed(this);
  }

  async #range(start: number, end: number): Promise<Uint8Array> {
    const { requests, path, where } = this.#place;
    this.#checkOpen();
    const { signal } = this.#closing;
    const { status, bytes } = await requests.send(path, { range: { start, end }, signal });
    if (status === 404)
      throw new MerostoreError(
        "ENGINE_FAILED",
        `${where} was deleted since the database was read: refresh it`,
      );
    if (status === 416) throw this.#truncated(start);
    if (status !== 206) throw unexpected();
    if (bytes.length < end - start) throw this.#truncated(start + bytes.length);
    if (bytes.length > end - start) throw unexpected();
    return bytes;
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw this.#closedError();
  }

  #closedError(): MerostoreError {
    return new MerostoreError("CLOSED", `${this.#place.where} is closed`);
  }

  #truncated(at: number): MerostoreError {
    return new MerostoreError(
      "DATABASE_DAMAGED",
      `${this.#place.where} ends at byte ${at}, where more was expected: it was truncated. ${RESTORE}`,
    );
  }
}

/** The size that the answer to HEAD names. @throws MerostoreError NETWORK_ERROR */
export function sizeOf({ headers }: Answer): number {
  const size = Number(headers.get("content-length") ?? Number.NaN);
  if (!Number.isSafeInteger(size) || size < 0) throw unexpected();
  return size;
}
