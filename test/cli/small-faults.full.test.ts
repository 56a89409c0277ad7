/** Mistakes of a new user: each is named with a remedy, and no file is lost. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { counted } from "../../src/bytes/quantity.js";
import { copyOfDatabase, fixtureRows, temporaryFolder } from "../support/fixtures.js";
import { main, onTerminal, played, sharedCopy } from "./run.js";

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
    expect(outcome).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no row names .* was kept\n$/),
    });
    expect(readFileSync(file, "utf8")).toBe("before");
  });
});

it.each([
  ["verify", [db], "--context", "context"],
  ["diff", [db, db, "--rows"], "--context", "context"],
  ["diff", [db, db, "--rows"], "--group", "group"],
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

it.each([
  ["a part without its name", ["scan", db, "GroupMember", NOBODY], /write parts as part=value: groupId=ID/],
  ["a column family in the place of a kind", ["scan", db, "State"], /: write --column State\n/],
  ["a type that does not exist", ["explain", "--type", "Nope", "01"], /"merostore schema" lists all\n/],
  [
    "a database in the place of bytes",
    ["explain", db, "Meta", "zz"],
    /explain opens no database, .*merostore show /,
  ],
  ["a database in the place of a kind", ["schema", db], /"merostore status .* --rows" prints the revision/],
  ["stdin in the place of an export", ["import", "-", "x"], /not read from stdin: write it to a file/],
  ["no value to put", ["ledger", "put", "x", "k"], /as VALUE \(- reads stdin\)/],
  ["stdin in the place of a file", ["ledger", "put", "x", "k", "--file", "-"], /write - as VALUE/],
] as const)("names %s", async (_, words, says) => {
  const { status, stderr } = await run(...words);
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(says) });
});

it("scan remarks on a terminal that there are no rows", async () => {
  const words = ["scan", db, "GroupMember", `groupId=${NOBODY}`];
  expect(await onTerminal(...words)).toEqual({ status: 0, stdout: "", stderr: "merostore: no rows\n" });
  expect(await run(...words)).toEqual({ status: 0, stdout: "", stderr: "" });
});

it("export packs a file whose name ends in .gz, and import names one that is not packed", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "node.ndjson.gz");
  await run("export", db, "--column", "Meta", "--reveal-secrets", "-o", file);
  expect([...readFileSync(file).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  writeFileSync(file, "garbage");
  const outcome = await run("import", file, join(folder.path, "db"));
  expect(outcome.status).toBe(3);
  expect(outcome.stderr).toMatch(/node\.ndjson\.gz: it is not packed with gzip, and line 1 /);
});

it("info counts the rows that are not damaged", async () => {
  using copy = copyOfDatabase("core-0.11/tables");
  const state = fixtureRows("core-0.11/tables").find(({ column }) => column === "State");
  for (const file of readdirSync(copy.path).filter((name) => name.endsWith(".sst"))) {
    const bytes = readFileSync(join(copy.path, file));
    const at = bytes.indexOf(Buffer.from(state?.value.slice(0, 64) ?? "", "hex"));
    if (at < 0) continue;
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(join(copy.path, file), bytes);
  }
  const { status, stdout, stderr } = await run("status", "--rows", copy.path, "--json");
  expect(status).toBe(3);
  expect(stderr).toMatch(/\.sst at byte \d+ is damaged/);
  const { columns } = JSON.parse(stdout) as { columns: { column: string; rows: number; error?: string }[] };
  expect(columns.find(({ column }) => column === "State")?.error).toMatch(/damaged/);
  expect(columns.find(({ column }) => column === "Group")).toMatchObject({ rows: expect.any(Number) });
  expect(columns.find(({ column }) => column === "Group")).not.toHaveProperty("error");
  const shown = await played(120, "status", "--rows", copy.path);
  expect(shown.stdout).toMatch(/\nState .*damaged: the rest cannot be read\n/);
});

it("counts of one are singular", async () => {
  using folder = temporaryFolder();
  const { stderr } = await run("backup", db, join(folder.path, "copy"));
  expect(stderr).not.toMatch(/\b1 \w+s\b/);
  expect([counted(1, "page"), counted(0, "page"), counted(1044, "row")]).toEqual([
    "1 page",
    "0 pages",
    "1,044 rows",
  ]);
});

it.runIf(process.platform === "linux")("a disk without room leaves no file beside a database", () => {
  using copy = copyOfDatabase("core-0.10/tables");
  const before = readdirSync(copy.path);
  const limited = 'trap "" XFSZ; ulimit -f 0; exec "$@"';
  const { status, stderr } = spawnSync(
    "sh",
    [
      "-c",
      limited,
      "sh",
      process.execPath,
      main,
      "put",
      copy.path,
      "GroupAlias",
      `groupId=${NOBODY}`,
      "--value",
      '"dev"',
    ],
    { encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([3, expect.stringMatching(/cannot be opened for writing: EFBIG/)]);
  expect(readdirSync(copy.path)).toEqual(before);
});
