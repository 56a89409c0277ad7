/** Decodes write batches of a log as changes of named column families. */

import type { ChangeBatch, WriteOperation } from "../../engine/engine.js";
import { readCatalog } from "../../lsm/catalog/catalog.js";
import { retryWhileWritten } from "../../lsm/catalog/retry.js";
import { UnsupportedFormat } from "../../lsm/format/byte-cursor.js";
import { EntryType } from "../../lsm/format/internal-key.js";
import { MOST_FAMILIES } from "../../lsm/format/manifest.js";
import { readBatch } from "../../lsm/format/write-batch.js";
import type { FileSet } from "../../lsm/source.js";

/** A batch, and the sequence number of the next one. */
interface DecodedBatch {
  readonly batch: ChangeBatch | undefined;
  readonly next: number;
}

/** Decodes batches of one database. For an unknown column family, it reads the names from the MANIFEST. */
export class BatchDecoder {
  readonly #files: FileSet;
  /** The names by id; undefined for a family that was dropped after the write. RocksDB never reuses an id. */
  readonly #names = new Map<number, string | undefined>();

  constructor(files: FileSet) {
    this.#files = files;
  }

  /**
   * Decodes the operations of a batch from the sequence number `from` on.
   *
   * @returns the batch, undefined if all its operations are before `from`; and the sequence number after it
   * @throws MalformedBytes, UnsupportedFormat; MerostoreError if the MANIFEST cannot be read
   */
  async decode(bytes: Uint8Array, from: number): Promise<DecodedBatch> {
    for (;;) {
      const operations: WriteOperation[] = [];
      const unknown = new Set<number>();
      const next = readBatch(bytes, (family, type, sequence, of, keyStart, keyEnd, valueStart, valueEnd) => {
        if (sequence < from) return;
        const column = this.#names.get(family);
        if (column === undefined) {
          if (!this.#names.has(family)) unknown.add(family);
          return;
        }
        const key = of.subarray(keyStart, keyEnd);
        if (type === EntryType.Value)
          operations.push({ type: "put", column, key, value: of.subarray(valueStart, valueEnd) });
        else if (type === EntryType.RangeDeletion)
          operations.push({ type: "deleteRange", column, gte: key, lt: of.subarray(valueStart, valueEnd) });
        else operations.push({ type: "delete", column, key });
      });
      if (next <= from) return { batch: undefined, next };
      if (unknown.size === 0) return { batch: { sequence: next - 1, operations }, next };
      await this.#readNames(unknown);
    }
  }

  /** The MANIFEST names a family before any write to it. So a family that it does not name was dropped. */
  async #readNames(unknown: ReadonlySet<number>): Promise<void> {
    const { manifest } = await retryWhileWritten(this.#files, () => readCatalog(this.#files));
    for (const { id, name } of manifest.columns) this.#names.set(id, name);
    for (const id of unknown) if (!this.#names.has(id)) this.#names.set(id, undefined);
    if (this.#names.size > 2 * MOST_FAMILIES)
      throw new UnsupportedFormat("its logs write to too many column families");
  }
}
