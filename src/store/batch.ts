import type { EngineReader, WriteOperation } from "../engine/engine.js";
import { MerostoreError } from "../errors.js";
import type { AnyKeyClass } from "../keys/index.js";
import type { AnyRow, KeysOf, ValueFor } from "../schemas/index.js";
import { type Scannable, toRange } from "./reader.js";
import { after } from "./scan.js";

/** What a batch needs of its store. */
export interface BatchTarget<R extends AnyRow> {
  readonly raw: EngineReader;
  encode<K extends KeysOf<R>>(key: K, value: ValueFor<R, K>): WriteOperation;
  rowOf(key: KeysOf<R>): R;
  write(operations: readonly WriteOperation[]): Promise<void>;
}

/**
 * Changes that are made together: all of them or none, across column families, in the order in which they were added.
 * Values are checked and encoded when they are added.
 *
 * @example
 * await store.batch().put(new GroupContextIndex({ groupId, contextId }), null)
 *   .put(new ContextGroupRef({ contextId }), groupId)
 *   .write();
 */
export class Batch<R extends AnyRow = AnyRow> {
  readonly #target: BatchTarget<R>;
  readonly #operations: (WriteOperation | { readonly range: Scannable<AnyKeyClass> })[] = [];
  #written = false;

  constructor(target: BatchTarget<R>) {
    this.#target = target;
  }

  /** The number of changes added so far. */
  get length(): number {
    return this.#operations.length;
  }

  /** @throws EncodeError for a value with a missing, surplus or wrong field */
  put<K extends KeysOf<R>>(key: K, value: ValueFor<R, K>): this {
    this.#operations.push(this.#target.encode(key, value));
    return this;
  }

  delete<K extends KeysOf<R>>(key: K): this {
    const { column } = this.#target.rowOf(key);
    if (this.#target.raw.columns.includes(column))
      this.#operations.push({ type: "delete", column, key: key.bytes });
    return this;
  }

  /**
   * Deletes every key of the range, at the moment of writing. It is a range of bytes: where a column family holds
   * unknown keys between those of the class, they go too.
   */
  deleteRange<C extends R["key"]>(of: Scannable<C>): this {
    this.#operations.push({ range: of });
    return this;
  }

  /** Applies the changes. A batch can be written once. */
  async write(): Promise<void> {
    if (this.#written)
      throw new MerostoreError("INVALID_ARGUMENT", "this batch was written already; start another one");
    this.#written = true;
    const operations: WriteOperation[] = [];
    for (const operation of this.#operations) {
      if ("type" in operation) operations.push(operation);
      else operations.push(...(await deletionOf(this.#target.raw, operation.range, operations)));
    }
    await this.#target.write(operations);
  }
}

/**
 * The operation that deletes a range. RocksDB needs an end; a range that has none ends behind the last key that is
 * there or that `earlier` operations put.
 */
export async function deletionOf(
  reader: EngineReader,
  of: Scannable<AnyKeyClass>,
  earlier: readonly WriteOperation[] = [],
): Promise<readonly WriteOperation[]> {
  const { column, from, to } = toRange(of);
  if (!reader.columns.includes(column)) return [];
  const ends = to === undefined ? await lastKeys(reader, column, earlier) : [to];
  return ends.map((end) => ({ type: "deleteRange", column, from: from ?? new Uint8Array(0), to: end }));
}

async function lastKeys(
  reader: EngineReader,
  column: string,
  earlier: readonly WriteOperation[],
): Promise<readonly Uint8Array[]> {
  const ends: Uint8Array[] = [];
  for await (const { key } of reader.scan(column, {}, { reverse: true, limit: 1, keysOnly: true }))
    ends.push(after(key));
  for (const operation of earlier) {
    if (operation.type === "put" && operation.column === column) ends.push(after(operation.key));
  }
  return ends;
}
