/** The row of an entity since core-1.0: its index record and its data together. */
import { copyBytes } from "../bytes/bytes.js";
import { concat } from "../bytes/concat.js";
import { equalBytes } from "../bytes/order.js";
import {
  bytes,
  type Codec,
  identity,
  option,
  Reader,
  ReadFailure,
  Recoded,
  struct,
  varint,
  WriteFailure,
  Writer,
} from "../codec/index.js";
import { ownHash } from "../digests/index.js";
import { Metadata, MetadataWithoutOnBehalf } from "../payloads/index.js";
import { EntityIndex, readSlim, writeSlim } from "./entity-index.js";

const MAGIC = 0xe0;
const KEYED_MAGIC = 0xc0;
const MAGIC_MASK = 0xe0;
const HAS_INDEX = 0x01;
const HAS_DATA = 0x02;
const OWN_DERIVED = 0x04;
const VERBATIM = 0x08;
const ID_CUT_OUT = 0x10;

const ID = 32;
/** Bytes after the id at the end of the data of an owned entry with a key: the length of the key. */
const KEY_LENGTH = 4;

/** The row of an entity. */
export interface EntityRow {
  /** The entity's index record; null in a row without one, or with another index part verbatim. */
  readonly index: EntityIndex | null;
  /** An index part that is not the entity's index record; null in rows that nodes write. */
  readonly verbatim: Uint8Array | null;
  /** The entity's data, with its id in it; null without data, as after a deletion. */
  readonly data: Uint8Array | null;
}

/** The places of the index part and the data, from the bytes before them. */
interface Frame {
  readonly flags: number;
  /** The beginning of the index part; undefined without one. */
  readonly index: number | undefined;
  /** The end of the index part. */
  readonly end: number;
}

function readFrame(reader: Reader): Frame {
  const flags = reader.u8();
  const magic = flags & MAGIC_MASK;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  if (magic !== MAGIC && magic !== KEYED_MAGIC)
    throw reader.fail("the first byte of an entity's row: e0 to ff, or d0 to df", hex(flags));
  const refuse = (expected: string) => reader.fail(expected, hex(flags));
  if (magic === KEYED_MAGIC && !has(ID_CUT_OUT))
    throw refuse("an id that is cut out before the length of a key");
  if (!has(HAS_INDEX) && !has(HAS_DATA)) throw refuse("an index part or data");
  const both = has(HAS_INDEX) && has(HAS_DATA);
  if (has(ID_CUT_OUT) && (!both || has(VERBATIM)))
    throw refuse("an id cut out of data beside an index record");
  if (has(OWN_DERIVED) && !both) throw refuse("an own hash left out beside an index part and data");
  if (has(VERBATIM) && (!has(HAS_INDEX) || has(OWN_DERIVED))) throw refuse("an index part kept as it is");
  reader.trace?.note("flags", "u8", reader.at - 1, reader.at, hex(flags));
  if (!has(HAS_INDEX)) return { flags, index: undefined, end: reader.at };
  const start = reader.at;
  const length = varint.read(reader);
  if (length > BigInt(reader.left))
    throw reader.fail(`an index part of ${length} bytes`, `${reader.left} bytes`, start);
  reader.trace?.note("length", "varint", start, reader.at, `${length}`);
  const end = reader.at + Number(length);
  if (!has(HAS_DATA) && end !== reader.bytes.length)
    throw reader.fail("the end of a row without data", `${reader.bytes.length - end} more`, end);
  if (magic === KEYED_MAGIC && reader.bytes.length - end < KEY_LENGTH)
    throw reader.fail(
      `data with a length of ${KEY_LENGTH} bytes at its end`,
      `${reader.bytes.length - end} bytes`,
      end,
    );
  return { flags, index: reader.at, end };
}

/** The data of a row, with the entity's id restored. */
function dataOf(stored: Uint8Array, flags: number, id: Uint8Array): Uint8Array {
  if ((flags & ID_CUT_OUT) === 0) return stored;
  const after = (flags & MAGIC_MASK) === KEYED_MAGIC ? stored.length - KEY_LENGTH : stored.length;
  return concat(stored.subarray(0, after), id, stored.subarray(after));
}

/** The flags for the place of the id that is cut out of the data; only the magic without such an id. */
function cutOf(data: Uint8Array, id: Uint8Array): number {
  if (data.length >= ID && equalBytes(data.subarray(-ID), id)) return MAGIC | ID_CUT_OUT;
  const before = data.subarray(-(ID + KEY_LENGTH), -KEY_LENGTH);
  return before.length === ID && equalBytes(before, id) ? KEYED_MAGIC | ID_CUT_OUT : MAGIC;
}

/**
 * Reads the data of an entity in its row, with its id restored, without the checks of the whole row. Undefined for a
 * row without data, and for bytes that are not a row of an entity.
 */
export function entityData(row: Uint8Array, id: Uint8Array): Uint8Array | undefined {
  const reader = new Reader(row);
  try {
    const { flags, end } = readFrame(reader);
    return (flags & HAS_DATA) === 0 ? undefined : dataOf(row.subarray(end), flags, id);
  } catch (error) {
    if (error instanceof ReadFailure) return undefined;
    throw error;
  }
}

const fields = struct("EntityRow", {
  index: option(EntityIndex),
  verbatim: option(bytes),
  data: option(bytes),
});

/** A codec for the row of one entity: the row does not contain the entity's id. */
class EntityRowCodec extends Recoded<EntityRow> {
  #id: Uint8Array;

  constructor(id: Uint8Array) {
    super(fields, { min: 1, max: undefined });
    this.#id = id;
  }

  readOf(id: Uint8Array, row: Uint8Array): EntityRow | ReadFailure {
    this.#id = id;
    return this.readWhole(row);
  }

  override get strict(): boolean {
    return false;
  }

  override get layout(): string {
    return "{flags u8, length varint and EntityIndex if 01, data to the end if 02}";
  }

  read(reader: Reader): EntityRow {
    const { at: start, trace } = reader;
    reader.trace = undefined;
    let metadata = Metadata;
    let row = tryRead(reader, this.#id, metadata);
    if (row instanceof ReadFailure) {
      reader.at = start;
      const older = tryRead(reader, this.#id, MetadataWithoutOnBehalf);
      if (older instanceof ReadFailure) reader.at = row.offset;
      else [row, metadata] = [older, MetadataWithoutOnBehalf];
    }
    reader.trace = trace;
    if (trace !== undefined) {
      reader.at = start;
      return readRow(reader, this.#id, metadata);
    }
    if (row instanceof ReadFailure) throw row;
    return row;
  }

  write(writer: Writer, { index, verbatim, data }: EntityRow): void {
    if (index === null) writeWithoutIndex(writer, this.#id, verbatim, data);
    else if (verbatim !== null) throw new WriteFailure("an index record or another index part", "both");
    else if (!equalBytes(index.id, this.#id)) throw new WriteFailure("the entity's id", "another one");
    else writeWithIndex(writer, index, data);
  }
}

function tryRead(reader: Reader, id: Uint8Array, metadata: Codec<Metadata>): EntityRow | ReadFailure {
  try {
    return readRow(reader, id, metadata);
  } catch (error) {
    if (error instanceof ReadFailure) return error;
    throw error;
  }
}

function readRow(reader: Reader, id: Uint8Array, metadata: Codec<Metadata>): EntityRow {
  const { flags, index: start, end } = readFrame(reader);
  const hasData = (flags & HAS_DATA) !== 0;
  const data = hasData ? dataOf(reader.bytes.subarray(end), flags, id) : null;
  if (start === undefined) {
    reader.field("data", identity);
    return { index: null, verbatim: null, data };
  }
  if ((flags & VERBATIM) !== 0) {
    const verbatim = reader.take(end - start);
    if (isOwnIndex(verbatim, id))
      throw reader.fail(
        "an index part that is not the entity's own record",
        "the entity's own record",
        start,
      );
    if (hasData) reader.field("data", identity);
    return { index: null, verbatim, data };
  }
  if (data !== null && cutOf(data, id) !== (flags & (MAGIC_MASK | ID_CUT_OUT)))
    throw reader.fail("the entity's id cut out where the data ends with it", "another form", 0);
  const ofData = data === null ? undefined : ownHash(data);
  const derived = (flags & OWN_DERIVED) === 0 ? undefined : ofData;
  const index = readSlim(reader, end, id, { derived, ofData }, metadata, data === null);
  if (hasData) reader.field("data", identity);
  return { index, verbatim: null, data };
}

function isOwnIndex(part: Uint8Array, id: Uint8Array): boolean {
  const index = EntityIndex.readWhole(part);
  return !(index instanceof ReadFailure) && equalBytes(index.id, id);
}

function writeWithoutIndex(
  writer: Writer,
  id: Uint8Array,
  verbatim: Uint8Array | null,
  data: Uint8Array | null,
): void {
  if (verbatim === null && data === null) throw new WriteFailure("an index part or data", "neither");
  if (verbatim !== null && isOwnIndex(verbatim, id))
    throw new WriteFailure("an index part that is not the entity's own record", "the entity's own record");
  writer.u8(MAGIC | (verbatim === null ? 0 : HAS_INDEX | VERBATIM) | (data === null ? 0 : HAS_DATA));
  if (verbatim !== null) {
    varint.write(writer, BigInt(verbatim.length));
    writer.bytes(verbatim);
  }
  if (data !== null) writer.bytes(data);
}

function writeWithIndex(writer: Writer, index: EntityIndex, data: Uint8Array | null): void {
  const isDerived = data !== null && equalBytes(index.ownHash, ownHash(data));
  const part = new Writer(256);
  part.begin();
  writeSlim(part, index, isDerived);
  const slim = part.finish();
  const cut = data === null ? MAGIC : cutOf(data, index.id);
  writer.u8(cut | HAS_INDEX | (data === null ? 0 : HAS_DATA) | (isDerived ? OWN_DERIVED : 0));
  varint.write(writer, BigInt(slim.length));
  writer.bytes(slim);
  if (data === null) return;
  if ((cut & ID_CUT_OUT) === 0) writer.bytes(data);
  else {
    const after = (cut & MAGIC_MASK) === KEYED_MAGIC ? KEY_LENGTH : 0;
    writer.bytes(data.subarray(0, data.length - ID - after));
    writer.bytes(data.subarray(data.length - after));
  }
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

/**
 * The codec of the row of the entity `id` (32 bytes). Data that ends with the id is stored without it, and an own hash
 * or full hash that follows from the rest is left out. Rows of older nodes can be read, but are not canonical: their
 * tombstones store fields that are left out today, and their signatures do not name an account.
 */
export function entityRow(id: Uint8Array): Codec<EntityRow> {
  return new EntityRowCodec(copyBytes(id));
}

const ofAny = new EntityRowCodec(new Uint8Array(ID));

/**
 * @internal Reads the row of the entity `id` without creating a codec, for many rows. The result contains the given
 *   `id` array.
 */
export function readEntityRow(id: Uint8Array, row: Uint8Array): EntityRow | ReadFailure {
  return ofAny.readOf(id, row);
}
