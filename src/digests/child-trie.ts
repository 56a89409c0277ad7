/** The trie of an entity's children: the addresses and hashes of its rows, and all rows of a set of children. */

import { compareBytes } from "../bytes/order.js";
import { append } from "../collections/lists.js";
import { sha256, sha256All } from "../crypto/index.js";
import { BUCKET_MAX, ChildTrieRow, type TrieChild } from "../payloads/child-trie-row.js";
import { utf8 } from "./domain-digest.js";

const ADDRESS = utf8("childtrie:v2:addr");
const BUCKET = utf8("childtrie:v2:bucket");
const NODE = utf8("childtrie:v2:node");

/** Nibbles of an id. */
const LONGEST_PATH = 64;

/**
 * The address of a row of a trie: SHA-256(`parent ‖ "childtrie:v2:addr" ‖ length of the path u8 ‖ path`). 32 bytes.
 *
 * @param path the first nibbles of the ids below the row, each 0 to 15; empty for the first row of the trie
 */
export function childTrieAddress(parentId: Uint8Array, path: readonly number[]): Uint8Array {
  return sha256(parentId, ADDRESS, Uint8Array.of(path.length, ...path));
}

/**
 * The hash of a row of a trie: SHA-256(`"childtrie:v2:bucket" ‖ (id ‖ full hash) of each child`), or
 * SHA-256(`"childtrie:v2:node" ‖ (nibble u8 ‖ hash) of each row below`); zeros for a bucket without children. 32 bytes.
 */
export function childTrieHash(row: ChildTrieRow): Uint8Array {
  if (row.kind === "Node")
    return sha256All([NODE, ...row.slots.flatMap(({ nibble, hash }) => [Uint8Array.of(nibble), hash])]);
  if (row.children.length === 0) return new Uint8Array(32);
  return sha256All([BUCKET, ...row.children.flatMap(({ id, fullHash }) => [id, fullHash])]);
}

/** A nibble of an id: 0 to 15, the high four bits of each byte first. */
export function nibbleAt(id: Uint8Array, place: number): number {
  const byte = id[place >> 1] as number;
  return place % 2 === 0 ? byte >> 4 : byte & 15;
}

/** A row of a trie, and its place. */
export interface PlacedTrieRow {
  /** {@link childTrieAddress}, 32 bytes. */
  readonly address: Uint8Array;
  /** The value. */
  readonly value: Uint8Array;
}

/** The trie of a set of children. */
export interface BuiltTrie {
  /** The hash of the first row, 32 bytes: zeros without children. */
  readonly root: Uint8Array;
  /** All rows, each after the rows below it. */
  readonly rows: readonly PlacedTrieRow[];
}

/**
 * All rows of the trie of an entity's children, as a node writes them. A node writes no rows without children.
 *
 * @param children with different ids, in any order
 * @param nextOrder more than the order of any child
 */
export function childTrie(
  parentId: Uint8Array,
  children: readonly TrieChild[],
  nextOrder: bigint,
): BuiltTrie {
  const rows: PlacedTrieRow[] = [];
  const sorted = [...children].sort((a, b) => compareBytes(a.id, b.id));
  const build = (of: readonly TrieChild[], path: readonly number[]): Uint8Array => {
    const order = path.length === 0 ? nextOrder : 0n;
    const row: ChildTrieRow =
      of.length <= BUCKET_MAX || path.length === LONGEST_PATH
        ? { kind: "Bucket", nextOrder: order, children: of }
        : { kind: "Node", nextOrder: order, count: BigInt(of.length), slots: slotsOf(of, path) };
    rows.push({ address: childTrieAddress(parentId, path), value: new Uint8Array(ChildTrieRow.encode(row)) });
    return childTrieHash(row);
  };
  const slotsOf = (of: readonly TrieChild[], path: readonly number[]) => {
    const groups = new Map<number, TrieChild[]>();
    for (const child of of) append(groups, nibbleAt(child.id, path.length), child);
    return [...groups].map(([nibble, below]) => ({ nibble, hash: build(below, [...path, nibble]) }));
  };
  return { root: build(sorted, []), rows };
}
