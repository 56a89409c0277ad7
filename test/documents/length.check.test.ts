/** Documents stay short enough to be read. Generated ones do not count. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

const textOf = (file: string): string => readFileSync(join(root, file), "utf8");
const wordsIn = (file: string): number => textOf(file).split(/\s+/).filter(Boolean).length;

/** The documents of a folder, without its subfolders. */
const documentsIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));

it("all documents together have at most 30,000 words", () => {
  const folders = [
    "docs",
    "bench",
    "packages/explorer",
    "packages/postgres",
    "packages/ledger",
    "packages/ledger/docs",
  ];
  const files = ["README.md", "CONTRIBUTING.md", ...folders.flatMap(documentsIn)];
  expect(files).toContain("packages/ledger/docs/ledger.md");
  expect(files.reduce((sum, file) => sum + wordsIn(file), 0)).toBeLessThanOrEqual(30_000);
});

it("CONTRIBUTING.md has at most 1,500 words", () => {
  expect(wordsIn("CONTRIBUTING.md")).toBeLessThanOrEqual(1500);
});

it("README.md has at most 90 lines", () => {
  expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(90);
});
