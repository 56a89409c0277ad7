/** Figures in documents that follow from the repository. Others are measurements, with their date, or left out. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MOST_BYTES } from "../../src/diff/large-values.js";
import { MEMORY_BYTES } from "../../src/sql/open.js";
import { LARGEST_ROW, LONGEST_LINE, MOST_COLUMNS } from "../../src/transfer/limits.js";
import { allRules } from "../../src/verify/index.js";
import { unnoticed } from "../faults/deletions/unnoticed.js";
import { unseen } from "../faults/values/unseen-fields.js";
import { databases, fixturePath, forms, vectors } from "../support/fixtures.js";

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
  const formats = forms;
  expect(read("docs/trust.md")).toContain(`of ${formats.length} databases in\n  every format`);
});

it("the rows of examples are rows of their node", () => {
  const rows = rowsOf("core-0.11/node-a");
  expect(read("docs/verify.md")).toContain(`${rows} rows read as core-0.11`);
  expect(read("packages/explorer/src/views/start/start.tsx")).toContain(`7 contexts, ${rows} rows.`);
});

it("the numbers of fields and rows that verify cannot see are those of the list", () => {
  const text = read("docs/verify.md").replace(/\s+/g, " ");
  const fields = (revision: string): number => Object.values(unseen[revision] ?? {}).flat().length;
  const rows = (revision: string): number => Object.keys(unnoticed[revision] ?? {}).length;
  expect(text).toContain(`${fields("core-0.10")} of \`core-0.10\`, ${fields("core-0.11")} of \`core-0.11\``);
  expect(text).toContain(`${fields("core-1.0")} of \`core-1.0\``);
  expect(text).toContain(
    `${rows("core-0.10")} kinds of \`core-0.10\` and ${rows("core-0.11")} of \`core-0.11\``,
  );
});

it("the numbers of the databases of core-1.0 are those of the fixtures", () => {
  const about = (name: string): Readonly<Record<string, number>> =>
    JSON.parse(readFileSync(fixturePath(`core-1.0/${name}/about.json`), "utf8"));
  const text = read("docs/trust.md").replace(/\s+/g, " ");
  const entities = about("state").entities?.toLocaleString("en-US");
  expect(text).toContain(
    `a state of ${entities} entities: all ${about("every-kind").rows?.toLocaleString("en-US")} rows`,
  );
  expect(text).toContain(`the same parts in ${entities} rows`);
});

it("limits are those of the code", () => {
  const mib = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;
  const text = read("docs/moving.md").replace(/\s+/g, " ");
  expect(text).toContain(
    `a row has at most ${mib(LARGEST_ROW)} (key and value), ${mib(LONGEST_LINE)} as a line`,
  );
  expect(text).toContain(`an export at most ${MOST_COLUMNS} column families`);
  expect(text).toContain(`A value of more than ${mib(MOST_BYTES)} is shown by its size`);
  expect(read("docs/sql.md").replace(/\s+/g, " ")).toContain(`DuckDB may use ${mib(MEMORY_BYTES)} of memory`);
});

it("no document counts the rules", () => {
  for (const name of ["README.md", "CHANGELOG.md", "docs/verify.md", "docs/trust.md"])
    expect(read(name)).not.toMatch(new RegExp(`\\b(?:${allRules.length}|1\\d\\d) rules\\b`));
});
