/** Options without effect and files of the wrong kind are refused with a sentence. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fixturePath } from "../../support/fixtures.js";
import { linesOf, played } from "../run.js";

const db = fixturePath("core-0.11/node-a", "db");
const manifest = fixturePath("abi/core-0.11/kv-store.json");
const folder = mkdtempSync(join(tmpdir(), "merostore-"));
const text = join(folder, "file.txt");
writeFileSync(text, "hello\n");
afterAll(() => rmSync(folder, { recursive: true }));

async function refusal(...words: readonly string[]): Promise<string> {
  const { status, stderr } = await played(0, ...words);
  expect(status).toBe(2);
  return stderr.trim();
}

describe("an option that has no effect is refused", () => {
  it.each([
    [
      "diff --abi goes with --by context",
      ["diff", db, db, "--abi", manifest],
      "--abi goes with --by context or --at",
    ],
    [
      "diff --by group --abi",
      ["diff", db, db, "--by", "group", "--abi", manifest],
      "--abi goes with --by context or --at",
    ],
    [
      "abi --service of a context",
      ["abi", db, "lobby", "--service", "x"],
      "--service goes with a file: a context runs one service",
    ],
    [
      "abi --blobs of a file",
      ["abi", manifest, "--blobs", folder],
      "--blobs goes with a context: a file has its own manifest",
    ],
    ["log --own of a context", ["log", db, "lobby", "--own"], "--own is for groups, and lobby is a context"],
    [
      "log --explain of a context",
      ["log", db, "lobby", "--explain", "38ec7407"],
      "--explain is for groups, and lobby is a context",
    ],
    [
      "log --abi of a group",
      ["log", db, "office", "--abi", manifest],
      "--abi is for contexts, and office is a namespace",
    ],
    [
      "log --own --since",
      ["log", db, "office", "--own", "--since", "2026-01-01"],
      "--since cannot be used with --own: a group's own log has no times",
    ],
    [
      "export with two contexts",
      ["export", db, "--context", "lobby", "--context", "private"],
      "--context is given twice, with two values; see merostore export --help",
    ],
    [
      "bisect with a condition and --entry",
      ["bisect", db, "lobby", "items = {}", "--entry", "items"],
      "give a condition or --entry, not both",
    ],
    [
      "state --json --metadata",
      ["state", db, "lobby", "--json", "--metadata"],
      "option '--metadata' cannot be used with option '--json'; see merostore state --help",
    ],
  ])("%s", async (_, words, told) => {
    expect(await refusal(...words)).toBe(`merostore: ${told}`);
  });
});

describe("commands that print rows as they are take no form of ids", () => {
  it.each(["export", "bundle", "metrics"])("%s", async (command) => {
    for (const option of ["--short", "--full", "--base58"])
      expect(await refusal(command, db, option)).toContain(`unknown option '${option}'`);
  });
});

describe("what a command cannot read is named", () => {
  it.each([
    ["a file that is not there", ["abi", join(folder, "no.wasm")], "does not exist"],
    ["a folder", ["abi", folder], "is a folder: name a context of the database too, or a file alone"],
    ["a folder as manifest", ["state", db, "lobby", "--abi", folder], "is not a file"],
    [
      "a text",
      ["abi", text],
      "is neither a WebAssembly module nor a bundle (.mpk) nor the JSON of a manifest",
    ],
    ["hints that are not there", ["state", db, "lobby", "--hints", join(folder, "no")], "does not exist"],
  ])("%s", async (_, words, told) => {
    const said = await refusal(...words);
    expect(said.split("\n").at(-1)).toMatch(/^merostore: \//);
    expect(said.endsWith(told)).toBe(true);
  });

  it("a name that nothing has", async () => {
    const { status, stderr } = await played(0, "log", db, "qqqqqqqq");
    expect(status).toBe(1);
    expect(stderr).toContain("no namespace, group or context in the database has");
  });

  it("an empty text to find", async () => {
    expect(await refusal("find", db, "")).toBe(
      "merostore: name an id, a name or a text: every row has an empty one",
    );
  });
});

it("a limit of JSON says how much it left out", async () => {
  const { status, stdout } = await played(
    0,
    "state",
    db,
    "lobby",
    "--json",
    "--limit",
    "2",
    "--abi",
    manifest,
  );
  expect(status).toBe(0);
  expect(JSON.parse(stdout).state.items.$more).toBe(146);
});

it("diff says that the application's data is equal", async () => {
  const words = ["--by", "context", "--context", "lobby", "--abi", manifest];
  const { status, stdout } = await played(0, "diff", db, db, ...words);
  expect(status).toBe(0);
  expect(linesOf(stdout)).toContain("    the application's data is equal");
});
