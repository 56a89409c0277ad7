/** The rows of real nodes follow from their signed operations. An independent program counted them by kind. */
import { describe, expect, it } from "vitest";
import { type ReplayFact, replayFacts } from "../../../src/node/replay/index.js";
import { openStore } from "../../../src/store/index.js";
import { fixturePath } from "../../support/fixtures.js";
import { listOf } from "../../support/lists.js";

/** By kind: rows that equal the replay, rows that something else explains, and the rest. */
type Counts = Readonly<Record<string, readonly [equal: number, explained: number, rest: number]>>;

async function factsOf(fixture: string): Promise<readonly ReplayFact[]> {
  await using store = await openStore(fixturePath(fixture, "db"));
  return await listOf(replayFacts(store));
}

function countsOf(facts: readonly ReplayFact[]): Counts {
  const counts: Record<string, [number, number, number]> = {};
  for (const fact of facts) {
    if (fact.fact !== "row") continue;
    const { kind, status } = fact;
    counts[kind] ??= [0, 0, 0];
    const count = counts[kind];
    count[status === "proven" ? 0 : status === "explained" ? 1 : 2]++;
  }
  return counts;
}

/** Counts facts without those about rows and about keys that fit. */
const others = (facts: readonly ReplayFact[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const one of facts) {
    if (one.fact === "row" || one.fact === "replayed" || ("isEqual" in one && one.isEqual)) continue;
    counts[one.fact] = (counts[one.fact] ?? 0) + 1;
  }
  return counts;
};

const sum = (facts: readonly ReplayFact[], field: "operations" | "logged"): number =>
  facts.reduce((total, fact) => total + (fact.fact === "replayed" ? fact[field] : 0), 0);

const members = {
  GroupDeniedMember: [2, 0, 0],
  GroupInheritedDeniedMember: [1, 0, 0],
  GroupMemberCapability: [1, 0, 0],
  GroupReentryBlock: [2, 0, 0],
  GroupSubgroupVis: [2, 0, 0],
  GroupContextMetadata: [1, 0, 0],
  GroupParentRef: [2, 0, 0],
  GroupChildIndex: [2, 0, 0],
} as const;

const nodeA: Counts = {
  ...members,
  GroupMeta: [8, 0, 0],
  GroupMember: [10, 0, 0],
  GroupDefaultCaps: [6, 0, 0],
  // No operation has the names that were given when the groups were made.
  GroupMetadata: [1, 7, 0],
  GroupContextIndex: [7, 0, 0],
  ContextGroupRef: [7, 0, 0],
  GroupDeviceBinding: [8, 0, 0],
  GroupAccountKey: [8, 0, 0],
  GroupAccountEndorser: [8, 0, 0],
  GroupKeyEntry: [2, 8, 0],
  NamespaceParticipation: [6, 0, 0],
  GroupLocalGovNonceWindow: [9, 0, 0],
  GroupOpHead: [8, 0, 0],
  NamespaceGovHead: [6, 0, 0],
};

const nodeC: Counts = {
  ...members,
  GroupMeta: [3, 0, 0],
  GroupMember: [5, 0, 0],
  GroupDefaultCaps: [1, 0, 0],
  GroupMetadata: [1, 0, 0],
  GroupContextIndex: [2, 0, 0],
  ContextGroupRef: [2, 0, 0],
  GroupConsumedInvitation: [1, 0, 0],
  GroupDeviceBinding: [3, 0, 0],
  GroupAccountKey: [3, 0, 0],
  GroupAccountEndorser: [3, 0, 0],
  GroupKeyEntry: [0, 3, 0],
  NamespaceParticipation: [1, 0, 0],
  GroupLocalGovNonceWindow: [4, 0, 0],
  GroupOpHead: [3, 0, 0],
  NamespaceGovHead: [1, 0, 0],
};

const nodes: readonly (readonly [
  fixture: string,
  operations: number,
  logged: number,
  hashes: number,
  counts: Counts,
])[] = [
  ["core-0.11/node-a", 39, 20, 2, nodeA],
  ["core-0.11/node-a-live", 39, 20, 2, nodeA],
  ["core-0.11/node-b", 29, 15, 2, { ...nodeC, GroupKeyEntry: [2, 3, 0] }],
  ["core-0.11/node-c", 29, 15, 2, nodeC],
  [
    "core-0.10/node-a",
    14,
    7,
    7,
    {
      GroupMeta: [5, 0, 0],
      // A row that this node made when it answered a request to join.
      GroupMember: [3, 1, 0],
      GroupMemberCapability: [1, 0, 0],
      GroupDefaultCaps: [3, 0, 0],
      GroupDefaultVis: [1, 0, 0],
      GroupAlias: [0, 5, 0],
      GroupContextAlias: [1, 0, 0],
      GroupContextIndex: [3, 0, 0],
      ContextGroupRef: [3, 0, 0],
      NamespaceIdentity: [3, 1, 0],
      GroupSigningKey: [0, 3, 0],
      GroupKeyEntry: [0, 3, 0],
      GroupLocalGovNonce: [3, 0, 0],
      GroupOpHead: [3, 0, 0],
      NamespaceGovHead: [3, 0, 0],
    },
  ],
  [
    "core-0.10/node-b",
    6,
    0,
    0,
    {
      GroupMeta: [3, 0, 0],
      GroupMember: [1, 0, 0],
      GroupContextAlias: [1, 0, 0],
      GroupContextIndex: [1, 0, 0],
      ContextGroupRef: [1, 0, 0],
      NamespaceIdentity: [1, 0, 0],
      GroupSigningKey: [0, 1, 0],
      GroupKeyEntry: [0, 1, 0],
      GroupLocalGovNonce: [1, 0, 0],
      NamespaceGovHead: [1, 0, 0],
    },
  ],
];

describe.each(nodes)("%s", (fixture, operations, logged, hashes, counts) => {
  it("has the rows that its operations lead to, and no others", async () => {
    const facts = await factsOf(fixture);
    expect(countsOf(facts)).toEqual(counts);
    expect(others(facts)).toEqual({});
    expect([sum(facts, "operations"), sum(facts, "logged")]).toEqual([operations, logged]);
    expect(facts.filter((fact) => fact.fact === "hash")).toHaveLength(hashes);
  });
});

/** The remaining rows, in short. */
function restOf(facts: readonly ReplayFact[]): readonly string[] {
  return facts
    .flatMap((fact) => {
      if (fact.fact === "unnamed group") return [`${fact.kind} unnamed`];
      if (fact.fact !== "row" || fact.status === "proven" || fact.status === "explained") return [];
      return [`${fact.kind} ${fact.status}${fact.fields.length > 0 ? `: ${fact.fields}` : ""}`];
    })
    .toSorted();
}

describe("databases with every operation, written by the crates of the node", () => {
  it.each(["log", "log-and-tables", "tables"])(
    "core-0.11/%s: all but what the program wrote over",
    async (name) => {
      const facts = await factsOf(`core-0.11/${name}`);
      expect(restOf(facts)).toEqual([
        "ContextServiceName without operation",
        "GroupContextMemberCap without operation",
        "GroupMeta unnamed",
        "GroupUpgradeKey differs: migration,cascadeHlc,toStateVersion",
        "GroupUpgradeLadder differs: rungs",
        "GroupUpgradeLadder differs: rungs",
        "GroupUpgradeLadder differs: rungs",
      ]);
      expect(facts.filter((fact) => fact.fact === "hash" && fact.isEqual)).toHaveLength(4);
    },
  );

  it.each(["log-and-tables", "tables"])(
    "core-0.10/%s: all but what the program wrote over or removed",
    async (name) => {
      const facts = await factsOf(`core-0.10/${name}`);
      expect(restOf(facts)).toEqual([
        "GroupDefaultVis without operation",
        "GroupMember unconfirmed",
        "GroupMember without operation",
        "GroupMember without operation",
        "GroupMember without operation",
        "GroupMemberAlias missing",
        "GroupMemberCapability without operation",
        "GroupMeta differs: upgradePolicy,autoJoin",
        "GroupMeta unnamed",
      ]);
      expect(facts.filter((fact) => fact.fact === "hash" && fact.isEqual)).toHaveLength(46);
    },
  );
});
