/** A slice of `npm run test:faults -- values`, and its subject: the list of fields that verification cannot see. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { importTypeScript } from "../../scripts/typescript.mjs";
import { fixturePath } from "../support/fixtures.js";
import { unnoticed } from "./deletions/unnoticed.js";
import { unseenDocument } from "./document.js";
import { entryOf } from "./values/unseen.js";
import { unseen } from "./values/unseen-fields.js";

it("a wrong value is found in every field of every kind of row, but for those that are listed", async () => {
  // Built code, as in the script, halves the time of verification.
  const { spoilEveryField } = await importTypeScript<typeof import("./values.js")>("test/faults/values.ts");
  const { cases, notCaught, wrong } = await spoilEveryField(fixturePath(), 1);
  expect(wrong).toEqual([]);
  expect(cases).toBeGreaterThan(500);
  expect(notCaught).toBeGreaterThan(100);
});

it("the list names fields by path, or everything in one", () => {
  expect(entryOf("core-0.10", "Alias", "")).toBe("core-0.10 Alias ");
  expect(entryOf("core-0.10", "ContextDagDelta", "id")).toBeUndefined();
  expect(entryOf("core-0.10", "ContextDagDelta", "hlc.time")).toBe("core-0.10 ContextDagDelta hlc.*");
  expect(entryOf("core-0.12", "Alias", "")).toBeUndefined();
  for (const kinds of Object.values(unseen))
    for (const fields of Object.values(kinds)) expect(fields).toEqual([...new Set(fields)].sort());
});

it("the documents match the lists", () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  expect(read("docs/reference/what-verify-cannot-see.md")).toBe(unseenDocument());
  const guide = read("docs/verify.md");
  for (const [revision, kinds] of Object.entries(unseen))
    expect(guide).toContain(`${Object.values(kinds).flat().length} of \`${revision}\``);
  expect(guide.replaceAll("\n", " ")).toContain(
    `${Object.keys(unnoticed["core-0.10"] ?? {}).length} kinds of \`core-0.10\` and ${Object.keys(unnoticed["core-0.11"] ?? {}).length} of \`core-0.11\``,
  );
});
