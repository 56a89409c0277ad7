/** Made-up secrets in every place that a revision has for one: no command shows them unless it is told to. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { CommanderError } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { parserOf } from "../../src/cli/arguments/parser.js";
import { Terminal } from "../../src/cli/output/terminal.js";
import { merostore } from "../../src/cli/program.js";
import type { Json } from "../../src/codec/index.js";
import { isMerostoreError } from "../../src/errors.js";
import type { AnyKey } from "../../src/keys/index.js";
import { revisions, type Schema } from "../../src/schemas/index.js";
import { partsToJson } from "../../src/schemas/row-json.js";
import { rewriteDatabase } from "../../src/transfer/index.js";
import { CanarySearch, openRows, type Planted, plantedRows } from "../support/canaries.js";
import { fixtureRows, temporaryFolder } from "../support/fixtures.js";
import { makeDatabase, partsOf, sealed } from "../support/transfer.js";
import { cli, intoPipe, type Outcome, onTerminal, Sink } from "./run.js";

const names = revisions.map(({ name }) => name);

/** A run whose refusal is an outcome too. */
async function attempt(run: Promise<Outcome>): Promise<Outcome> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof CommanderError) return { status: 2, stdout: "", stderr: "" };
    if (!isMerostoreError(error)) throw error;
    return { status: 2, stdout: "", stderr: error.message };
  }
}

describe.each(revisions as readonly Schema[])("$name", (schema) => {
  // The rows of a node of core-1.0 are not there as lines, and it has no collections of an older node.
  const hasCollections = schema.name !== "core-1.0";
  const fixture = hasCollections ? fixtureRows(`${schema.name}/tables`) : [];
  const rows = plantedRows(schema, 1);
  // A row that a database has only once is whole in the first database and damaged in the second.
  const others = plantedRows(schema, 2, "short");
  const canaries = [...rows, ...others].flatMap(({ canaries }) => canaries);
  const search = new CanarySearch(canaries);
  const folder = temporaryFolder();
  const [a, b] = [join(folder.path, "a"), join(folder.path, "b")];
  const revision = ["--revision", schema.name];
  let searched = 0;

  beforeAll(async () => {
    const columns = [...schema.columns, "Mystery"];
    await makeDatabase(a, columns, [...fixture, ...openRows(), ...rows]);
    await makeDatabase(b, columns, [...fixture, ...openRows(), ...others]);
  });

  afterAll(() => folder[Symbol.dispose]());

  function expectNone(text: string, what: string): void {
    searched += text.length;
    expect([...search.find(text)].length, `secrets in ${what}`).toBe(0);
  }

  /** Runs a command into a pipe and on a terminal, and searches the output. */
  async function run(...words: readonly string[]): Promise<Outcome> {
    const piped = await runPiped(...words);
    searchIn(await attempt(onTerminal(...words)), words);
    return piped;
  }

  /** Runs a command into a pipe, and searches the output. */
  async function runPiped(...words: readonly string[]): Promise<Outcome> {
    const piped = await attempt(intoPipe(...words));
    searchIn(piped, words);
    return piped;
  }

  function searchIn({ stdout, stderr }: Outcome, words: readonly string[]): void {
    expectNone(stdout, `stdout of ${words.join(" ").slice(0, 100)}`);
    expectNone(stderr, `stderr of ${words.join(" ").slice(0, 100)}`);
  }

  function keyOf({ key }: Pick<Planted, "key">, kind: string): AnyKey {
    return schema.row(kind).key.fromBytes(fromHex(key));
  }

  /** The words that name a row. */
  function wordsOf({ column, kind, key }: Planted): readonly string[] {
    if (kind === null) return ["--column", column, "--key", key];
    const parts = partsToJson(schema.row(kind).key, keyOf({ key }, kind));
    return [kind, ...Object.entries(parts).map(([name, part]) => `${name}=${part}`)];
  }

  it("has them in every kind of row that may hold one, whole and damaged, and in unknown rows", () => {
    const kinds = new Set(rows.filter(({ whole }) => whole).map(({ kind }) => kind));
    for (const row of schema.rows) if (row.value.secret) expect(kinds).toContain(row.kind);
    for (const kind of ["Generic", null]) expect(kinds).toContain(kind);
    if (hasCollections) {
      expect(kinds).toContain("ContextState");
      expect(rows.filter(({ byDatabase }) => byDatabase).map(({ column }) => column)).toEqual(
        expect.arrayContaining(["State", "Delta"]),
      );
    }
    expect(rows.filter(({ whole }) => !whole).length).toBeGreaterThan(5);
    expect(others.map(({ key }) => key)).toEqual(rows.map(({ key }) => key));
    for (const { canaries, kind, whole } of rows)
      if (whole) expect(canaries.length, `${kind}`).toBeGreaterThan(0);
    expect(new Set(canaries.map((canary) => Buffer.from(canary).toString("hex"))).size).toBe(canaries.length);
  });

  it("the search finds every one where they are shown, in any form", async () => {
    const all = new Set(canaries.keys());
    for (const command of ["scan", "export"]) {
      // Text shortens long values.
      const whole = command === "scan" ? ["--json"] : [];
      const shown = await Promise.all(
        [a, b].map((path) => cli(command, path, ...revision, "--reveal-secrets", ...whole)),
      );
      expect(new Set(shown.flatMap(({ stdout }) => [...search.find(stdout)])), command).toEqual(all);
    }
    for (const form of ["hex", "base64", "base64url", "latin1", "utf8"] as const) {
      const text = canaries.map((canary) => Buffer.from(canary).toString(form)).join(" ");
      expect(search.find(text), form).toEqual(all);
      if (form === "hex") expect(search.find(text.toUpperCase())).toEqual(all);
    }
    for (const separator of [", ", ","])
      expect(search.find(canaries.map((canary) => canary.join(separator)).join("\n"))).toEqual(all);
    for (const bytes of [0, 1, 2]) {
      const text = Buffer.concat([Buffer.alloc(bytes), ...canaries]).toString("base64");
      expect(search.find(text)).toEqual(all);
    }
    expect(search.find(JSON.stringify(fixture)).size).toBe(0);
  });

  it("scan, info, tour and verify show none, read as this revision, as another one, or as the one found", async () => {
    for (const words of [
      ["scan"],
      ["scan", "--base58"],
      ["scan", "--reverse", "--json"],
      ["status", "--rows"],
      ["status"],
      ["verify"],
    ]) {
      const [command, ...options] = words as [string, ...string[]];
      for (const name of names) await run(command, a, ...options, "--revision", name);
      await run(command, a, ...options);
      await run(command, b, ...options, ...revision);
    }
    for (const kind of new Set(rows.map(({ kind }) => kind)))
      if (kind !== null) await run("scan", a, kind, ...revision);
    await run("scan", a, ...revision, "--engine", "rocksdb");
    const { stdout, stderr } = await cli("scan", "--json", a, ...revision);
    expectNone(stdout + stderr, "scan");
  });

  it("commands on the same rows encrypted show none, and nothing of the keys", async () => {
    const [path, keyFile] = [join(folder.path, "encrypted"), join(folder.path, "key")];
    const [key, other] = [0x35, 0x9b].map((factor) =>
      Uint8Array.from({ length: 40 }, (_, at) => (at * factor + 77) & 255),
    ) as [Uint8Array, Uint8Array];
    const encryptionRule = schema.name === "core-0.10" ? "core-0.10" : "core-0.11";
    await rewriteDatabase(a, path, { newMasterKey: key, encryptionRule });
    const keys = new CanarySearch([key, other]);
    const ask = async (file: Uint8Array, ...words: readonly string[]): Promise<void> => {
      writeFileSync(keyFile, Buffer.from(file).toString("hex"));
      const { stdout, stderr } = await run(...words, "--key-file", keyFile);
      expect([...keys.find(stdout + stderr)]).toEqual([]);
    };
    for (const words of [
      ["scan", path],
      ["status", "--rows", path],
      ["verify", path],
      ["export", path],
      ["diff", "--rows", path, b],
    ])
      await ask(key, ...words, ...revision);
    await ask(other, "scan", path, ...revision);
    await ask(key, "db", "decrypt", path, join(folder.path, "decrypted"));
    await ask(other, "db", "decrypt", path, join(folder.path, "refused"));
    expect(existsSync(join(folder.path, "refused"))).toBe(false);
  });

  it("get and explain show none, of whole values and of parts of them", async () => {
    for (const row of rows) {
      const { column, key, value } = row;
      await run("show", a, ...wordsOf(row), ...revision);
      await run("show", a, "--column", column, "--key", key, "--base58", ...revision);
      // The command gets the bytes alone, and only a database could tell that they are secret.
      if (row.byDatabase) continue;
      const explain = async (hex: string, name: string): Promise<void> => {
        await run("explain", column, key, hex, "--revision", name);
        await run("explain", column, key, hex, "--revision", name, "--json");
      };
      for (const name of names) await explain(value, name);
      for (const hex of [value.slice(0, -2), value.slice(0, 40), `${value}00`, value.slice(2)])
        await explain(hex, schema.name);
      await run("explain", column, key, `${value}0`);
      await run("explain", column, key, value, value);
    }
  });

  it("explain --type shows none, of every type that holds secrets", async () => {
    for (const { kind, value, byDatabase } of rows) {
      if (kind === null || byDatabase) continue;
      const types = [kind, schema.row(kind).value.type].filter((type) =>
        Object.hasOwn(schema.types, type ?? ""),
      );
      expect(types.length, kind).toBeGreaterThan(0);
      for (const type of types as string[]) {
        for (const hex of [value, value.slice(0, -2), `${value}00`]) {
          await run("explain", "--type", type, hex, ...revision);
          await run("explain", "--type", type, hex, ...revision, "--json");
        }
      }
    }
  });

  it("export shows none, to stdout, into a file, packed", async () => {
    const file = join(folder.path, "export");
    for (const name of names) await run("export", a, "--revision", name);
    await run("export", a, ...revision, "--column", "Group", "Mystery");
    await run("export", a, ...revision, "-o", file);
    expectNone(readFileSync(file, "utf8"), "the file");
    await run("export", a, ...revision, "--gzip", "-o", `${file}.gz`);
    expectNone(gunzipSync(readFileSync(`${file}.gz`)).toString(), "the packed file");
  });

  it("diff shows none, though all of them differ", async () => {
    const [fileA, fileB] = [join(folder.path, "a.ndjson"), join(folder.path, "b.gz")];
    await run("export", a, ...revision, "--reveal-secrets", "-o", fileA);
    await run("export", b, ...revision, "--reveal-secrets", "--gzip", "-o", fileB);
    for (const sides of [
      [a, b],
      [fileA, b],
      [fileA, fileB],
    ]) {
      for (const words of [
        ["--rows"],
        ["--by", "context"],
        ["--rows", "--column", "PrivateState", "Generic"],
      ]) {
        expect((await run("diff", ...sides, ...revision, ...words)).status, words.join(" ")).toBe(1);
      }
    }
    await run("diff", a, b, ...revision);
    for (const name of names) await run("diff", "--rows", a, b, "--revision", name);
    const { stdout } = await intoPipe("diff", "--rows", "--json", a, b, ...revision);
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) as string) as object;
    expect(last).toMatchObject({ summary: { onlyInA: 0, onlyInB: 0, different: rows.length } });
  });

  it("errors of import show none, and neither does its summary", async () => {
    const text = (await intoPipe("export", a, ...revision, "--reveal-secrets")).stdout;
    const { head, rows: lines, tail } = partsOf(text);
    const file = join(folder.path, "spoilt");
    const target = join(folder.path, "target");
    // An import into an existing database takes a tenth of the time of one that makes a database.
    const existing = join(folder.path, "existing");
    await makeDatabase(existing, [...schema.columns, "Mystery"], []);
    const refusedByExisting = async (spoilt: string, ...words: readonly string[]): Promise<void> => {
      writeFileSync(file, spoilt);
      const { status } = await run("import", file, existing, "--into-existing", ...words);
      expect(status).not.toBe(0);
    };
    const refused = async (spoilt: string, ...words: readonly string[]): Promise<void> => {
      await refusedByExisting(spoilt, ...words);
      const { status } = await run("import", file, target, ...words);
      expect(status).not.toBe(0);
      expect(existsSync(target)).toBe(false);
    };
    for (const { column, key, kind, value } of rows) {
      const line = lines.find((line) => line.includes(`"key":"${key}"`) && line.includes(`"${column}"`));
      const { error: _, ...fields } = JSON.parse(line as string) as Record<string, Json>;
      const decodable = kind !== null && schema.row(kind).value.size.min > 0;
      for (const changed of [
        { value: `${value}0` },
        { value: `${value}zz` },
        { value: [value] },
        { key: [value] },
        { kind: value },
        { column: value },
        // A shortened value, or one with two more bytes, does not decode, and the line says that it does.
        ...(decodable ? [{ value: value.slice(0, -4) }, { value: `${value}0000` }] : []),
      ])
        await refusedByExisting(`${head}\n${JSON.stringify({ ...fields, ...changed })}\n`);
      await refusedByExisting(`${head}\n${JSON.stringify(fields).slice(0, -1)}\n`);
    }
    const cut = lines.findIndex((line) => line.includes(`"key":"${rows[0]?.key}"`));
    await refused([head, ...lines.slice(0, cut), lines[cut]?.slice(0, -1)].join("\n"));
    for (const name of names) if (name !== schema.name) await refused(text, "--revision", name);
    await refused(sealed(head, lines.toReversed()));
    await refused(`${[head, ...lines.slice(1), tail].join("\n")}\n`);
    await refused(text.slice(0, text.length >> 1));
    await refused(lines.join("\n"));
    writeFileSync(file, text);
    expect((await cli("import", file, target)).status).toBe(0);
    await run("import", file, target);
    await run("import", file, target, "--into-existing");
  });

  it("put and delete show none, right and wrong", async () => {
    for (const row of rows) {
      if (row.kind === null) continue;
      const { alternative } = schema.row(row.kind);
      const shown = schema.row(row.kind).shown(keyOf(row, row.kind), fromHex(row.value));
      const json = row.whole ? shown.toJson(shown.decode(fromHex(row.value))) : row.value;
      const text = JSON.stringify(json);
      const words = wordsOf(row);
      // Refusals are the same on a terminal.
      for (const value of [
        ["--value-hex", `${row.value}0`],
        ["--value-hex", `${row.value}zz`],
        ["--value-hex", `${row.value}00`],
        ["--value", `${text}}`],
        ["--value", text.slice(0, -1)],
        ["--value", JSON.stringify({ value: json })],
        ["--value", JSON.stringify([json])],
        ["--value", text.replace(/"([0-9a-f]{32,})"/g, '"$1ff0"')],
        ["--value", text.replace(/"([0-9a-f]{32,})"/g, '"$1zz"')],
        ["--value", text.replace(/"([0-9a-f]{32,})":/g, '"$1ff":')],
        ["--value", text.replace(/("[0-9a-f]{32,}":)\d+/g, "$1300")],
        [row.value],
        [`value=${row.value}`],
      ])
        await runPiped("put", b, ...words, ...value, ...revision);
      if (alternative !== undefined)
        await run("put", b, ...words, "--value", JSON.stringify({ id: row.value }), ...revision);
      await run("put", b, row.kind, row.value, "--value", "1", ...revision);
      await run("delete", b, ...words, row.value, ...revision);
    }
    const [first] = rows.filter(({ whole, kind }) => whole && kind !== null) as [Planted];
    for (const word of [`--value-hexx=${first.value}`, `--limit=${first.value}`]) {
      const { status, stderr } = await cli("scan", "--json", b, word);
      expect(status).toBe(2);
      expectNone(stderr, word.slice(0, 12));
    }
    await run("put", b, ...wordsOf(first), "--value-hex", first.value, ...revision);
    await run("delete", b, ...wordsOf(first), ...revision);
  });

  it("what people ask about groups, contexts and histories shows none", async () => {
    const listed = async (command: string): Promise<readonly string[]> => {
      const { stdout } = await run(command, a, "--json", ...revision);
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => (JSON.parse(line) as { readonly id: string }).id);
    };
    for (const group of (await listed("groups")).slice(0, 12)) {
      await run("groups", a, group, ...revision);
      const { stdout } = await run("members", a, group, "--json", ...revision);
      await run("members", a, group, ...revision);
      for (const [, member] of [...stdout.matchAll(/^\{"id":"([0-9a-f]{64})"/gm)].slice(0, 2))
        await run("log", a, group, "--explain", member as string, "--patch", ...revision);
      await run("log", a, group, "--patch", ...revision);
      await run("log", a, group, "--own", "--json", ...revision);
      await run("find", a, group, "--limit", "200", ...revision);
    }
    for (const context of (await listed("contexts")).slice(0, 12)) {
      await run("contexts", a, context, ...revision);
      await run("log", a, context, "--patch", ...revision);
      await run("show", a, context, ...revision);
      await run("state", a, context, "--metadata", ...revision);
      await run("state", a, context, "--json", ...revision);
    }
    for (const by of ["family", "kind", "group", "context"]) await run("du", a, "--by", by, ...revision);
  });

  it("all other commands show none, and neither does any help", async () => {
    const { commands } = parserOf(merostore, new Terminal(new Sink(), new Sink()), () => undefined);
    const covered = ["scan", "show", "put", "delete", "explain", "status", "export", "import", "diff"];
    // The command runs until it is stopped: its own test searches the output.
    covered.push("watch");
    // The command also runs until it is stopped, and reads no row.
    covered.push("explore");
    // Without a statement it waits for one.
    covered.push("sql");
    for (const kind of new Set(rows.map(({ kind }) => kind)))
      if (kind !== null) await run("sql", a, `select * from "${kind}" limit 500`, "--json", ...revision);
    for (const command of commands.flatMap((one) => (one.name() === "db" ? one.commands : []))) {
      if (command.name() === "help") continue;
      await run("db", command.name(), a);
      await run("db", command.name(), a, join(folder.path, `${command.name()}-target`));
    }
    for (const command of commands) {
      expectNone(command.helpInformation(), `${command.name()} --help`);
      if (covered.includes(command.name())) continue;
      await run(command.name(), a);
      await run(command.name(), a, "--json");
      await run(command.name(), a, ...revision);
      await run(command.name(), a, join(folder.path, `${command.name()}-target`));
    }
    await run("schema", ...revision);
    await run("schema", ...revision, "--json");
  });

  it("and a large amount of output was searched", () => {
    expect(searched).toBeGreaterThan(hasCollections ? 5_000_000 : 1_000_000);
  });
});
