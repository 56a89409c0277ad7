/** `convert` and `upgrade-check` as they are typed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fixturePath, fixtureRows, temporaryFolder } from "../../support/fixtures.js";
import { cli, intoPipe, linesOf, played } from "../run.js";

const db = fixturePath("core-0.10/node-b", "db");
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const at = (name: string) => join(folder.path, name);

/** The secrets of the rows that are left behind or lose fields. */
function secrets(): readonly string[] {
  return fixtureRows("core-0.10/node-b").flatMap(({ kind, value, decoded }) => {
    if (kind === "GroupSigningKey") return [value];
    const { privateKey, senderKey } = (decoded ?? {}) as Readonly<Record<string, string | null>>;
    return [privateKey, senderKey].filter((secret) => typeof secret === "string");
  });
}

it("convert lists each kind with its reasons, keeps the rest in a file, and shows no secret", async () => {
  const { status, stdout, stderr } = await intoPipe("db", "convert", db, at("new"), "--to", "core-0.11");
  expect(status).toBe(0);
  expect(stderr).toBe(
    `merostore: 358 of 371 rows converted to ${at("new")}, which has 358 rows. 13 rows left behind, kept in ${at("new")}.left-behind.ndjson: it holds private keys, and only you can read it\n`,
  );
  expect(stdout).toMatch(/^Delta +ContextDagDelta +115 +115 +0$/m);
  expect(stdout).toMatch(/^Group +GroupMember +1 +0 +1$/m);
  expect(stdout).toContain("\n  1 row of GroupSigningKey: core-0.11 has no signing keys for groups\n");
  expect(stdout).toMatch(/\nconverted without fields:\n(.*\n)* {2}115 rows of ContextDagDelta: /);
  const kept = readFileSync(`${at("new")}.left-behind.ndjson`, "utf8");
  expect(secrets().length).toBeGreaterThan(3);
  for (const secret of secrets()) expect(`${stdout}${stderr}`).not.toContain(secret);
  for (const secret of secrets().slice(-1)) expect(kept).toContain(secret);
  const { stdout: info } = await intoPipe("status", "--rows", at("new"), "--json");
  expect(JSON.parse(info)).toMatchObject({ revision: "core-0.11" });
});

it("upgrade-check says what is lost, and does not write", async () => {
  const { status, stdout, stderr } = await intoPipe("upgrade-check", db, "--to", "core-0.11");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^merostore: a node of core-0.11 reads 118 of 371 rows\. Keep a backup/);
  expect(stdout).toMatch(/^Delta +ContextDagDelta +115 +0 +0 +115 +0$/m);
  expect(stdout).toContain("\n  GroupMember: Members of groups are not found, so nobody has a role.\n");
  const { stdout: json } = await intoPipe("upgrade-check", db, "--to", "core-0.11", "--json");
  const kinds = linesOf(json).map((line) => JSON.parse(line) as { kind: string; unreadable: number });
  expect(kinds.find(({ kind }) => kind === "BlobMeta")).toMatchObject({ rows: 6, unreadable: 6 });
});

it("upgrade-check for core-1.0 says what can be given to a node that starts from nothing", async () => {
  const words = ["upgrade-check", fixturePath("core-0.11/node-a", "db"), "--to", "core-1.0"];
  const { status, stdout, stderr } = await intoPipe(...words);
  expect(status).toBe(1);
  expect(stderr).toBe(
    "merostore: a node of core-1.0 converts nothing of core-0.11: start it with an empty database, and keep this one\n",
  );
  expect(stdout).toMatch(/^blobs +\d+ +can be given to the new node$/m);
  expect(stdout).toMatch(/^history +\d+ +stays behind$/m);
  expect(stdout).toContain("\n  merostore state DB CONTEXT --json\n");
  const { stdout: json } = await intoPipe(...words, "--json");
  const parts = linesOf(json).map((line) => JSON.parse(line) as { rows: number });
  expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(1011);
  const done = await intoPipe("upgrade-check", fixturePath("core-1.0/every-kind", "db"), "--to", "core-1.0");
  expect(done).toEqual({ status: 0, stdout: "", stderr: "merostore: the database is of core-1.0 already\n" });
});

it("upgrade-check counts no rows of a bundle that leaves out column families", async () => {
  await played(0, "bundle", db, "-o", at("bundle"));
  for (const revision of ["core-0.11", "core-1.0"]) {
    const { status, stdout, stderr } = await cli("upgrade-check", at("bundle"), "--to", revision);
    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(stderr).toContain("the bundle leaves out all rows of State");
  }
});

it("an encrypted database converts with its key, as its plain twin does", async () => {
  writeFileSync(at("key"), "42".repeat(48), { mode: 0o600 });
  const encrypted = fixturePath("core-0.10/encrypted", "db");
  const words = [
    "db",
    "convert",
    encrypted,
    at("decrypted"),
    "--to",
    "core-0.11",
    "--key-file",
    at("key"),
    "--json",
  ];
  const { status, stdout } = await intoPipe(...words);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 507, converted: 281, written: 281, left: 226 });
});

it("upgrade-check of a database that is of that revision already is done", async () => {
  const words = ["upgrade-check", fixturePath("core-0.11/node-b", "db"), "--to", "core-0.11"];
  for (const more of [[], ["--json"]])
    expect(await intoPipe(...words, ...more)).toEqual({
      status: 0,
      stdout: "",
      stderr: "merostore: the database is of core-0.11 already\n",
    });
});

it.each([
  [["db", "convert", db, at("other")], 2, "merostore: name the revision: --to core-0.11"],
  [["upgrade-check", db], 2, "merostore: name the revision: --to core-0.11 or core-1.0"],
  [
    ["db", "convert", fixturePath("core-0.11/node-b", "db"), at("other"), "--to", "core-0.11"],
    3,
    "merostore: the database is of core-0.11 already",
  ],
])("%j is refused", async (words, status, message) => {
  const refused = await played(0, ...words);
  expect([refused.status, refused.stderr.trim()]).toEqual([status, message]);
});
