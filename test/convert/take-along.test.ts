/** The parts of older databases that a node of core-1.0 can be given. */
import { expect, it } from "vitest";
import { type TakeAlong, takeAlong } from "../../src/convert/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath, fixtureRows } from "../support/fixtures.js";

const rowsOf = ({ parts }: TakeAlong) => Object.fromEntries(parts.map(({ part, rows }) => [part, rows]));

it.each(["core-0.10/node-a", "core-0.10/node-b", "core-0.11/node-a", "core-0.11/node-c"])(
  "every row of %s belongs to one part",
  async (name) => {
    await using store = await openStore(fixturePath(name, "db"));
    const found = await takeAlong(store);
    const rows = fixtureRows(name);
    expect(found.rows).toBe(rows.length);
    expect(Object.values(rowsOf(found)).reduce((sum, count) => sum + count)).toBe(rows.length);
    const of = (...kinds: readonly string[]) => rows.filter(({ kind }) => kinds.includes(`${kind}`)).length;
    expect(rowsOf(found)).toMatchObject({
      blobs: of("BlobMeta"),
      applications: of("ApplicationMeta", "ApplicationPreviousBlob"),
      "application data": of("ContextState", "SortedIndex", "SortedIndexMeta"),
    });
    const history = [
      "ContextDagDelta",
      "GroupOpLog",
      "GroupOpHead",
      "NamespaceGovOp",
      "NamespaceGovHead",
      "ScopeUnifiedOp",
    ];
    expect(rowsOf(found).history).toBe(of(...history));
  },
);

it("no kind with content counts as bookkeeping", async () => {
  await using store = await openStore(fixturePath("core-0.11/every-kind-tables", "db"));
  const found = await takeAlong(store);
  const rest = found.parts.find(({ part }) => part === "everything else");
  expect(Object.keys(rest?.kinds ?? {}).sort()).toMatchInlineSnapshot(`
    [
      "AbsorbBufferKey",
      "ContextActivatedBlob",
      "ContextActivatedStateVersion",
      "ContextAuthoredRemaining",
      "ContextExecutingBlob",
      "ContextMigrationFailed",
      "ContextResyncRequested",
      "Generic",
      "GroupFleetCompletion",
      "GroupLocalGovNonceWindow",
      "GroupPendingDeviceRotation",
      "GroupPendingKeyRotation",
      "GroupUpgradeKey",
      "GroupUpgradeLadder",
      "NamespaceBootstrapInviter",
      "PendingSelfPurge",
    ]
  `);
  expect(found.parts.filter(({ taken }) => taken).map(({ commands }) => commands.length)).not.toContain(0);
});
