/** Figures in documents that follow from the repository. Others are measurements, with their date, or left out. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { allRules } from "../../src/verify/index.js";
import { databases, fixturePath, vectors } from "../support/fixtures.js";

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

const rowsOf = (name: string): string =>
  databases.find((one) => one.name === name)?.rows.toLocaleString("en-US") ?? "none";

it("the numbers of databases and vectors are those of the fixtures", () => {
  const all = ["documented", "core-0.10", "core-0.11"].flatMap((revision) => vectors(revision)).length;
  const number = all.toLocaleString("en-US");
  expect(read("README.md")).toContain(`Rows of ${databases.length} databases, and ${number} vectors,`);
  expect(databases.length).toBe(15);
  expect(read("docs/trust.md")).toContain("**Databases.** Fifteen databases");
  expect(read("docs/trust.md")).toContain(`**Vectors.** ${number} vectors`);
});

it("the number of databases in the formats of RocksDB is that of the fixtures", () => {
  const formats = JSON.parse(readFileSync(fixturePath("formats/formats.json"), "utf8")) as unknown[];
  expect(read("docs/trust.md")).toContain(`of ${formats.length} databases in\n  every format`);
});

it("the rows of examples are those of the node that they are of", () => {
  const rows = rowsOf("core-0.11/node-a");
  expect(read("docs/verify.md")).toContain(`${rows} rows read as core-0.11`);
  expect(read("packages/explorer/src/views/start/start.tsx")).toContain(`7 contexts, ${rows} rows.`);
});

it("no document counts the rules", () => {
  for (const name of ["README.md", "CHANGELOG.md", "docs/verify.md", "docs/trust.md"])
    expect(read(name)).not.toMatch(new RegExp(`\\b(?:${allRules.length}|1\\d\\d) rules\\b`));
});
