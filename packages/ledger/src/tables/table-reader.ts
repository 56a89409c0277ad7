/**
 * Reads FlatBuffers and checks every offset: the readers of the `flatbuffers` package trust the bytes, and it has no
 * verifier for JavaScript. Also reads and writes the table that all other tables contain:
 *
 * `ObjectIdentifierStorage`: 0 key_index uint32 · 1 object_digest [ubyte].
 *
 * All tables are written in the order of the C++ builder: fields by descending size, and fields of the same size in
 * reverse order of their declaration. Ids are hashes of these bytes, so the order matters.
 */

import type { Builder } from "flatbuffers";
import { MerostoreError } from "merostore/internal";
import { isValidDigest, type ObjectIdentifier } from "../objects.js";

/** A table inside a buffer. Fields are numbered from 0 in the order of the schema. */
export class TableReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #at: number;
  readonly #vtable: number;
  /** Bytes of the vtable, and of the table itself. */
  readonly #fields: number;
  readonly #size: number;

  private constructor(bytes: Uint8Array, view: DataView, at: number) {
    this.#bytes = bytes;
    this.#view = view;
    this.#at = at;
    this.#need(at, 4);
    this.#vtable = at - view.getInt32(at, true);
    this.#need(this.#vtable, 4);
    this.#fields = view.getUint16(this.#vtable, true);
    this.#size = view.getUint16(this.#vtable + 2, true);
    if (this.#fields < 4 || this.#fields % 2 !== 0) throw damaged();
    this.#need(this.#vtable, this.#fields);
    this.#need(at, this.#size);
  }

  /** Returns the root table of a buffer. */
  static root(bytes: Uint8Array): TableReader {
    if (bytes.length < 4) throw damaged();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return new TableReader(bytes, view, view.getUint32(0, true));
  }

  u8(field: number): number {
    const at = this.#field(field, 1);
    return at === undefined ? 0 : this.#view.getUint8(at);
  }

  u16(field: number): number {
    const at = this.#field(field, 2);
    return at === undefined ? 0 : this.#view.getUint16(at, true);
  }

  u32(field: number): number {
    const at = this.#field(field, 4);
    return at === undefined ? 0 : this.#view.getUint32(at, true);
  }

  u64(field: number): bigint {
    const at = this.#field(field, 8);
    return at === undefined ? 0n : this.#view.getBigUint64(at, true);
  }

  i64(field: number): bigint {
    return BigInt.asIntN(64, this.u64(field));
  }

  /** Returns the bytes of a vector of structs of `size` bytes: a view. Undefined if the field is absent. */
  structs(field: number, size = 1): Uint8Array | undefined {
    const at = this.#follow(field);
    if (at === undefined) return undefined;
    const length = this.#length(at) * size;
    this.#need(at + 4, length);
    return this.#bytes.subarray(at + 4, at + 4 + length);
  }

  /** Returns a vector of bytes: a view. Undefined if the field is absent. */
  bytes(field: number): Uint8Array | undefined {
    return this.structs(field);
  }

  table(field: number): TableReader | undefined {
    const at = this.#follow(field);
    return at === undefined ? undefined : new TableReader(this.#bytes, this.#view, at);
  }

  tables(field: number): TableReader[] | undefined {
    const at = this.#follow(field);
    if (at === undefined) return undefined;
    const count = this.#length(at);
    this.#need(at + 4, 4 * count);
    const tables: TableReader[] = [];
    for (let index = 0; index < count; index++) {
      tables.push(new TableReader(this.#bytes, this.#view, this.#target(at + 4 + 4 * index)));
    }
    return tables;
  }

  /** Returns the offset of a field; undefined if it has its default. */
  #field(field: number, size: number): number | undefined {
    const slot = 4 + 2 * field;
    if (slot >= this.#fields) return undefined;
    const offset = this.#view.getUint16(this.#vtable + slot, true);
    if (offset === 0) return undefined;
    if (offset + size > this.#size) throw damaged();
    return this.#at + offset;
  }

  #follow(field: number): number | undefined {
    const at = this.#field(field, 4);
    return at === undefined ? undefined : this.#target(at);
  }

  #target(at: number): number {
    return at + this.#view.getUint32(at, true);
  }

  #length(at: number): number {
    this.#need(at, 4);
    return this.#view.getUint32(at, true);
  }

  #need(at: number, length: number): void {
    if (at < 0 || at + length > this.#bytes.length) throw damaged();
  }
}

function damaged(): MerostoreError {
  return damage("the bytes are not a FlatBuffers table");
}

/** Makes the error for damaged content. */
export function damage(message: string, cause?: unknown): MerostoreError {
  return new MerostoreError("DATA_INTEGRITY_ERROR", message, cause === undefined ? undefined : { cause });
}

/** Appends the table, and returns its offset. */
export function writeIdentifier(builder: Builder, { keyIndex, digest }: ObjectIdentifier): number {
  const bytes = builder.createByteVector(digest);
  builder.startObject(2);
  builder.addFieldOffset(1, bytes, 0);
  builder.addFieldInt32(0, keyIndex, 0);
  return builder.endObject();
}

export function readIdentifier(table: TableReader | undefined): ObjectIdentifier {
  const digest = table?.bytes(1);
  if (table === undefined || digest === undefined) throw damage("an object identifier has no digest");
  return { keyIndex: table.u32(0), digest };
}

/**
 * {@link readIdentifier} with a check of the digest.
 * @param place the name of the field in the error for an invalid digest
 */
export function readObject(table: TableReader | undefined, place: string): ObjectIdentifier {
  const identifier = readIdentifier(table);
  if (!isValidDigest(identifier.digest)) throw damage(`${place} has an impossible digest`);
  return identifier;
}
