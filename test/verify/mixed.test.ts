/** A database of nodes of two versions: each family of rows is checked as the revision that it shows. */
import { expect, it } from "vitest";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import { core011 } from "../../src/schemas/index.js";
import { storeOn } from "../../src/store/index.js";
import { verifyStore } from "../../src/verify/index.js";
import { fixtureRows } from "../support/fixtures.js";
import { putsOf } from "../support/transfer.js";

it("is found right where each part is, and what lies between the revisions is left alone", async () => {
  const rows = [
    ...fixtureRows("core-0.10/node-a").filter(({ column }) => column !== "Group"),
    ...fixtureRows("core-0.11/node-a").filter(({ column }) => column === "Group" || column === "UnifiedOp"),
  ];
  const engine = openMemoryEngine({ columns: core011.columns });
  await engine.write(putsOf(rows));
  const store = await storeOn(engine);
  expect(store.schema.name).toBe("mixed");
  const { revision, errors, warnings, rules } = await verifyStore(store).summary();
  const checked = (name: string) => rules.find(({ rule }) => rule === name)?.checked;
  expect({ revision, errors, warnings }).toEqual({ revision: "mixed", errors: 0, warnings: 0 });
  expect(["delta-id", "action-signature", "identity-key"].map(checked)).toEqual([127, 6, 3]);
  expect(["namespace-operation-id", "unified-operation", "node-key"].map(checked)).toEqual([39, 78, 13]);
  // State has no mark of its own and counts as the newest revision's; its indexes are read in either layout.
  expect(["root-hash", "full-hash", "child-hash"].map(checked)).toEqual([3, 130, 127]);
});
