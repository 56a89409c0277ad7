/**
 * `TreeNodeStorage`: 0 entries [EntryStorage] · 1 children [ChildStorage] · 2 level uint8; `EntryStorage`: 0 key
 * [ubyte] · 1 object_id ObjectIdentifierStorage · 2 priority (EAGER 0, LAZY 1); `ChildStorage`: 0 index uint16 · 1
 * object_id.
 */
import { Builder } from "flatbuffers";
import { compareBytes } from "merostore/internal";
import { equalIdentifiers, type ObjectIdentifier } from "../objects.js";
import { writeTables } from "./file-index.js";
import { damage, readObject, TableReader, writeIdentifier } from "./table-reader.js";

/** `eager` for a value that syncing fetches at once, `lazy` for one on demand. */
export type Priority = "eager" | "lazy";

/** A key with its value and priority. */
export interface TreeEntry {
  readonly key: Uint8Array;
  readonly value: ObjectIdentifier;
  readonly priority: Priority;
}

/** A node of a page's tree. */
export interface TreeNode {
  /** 0 for leaves; children are one level lower. */
  readonly level: number;
  /** In ascending order of the keys. */
  readonly entries: readonly TreeEntry[];
  /** One more than entries: `children[i]` has the keys before `entries[i]`. A child without keys is undefined. */
  readonly children: readonly (ObjectIdentifier | undefined)[];
}

export const EMPTY_NODE: TreeNode = { level: 0, entries: [], children: [undefined] };

export function equalEntries(a: TreeEntry, b: TreeEntry): boolean {
  return a.priority === b.priority && equalIdentifiers(a.value, b.value) && compareBytes(a.key, b.key) === 0;
}

export function encodeNode({ level, entries, children }: TreeNode): Uint8Array {
  const builder = new Builder(64 + 112 * entries.length);
  const entryTables = entries.map((entry) => writeEntry(builder, entry));
  const entryVector = writeTables(builder, entryTables);
  const childTables = children.flatMap((child, index) =>
    child === undefined ? [] : [writeChild(builder, index, child)],
  );
  const childVector = writeTables(builder, childTables);
  builder.startObject(3);
  builder.addFieldOffset(1, childVector, 0);
  builder.addFieldOffset(0, entryVector, 0);
  builder.addFieldInt8(2, level, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

function writeEntry(builder: Builder, { key, value, priority }: TreeEntry): number {
  const keyBytes = builder.createByteVector(key);
  const object = writeIdentifier(builder, value);
  builder.startObject(3);
  builder.addFieldOffset(1, object, 0);
  builder.addFieldOffset(0, keyBytes, 0);
  builder.addFieldInt8(2, priority === "lazy" ? 1 : 0, 0);
  return builder.endObject();
}

function writeChild(builder: Builder, index: number, child: ObjectIdentifier): number {
  const object = writeIdentifier(builder, child);
  builder.startObject(2);
  builder.addFieldOffset(1, object, 0);
  builder.addFieldInt16(0, index, 0);
  return builder.endObject();
}

/** @throws MerostoreError DATA_INTEGRITY_ERROR for bytes that are not a node, and for a node that cannot exist */
export function decodeNode(bytes: Uint8Array): TreeNode {
  const table = TableReader.root(bytes);
  const entryTables = table.tables(0);
  const childTables = table.tables(1);
  if (entryTables === undefined || childTables === undefined) throw damage("a tree node lacks a list");
  const entries = entryTables.map(readEntry);
  for (let at = 1; at < entries.length; at++) {
    if (compareBytes((entries[at - 1] as TreeEntry).key, (entries[at] as TreeEntry).key) >= 0)
      throw damage("the keys of a tree node are out of order");
  }
  const children = new Array<ObjectIdentifier | undefined>(entries.length + 1).fill(undefined);
  let next = 0;
  for (const child of childTables) {
    const index = child.u16(0);
    if (index < next || index > entries.length) throw damage("a child of a tree node is out of place");
    next = index + 1;
    children[index] = readObject(child.table(1), "a child of a tree node");
  }
  return { level: table.u8(2), entries, children };
}

function readEntry(table: TableReader): TreeEntry {
  const key = table.bytes(0);
  const priority = table.u8(2);
  if (key === undefined || priority > 1)
    throw damage("an entry of a tree node lacks its key or has no known priority");
  const value = readObject(table.table(1), "a value of a tree node");
  return { key, value, priority: priority === 1 ? "lazy" : "eager" };
}
