/** The rows of databases of core-0.10 that a node of core-0.11 reads: the counts that the node's own types gave. */
import { expect, it } from "vitest";
import { checkUpgrade } from "../../src/convert/index.js";
import { names, source } from "./support.js";

/** Rows of the three databases: read, missed, unreadable, unused. */
const COUNTS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  ContextMeta: [9, 0, 0, 0],
  ContextConfig: [9, 0, 0, 0],
  ContextIdentity: [0, 0, 13, 0],
  "ContextState index rows": [0, 0, 329, 0],
  "ContextState entry rows": [318, 0, 0, 0],
  ContextPrivateState: [6, 0, 0, 0],
  ContextDagDelta: [0, 0, 264, 0],
  BlobMeta: [0, 0, 51, 0],
  ApplicationMeta: [0, 0, 10, 0],
  Alias: [13, 0, 0, 0],
  Generic: [6, 0, 0, 0],
  GroupMeta: [0, 0, 16, 0],
  GroupMember: [0, 0, 27, 0],
  GroupContextIndex: [9, 0, 0, 0],
  ContextGroupRef: [9, 0, 0, 0],
  GroupUpgradeKey: [0, 0, 4, 0],
  GroupSigningKey: [0, 0, 0, 7],
  GroupMemberCapability: [0, 10, 0, 0],
  GroupDefaultCaps: [7, 0, 0, 0],
  GroupDefaultVis: [4, 0, 0, 0],
  GroupContextLastMigration: [0, 0, 0, 3],
  GroupLocalGovNonce: [0, 0, 0, 13],
  GroupMemberAlias: [0, 0, 7, 0],
  GroupAlias: [0, 0, 8, 0],
  GroupContextAlias: [0, 0, 5, 0],
  GroupOpLog: [0, 0, 58, 0],
  GroupOpHead: [0, 7, 0, 0],
  GroupMemberContext: [0, 3, 0, 0],
  GroupContextMemberCap: [0, 2, 0, 0],
  GroupParentRef: [3, 0, 0, 0],
  GroupChildIndex: [3, 0, 0, 0],
  NamespaceIdentity: [0, 0, 8, 0],
  NamespaceGovOp: [1, 0, 112, 0],
  NamespaceGovHead: [0, 7, 0, 0],
  GroupKeyEntry: [12, 0, 0, 0],
};

it("counts what the types of core-0.11 read, kind by kind", async () => {
  const sums: Record<string, number[]> = {};
  let rows = 0;
  let read = 0;
  for (const name of names) {
    const checked = await checkUpgrade(source(name), { to: "core-0.11" });
    rows += checked.rows;
    read += checked.read;
    for (const { kind, part, read, missed, unreadable, unused, rows, means } of checked.kinds) {
      const key = part === undefined ? `${kind}` : `${kind} ${part}`;
      const counts = [read, missed, unreadable, unused];
      sums[key] = counts.map((count, at) => count + (sums[key]?.[at] ?? 0));
      expect(counts.reduce((sum, count) => sum + count)).toBe(rows);
      expect(means).toMatch(/^[A-Z].*\.$/);
    }
  }
  expect(sums).toEqual(COUNTS);
  expect([rows, read]).toEqual([1373, 409]);
});
