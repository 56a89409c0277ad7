/** Rows of the state and of deltas: fields that differ between honest nodes, and fields that do not. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import type { Codec, Json } from "../../src/codec/index.js";
import type { RowSource } from "../../src/diff/index.js";
import { GroupMetadata } from "../../src/keys/index.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { differences, rowsIn } from "../support/differences.js";
import { type FixtureRow, fixtureRows } from "../support/fixtures.js";

type Fields = { readonly [name: string]: Json };

interface Index extends Fields {
  readonly children: readonly Fields[] | null;
  readonly metadata: Fields & { readonly storageType: Fields };
}

const rows = fixtureRows("core-0.11/tables");
const state = rows.filter(({ column, decoded }) => column === "State" && typeof decoded === "object");

/** An index row of the fixtures. */
function indexWhere(is: (index: Index) => boolean): FixtureRow {
  const found = state.find(({ decoded }) => is(decoded as unknown as Index));
  if (found === undefined) throw new Error("the fixtures have no such index row");
  return found;
}

/** The sentence about a row and the same row with other fields; undefined where the difference is not honest. */
async function sentenceOn(row: FixtureRow, other: Json): Promise<string | undefined> {
  const { value: codec, alternative } = core011.row(row.kind as string);
  const type = row.column === "State" && alternative !== undefined ? alternative : codec;
  const changed = { ...row, value: toHex(type.encode(type.fromJson(other))) };
  expect(changed.value).not.toBe(row.value);
  const told = [];
  for (const [a, b] of [
    [row, changed],
    [changed, row],
  ] as const) {
    const { found } = await differences(await rowsIn(core011, [a]), await rowsIn(core011, [b]));
    told.push(found[0]?.benign);
  }
  expect(told[0]).toBe(told[1]);
  return told[0];
}

const indexOf = ({ decoded }: FixtureRow) => decoded as unknown as Index;
const signature = { signature: "11".repeat(64), nonce: "7", signer: "22".repeat(32) };

it("a row that does not decode is not expected of a correct node", async () => {
  for (const kind of ["GroupOpLog", "NodeIdentity"]) {
    const row = rows.find((one) => one.kind === kind) as FixtureRow;
    const cut = { ...row, value: row.value.slice(0, -2) };
    for (const [a, b] of [
      [row, cut],
      [cut, row],
    ] as const) {
      const { found } = await differences(await rowsIn(core011, [a]), await rowsIn(core011, [b]));
      expect(found).toEqual([expect.objectContaining({ kind, difference: "different" })]);
      expect(found[0]?.benign).toBeUndefined();
    }
  }
});

it("a request to sync a context again is on the node that waits", async () => {
  const { column, key } = { column: "ContextResyncRequested", key: "11".repeat(32) };
  const row = { column, kind: column, key, parts: { contextId: key }, value: "" };
  const { found } = await differences(await rowsIn(core011, [row]), await rowsIn(core011, []));
  expect(found[0]?.benign).toBe("kept until the node has synced the context again");
});

describe("the difference of an index row is benign", () => {
  const says = expect.stringContaining("the hashes agree");
  const parent = indexWhere(({ children }) => (children?.length ?? 0) > 1);
  const owned = indexWhere(({ metadata }) => metadata.storageType.kind === "User");
  const deleted = indexWhere(({ deletedAt }) => deletedAt !== null);
  const frozen = indexWhere(({ metadata }) => metadata.storageType.kind === "Frozen");

  it("with its children in another order, and other copies of their metadata", async () => {
    const { children, ...index } = indexOf(parent);
    expect(await sentenceOn(parent, { ...index, children: children?.toReversed() as Json })).toEqual(says);
    const renamed = children?.map((child) => ({
      ...child,
      metadata: { ...(child.metadata as Fields), fieldName: "x" },
    }));
    expect(await sentenceOn(parent, { ...index, children: renamed as Json })).toEqual(says);
  });

  it("with another signature, or none", async () => {
    const { metadata, ...index } = indexOf(owned);
    const { storageType } = metadata;
    for (const signatureData of [signature, null]) {
      if (JSON.stringify(signatureData) === JSON.stringify(storageType.signatureData)) continue;
      const signed = { ...index, metadata: { ...metadata, storageType: { ...storageType, signatureData } } };
      expect(await sentenceOn(owned, signed)).toEqual(says);
    }
  });

  it("of a frozen entity that one node took over from another, as its type says", async () => {
    const { metadata, ...index } = indexOf(frozen);
    const taken = { ...metadata, storageType: { kind: "Public" } };
    const opaque = { ...taken, crdtType: { kind: "LwwRegister", innerType: "Opaque" } };
    expect(await sentenceOn(frozen, { ...index, metadata: opaque })).toEqual(says);
    expect(await sentenceOn(frozen, { ...index, metadata: taken })).toBeUndefined();
  });

  it("deleted at another time", async () => {
    expect(await sentenceOn(deleted, { ...indexOf(deleted), deletedAt: "1" })).toEqual(says);
  });

  it("deleted after another one of concurrent changes, whose hashes it keeps", async () => {
    const hashes = { ownHash: "77".repeat(32), fullHash: "66".repeat(32) };
    expect(await sentenceOn(deleted, { ...indexOf(deleted), ...hashes })).toEqual(says);
    expect(await sentenceOn(parent, { ...indexOf(parent), ...hashes })).toBeUndefined();
  });
});

describe("the difference of an index row is not benign despite equal hashes", () => {
  const parent = indexWhere(({ children }) => (children?.length ?? 0) > 1);
  const owned = indexWhere(({ metadata }) => metadata.storageType.kind === "User");
  const shared = indexWhere(({ metadata }) => metadata.storageType.kind === "Shared");
  const deleted = indexWhere(({ deletedAt }) => deletedAt !== null);

  const withStorage = (row: FixtureRow, fields: Fields) => {
    const { metadata, ...index } = indexOf(row);
    return { ...index, metadata: { ...metadata, storageType: { ...metadata.storageType, ...fields } } };
  };

  it.each<readonly [string, FixtureRow, () => Json]>([
    [
      "without one of its children",
      parent,
      () => ({ ...indexOf(parent), children: indexOf(parent).children?.slice(1) as Json }),
    ],
    ["without any", parent, () => ({ ...indexOf(parent), children: null })],
    ["with another parent", parent, () => ({ ...indexOf(parent), parentId: "77".repeat(32) })],
    ["of another owner", owned, () => withStorage(owned, { owner: "77".repeat(32) })],
    ["that others may write", shared, () => withStorage(shared, { writers: { ["77".repeat(32)]: 7 } })],
    [
      "that everybody may write",
      owned,
      () => ({
        ...indexOf(owned),
        metadata: { ...indexOf(owned).metadata, storageType: { kind: "Public" } },
      }),
    ],
    ["that is there again", deleted, () => ({ ...indexOf(deleted), deletedAt: null })],
    [
      "of another kind",
      parent,
      () => ({
        ...indexOf(parent),
        metadata: { ...indexOf(parent).metadata, crdtType: { kind: "GCounter" } },
      }),
    ],
  ])("%s", async (_, row, other) => {
    expect(await sentenceOn(row, other())).toBeUndefined();
  });
});

describe("a delta without actions", () => {
  const delta = rows.find(
    ({ kind, decoded }) => kind === "ContextDagDelta" && ((decoded as Fields).actions as Json[]).length > 1,
  ) as FixtureRow;
  const { hlc, ...fields } = delta.decoded as Fields;
  const zeros = ["00".repeat(32)];

  it("and without parents and time is a checkpoint: one node began from a snapshot", async () => {
    const checkpoint = { ...fields, actions: [], parents: zeros, hlc: { time: "0", id: "1" } } as Json;
    expect(await sentenceOn(delta, checkpoint)).toMatch(/started from a snapshot/);
  });

  it("is not a checkpoint if it has parents or a time", async () => {
    for (const other of [
      { ...fields, hlc, actions: [] },
      { ...fields, hlc, actions: [], parents: zeros },
    ])
      expect(await sentenceOn(delta, other as Json)).toBeUndefined();
  });
});

it("bytes that a node reads as the same value are a difference that is not benign", async () => {
  const all = fixtureRows("core-0.10/tables");
  const delta = all.find(({ kind }) => kind === "ContextDagDelta") as FixtureRow;
  const codec = core010.row("ContextDagDelta").value as Codec<unknown>;
  const json = { ...(delta.decoded as Fields), hlc: { time: `${0x1122334455667788n}`, id: "1" } } as Json;
  const value = toHex(codec.encode(codec.fromJson(json)));
  // A clock's id of 0 is read as 1.
  const other = value.replace("887766554433221101", "887766554433221100");
  expect(other).not.toBe(value);
  const [a, b] = await Promise.all([value, other].map((value) => rowsIn(core010, [{ ...delta, value }])));
  const { found } = await differences(a as RowSource, b as RowSource);
  expect(found).toMatchObject([{ difference: "different", fields: [{ path: "", a: value, b: other }] }]);
  expect(found[0]).not.toHaveProperty("benign");
});

it("the name that a group has from its creation is expected on one side, and data of an operation are not", async () => {
  const row = core011.row("GroupMetadata");
  const key = toHex(new GroupMetadata({ groupId: new Uint8Array(32).fill(7) }).bytes);
  const reason = async (data: ReadonlyMap<string, string>): Promise<string | undefined> => {
    const value = { name: "office", data, updatedAt: 1n, updatedBy: new Uint8Array(32) };
    const { found } = await differences(
      await rowsIn(core011, [{ column: "Group", key, value: toHex(row.value.encode(value as never)) }]),
      await rowsIn(core011, []),
    );
    expect(found).toHaveLength(1);
    return found[0]?.benign;
  };
  expect(await reason(new Map())).toMatch(/stays on the node that created it/);
  expect(await reason(new Map([["floor", "3"]]))).toBeUndefined();
});
