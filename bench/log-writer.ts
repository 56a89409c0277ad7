/** Writes a write-ahead log as RocksDB does: batches of puts, in records that are split at blocks of 32 KiB. */
import type { FileHandle } from "node:fs/promises";
import { crc32c, maskCrc } from "../src/lsm/format/crc32c.js";
import { BLOCK, FIRST, FULL, HEADER, LAST, MIDDLE } from "../src/lsm/format/log-records.js";

/** Bytes that are collected for one write. */
const PIECE = 4 * 1024 * 1024;
const BATCH_HEADER = 12;
/** The tag of a put into a column family that is not `default`. */
const PUT = 5;

/** A row for a log. */
export interface LoggedRow {
  /** The id of its column family. */
  readonly id: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export class LogWriter {
  readonly #file: FileHandle;
  #sequence: number;
  #piece = Buffer.alloc(PIECE);
  #used = 0;
  /** Bytes of the log that were written before the piece. */
  #written = 0;

  /** @param file empty */
  constructor(file: FileHandle, sequence: number) {
    this.#file = file;
    this.#sequence = sequence;
  }

  /** Adds rows as one batch. */
  async add(rows: readonly LoggedRow[]): Promise<void> {
    const header = Buffer.alloc(BATCH_HEADER);
    header.writeBigUInt64LE(BigInt(this.#sequence));
    header.writeUInt32LE(rows.length, 8);
    const parts: Uint8Array[] = [header];
    for (const { id, key, value } of rows)
      parts.push(Uint8Array.of(PUT, id), varint(key.length), key, varint(value.length), value);
    this.#sequence += rows.length;
    await this.#record(Buffer.concat(parts));
  }

  /** Writes what is left. Returns the bytes of the log. */
  async end(): Promise<number> {
    await this.#write();
    return this.#written;
  }

  async #record(payload: Buffer): Promise<void> {
    let isFirst = true;
    for (let done = 0; done < payload.length; isFirst = false) {
      if (this.#piece.length - this.#used < 2 * BLOCK) await this.#write();
      let left = BLOCK - ((this.#written + this.#used) % BLOCK);
      if (left < HEADER) {
        this.#piece.fill(0, this.#used, this.#used + left);
        this.#used += left;
        left = BLOCK;
      }
      const part = payload.subarray(done, done + left - HEADER);
      const isLast = done + part.length === payload.length;
      const type = isFirst ? (isLast ? FULL : FIRST) : isLast ? LAST : MIDDLE;
      const at = this.#used;
      this.#piece.writeUInt16LE(part.length, at + 4);
      this.#piece[at + 6] = type;
      this.#piece.set(part, at + HEADER);
      this.#used += HEADER + part.length;
      this.#piece.writeUInt32LE(maskCrc(crc32c(this.#piece, at + 6, this.#used)), at);
      done += part.length;
    }
  }

  async #write(): Promise<void> {
    await this.#file.writeFile(this.#piece.subarray(0, this.#used));
    this.#written += this.#used;
    this.#used = 0;
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left >>>= 7) bytes.push((left & 127) | 128);
  return Uint8Array.of(...bytes, left);
}
