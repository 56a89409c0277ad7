/** Foreign text from any source reaches a terminal only in escapes: no command prints a hidden character. */
import { cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { openLedger } from "../../../packages/ledger/src/index.js";
import { fromHex } from "../../../src/bytes/hex.js";
import { openRocksEngine } from "../../../src/engines/index.js";
import { Alias } from "../../../src/keys/index.js";
import { core011 } from "../../../src/schemas/index.js";
import { removeTemporary, temporaryFolder } from "../../engines/temporary.js";
import { fixturePath } from "../../support/fixtures.js";
import { HOSTILE, rawText } from "../../support/hostile.js";
import { addFamily } from "../database/add-family.js";
import { cli, cliProcess, type Outcome, onTerminal, played } from "../run.js";

/** Everything is below a folder with a hostile name. */
const folder = join(temporaryFolder(), HOSTILE);
const at = (name: string) => join(folder, `${name}${HOSTILE}`);

const plain = fixturePath("core-0.11", "node-a", "db");
const database = at("db");
const hex = (text: string) => Buffer.from(text).toString("hex");
/** A group of the fixture; here its name is hostile. */
const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
const aliasWords = ["aliasKind=1", `scope=${"00".repeat(32)}`, `name=${HOSTILE}`];

/** A database with hostile names of column families, aliases, and texts in values and rows of Generic. */
async function makeDatabase(): Promise<void> {
  cpSync(plain, database, { recursive: true });
  await addFamily(database, HOSTILE, [[HOSTILE, HOSTILE]]);
  const alias = new Alias({ aliasKind: 1, scope: new Uint8Array(32), name: HOSTILE });
  const { key: GroupMetadata, value } = core011.row("GroupMetadata");
  const metadata = {
    name: HOSTILE,
    data: { [HOSTILE]: HOSTILE },
    updatedAt: "1",
    updatedBy: "5a".repeat(32),
  };
  const generic = Buffer.concat([Buffer.from(HOSTILE).subarray(0, 16), Buffer.alloc(32, 0x5a)]);
  await using engine = await openRocksEngine(database, { writable: true });
  await engine.write([
    { type: "put", column: "Alias", key: alias.toBytes(), value: new Uint8Array(32) },
    {
      type: "put",
      column: "Group",
      key: new GroupMetadata({ groupId: new Uint8Array(32) } as never).toBytes(),
      value: value.encode(value.fromJson(metadata) as never),
    },
    {
      type: "put",
      column: "Group",
      key: new GroupMetadata({ groupId: fromHex(OFFICE) } as never).toBytes(),
      value: value.encode(value.fromJson(metadata) as never),
    },
    { type: "put", column: "Generic", key: generic, value: Buffer.from(HOSTILE) },
    // Undecodable bytes: the error quotes what it found.
    { type: "put", column: "Alias", key: Buffer.alloc(83, 0x9b), value: Buffer.from(HOSTILE) },
  ]);
}

/** A ledger with hostile names, keys and values. */
async function makeLedger(): Promise<void> {
  await using ledger = await openLedger(at("data"), { name: HOSTILE });
  await using page = await ledger.rootPage();
  await page.put(HOSTILE, HOSTILE);
  await page.put("plain", `${HOSTILE}\n`.repeat(10_000), { priority: "lazy" });
}

/** A manifest with hostile names of the state's field, of types, methods and events. */
function makeManifest(): void {
  const text = readFileSync(fixturePath("abi", "core-0.11", "kv-store.json"), "utf8");
  const manifest = JSON.parse(text, (key, value: unknown) =>
    key === "name" && value === "items" ? HOSTILE : value,
  ) as Record<"methods" | "events" | "types", unknown>;
  const method = {
    name: HOSTILE,
    params: [{ name: HOSTILE, type: { kind: "string" } }],
    returns: { kind: "string" },
  };
  manifest.methods = [...(manifest.methods as unknown[]), method];
  manifest.events = [{ name: HOSTILE, payload: { kind: "string" } }];
  manifest.types = {
    ...(manifest.types as object),
    [HOSTILE]: { kind: "record", fields: [{ name: HOSTILE, type: { kind: "string" } }] },
  };
  writeFileSync(at("abi.json"), JSON.stringify(manifest));
}

/** Exports that begin or go on with hostile text. */
const exports: Readonly<Record<string, string>> = {
  "not JSON": HOSTILE,
  "a name of a revision": JSON.stringify({ export: "merostore", version: 1, revision: HOSTILE, columns: [] }),
  "names of columns": JSON.stringify({
    export: "merostore",
    version: 1,
    revision: "core-0.11",
    columns: [HOSTILE],
    time: HOSTILE,
    redacted: false,
    selection: { columns: [HOSTILE] },
  }),
  "another program": JSON.stringify({ export: HOSTILE, [HOSTILE]: HOSTILE }),
};

/** Databases whose files name things. */
function damage(name: string, change: (path: string) => void): string {
  const path = at(name);
  cpSync(plain, path, { recursive: true });
  change(path);
  return path;
}

const fileOf = (path: string, pattern: RegExp) =>
  join(path, readdirSync(path).find((name) => pattern.test(name)) as string);

let damaged: readonly string[] = [];

beforeAll(async () => {
  await makeDatabase();
  await makeLedger();
  makeManifest();
  for (const [name, header] of Object.entries(exports)) {
    writeFileSync(at(name), `${header}\n{"column":${JSON.stringify(HOSTILE)}\n`);
    writeFileSync(`${at(name)}.gz`, gzipSync(`${header}\n`).subarray(0, -4));
  }
  damaged = [
    damage("current", (path) => writeFileSync(join(path, "CURRENT"), `MANIFEST-${HOSTILE}\n`)),
    damage("manifest", (path) => truncateSync(fileOf(path, /^MANIFEST/), 500)),
    damage("table", (path) => truncateSync(fileOf(path, /\.sst$/), 100)),
    damage("options", (path) => {
      const file = fileOf(path, /^OPTIONS/);
      const text = readFileSync(file, "utf8");
      writeFileSync(file, text.replaceAll(/^( *)(wal_dir|comparator|db_paths)=.*$/gm, `$1$2=${HOSTILE}`));
    }),
  ];
  return removeTemporary;
});

/** Commands that print the contents of a database, and commands that fail, by their arguments. */
function commands(): string[][] {
  return [
    ...["scan", "status", "verify", "export"].map((command) => [command, database]),
    ["status", "--rows", database],
    ["status", "--rows", database, "--engine", "rocksdb"],
    ...["groups", "contexts", "du"].map((command) => [command, database]),
    ...["groups", "members", "log", "show", "find"].flatMap((command) => [
      [command, database, OFFICE],
      [command, database, HOSTILE],
      [command, database, HOSTILE, "--json"],
    ]),
    ["log", database, OFFICE, "--patch"],
    ["contexts", database, HOSTILE],
    ["log", database, OFFICE, "--explain", "38ec7407"],
    ["log", database, OFFICE, "--explain", HOSTILE],
    ["groups", database, "--at", "1d439c1b"],
    ["groups", database, OFFICE, "--at", "1d439c1b"],
    ["members", database, OFFICE, "--at", HOSTILE],
    ["abi", at("abi.json")],
    ["abi", at("abi.json"), "--service", HOSTILE],
    ["abi", database, HOSTILE],
    ["abi", at("nowhere")],
    ["state", database, "lobby", "--abi", at("abi.json")],
    ["state", database, "lobby", HOSTILE, "--abi", at("abi.json")],
    ["state", database, "lobby", "--abi", at("nowhere")],
    ["state", database, "lobby", "--hints", at("abi.json")],
    ["state", database, HOSTILE],
    ["log", database, "lobby", "--limit", "3", "--patch", "--abi", at("abi.json")],
    ["hash", database, plain],
    ["stuck", database, plain],
    ["diff", database, plain, "--by", "group"],
    ["diff", database, plain, "--by", "context", "--context", "lobby", "--abi", at("abi.json")],
    ["verify", database, "--context", "lobby", "--abi", at("abi.json")],
    ["scan", database, "--column", HOSTILE, "--reveal-secrets"],
    ["scan", database, "--column", HOSTILE, "--keys-only"],
    ["scan", database, "GroupMetadata"],
    ["scan", database, "Alias"],
    ["scan", database, "--column", "Alias"],
    ["scan", database, "Generic", "--reveal-secrets"],
    ["show", database, "Alias", ...aliasWords],
    ["show", database, "GroupMetadata", `groupId=${"00".repeat(32)}`],
    ["show", database, "--column", HOSTILE, "--key", hex(HOSTILE), "--reveal-secrets"],
    ["show", database, "--column", HOSTILE, "--key", "00"],
    ["diff", "--rows", database, plain],
    ["diff", "--rows", plain, database],
    ["diff", database, plain, "--by", "context"],
    ["export", database, "--column", HOSTILE, "--reveal-secrets"],
    ["export", database, "--reveal-secrets", "-o", at("export")],
    ["import", at("export"), at("imported")],
    ["diff", "--rows", at("export"), plain],
    ["backup", database, at("backup")],
    ["put", database, "Alias", ...aliasWords, "--value", JSON.stringify(HOSTILE)],
    ["put", database, "GroupMetadata", `groupId=${HOSTILE}`, "--value", "null"],
    [
      "put",
      database,
      "GroupMetadata",
      `groupId=${"00".repeat(32)}`,
      "--value",
      JSON.stringify({ [HOSTILE]: 1 }),
    ],
    ["delete", database, "Alias", ...aliasWords, `${HOSTILE}=1`],
    ["status", "--rows", at("nowhere")],
    ["scan", database, HOSTILE],
    ["scan", database, "--column", `${HOSTILE}${HOSTILE}`],
    ["scan", database, "GroupMember", `${HOSTILE}=1`],
    ["scan", database, "GroupMember", `groupId=${HOSTILE}`],
    ["scan", database, "--limit", HOSTILE],
    ["scan", database, `--${HOSTILE}`],
    ["show", plain, "--column", HOSTILE, "--key", "00"],
    ["verify", database, "--rule", HOSTILE],
    ["verify", database, "--blobs", at("nowhere")],
    ["verify", database, "--context", HOSTILE],
    ["explain", HOSTILE, "00"],
    ["explain", "Alias", hex(HOSTILE), hex(HOSTILE)],
    [
      "explain",
      "Group",
      `2e${"00".repeat(32)}`,
      `01${"08000000"}${hex("\u001b[31m\u00a0\u2028").slice(0, 16)}`,
    ],
    ["explain", "--type", HOSTILE, "00"],
    ["schema", "--revision", HOSTILE],
    ["export", database, "-o", join(at("nowhere"), HOSTILE)],
    ["backup", at("nowhere"), at("elsewhere")],
    ["backup", database, database],
    [HOSTILE],
    ...Object.keys(exports).flatMap((name) => [
      ["import", at(name), at("none")],
      ["diff", "--rows", at(name), plain],
      ["import", `${at(name)}.gz`, at("none")],
    ]),
    ...damaged.flatMap((path) => [
      ["status", "--rows", path],
      ["scan", path],
      ["status", "--rows", path, "--engine", "rocksdb"],
      ["backup", path, at("copy")],
    ]),
    ...["pages", "entries", "log", "rows", "verify", "usage"].map((command) => [
      "ledger",
      command,
      at("data"),
    ]),
    ["ledger", "entries", at("data"), "--values"],
    ["ledger", "entries", at("data"), "--prefix", HOSTILE, "--hex"],
    ["ledger", "rows", at("data"), "--usage"],
    ["ledger", "rows", at("data"), "--kind", HOSTILE],
    ["ledger", "get", at("data"), HOSTILE, "--json"],
    ["ledger", "get", at("data"), `${HOSTILE}${HOSTILE}`],
    ["ledger", "get", at("data"), "plain", "--offset", HOSTILE],
    ["ledger", "get", at("data"), "plain", "--page", HOSTILE],
    ["ledger", "get", at("data"), "plain", "--name", `${HOSTILE}${HOSTILE}`],
    ["ledger", "put", at("data"), HOSTILE, HOSTILE],
    ["ledger", "put", at("data"), `2${HOSTILE}`, HOSTILE],
    ["ledger", "put", at("data"), HOSTILE, "--file", at("nowhere")],
    ["ledger", "put", at("nowhere"), HOSTILE, HOSTILE],
    ["ledger", "delete", at("data"), `2${HOSTILE}`],
    ["ledger", "evict", at("data")],
    ["ledger", "pages", at("nowhere")],
    ["ledger", HOSTILE],
  ];
}

/** A command as a test's name. */
const named = (words: readonly string[]) =>
  JSON.stringify(words.map((word) => word.replaceAll(folder, "").replaceAll(HOSTILE, "!")).join(" "));

/** The raw parts of an outcome, with the words of the command. */
function rawOf(words: readonly string[], how: string, { stdout, stderr }: Outcome): string[] {
  const found = rawText(stdout) ?? rawText(stderr);
  return found === undefined ? [] : [`${how} ${named(words)}: ${found}`];
}

describe("hostile text", () => {
  it.each([
    ["on a terminal", 120],
    ["into a pipe", 0],
  ])("is in no output of a command %s, also as JSON", async (how, columns) => {
    const found: string[] = [];
    let shown = 0;
    for (const words of commands())
      for (const json of columns > 0 ? [[], ["--json"]] : [[]]) {
        const outcome = await played(columns, ...words, ...json);
        if (`${outcome.stdout}${outcome.stderr}`.includes("\\u001b[31m")) shown++;
        found.push(...rawOf([...words, ...json], how, outcome));
      }
    expect(found).toEqual([]);
    // Most commands show their arguments.
    expect(shown).toBeGreaterThan(60);
  });

  it.each([
    ["status", "--rows", at("nowhere")],
    ["scan", database, "--column", HOSTILE],
    ["scan", database, HOSTILE],
    [HOSTILE],
    ["help", HOSTILE],
  ])("is in no output of the program", async (...words) => {
    const outcome = await cli(...words);
    expect(rawOf(words, "program", outcome)).toEqual([]);
  });

  it("is not printed in a value of a ledger on a terminal; a pipe receives its bytes", async () => {
    const { stdout } = await onTerminal("ledger", "get", at("data"), "plain");
    expect(rawText(stdout.replaceAll("\r\n", "\n").replaceAll("\nFORGED", ""))).toBeUndefined();
    expect((await cliProcess("ledger", "get", at("data"), "plain")).stdout).toBe(
      `${HOSTILE}\n`.repeat(10_000),
    );
  });

  it("in JSON has the same value for a parser", async () => {
    const { stdout } = await onTerminal("status", "--rows", database, "--json");
    const { columns, database: path } = JSON.parse(stdout) as {
      columns: readonly { column: string }[];
      database: string;
    };
    expect(columns.map(({ column }) => column)).toContain(HOSTILE);
    expect(path).toBe(database);
  });
});
