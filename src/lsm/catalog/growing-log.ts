/** Reads a write-ahead log while a writer may append to it. Each record is read once. */

import { BLOCK, type LogPosition, LogScanner } from "../format/log-records.js";
import { type FileSource, readBytes } from "../source.js";

/** The bytes of one read: few while the log grows slowly, many while the reader is far behind. */
const LEAST_WINDOW = 2 * BLOCK;
const MOST_WINDOW = 32 * BLOCK;

/** Bytes that are no record, at the place of the next one. */
interface LogDamage {
  readonly offset: number;
  readonly why: string;
  /**
   * The time of the first sight, in milliseconds of `performance.now()`. A moment later the writer may have completed
   * the record.
   */
  readonly since: number;
}

export class GrowingLog {
  readonly number: number;
  readonly #source: FileSource;
  #position: LogPosition = { at: 0, recycled: false, visited: false };
  #pending: Uint8Array[] = [];
  #window = LEAST_WINDOW;
  /** The size of the file at the last read without a new record; undefined if bytes may change without a new size. */
  #drained: number | undefined;
  #damage: LogDamage | undefined;

  /** @param source the open file, which `close` closes */
  constructor(number: number, source: FileSource) {
    this.number = number;
    this.#source = source;
  }

  /** Returns true if all records that end before an offset of the file were taken. */
  isTakenTo(offset: number): boolean {
    return this.#pending.length === 0 && this.#position.at >= offset;
  }

  /** The present bytes of the file. */
  get size(): number {
    return this.#source.sizeNow?.() ?? this.#source.size;
  }

  /** Returns true if another log has its name now. */
  isReplaced(): boolean {
    return this.#source.isReplaced?.() === true;
  }

  /** The damage at the end of the log; undefined if the log continues or ends properly. */
  get damage(): LogDamage | undefined {
    return this.#damage;
  }

  /**
   * Returns the next record without taking it; undefined if none is complete.
   *
   * @throws UnreadableFormat, MerostoreError ENGINE_FAILED
   */
  async peek(): Promise<Uint8Array | undefined> {
    if (this.#pending.length === 0) await this.#read();
    return this.#pending[0];
  }

  /** Takes some of the complete records, in order; none if no record is complete. @throws as `peek` */
  async take(): Promise<readonly Uint8Array[]> {
    if (this.#pending.length === 0) await this.#read();
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  close(): void {
    this.#source.close();
  }

  async #read(): Promise<void> {
    const { size } = this;
    const from = this.#position.at;
    if (size === this.#drained || size < from) return;
    const start = from - (from % BLOCK);
    for (let window = this.#window; ; window *= 4) {
      const stop = Math.min(size, start + window);
      const bytes = await this.#bytes(start, stop);
      if (bytes === undefined) return;
      const position = { ...this.#position, at: from - start };
      const take = (_: number, payload: Uint8Array): boolean => this.#pending.push(payload) > 0;
      const end = new LogScanner(this.number, take, position).read(bytes, true);
      this.#position = { ...position, at: start + position.at };
      this.#window = stop < size ? MOST_WINDOW : LEAST_WINDOW;
      if (this.#pending.length > 0) {
        this.#damage = undefined;
        return;
      }
      // The record is longer than the window.
      if (end?.kind === "torn" && stop < size) continue;
      const isAppended = end?.kind === "torn" || (end?.kind === "whole" && this.#position.at === size);
      this.#drained = isAppended && !this.#position.recycled ? size : undefined;
      if (end?.kind !== "damaged") this.#damage = undefined;
      else this.#damage ??= { offset: start + end.offset, why: end.why, since: performance.now() };
      return;
    }
  }

  /** Reads bytes of the file; undefined if the file has just become shorter, because its writer has finished it. */
  async #bytes(start: number, end: number): Promise<Uint8Array | undefined> {
    try {
      return await readBytes(this.#source, start, new Uint8Array(end - start));
    } catch (error) {
      if (this.size < end) return undefined;
      throw error;
    }
  }
}
