/** A slice of `npm run test:faults -- deletions`, and its subject: the list of rows that may be missing. */
import { expect, it } from "vitest";
import { importTypeScript } from "../../scripts/typescript.mjs";
import { fixturePath } from "../support/fixtures.js";
import { unnoticed } from "./deletions/unnoticed.js";

it("the deletion of a row of any kind is noticed, and of all rows of a kind, but for those that are listed", async () => {
  // Built code, as in the script, halves the time of verification.
  const { deleteRows } = await importTypeScript<typeof import("./deletions.js")>("test/faults/deletions.ts");
  const { rows, noticed, kinds, kindsNoticed, wrong } = await deleteRows(fixturePath(), 1, true);
  expect(wrong).toEqual([]);
  expect(rows).toBeGreaterThan(190);
  expect(noticed).toBeGreaterThan(120);
  expect(kinds).toBeGreaterThan(190);
  expect(kindsNoticed).toBeGreaterThan(120);
});

it("the list has the same reason for a kind in each revision", () => {
  const kinds = Object.values(unnoticed).flatMap((list) => Object.entries(list));
  for (const [kind, entry] of kinds)
    for (const [other, { why, only }] of kinds)
      if (other === kind) expect({ why, only }).toEqual({ only: undefined, ...entry });
});
