/** Examples of README and of the Ledger's document are JavaScript: they run in every Node that the package supports. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { blocksOf } from "./examples.js";

const folder = mkdtempSync(join(tmpdir(), "merostore-plain-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([...blocksOf("README.md", "ts"), ...blocksOf("packages/ledger/docs/ledger.md", "ts")])(
  "$name",
  ({ text }) => {
    const path = join(folder, "example.mjs");
    writeFileSync(path, text);
    expect(`${execFileSync(process.execPath, ["--check", path])}`).toBe("");
    // Syntax that newer versions of Node accept, and older ones do not.
    expect(text).not.toMatch(/\busing\b/);
  },
);
