/** Rows of the trie of an entity's children: buckets of children, and nodes above them. */
import { isZeros } from "../bytes/bytes.js";
import { compareBytes } from "../bytes/order.js";
import {
  b32,
  type Codec,
  cutVarint,
  type Decoded,
  enumOf,
  type Reader,
  Recoded,
  struct,
  u8,
  varint,
  vec,
  type Writer,
} from "../codec/index.js";

const BUCKET = 0xb2;
const NODE = 0xa2;

/** The most children of a bucket: more become a node over the next four bits of their ids. */
export const BUCKET_MAX = 16;

const TrieChild = struct("TrieChild", {
  /** The child's id, 32 bytes. */
  id: b32,
  /** The child's full hash, 32 bytes. */
  fullHash: b32,
});
/** A child as its parent's trie lists it. */
export type TrieChild = Decoded<typeof TrieChild>;

const TrieSlot = struct("TrieSlot", {
  /** The next four bits of the ids below, 0 to 15. */
  nibble: u8,
  /** The hash of the row below, 32 bytes. */
  hash: b32,
});

const rows = enumOf("ChildTrieRow", {
  /** Up to 16 children. */
  Bucket: {
    /** In the first row of a trie: more than the order of any child. 0 below. */
    nextOrder: varint,
    /** The children in the order of their ids. */
    children: vec(TrieChild),
  },
  /** More than 16 children: a row for each value of the next four bits. */
  Node: {
    /** In the first row of a trie: more than the order of any child. 0 below. */
    nextOrder: varint,
    /** The number of children below. */
    count: varint,
    /** The rows below, in the order of the bits. */
    slots: vec(TrieSlot),
  },
});
/** A row of the trie of an entity's children. */
export type ChildTrieRow = Decoded<typeof rows>;

const ENTRY = 64;

class ChildTrieRowCodec extends Recoded<ChildTrieRow> {
  override get strict(): boolean {
    return false;
  }

  override get layout(): string {
    return "b2 Bucket {nextOrder varint, n varint, n × {id b32, fullHash b32}} | a2 Node {nextOrder varint, count varint, map u16BE, hash b32 for each bit}";
  }

  read(reader: Reader): ChildTrieRow {
    const tag = reader.u8();
    if (tag !== BUCKET && tag !== NODE) throw reader.fail("b2 (bucket) or a2 (node)", `byte ${tag}`);
    reader.trace?.note("kind", "tag", reader.at - 1, reader.at, tag === BUCKET ? "Bucket" : "Node");
    const nextOrder = reader.field("nextOrder", cutVarint);
    return tag === BUCKET ? this.#bucket(reader, nextOrder) : this.#node(reader, nextOrder);
  }

  #bucket(reader: Reader, nextOrder: bigint): ChildTrieRow {
    const start = reader.at;
    const count = cutVarint.read(reader);
    if (count * BigInt(ENTRY) > BigInt(reader.left))
      throw reader.fail(`${count} children`, `${reader.left} bytes`, start);
    reader.trace?.note("count", "varint", start, reader.at, `${count}`);
    const children: TrieChild[] = [];
    for (let at = 0; at < Number(count); at++) children.push(reader.field(`children[${at}]`, TrieChild));
    return { kind: "Bucket", nextOrder, children };
  }

  #node(reader: Reader, nextOrder: bigint): ChildTrieRow {
    const count = reader.field("count", cutVarint);
    const start = reader.at;
    const map = (reader.u8() << 8) | reader.u8();
    reader.trace?.note("map", "u16BE", start, reader.at, map.toString(2).padStart(16, "0"));
    const slots: Decoded<typeof TrieSlot>[] = [];
    for (let nibble = 0; nibble < 16; nibble++)
      if ((map & (1 << nibble)) !== 0) slots.push({ nibble, hash: reader.field(`slots[${nibble}]`, b32) });
    return { kind: "Node", nextOrder, count, slots };
  }

  write(writer: Writer, row: ChildTrieRow): void {
    if (row.kind === "Bucket") {
      writer.u8(BUCKET);
      varint.write(writer, row.nextOrder);
      varint.write(writer, BigInt(row.children.length));
      for (const child of row.children) TrieChild.write(writer, child);
      return;
    }
    writer.u8(NODE);
    varint.write(writer, row.nextOrder);
    varint.write(writer, row.count);
    const map = row.slots.reduce((bits, { nibble }) => bits | (1 << nibble), 0);
    writer.u8(map >>> 8);
    writer.u8(map);
    for (const { hash } of row.slots) b32.write(writer, hash);
  }

  override canonical(bytes: Uint8Array): boolean {
    return super.canonical(bytes) && flawOf(this.decode(bytes)) === undefined;
  }
}

/**
 * A row of the trie of an entity's children. From 3 bytes. Nodes read rows that they would not write, with unsorted
 * children for example: such rows are not canonical.
 */
export const ChildTrieRow: Codec<ChildTrieRow> = new ChildTrieRowCodec(rows, { min: 3, max: undefined });

/** Returns the flaw of a row that nodes read but never write; undefined for a row that nodes write. */
export function flawOf(row: ChildTrieRow): string | undefined {
  if (row.kind === "Node") {
    if (row.slots.length === 0) return "a node without rows below it";
    if (row.count <= BigInt(BUCKET_MAX)) return `a node of ${row.count} children, which fit in a bucket`;
    return row.slots.some(({ hash }) => isZeros(hash)) ? "a hash of zeros" : undefined;
  }
  const { children } = row;
  if (children.length > BUCKET_MAX) return `a bucket of ${children.length} children`;
  if (children.some(({ id }, at) => at > 0 && compareBytes((children[at - 1] as TrieChild).id, id) >= 0))
    return "children that are not in the order of their ids";
  return children.some(({ fullHash }) => isZeros(fullHash)) ? "a hash of zeros" : undefined;
}
