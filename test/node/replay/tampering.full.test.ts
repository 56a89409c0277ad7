/** Rows are removed, changed or added one at a time: the numbers that a replay notices, by kind. */
import { afterAll, describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { equalBytes } from "../../../src/bytes/order.js";
import { type ReplayFact, replayFacts } from "../../../src/node/replay/index.js";
import { core010, core011, type Schema } from "../../../src/schemas/index.js";
import type { Store } from "../../../src/store/index.js";
import { fixtureRows } from "../../support/fixtures.js";
import { inMemory } from "../../verify/altered.js";

type Fields = Readonly<Record<string, unknown>>;

const bytesChanged = (value: unknown): Uint8Array =>
  Uint8Array.from(value as Uint8Array, (byte, at) => (at === 0 ? byte ^ 1 : byte));

/** A meaningful change of a row of a kind. */
const changes: Readonly<Record<string, (value: Fields) => unknown>> = {
  GroupMeta: (value) => ({ ...value, adminIdentity: bytesChanged(value.adminIdentity) }),
  GroupMember: (value) => ({ ...value, role: value.role === "Admin" ? "Member" : "Admin" }),
  GroupMemberCapability: (value) => ({ capabilities: (value.capabilities as number) ^ 8 }),
  GroupDefaultCaps: (value) => ({ capabilities: (value.capabilities as number) ^ 8 }),
  GroupSubgroupVis: (value) => ({ mode: value.mode === 0 ? 1 : 0 }),
  GroupDefaultVis: (value) => ({ mode: value.mode === 0 ? 1 : 0 }),
  GroupContextMetadata: (value) => ({ ...value, name: "another" }),
  GroupMetadata: (value) => ({ ...value, name: "another" }),
  GroupContextAlias: () => "another",
  ContextGroupRef: bytesChanged,
  GroupParentRef: bytesChanged,
  GroupReentryBlock: (value) => ({ reason: value.reason === "Left" ? "Removed" : "Left" }),
  GroupDeviceBinding: (value) => ({ ...value, signPk: bytesChanged(value.signPk) }),
  GroupAccountKey: (value) => ({ ...value, rootPk: bytesChanged(value.rootPk) }),
  GroupLocalGovNonceWindow: (value) => ({ ...value, floor: (value.floor as bigint) + 7n }),
  GroupOpHead: (value) => ({ ...value, sequence: (value.sequence as bigint) + 1n }),
  NamespaceGovHead: (value) => ({ ...value, dagHeads: [new Uint8Array(32)] }),
  // The epoch of a key that came by a rotation.
  GroupKeyEntry: (value) => ({ ...value, ...("epoch" in value && { epoch: (value.epoch as bigint) + 1n }) }),
};

/** Kinds whose key ends with a member, context or device: a row of another one can be added. */
const added = [
  "GroupMember",
  "GroupMemberCapability",
  "GroupContextIndex",
  "GroupChildIndex",
  "GroupDeniedMember",
  "GroupInheritedDeniedMember",
  "GroupReentryBlock",
  "GroupConsumedInvitation",
  "GroupContextMetadata",
  "GroupContextAlias",
  "GroupDeviceBinding",
  "GroupAccountKey",
  "GroupAccountEndorser",
  "GroupLocalGovNonceWindow",
];

/** The deviations, in short. */
async function noticed(store: Store): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  for await (const fact of replayFacts(store)) {
    const text = textOf(fact);
    if (text !== undefined) texts.add(text);
  }
  return texts;
}

function textOf(fact: ReplayFact): string | undefined {
  if (fact.fact === "row") {
    const { status, key } = fact;
    return status === "proven" || status === "explained" ? undefined : `${status} ${toHex(key.bytes)}`;
  }
  if (fact.fact === "replayed" || ("isEqual" in fact && fact.isEqual)) return undefined;
  return JSON.stringify(fact, (_, value) => (typeof value === "bigint" ? `${value}` : value));
}

/** Found and tried. */
type Tally = Record<"removed" | "changed" | "added", [found: number, tried: number]>;

async function tamper(fixture: string, schema: Schema): Promise<Readonly<Record<string, Tally>>> {
  const store = (await inMemory(fixture, schema)) as unknown as Store;
  expect(await noticed(store)).toEqual(new Set());
  const tallies: Record<string, Tally> = {};
  const attempt = async (
    kind: string,
    what: keyof Tally,
    key: Uint8Array,
    value: Uint8Array | undefined,
  ): Promise<void> => {
    tallies[kind] ??= { removed: [0, 0], changed: [0, 0], added: [0, 0] };
    const tally = tallies[kind];
    const before = await store.raw.get("Group", key);
    const set = (bytes: Uint8Array | undefined) =>
      store.raw.write([
        bytes === undefined
          ? { type: "delete", column: "Group", key }
          : { type: "put", column: "Group", key, value: bytes },
      ]);
    await set(value);
    tally[what][1]++;
    if ((await noticed(store)).size > 0) tally[what][0]++;
    await set(before);
  };
  for (const { column, key: keyHex, value: valueHex } of fixtureRows(fixture)) {
    const [key, value] = [fromHex(keyHex), fromHex(valueHex)];
    const row = schema.identify(column, key);
    if (column !== "Group" || row === undefined) continue;
    const { KIND } = row.key;
    const change = changes[KIND];
    if (change === undefined && !added.includes(KIND)) continue;
    await attempt(KIND, "removed", key, undefined);
    const other = change && row.value.encode(change(row.value.decode(value) as Fields));
    if (other !== undefined && !equalBytes(other, value)) await attempt(KIND, "changed", key, other);
    if (!added.includes(KIND)) continue;
    const foreign = Uint8Array.from(key);
    foreign.set(new Uint8Array(32).fill(0xa7), foreign.length - 32);
    await attempt(KIND, "added", foreign, value);
  }
  await store.close();
  return tallies;
}

const lines: string[] = [];
afterAll(() => console.log(["found of tried: removed, changed, added", ...lines].join("\n")));

describe.each([
  ["core-0.11/node-a", core011],
  ["core-0.11/node-b", core011],
  ["core-0.11/node-c", core011],
  ["core-0.10/node-a", core010],
  ["core-0.10/node-b", core010],
] as const)("%s", (fixture, schema) => {
  it("does not go unnoticed", async () => {
    const tallies = await tamper(fixture, schema as unknown as Schema);
    const missed: Record<string, readonly string[]> = {};
    for (const [kind, tally] of Object.entries(tallies).toSorted()) {
      const counts = (["removed", "changed", "added"] as const).map((what) => tally[what]);
      lines.push(`${fixture} ${kind}: ${counts.map(([found, tried]) => `${found}/${tried}`).join(", ")}`);
      const gaps = (["removed", "changed", "added"] as const).filter(
        (what) => tally[what][0] < tally[what][1],
      );
      if (gaps.length > 0) missed[kind] = gaps.map((what) => `${what} ${tally[what].join(" of ")}`);
    }
    expect(missed).toEqual(unprovable[fixture]);
  });
});

/** Facts that no operation proves, so that nobody can tell. */
const unprovable: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "core-0.11/node-a": {
    // Nothing was encrypted under this key.
    GroupKeyEntry: ["removed 9 of 10"],
    // Seven of the names were given when the groups were made, on this node alone.
    GroupMetadata: ["removed 1 of 8", "changed 1 of 8"],
  },
  "core-0.11/node-b": {
    // A node keeps a used invitation or not, depending on who added the member.
    GroupConsumedInvitation: ["removed 0 of 1"],
    GroupKeyEntry: ["removed 4 of 5"],
  },
  "core-0.11/node-c": {
    GroupConsumedInvitation: ["removed 0 of 1"],
    GroupKeyEntry: ["removed 2 of 3"],
  },
  "core-0.10/node-a": {},
  "core-0.10/node-b": {},
};
