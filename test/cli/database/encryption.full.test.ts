/** Commands on encrypted databases: the same output as on their plain twins, and the key nowhere. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { masterKeyOf, takeKeyFromEnvironment } from "../../../src/cli/arguments/master-key.js";
import { openEngine } from "../../../src/engines/index.js";
import { CanarySearch } from "../../support/canaries.js";
import { fixturePath, fixtureRows, temporaryFolder } from "../../support/fixtures.js";
import { cli, intoPipe, type Outcome } from "../run.js";

const KEY = new Uint8Array(48).fill(0x42);
const main = fileURLToPath(new URL("../../../dist/cli/merostore.js", import.meta.url));
const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
/** A key without repetition, so that a search finds any part of it. */
const SECRET = Uint8Array.from({ length: 40 }, (_, index) => (index * 89 + 131) & 255);
const search = new CanarySearch([SECRET]);

beforeAll(() => {
  writeFileSync(at("key"), `${toHex(KEY)}\n`);
  writeFileSync(at("secret"), toHex(SECRET));
  writeFileSync(at("spoilt"), `${toHex(SECRET)}zz`);
  writeFileSync(at("odd"), toHex(SECRET).slice(1));
  mkdirSync(at("folder"));
});
afterAll(() => folder[Symbol.dispose]());

/** Runs a command; a refusal is an outcome too. No output has the key. */
async function run(...words: readonly string[]): Promise<Outcome> {
  const outcome = await intoPipe(...words).catch((error: Error) => ({
    status: 3,
    stdout: "",
    stderr: error.message,
  }));
  expect([...search.find(outcome.stdout + outcome.stderr)]).toEqual([]);
  return outcome;
}

describe.each([
  ["core-0.10/encrypted", "core-0.10/tables"],
  ["core-0.11/encrypted", "core-0.11/log"],
])("%s", (name, twin) => {
  const [encrypted, plain] = [fixturePath(name, "db"), fixturePath(twin, "db")];
  const rows = fixtureRows(twin);
  const idOf = (kind: string, part: string) => `${rows.find((row) => row.kind === kind)?.parts?.[part]}`;
  const [context, group] = [idOf("ContextMeta", "contextId"), idOf("GroupMeta", "groupId")];

  it.each([
    ["scan", "DB", "--reveal-secrets", "--json"],
    ["scan", "DB", "GroupMember", "--limit", "5"],
    ["show", "DB", "ContextMeta", `contextId=${context}`],
    ["groups", "DB"],
    ["contexts", "DB"],
    ["members", "DB", group],
    ["log", "DB", group],
    ["show", "DB", context],
    ["find", "DB", context.slice(0, 8)],
    ["state", "DB", "--json"],
    ["verify", "DB", "--json"],
    ["export", "DB", "--reveal-secrets"],
    ["sql", "DB", "select column_name, count(*) from information_schema.columns group by all order by all"],
    ["sql", "DB", "from ContextMeta order by all"],
    ["schema", "ContextMeta", "--db", "DB"],
  ])("is like its plain twin: %s %s %s", async (...words) => {
    const on = (path: string) => words.map((word) => (word === "DB" ? path : word));
    const [of, against] = [await run(...on(encrypted), "--key-file", at("key")), await run(...on(plain))];
    const shown = ({ stdout }: Outcome) =>
      stdout
        .replaceAll(encrypted, "DB")
        .replaceAll(plain, "DB")
        .replaceAll(/"(exported|at|time|sha256)":"[^"]*"/g, "");
    expect(shown(of)).toBe(shown(against));
    expect(of.status).toBe(against.status);
    expect((of.stdout + of.stderr).length).toBeGreaterThan(10);
  });

  it("differs from it in no row, and counts as encrypted", async () => {
    const { status, stdout } = await run("diff", "--rows", encrypted, plain, "--key-file", at("key"));
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining("equal") });
    const info = JSON.parse(
      (await run("status", "--rows", encrypted, "--key-file", at("key"), "--json")).stdout,
    );
    expect(info.encryption).toMatchObject({ state: "encrypted", encrypted: rows.length, versions: [1, 2] });
    expect((await run("status", "--rows", encrypted, "--key-file", at("key"))).stdout).toMatch(
      /^encryption +encrypted, \d+ encrypted, key versions 1, 2/m,
    );
    expect(JSON.parse((await run("status", "--rows", plain, "--json")).stdout).encryption).toBeNull();
    const verified = await run("verify", encrypted, "--key-file", at("key"), "--quiet");
    expect(verified.stderr).toContain(`encryption at rest: encrypted, ${rows.length} encrypted`);
    const forCron = ["--key-file", at("key"), "--quiet", "--strict", "--rule", "row-known"];
    expect(await run("verify", encrypted, ...forCron)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("needs its key, and says so in one line", async () => {
    const without = await cli("status", "--rows", encrypted);
    expect(without).toMatchObject({ status: 3, stdout: "", stderr: expect.stringContaining("--key-file") });
    const wrong = await cli("status", "--rows", encrypted, "--key-file", at("secret"));
    expect(wrong.status).toBe(3);
    expect(wrong.stderr.split("\n").length).toBe(2);
    expect(wrong.stderr).toContain("the database was encrypted with another key");
    expect(wrong.stderr).toContain(`${encrypted}: the master key`);
    const named = await run("status", "--rows", encrypted, "--revision", name.slice(0, 9));
    expect(named.stdout).toMatch(/^encryption +encrypted, without the master key, (62 of 62|85 of 85) rows/m);
  });
});

it("of two databases, the one in which the key has no effect is named", async () => {
  const [encrypted, plain] = ["core-0.11/encrypted", "core-0.11/log"].map((name) => fixturePath(name, "db"));
  const { stderr } = await run("diff", encrypted as string, plain as string, "--key-file", at("key"));
  expect(stderr).toContain(
    `merostore: ${plain}: the database is not encrypted, so the master key has no effect\n`,
  );
});

it("encrypt, rekey and decrypt return the rows that they began with", async () => {
  const plain = fixturePath("core-0.11/tables", "db");
  const words = [
    ["db", "encrypt", plain, at("a"), "--key-file", at("secret")],
    [
      "db",
      "rekey",
      at("a"),
      at("b"),
      "--key-file",
      at("secret"),
      "--new-key-file",
      at("key"),
      "--rule",
      "core-0.10",
    ],
    ["db", "decrypt", at("b"), at("c"), "--key-file", at("key")],
  ];
  for (const one of words) {
    const { status, stderr } = await run(...one);
    expect(stderr).toContain("935 rows");
    expect(stderr).toContain("compared: all equal");
    expect(status).toBe(0);
  }
  expect((await run("diff", "--rows", at("c"), plain)).status).toBe(0);
  const info = JSON.parse((await run("status", "--rows", at("b"), "--key-file", at("key"), "--json")).stdout);
  expect(info.encryption).toMatchObject({ encrypted: 935, plain: 0, versions: [1], rules: ["core-0.10"] });

  for (const [wrong, why] of [
    [["db", "encrypt", at("a"), at("d"), "--key-file", at("key")], "encrypted at rest already"],
    [["db", "decrypt", at("a"), at("d"), "--key-file", at("key")], "another key"],
    [["db", "encrypt", plain, at("a"), "--key-file", at("key")], "a"],
    [["db", "encrypt", plain, at("d")], "give the master key"],
  ] as const) {
    const outcome = await run(...wrong);
    expect(outcome.status).not.toBe(0);
    expect(outcome.stderr).toContain(why);
  }
  expect(readdirSync(folder.path).filter((name) => name.includes("d"))).not.toContain("d");
});

it("a dry run without the key is refused, as the change would be", async () => {
  const words = [
    fixturePath("core-0.11/encrypted", "db"),
    "Alias",
    "aliasKind=context",
    "scope=none",
    "name=dev",
  ];
  for (const change of [
    ["delete", ...words],
    ["put", ...words, "--value", JSON.stringify("ab".repeat(32))],
  ]) {
    const { status, stderr } = await run(...change, "--revision", "core-0.11", "--dry-run");
    expect([status, stderr]).toEqual([
      3,
      expect.stringMatching(/encrypted at rest, and the master key is missing/),
    ]);
  }
});

it("decrypt and rekey take plain rows that do not show it only when they are told to", async () => {
  const secret = at("secret");
  const [mixed, out] = [at("mixed"), at("unmixed")];
  await run("db", "encrypt", fixturePath("core-0.11/tables", "db"), mixed, "--key-file", secret);
  {
    await using engine = await openEngine(mixed, { writable: true });
    const value = new Uint8Array(60).fill(3);
    await engine.write([{ type: "put", column: "State", key: new Uint8Array(64), value }]);
  }
  const refused = await run("db", "decrypt", mixed, out, "--key-file", secret);
  expect(refused.status).toBe(3);
  expect(refused.stderr).toMatch(/does not decrypt 1 row; the first is ContextState 0{128}.*--accept-plain/);
  expect((await run("db", "decrypt", mixed, out, "--key-file", secret, "--accept-plain")).status).toBe(0);
  const plain = await run("db", "decrypt", out, at("again"), "--key-file", secret);
  expect(plain.stderr).toContain("the database is not encrypted at rest");
  const exposed = await run("explore", out, "--key-file", secret, "--host", "0.0.0.0");
  expect(exposed.stderr).toContain("the master key would be sent over the network");
});

it("put, delete and import keep a database encrypted", async () => {
  await run("db", "encrypt", fixturePath("core-0.11/tables", "db"), at("w"), "--key-file", at("key"));
  const row = ["GroupDefaultCaps", `groupId=${"ab".repeat(32)}`];
  const put = ["put", at("w"), ...row, "--value", '{"capabilities":4}'];
  expect((await run(...put, "--revision", "core-0.11")).status).not.toBe(0);
  const written = await run(...put, "--key-file", at("key"));
  expect(written.status).toBe(0);
  expect(written.stdout).toMatch(new RegExp(`^undo: merostore .* --key-file ${at("key")}( |$)`, "m"));
  expect((await run("show", at("w"), ...row, "--key-file", at("key"))).stdout).toMatch(/capabilities +4/);
  await run("export", at("w"), "--reveal-secrets", "--key-file", at("key"), "-o", at("rows.ndjson"));
  expect((await run("import", at("rows.ndjson"), at("x"), "--key-file", at("secret"))).status).toBe(0);
  const into = ["import", at("rows.ndjson"), at("x"), "--into-existing"];
  expect((await run(...into)).stderr).toContain("encrypted at rest");
  expect((await run(...into, "--key-file", at("secret"))).status).toBe(0);
  expect((await run("delete", at("x"), ...row, "--key-file", at("secret"))).status).toBe(0);
  const info = JSON.parse(
    (await run("status", "--rows", at("x"), "--key-file", at("secret"), "--json")).stdout,
  );
  expect(info.encryption).toMatchObject({ state: "encrypted", encrypted: 935, plain: 0, foreign: 0 });
});

describe("the key", () => {
  const database = fixturePath("core-0.11/encrypted", "db");

  it.each(["spoilt", "odd", "folder", "missing", "../key"])(
    "file %s is refused without its content",
    async (name) => {
      const { status, stderr } = await run("status", "--rows", database, "--key-file", at(name));
      expect(status).not.toBe(0);
      expect(stderr.length).toBeGreaterThan(10);
    },
  );

  it("is taken out of the environment, so that programs that are started do not get it", async () => {
    const env = { ...process.env, MEROSTORE_MASTER_KEY: toHex(KEY) };
    const child = spawn(process.execPath, [main, "status", "--rows", database], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    expect((await once(child, "close"))[0]).toBe(0);
    expect(Buffer.concat(chunks).toString()).toContain("935 encrypted");

    process.env.MEROSTORE_MASTER_KEY = toHex(SECRET);
    takeKeyFromEnvironment();
    expect(process.env.MEROSTORE_MASTER_KEY).toBeUndefined();
    expect(masterKeyOf(undefined)).toEqual(SECRET);
    expect(masterKeyOf(at("key"))).toEqual(KEY);
    takeKeyFromEnvironment();
    expect(masterKeyOf(undefined)).toBeUndefined();
  });

  it("is no argument of any command", async () => {
    for (const words of [
      ["status", "--rows", database, "--master-key", toHex(SECRET)],
      ["status", "--rows", database, toHex(SECRET)],
    ]) {
      const { status, stderr } = await cli(...words);
      expect(status).toBe(2);
      expect(search.find(stderr).size).toBe(0);
    }
  });
});
