/**
 * Reads a file that a user picked in a browser: by parts at any place, and by streams if long reads follow each other.
 */

import { MerostoreError } from "../errors.js";
import { PickedPages } from "./picked-pages.js";
import { endsEarly, type FileSource } from "./source.js";

/** The used part of a browser's `File`. A `File` of Node is accepted too. */
export interface PickedFile {
  /** The file name without its folders. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Its path in the picked folder: `data/CURRENT`. Absent or empty for files that were picked individually. */
  readonly webkitRelativePath?: string;
  /** Returns the bytes from `start` on, before `end`. */
  slice(start: number, end: number): PickedPart;
}

/** A part of a picked file: the used part of a `Blob`. */
export interface PickedPart {
  /** Reads the bytes. Rejects if the file has changed since it was picked. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Returns a stream of the bytes, several times as fast as many parts. Absent in browsers without streams. */
  stream?(): PickedStream;
}

/** A stream of the bytes of a part: the used part of a `ReadableStream`. */
export interface PickedStream {
  /** Returns a reader; with `mode`, a reader into buffers of the caller. Throws if the stream has no such reader. */
  getReader(options?: { readonly mode: "byob" }): PickedReader;
}

/** A reader of a stream: the used part of a `ReadableStreamBYOBReader` or a `ReadableStreamDefaultReader`. */
export interface PickedReader {
  /**
   * Returns the next bytes. Rejects if the file has changed since it was picked.
   *
   * @param buffer the target for a reader with `mode`, which detaches it; other readers ignore it
   */
  read(buffer: Uint8Array): Promise<PickedPiece>;
  /** Ends the stream. */
  cancel(): Promise<void>;
}

/** The next bytes of a stream, or its end. */
export interface PickedPiece {
  /** True if the stream has ended and there are no bytes. */
  readonly done: boolean;
  /** The bytes. */
  readonly value?: Uint8Array | undefined;
}

/** A read of at least so many bytes counts as a read of a scan. */
const LONG = 128 * 1024;
/** A read of at most so many bytes, such as a block of a table, uses shared pages. */
const SHORT = 16 * 1024;
/** The bytes of a stream's buffer. */
const BUFFER = 512 * 1024;
/** The most open streams of a file, because several scans may run. */
const MOST_STREAMS = 2;

/** A picked file, open for reading. */
export class PickedSource implements FileSource {
  readonly size: number;
  readonly #file: PickedFile;
  readonly #where: string;
  readonly #inPages: (offset: number, target: Uint8Array) => Promise<number>;
  /** The ends of long reads, where a scan may continue. */
  readonly #ends = new Set<number>();
  /** The idle streams, by their next offset. The last one was used most recently. */
  readonly #streams = new Map<number, Stream>();
  #closed = false;

  /**
   * @param where the name of the file in messages
   * @param pages the shared pages of all files of a database
   */
  constructor(file: PickedFile, where: string, pages = new PickedPages()) {
    this.size = file.size;
    this.#inPages = pages.of(file.size, (start, end) => this.#bytes(start, end));
    this.#file = file;
    this.#where = where;
  }

  async read(offset: number, target: Uint8Array): Promise<Uint8Array> {
    const stream = target.length < LONG ? undefined : this.#streamAt(offset);
    try {
      const read = stream === undefined ? await this.#part(offset, target) : await stream.fill(target);
      if (read < target.length) throw endsEarly(this.#where, offset + read);
    } catch (error) {
      stream?.end();
      if (error instanceof MerostoreError) throw error;
      throw new MerostoreError(
        "ENGINE_FAILED",
        `${this.#where} cannot be read: ${String(error)} If it has changed since it was picked, pick it again, or pick a copy of a live database`,
        { cause: error },
      );
    }
    if (target.length >= LONG) this.#goOnAt(offset + target.length, stream);
    return target;
  }

  close(): void {
    this.#closed = true;
    for (const stream of this.#streams.values()) stream.end();
    this.#streams.clear();
  }

  async #part(offset: number, target: Uint8Array): Promise<number> {
    if (target.length <= SHORT) return this.#inPages(offset, target);
    const bytes = await this.#bytes(offset, offset + target.length);
    target.set(bytes.subarray(0, target.length));
    return bytes.length;
  }

  async #bytes(start: number, end: number): Promise<Uint8Array> {
    return new Uint8Array(await this.#file.slice(start, end).arrayBuffer());
  }

  /** Takes the idle stream at an offset; creates a stream if a scan continues there. */
  #streamAt(offset: number): Stream | undefined {
    const free = this.#streams.get(offset);
    this.#streams.delete(offset);
    if (free !== undefined || !this.#ends.delete(offset)) return free;
    const stream = this.#file.slice(offset, this.size).stream?.();
    return stream && new Stream(readerOf(stream));
  }

  /** Records that a scan may continue at an offset, with its stream if it has one. */
  #goOnAt(offset: number, stream: Stream | undefined): void {
    if (offset >= this.size || this.#closed) {
      stream?.end();
      return;
    }
    if (stream === undefined) {
      this.#ends.add(offset);
      if (this.#ends.size > MOST_STREAMS)
        for (const first of this.#ends) return void this.#ends.delete(first);
      return;
    }
    this.#streams.get(offset)?.end();
    this.#streams.delete(offset);
    this.#streams.set(offset, stream);
    if (this.#streams.size <= MOST_STREAMS) return;
    for (const [at, first] of this.#streams) {
      first.end();
      this.#streams.delete(at);
      return;
    }
  }
}

/** Returns a reader that reuses one buffer if the stream supports it. In Chromium this takes half the time. */
function readerOf(stream: PickedStream): PickedReader {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    return stream.getReader();
  }
}

/** A stream of a file, and the bytes that were read beyond the last request. */
class Stream {
  readonly #reader: PickedReader;
  #buffer: Uint8Array<ArrayBuffer> | undefined;
  #rest = new Uint8Array(0);

  constructor(reader: PickedReader) {
    this.#reader = reader;
  }

  /** Fills the target with the next bytes. Returns their number. */
  async fill(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#reader.read(this.#buffer ?? new Uint8Array(BUFFER));
        if (done || value === undefined) break;
        this.#rest = value as Uint8Array<ArrayBuffer>;
        this.#buffer = new Uint8Array(this.#rest.buffer); // the reader had detached it
      }
      const taken = Math.min(this.#rest.length, target.length - filled);
      target.set(this.#rest.subarray(0, taken), filled);
      this.#rest = this.#rest.subarray(taken);
      filled += taken;
    }
    return filled;
  }

  end(): void {
    this.#reader.cancel().catch(() => undefined); // no one reads the stream any more
  }
}
