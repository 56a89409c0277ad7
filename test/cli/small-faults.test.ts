/** Mistakes of a new user: each is named, with what to do, and no file is lost. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/fixtures.js";
import { linesOf, onTerminal, played, sharedCopy } from "./run.js";

const db = sharedCopy("core-0.10/tables");
const NOBODY = "ab".repeat(32);

/** Runs a command that writes to a pipe; its errors are reported. */
const run = (...words: readonly string[]) => played(0, ...words);

describe("export -o onto a file that is there", () => {
  it("keeps the file if the new export lacks values", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "node.ndjson");
    await run("export", db, "--reveal-secrets", "-o", file);
    const before = readFileSync(file);
    const { status, stderr } = await run("export", db, "-o", file);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^merostore: .*node\.ndjson was kept: the new export lacks \d+ values; add --reveal-secrets .*\n$/,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder.path)).toEqual(["node.ndjson"]);
    expect((await run("export", db, "--without-secrets", "-o", file)).status).toBe(0);
    expect(readFileSync(file).equals(before)).toBe(false);
  });

  it("keeps the file if no row is selected", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "node.ndjson");
    writeFileSync(file, "before");
    const outcome = await run("export", db, "--context", NOBODY, "-o", file);
    expect(outcome).toMatchObject({ status: 1, stderr: expect.stringMatching(/no row names .* was kept\n$/) });
    expect(readFileSync(file, "utf8")).toBe("before");
  });
});

it.each([
  ["verify", [db], "--context", "context"],
  ["diff", [db, db], "--context", "context"],
  ["diff", [db, db], "--group", "group"],
  ["diff", [db, db, "--by", "context"], "--context", "context"],
  ["export", [db], "--context", "context"],
  ["export", [db], "--group", "group"],
] as const)("%s remarks that no row names the id of %s", async (command, words, option, what) => {
  const { status, stderr } = await run(command, ...words, option, NOBODY);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `merostore: no row names the ${what} ${NOBODY}\n`,
  });
});
