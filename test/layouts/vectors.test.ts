/** The rows of State of core-1.0, byte for byte against vectors of upstream and of two other programs. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { type Codec, Reader, varint } from "../../src/codec/index.js";
import * as digest from "../../src/digests/index.js";
import { EntityIndex, entityData, entityRow } from "../../src/layouts/index.js";
import { ChildTrieRow, CrdtType, customTypeId, Metadata } from "../../src/payloads/index.js";
import {
  crdtType,
  entityIndex,
  metadata,
  ofType,
  type RawIndex,
  type RawMetadata,
  storageType,
  upstream,
  type Vector,
} from "./vectors.js";

const onlyFacts = ({ assumes = [] }: Vector): boolean => assumes.length === 0;

/** Checks that bytes decode to a value, and the value encodes to the bytes, in JSON too. */
function same<T>(codec: Codec<T>, bytes: Uint8Array, value: T): void {
  expect(codec.decode(bytes)).toEqual(value);
  expect(toHex(codec.encode(value))).toBe(toHex(bytes));
  expect(codec.fromJson(codec.toJson(value))).toEqual(value);
  expect(codec.canonical(bytes)).toBe(true);
}

const refuses = (codec: Codec<unknown>, { bytes }: Vector): void => {
  expect(() => codec.decode(fromHex(bytes)), bytes).toThrow(
    expect.objectContaining({ code: "DECODE_FAILED" }),
  );
};

/** Checks the lines of a type: first those that source code proves, then those that rest on an assumption. */
function each(type: string, check: (line: Vector) => void): void {
  const valid = ofType(type, true);
  it(`${type}: lines without an assumption`, () => {
    const facts = valid.filter(onlyFacts);
    expect(facts.length).toBeGreaterThan(0);
    for (const line of facts) check(line);
  });
  const assumed = valid.filter((line) => !onlyFacts(line));
  if (assumed.length > 0)
    it(`${type}: lines with an assumption`, () => {
      for (const line of assumed) check(line);
    });
}

const indexOf = (line: Vector) => line.decoded as unknown as RawIndex | null;
const rowOf = (line: Vector) => entityRow(fromHex(line.id));
const dataOf = ({ data }: Vector) => (typeof data === "string" ? fromHex(data) : null);

describe("rows of entities", () => {
  for (const type of ["entity-row", "entity-row-keyed"])
    each(type, (line) => {
      const raw = indexOf(line);
      const index = raw === null ? null : entityIndex(raw);
      const verbatim = raw === null && typeof line.index === "string" ? fromHex(line.index) : null;
      same(rowOf(line), fromHex(line.bytes), { index, verbatim, data: dataOf(line) });
      expect(entityData(fromHex(line.bytes), fromHex(line.id)) ?? null).toEqual(dataOf(line));
      if (index !== null) expect(toHex(EntityIndex.encode(index))).toBe(line.index);
    });

  it("are refused", () => {
    for (const line of ofType("entity-row", false)) refuses(rowOf(line), line);
  });

  each("entity-row-older", (line) => {
    const codec = rowOf(line);
    const row = codec.decode(fromHex(line.bytes));
    expect(row).toEqual({ index: entityIndex(indexOf(line) as RawIndex), verbatim: null, data: null });
    expect(toHex(codec.encode(row))).toBe(line.slimmed);
    expect(codec.canonical(fromHex(line.bytes))).toBe(false);
  });

  it("belong to another entity under another key", () => {
    for (const line of ofType("entity-row-other-key", true)) {
      const { index, verbatim, data } = rowOf(line).decode(fromHex(line.bytes));
      const part = index === null ? verbatim : EntityIndex.encode(index);
      expect(part && toHex(part)).toBe(line.index);
      expect(data).toEqual(dataOf(line));
    }
  });
});

describe("parts of rows", () => {
  each("entity-index-borsh", (line) =>
    same(EntityIndex, fromHex(line.bytes), entityIndex(indexOf(line) as RawIndex)),
  );
  each("metadata", (line) =>
    same(Metadata, fromHex(line.bytes), metadata(line.decoded as unknown as RawMetadata)),
  );
  each("crdt-type", (line) => same(CrdtType, fromHex(line.bytes), crdtType(line.decoded)));

  it("are refused", () => {
    for (const line of ofType("entity-index-borsh", false)) refuses(EntityIndex, line);
    for (const line of ofType("metadata", false)) refuses(Metadata, line);
    for (const line of ofType("crdt-type", false)) refuses(CrdtType, line);
  });

  it("types in older spellings are read like today's", () => {
    for (const { bytes, decoded, rewritten_as } of ofType("crdt-type-old-spelling", true)) {
      const value = CrdtType.decode(fromHex(bytes));
      expect(value).toEqual(crdtType(decoded));
      expect(toHex(CrdtType.encode(value))).toBe(rewritten_as);
      expect(CrdtType.canonical(fromHex(bytes))).toBe(false);
    }
  });
});

interface RawTrieRow {
  readonly kind: string;
  readonly next_order: number | string;
  readonly count: number | string;
  readonly entries: readonly (readonly [string, string])[];
  readonly slots: readonly (readonly [number, string])[];
  readonly hash: string;
}

function trieRow({ kind, next_order, count, entries, slots }: RawTrieRow): ChildTrieRow {
  const nextOrder = BigInt(next_order);
  if (kind === "bucket") {
    const children = entries.map(([id, hash]) => ({ id: fromHex(id), fullHash: fromHex(hash) }));
    return { kind: "Bucket", nextOrder, children };
  }
  return {
    kind: "Node",
    nextOrder,
    count: BigInt(count),
    slots: slots.map(([nibble, hash]) => ({ nibble, hash: fromHex(hash) })),
  };
}

describe("tries of children", () => {
  it("rows", () => {
    for (const line of ofType("child-trie-row", true)) {
      const raw = line.decoded as unknown as RawTrieRow;
      same(ChildTrieRow, fromHex(line.bytes), trieRow(raw));
      expect(toHex(digest.childTrieHash(trieRow(raw)))).toBe(raw.hash);
    }
    for (const line of ofType("child-trie-row", false)) refuses(ChildTrieRow, line);
  });

  it("rows that nodes read and never write are not canonical", () => {
    for (const line of ofType("child-trie-row-accepted-not-canonical", true)) {
      const bytes = fromHex(line.bytes);
      const raw = line.decoded as unknown as RawTrieRow;
      expect(ChildTrieRow.decode(bytes)).toEqual(trieRow(raw));
      expect(ChildTrieRow.canonical(bytes)).toBe(false);
      expect(toHex(digest.childTrieHash(trieRow(raw)))).toBe(raw.hash);
    }
  });

  it("addresses of rows", () => {
    for (const line of ofType("child-trie-row-id", true)) {
      const path = line.path as readonly number[];
      expect(toHex(digest.childTrieAddress(fromHex(line.parent as string), path))).toBe(line.id);
    }
  });

  it("all rows of a set of children", () => {
    for (const line of ofType("child-trie", true)) {
      const { children, rows } = line as unknown as {
        children: readonly (readonly [string, string])[];
        rows: Readonly<Record<string, string>> | null;
      };
      if (rows === null || children === null) continue;
      const list = children.map(([id, hash]) => ({ id: fromHex(id), fullHash: fromHex(hash) }));
      const built = digest.childTrie(fromHex(line.parent as string), list, BigInt(line.next_order as string));
      expect(toHex(built.root)).toBe(line.root);
      expect(
        Object.fromEntries(built.rows.map(({ address, value }) => [toHex(address), toHex(value)])),
      ).toEqual(rows);
      const trieRoot = list.length === 0 ? undefined : built.root;
      expect(toHex(digest.fullHash(fromHex(line.own_hash as string), trieRoot))).toBe(line.full_hash);
    }
  });
});

interface RawAction {
  readonly kind: "Add" | "Update" | "DeleteRef";
  readonly id: string;
  readonly data: string;
  readonly ancestors: readonly string[];
  readonly updated_at: string | number;
  readonly deleted_at: string | number;
  readonly storage_type: Parameters<typeof storageType>[0];
}

function coveredAction(raw: RawAction): digest.CoveredAction {
  const storage = storageType(raw.storage_type);
  if (raw.kind === "DeleteRef")
    return {
      kind: raw.kind,
      id: fromHex(raw.id),
      deletedAt: BigInt(raw.deleted_at),
      metadata: { storageType: storage },
    };
  return {
    kind: raw.kind,
    id: fromHex(raw.id),
    data: fromHex(raw.data),
    ancestors: raw.ancestors.map(fromHex),
    metadata: { updatedAt: BigInt(raw.updated_at), storageType: storage },
  };
}

describe("ids of deltas", () => {
  each("delta-id", (line) => {
    const events = line.events_hash === null ? undefined : fromHex(line.events_hash as string);
    const parents = (line.parents as readonly string[]).map(fromHex);
    const actions = (line.actions as readonly RawAction[]).map(coveredAction);
    expect(toHex(digest.deltaId(events, parents, actions))).toBe(line.id);
  });
});

describe("bytes that upstream states", () => {
  const stated = (type: string): readonly Vector[] => {
    const found = upstream.filter((line) => line.type === type);
    expect(found.length).toBeGreaterThan(0);
    return found;
  };

  it("numbers of variable length", () => {
    for (const { bytes, value, refused } of stated("varint"))
      if (refused === undefined) same(varint, fromHex(bytes), BigInt(value as string));
      else expect(() => varint.decode(fromHex(bytes))).toThrow("shortest form");
  });

  it("data with the id put back", () => {
    for (const { bytes, id, value } of stated("row-data"))
      if (id !== undefined) expect(toHex(entityData(fromHex(bytes), fromHex(id)) as Uint8Array)).toBe(value);
  });

  it("rows of a tombstone, before and after it became shorter, and of a live entity", () => {
    const [older] = stated("entity-row-older");
    const [tombstone, live] = stated("entity-row");
    const decode = (line: Vector | undefined) =>
      rowOf(line as Vector).decode(fromHex((line as Vector).bytes));
    expect(decode(tombstone).index).toMatchObject({
      ownHash: new Uint8Array(32),
      deletedAt: expect.any(BigInt),
    });
    expect(decode(older).index).toMatchObject({ ownHash: new Uint8Array(32).fill(0x22) });
    expect(decode(live)).toMatchObject({ index: { deletedAt: null }, data: new Uint8Array(22).fill(0x76) });
    const sizes = [older, tombstone, live].map((line) => fromHex((line as Vector).bytes).length);
    expect(sizes).toEqual([94, 54, 68]);
  });

  it("types, and numbers of applications' types", () => {
    for (const line of stated("crdt-type"))
      if (line.refused !== undefined) refuses(CrdtType, line);
      else expect(toHex(CrdtType.encode(CrdtType.decode(fromHex(line.bytes))))).toBe(line.bytes);
    for (const { bytes, value } of stated("crdt-type-old-spelling"))
      expect(toHex(CrdtType.encode(CrdtType.decode(fromHex(bytes))))).toBe(value);
    for (const { value, number } of stated("custom-type-id"))
      expect(customTypeId(value as string)).toBe(BigInt(number as string));
  });

  it("rows that are refused", () => {
    for (const { bytes, refused } of stated("row-split")) {
      if (refused === undefined) continue;
      const codec = entityRow(new Uint8Array(32).fill(7));
      expect(() => codec.decode(fromHex(bytes)), bytes).toThrow(
        expect.objectContaining({ code: "DECODE_FAILED" }),
      );
    }
  });
});

it("hostile counts cost nothing", () => {
  const huge = fromHex("b200ffffffffffffffff7f");
  expect(() => ChildTrieRow.read(new Reader(huge))).toThrow(
    expect.objectContaining({ expected: expect.any(String) }),
  );
});
