/** Follows the write-ahead logs of a database while a writer appends to them, begins new logs and deletes old ones. */

import type { ChangeBatch } from "../../engine/engine.js";
import { ChangesLost } from "../../errors.js";
import { damaged, readCatalog } from "../../lsm/catalog/catalog.js";
import { filesOf, logName } from "../../lsm/catalog/file-names.js";
import { GrowingLog } from "../../lsm/catalog/growing-log.js";
import { retryWhileWritten } from "../../lsm/catalog/retry.js";
import { RESTORE, unsupported } from "../../lsm/damage.js";
import { MalformedBytes, UnsupportedFormat } from "../../lsm/format/byte-cursor.js";
import { sequenceOf } from "../../lsm/format/write-batch.js";
import type { FileSet } from "../../lsm/source.js";
import type { BatchDecoder } from "./change-batches.js";

/** The time for which a record may look damaged: a system may show some bytes of a write before the others. */
const PATIENCE_MS = 2_000;

/**
 * The number of attempts to read files that contradict each other: a writer may have changed them between the reads.
 */
const LOOKS = 3;

/**
 * A position in the sequence of all writes. The log with the next write and all later logs stay open, so they can be
 * read to their ends even after their deletion. RocksDB numbers operations without a gap, so the number after a lost
 * write reveals the loss.
 */
export class ChangeCursor {
  readonly #files: FileSet;
  readonly #decoder: BatchDecoder;
  /** The open logs in ascending order. The first one has, or will have, the next write. */
  #logs: GrowingLog[] = [];
  /** The sequence number of the next batch in the logs. It is below `#sequence + 1` only at the beginning. */
  #next: number;
  #sequence: number;
  /** The end of the pass. */
  #end = { log: 0, offset: 0 };

  /**
   * Opens the logs at the first operation after a sequence number.
   *
   * @throws MerostoreError CHANGES_LOST if no log has it; DATABASE_DAMAGED, FORMAT_UNSUPPORTED, ENGINE_FAILED
   */
  static async open(files: FileSet, decoder: BatchDecoder, since: number): Promise<ChangeCursor> {
    for (let look = 1; ; look++) {
      const cursor = new ChangeCursor(files, decoder, since);
      try {
        if (await cursor.#locate()) return cursor;
        if (look === LOOKS) throw cursor.#lost();
      } catch (error) {
        cursor.close();
        throw error;
      }
      cursor.close();
    }
  }

  private constructor(files: FileSet, decoder: BatchDecoder, since: number) {
    this.#files = files;
    this.#decoder = decoder;
    this.#next = since + 1;
    this.#sequence = since;
  }

  /** The sequence number of the last operation that it returned. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Begins a pass, which ends at the present end of the newest log. @throws as `open` */
  async begin(): Promise<void> {
    await this.#look();
    const newest = this.#logs.at(-1);
    this.#end = { log: newest?.number ?? 0, offset: newest?.size ?? 0 };
  }

  /** The next batches of the pass; none at its end. @throws as `open` */
  async next(): Promise<readonly ChangeBatch[]> {
    while (!this.#isAtEnd()) {
      await this.#look(); // an open log stays readable after its deletion
      const log = this.#logs[0] as GrowingLog;
      const records = await this.#reading(log, () => log.take());
      const batches: ChangeBatch[] = [];
      for (const record of records) {
        const batch = await this.#reading(log, () => this.#decode(record));
        if (batch !== undefined) batches.push(batch);
      }
      this.#sequence = batches.at(-1)?.sequence ?? this.#sequence;
      if (batches.length > 0) return batches;
      if (records.length === 0 && !(await this.#goOn(log))) break;
    }
    return [];
  }

  close(): void {
    for (const log of this.#logs) log.close();
    this.#logs = [];
  }

  #isAtEnd(): boolean {
    const [log] = this.#logs;
    if (log === undefined) return true;
    return log.number > this.#end.log || (log.number === this.#end.log && log.isTakenTo(this.#end.offset));
  }

  /** Opens further logs in the folder, except those before the first open one. */
  async #look(): Promise<void> {
    let numbers = await this.#numbers();
    // Names may change while a folder is listed.
    if (!this.#hasNewest(numbers)) numbers = await this.#numbers();
    if (!this.#hasNewest(numbers) || this.#logs.some((log) => log.isReplaced())) throw this.#replaced();
    const open = new Set(this.#logs.map(({ number }) => number));
    const first = this.#logs[0]?.number ?? 0;
    for (const number of numbers) {
      if (number < first || open.has(number)) continue;
      const source = await this.#files.open(logName(number));
      if (source !== undefined) this.#logs.push(new GrowingLog(number, source));
    }
    this.#logs.sort((a, b) => a.number - b.number);
  }

  async #numbers(): Promise<readonly number[]> {
    return filesOf("log", await this.#files.list()).map(({ number }) => number);
  }

  /**
   * Returns whether the folder has the newest open log or a newer one: a writer deletes a log only if there is a newer
   * one.
   */
  #hasNewest(numbers: readonly number[]): boolean {
    const newest = this.#logs.at(-1)?.number ?? 0;
    return newest === 0 || numbers.some((number) => number >= newest);
  }

  /** Makes the log with the next operation the first one. Returns false if no log has it. */
  async #locate(): Promise<boolean> {
    await this.#look();
    for (let at = this.#logs.length - 1; at >= 0; at--) {
      const first = await this.#firstSequence(this.#logs[at] as GrowingLog);
      if (first === undefined) continue;
      if (first > this.#next && at > 0) continue;
      if (first > this.#next) return false;
      this.#drop(at);
      this.#next = first;
      return true;
    }
    return (await this.#lastSequence()) <= this.#sequence;
  }

  /**
   * Moves from a log without more records to the next log with records. Returns false if no log has more records yet.
   */
  async #goOn(log: GrowingLog): Promise<boolean> {
    for (let look = 1; ; look++) {
      const at = await this.#nextWithRecords();
      const last = this.#logs.length - 1;
      if (at === undefined && last === 0) {
        this.#checkDamage(log);
        return false;
      }
      // The log is complete now: the writer had begun another log before this read.
      if ((await this.#reading(log, () => log.peek())) !== undefined) return true;
      // The writer deletes a log after tables have its rows and the MANIFEST has the number of its last write.
      const isGone = !(await this.#numbers()).includes(log.number);
      const written = (await this.#lastSequence()) + 1;
      if (at === undefined && isGone && written < this.#next) throw this.#replaced();
      if (at === undefined && written <= this.#next) {
        this.#drop(last);
        return false;
      }
      if (at !== undefined && (await this.#firstSequence(this.#logs[at] as GrowingLog)) === this.#next) {
        this.#drop(at);
        return true;
      }
      // A log between them was begun and deleted, unless names changed during the listing of the folder.
      if (look === LOOKS) throw this.#lost();
      await this.#look();
    }
  }

  async #nextWithRecords(): Promise<number | undefined> {
    for (let at = 1; at < this.#logs.length; at++)
      if ((await this.#firstSequence(this.#logs[at] as GrowingLog)) !== undefined) return at;
    return undefined;
  }

  async #firstSequence(log: GrowingLog): Promise<number | undefined> {
    return this.#reading(log, async () => {
      const record = await log.peek();
      return record === undefined ? undefined : sequenceOf(record);
    });
  }

  /** The sequence number of the last write before the newest table or log was begun. */
  async #lastSequence(): Promise<number> {
    const { manifest } = await retryWhileWritten(this.#files, () => readCatalog(this.#files));
    return manifest.lastSequence;
  }

  /** Closes the logs before the one at an index. */
  #drop(at: number): void {
    for (const log of this.#logs.splice(0, at)) log.close();
  }

  async #decode(record: Uint8Array): Promise<ChangeBatch | undefined> {
    const first = sequenceOf(record);
    if (first !== this.#next) throw this.#lost();
    const { batch, next } = await this.#decoder.decode(record, this.#sequence + 1);
    this.#next = next;
    return batch;
  }

  #checkDamage(log: GrowingLog): void {
    const { damage } = log;
    if (damage === undefined || performance.now() - damage.since < PATIENCE_MS) return;
    throw damaged(
      `${this.#where(log)} is damaged at byte ${damage.offset}: ${damage.why}`,
      `Nothing that is written after it can be followed. ${RESTORE}`,
    );
  }

  async #reading<T>(log: GrowingLog, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnsupportedFormat) throw unsupported(this.#where(log), error);
      if (!(error instanceof MalformedBytes)) throw error;
      const what = `${this.#where(log)} holds a write that cannot be read: ${error.message}`;
      throw damaged(what, RESTORE, error);
    }
  }

  #where({ number }: GrowingLog): string {
    return this.#files.where(logName(number));
  }

  #lost(): ChangesLost {
    return new ChangesLost(
      false,
      `what was written to ${this.#files.name} after the sequence number ${this.#sequence} is no longer in the write-ahead log: read the rows again`,
    );
  }

  #replaced(): ChangesLost {
    return new ChangesLost(
      true,
      `${this.#files.name} was replaced by another database, so its changes after the sequence number ${this.#sequence} are unknown: read the rows again`,
    );
  }
}
