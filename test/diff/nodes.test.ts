/** The differences between databases of real nodes that share contexts, against the expected ones. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import {
  type ContextDifference,
  type DiffSummary,
  diffByContext,
  type RowDifference,
  rowsOfStore,
  sentencesOf,
} from "../../src/diff/index.js";
import { ContextMeta } from "../../src/keys/index.js";
import { openStore } from "../../src/store/index.js";
import { addFamily } from "../cli/database/add-family.js";
import { appsDatabase, appsId } from "../support/apps.js";
import { differences } from "../support/differences.js";
import { copyOfDatabase, type FixtureRow, fixturePath, fixtureRows } from "../support/fixtures.js";

interface Pair {
  readonly a: string;
  readonly b: string;
  readonly summary: DiffSummary;
  /** The honest differences by kind: `[only in A, only in B, different]`. */
  readonly benign: Readonly<Record<string, readonly number[]>>;
  /** The fields that differ by kind, without their places in lists. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** The sentences about each context that both have, by the beginning of its id. */
  readonly contexts: Readonly<Record<string, readonly string[]>>;
  /** Contexts that only A has. */
  readonly onlyInA: readonly string[];
}

/** The rows that the founder of core-0.11 has and both others lack. */
const ofFounder = {
  ContextState: [2, 0, 1],
  ContextPrivateState: [10, 0, 0],
  ContextDagDelta: [0, 0, 2],
  BlobMeta: [16, 0, 2],
  ApplicationMeta: [0, 0, 1],
  Alias: [9, 0, 0],
  Generic: [0, 0, 2],
  GroupMeta: [0, 0, 1],
  GroupConsumedInvitation: [0, 1, 0],
  GroupMetadata: [7, 0, 1],
  GroupContextMetadata: [0, 0, 1],
  GroupOpHead: [5, 0, 3],
  NodeDeviceIdentity: [0, 0, 1],
  NodeAccountRoot: [0, 0, 1],
  NamespaceBootstrapInviter: [0, 1, 0],
  NodeIdentity: [0, 0, 1],
  SortedIndex: [23, 0, 0],
  SortedIndexMeta: [1, 0, 0],
  ContextActivatedBlob: [6, 0, 0],
};

/** The fields that differ between any two nodes of core-0.11. */
const ofNodes = {
  Generic: [""],
  GroupMetadata: ["updatedAt"],
  GroupContextMetadata: ["updatedAt"],
  GroupOpLog: ["nonce", "parentOpHashes[]", "signature"],
  GroupKeyEntry: ["createdAt"],
  GroupLocalGovNonceWindow: ["above[]", "floor"],
  NodeDeviceIdentity: ["accountRootPk", "deviceId", "kemSecret"],
  NodeAccountRoot: ["rootSecret"],
  NodeIdentity: ["privateKey", "publicKey"],
};

/** The fields that differ between the founder and another node. */
const ofFounderToo = {
  ...ofNodes,
  ContextDagDelta: ["actions[]", "applied", "checkpointRootHash", "events", "hlc.id", "hlc.time"],
  BlobMeta: ["refs"],
  ApplicationMeta: ["compiled", "package", "size", "source", "version"],
  GroupMeta: ["createdAt"],
  GroupOpHead: ["dagHeads[]"],
};

/** The fields that differ in a context whose last changes one node lacks. */
const ofState = {
  ContextMeta: ["dagHeads[]", "rootHash"],
  ContextState: [
    "children[]",
    "children[].merkleHash",
    "children[].metadata.updatedAt",
    "fullHash",
    "metadata.updatedAt",
  ],
};

const pairs: readonly Pair[] = [
  {
    a: "core-0.10/node-a",
    b: "core-0.10/node-b",
    summary: { a: 495, b: 371, onlyInA: 126, onlyInB: 2, different: 17, benign: 65, withoutValue: 0 },
    benign: {
      ContextIdentity: [3, 0, 1],
      ContextState: [0, 0, 3],
      ContextPrivateState: [1, 0, 0],
      ContextDagDelta: [0, 0, 7],
      BlobMeta: [16, 0, 0],
      ApplicationMeta: [0, 0, 1],
      Alias: [4, 0, 0],
      GroupMeta: [0, 0, 1],
      GroupSigningKey: [3, 1, 0],
      GroupLocalGovNonce: [2, 0, 0],
      GroupAlias: [5, 0, 0],
      GroupOpLog: [7, 0, 0],
      GroupOpHead: [3, 0, 0],
      NamespaceIdentity: [3, 0, 1],
      GroupKeyEntry: [2, 0, 1],
    },
    paths: {
      ContextMeta: ["dagHeads[]"],
      ContextIdentity: ["privateKey"],
      ContextState: ["children[].metadata.updatedAt", "deletedAt", "metadata.updatedAt"],
      ContextDagDelta: ["actions[]", "applied", "events", "hlc.id", "hlc.time"],
      ApplicationMeta: ["source"],
      GroupMeta: ["appKey", "createdAt", "upgradePolicy.deadline", "upgradePolicy.kind"],
      NamespaceIdentity: ["privateKey", "publicKey", "senderKey"],
      NamespaceGovHead: ["dagHeads[]", "sequence"],
      GroupKeyEntry: ["createdAt"],
    },
    contexts: {
      "1e75c022": [
        "the same deltas, heads 106041e5…, 96d5a04b…, 81b678ad…, 16c14932…, d2cf6399…, 40550f35…, 1fef1088… in A and 1fef1088… in B",
        "12 rows with benign differences (correct nodes may have them)",
      ],
    },
    onlyInA: ["44e2e0de", "50294aa1"],
  },
  {
    a: "core-0.11/node-a",
    b: "core-0.11/node-b",
    summary: { a: 1011, b: 577, onlyInA: 437, onlyInB: 3, different: 37, benign: 141, withoutValue: 0 },
    benign: {
      ...ofFounder,
      ContextIdentity: [7, 1, 0],
      GroupOpLog: [5, 0, 14],
      GroupKeyEntry: [5, 0, 3],
      GroupLocalGovNonceWindow: [5, 0, 3],
    },
    paths: {
      ...ofFounderToo,
      ContextState: ["children[].metadata.updatedAt"],
    },
    contexts: {
      "8d587abf": ["4 rows with benign differences (correct nodes may have them)"],
      b875f1c0: [
        "30 older deltas only in A: B applied others that follow, as after a snapshot",
        "34 rows with benign differences (correct nodes may have them)",
      ],
    },
    onlyInA: ["321161a6", "a2a4613d", "cf58de10", "d0d840d7", "dfdbd9a9"],
  },
  {
    a: "core-0.11/node-a",
    b: "core-0.11/node-c",
    summary: { a: 1011, b: 264, onlyInA: 749, onlyInB: 2, different: 42, benign: 145, withoutValue: 0 },
    benign: {
      ...ofFounder,
      ContextIdentity: [8, 0, 0],
      GroupOpLog: [5, 0, 15],
      GroupKeyEntry: [7, 0, 3],
      GroupLocalGovNonceWindow: [5, 0, 4],
    },
    paths: {
      ...ofFounderToo,
      ...ofState,
    },
    contexts: {
      "8d587abf": ["3 rows with benign differences (correct nodes may have them)"],
      b875f1c0: [
        "State differs at 208 entries (206 rows only in A, 2 rows differ), root hashes 08e73069… and c5c40fa5…",
        "B lacks 103 deltas after 9295d9fe…",
        "30 older deltas only in A: B applied others that follow, as after a snapshot",
        "35 rows with benign differences (correct nodes may have them)",
      ],
    },
    onlyInA: ["321161a6", "a2a4613d", "cf58de10", "d0d840d7", "dfdbd9a9"],
  },
  {
    a: "core-0.11/node-b",
    b: "core-0.11/node-c",
    summary: { a: 577, b: 264, onlyInA: 314, onlyInB: 1, different: 14, benign: 17, withoutValue: 0 },
    benign: {
      ContextIdentity: [2, 0, 0],
      ContextState: [0, 0, 1],
      Generic: [0, 0, 1],
      GroupConsumedInvitation: [1, 1, 0],
      GroupMetadata: [0, 0, 1],
      GroupContextMetadata: [0, 0, 1],
      GroupOpLog: [0, 0, 1],
      GroupKeyEntry: [2, 0, 2],
      GroupLocalGovNonceWindow: [0, 0, 1],
      NodeDeviceIdentity: [0, 0, 1],
      NodeAccountRoot: [0, 0, 1],
      NodeIdentity: [0, 0, 1],
    },
    paths: {
      ...ofNodes,
      ...ofState,
    },
    contexts: {
      "8d587abf": ["1 row with benign differences (correct nodes may have them)"],
      b875f1c0: [
        "State differs at 208 entries (206 rows only in A, 2 rows differ), root hashes 08e73069… and c5c40fa5…",
        "B lacks 103 deltas after 9295d9fe…",
        "3 rows with benign differences (correct nodes may have them)",
      ],
    },
    onlyInA: [],
  },
];

/** The number of differing rows, by kind and difference, from the rows that Rust read: no field is compared. */
function countsIn(a: string, b: string): Record<string, readonly number[]> {
  const valuesOf = (name: string) =>
    new Map(fixtureRows(name).map(({ column, key, kind, value }) => [`${column} ${key}`, { kind, value }]));
  const [rowsA, rowsB] = [valuesOf(a), valuesOf(b)];
  const counts: Record<string, [number, number, number]> = {};
  for (const key of new Set([...rowsA.keys(), ...rowsB.keys()])) {
    const [one, other] = [rowsA.get(key), rowsB.get(key)];
    if (one?.value === other?.value) continue;
    count(counts, one?.kind ?? other?.kind ?? null, other === undefined ? 0 : one === undefined ? 1 : 2);
  }
  return counts;
}

function countsOf(found: readonly RowDifference[]): Record<string, readonly number[]> {
  const counts: Record<string, [number, number, number]> = {};
  for (const { kind, difference } of found)
    count(counts, kind, difference === "only in a" ? 0 : difference === "only in b" ? 1 : 2);
  return counts;
}

function count(counts: Record<string, [number, number, number]>, kind: string | null, at: 0 | 1 | 2): void {
  const of = counts[kind ?? "unknown"] ?? [0, 0, 0];
  of[at]++;
  counts[kind ?? "unknown"] = of;
}

/** The paths of differing fields by kind, without their places in lists. */
function pathsOf(found: readonly RowDifference[]): Record<string, readonly string[]> {
  const paths: Record<string, string[]> = {};
  for (const { kind, fields = [] } of found) {
    const all = [
      ...(paths[kind ?? ""] ?? []),
      ...fields.map(({ path }) => path.replaceAll(/\[\d+\]/g, "[]")),
    ];
    if (fields.length > 0) paths[kind ?? ""] = [...new Set(all)].sort();
  }
  return paths;
}

describe.each(pairs)("$a and $b", ({ a, b, summary, benign, paths, contexts, onlyInA }) => {
  it("differ in as many rows of each kind as Rust found, and in these fields", async () => {
    await using one = await openStore(fixturePath(a, "db"));
    await using other = await openStore(fixturePath(b, "db"));
    const all = await differences(rowsOfStore(one), rowsOfStore(other));
    expect(all.summary).toEqual(summary);
    expect(countsOf(all.found)).toEqual(countsIn(a, b));
    expect(countsOf(all.found.filter(({ benign }) => benign !== undefined))).toEqual(benign);
    expect(pathsOf(all.found)).toEqual(paths);
  });

  it("are described for each context, in either order", async () => {
    await using one = await openStore(fixturePath(a, "db"));
    await using other = await openStore(fixturePath(b, "db"));
    const there = await diffByContext(rowsOfStore(one), rowsOfStore(other));
    const back = await diffByContext(rowsOfStore(other), rowsOfStore(one));
    const older = there.contexts.reduce((sum, { older }) => sum + older.onlyInA + older.onlyInB, 0);
    expect(there.summary).toEqual({ ...summary, benign: summary.benign + older });
    const told = new Map(
      there.contexts.map((context) => [context.contextId.slice(0, 8), sentencesOf(context)]),
    );
    for (const [id, sentences] of Object.entries(contexts)) expect(told.get(id)).toEqual(sentences);
    for (const id of onlyInA) expect(told.get(id)?.[0]).toBe("only A has this context");
    expect(told.size).toBe(Object.keys(contexts).length + onlyInA.length);
    const counted = there.contexts.reduce((sum, { benign }) => sum + benign, there.elsewhere.benign);
    expect(counted).toBe(there.summary.benign);
    expect(back.contexts.map(mirrored)).toEqual(there.contexts);
  });
});

function mirrored({ a, b, kinds, older, ...context }: ContextDifference): ContextDifference {
  const swapped = Object.entries(kinds).map(([kind, of]) => [
    kind,
    { ...of, onlyInA: of.onlyInB, onlyInB: of.onlyInA },
  ]);
  const swappedOlder = { onlyInA: older.onlyInB, onlyInB: older.onlyInA };
  const { onlyInA, onlyInB, verdict } = context;
  const other = { ahead: "behind", behind: "ahead" } as const;
  return {
    ...context,
    onlyInA: onlyInB,
    onlyInB: onlyInA,
    verdict: verdict === "ahead" || verdict === "behind" ? other[verdict] : verdict,
    a: b,
    b: a,
    older: swappedOlder,
    kinds: Object.fromEntries(swapped) as ContextDifference["kinds"],
  };
}

it("one context alone has the differences that it has among all", async () => {
  const open = (name: string) => openStore(fixturePath(`core-0.11/${name}`, "db"));
  const both = async (options = {}) => {
    await using a = await open("node-a");
    await using c = await open("node-c");
    return (await diffByContext(rowsOfStore(a), rowsOfStore(c), options)).contexts;
  };
  const all = await both();
  for (const context of all.slice(0, 2))
    expect(await both({ contextId: fromHex(context.contextId) })).toEqual([context]);
});

it.each(["constructor", "toString", "__proto__"])("a column family may be called %s", async (name) => {
  using copy = copyOfDatabase("core-0.11/log");
  await addFamily(copy.path, name, [["key", "value"]]);
  await using a = await openStore(copy.path);
  await using b = await openStore(fixturePath("core-0.11/log", "db"));
  const { agree, summary } = await diffByContext(rowsOfStore(a), rowsOfStore(b));
  expect({ agree, onlyInA: summary.onlyInA }).toEqual({ agree: true, onlyInA: 1 });
});

it("a database that was copied while its node ran is the same", async () => {
  await using one = await openStore(fixturePath("core-0.11/node-a", "db"));
  await using other = await openStore(fixturePath("core-0.11/node-a-live", "db"));
  const { contexts, summary } = await diffByContext(rowsOfStore(one), rowsOfStore(other));
  expect(summary).toMatchObject({ a: 1011, b: 1011, onlyInA: 0, onlyInB: 0, different: 0 });
  expect(contexts.map((context) => sentencesOf(context))).toEqual(Array(7).fill(["equal"]));
});

describe("two nodes that agree", () => {
  it.each(["healed", "parted"])("agree on every context, however each came by it: %s", async (moment) => {
    using a = appsDatabase(`${moment}-n1`);
    using b = appsDatabase(`${moment}-n2`);
    await using one = await openStore(a.path);
    await using other = await openStore(b.path);
    const { contexts, agree } = await diffByContext(rowsOfStore(one), rowsOfStore(other));
    expect(contexts.length).toBeGreaterThan(9);
    expect(contexts.filter(({ agree }) => !agree)).toEqual([]);
    expect(agree).toBe(true);
  });

  it("do not agree on what one wrote apart from the other", async () => {
    using a = appsDatabase("parted-n1");
    using b = appsDatabase("parted-n3");
    await using one = await openStore(a.path);
    await using other = await openStore(b.path);
    const { contexts, agree } = await diffByContext(rowsOfStore(one), rowsOfStore(other));
    expect(agree).toBe(false);
    const trees = contexts.find(({ contextId }) => contextId === appsId("contexts", "trees"));
    expect(trees?.agree).toBe(false);
    expect(sentencesOf(trees as ContextDifference, ["n1", "n3"])).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^n3 lacks \d+ deltas after/),
        expect.stringMatching(/^n1 lacks \d+ deltas after/),
      ]),
    );
    const words = contexts.find(({ contextId }) => contextId === appsId("contexts", "words"));
    expect(words?.agree).toBe(true);
  });

  it("do not agree where one lost a delta that nothing follows, or an entry", async () => {
    for (const column of ["Delta", "State"]) {
      using folder = copyOfDatabase("core-0.11/node-a");
      await using one = await openStore(fixturePath("core-0.11/node-a", "db"));
      const lobby = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
      const heads = (
        (await one.get(new ContextMeta({ contextId: fromHex(lobby) }))) as {
          readonly dagHeads: readonly Uint8Array[];
        }
      ).dagHeads;
      const lost = fixtureRows("core-0.11/node-a").find(
        (row) =>
          row.column === column &&
          row.parts?.contextId === lobby &&
          (column === "Delta"
            ? row.parts?.deltaId === toHex(heads[0] as Uint8Array)
            : typeof row.decoded === "string"),
      ) as FixtureRow;
      {
        await using other = await openStore(folder.path, { writable: true });
        await other.raw.write([{ type: "delete", column, key: fromHex(lost.key) }]);
      }
      await using other = await openStore(folder.path);
      const { contexts, agree } = await diffByContext(rowsOfStore(one), rowsOfStore(other));
      expect(agree).toBe(false);
      expect(contexts.filter(({ agree }) => !agree).map(({ contextId }) => contextId)).toEqual([lobby]);
    }
  });
});
