/**
 * A private map of a real node of core-0.10: its rows lie in State, its actions in Delta, and only a handle in
 * PrivateState tells that they are private.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { entryStateKey, indexStateKey } from "../../../src/digests/index.js";
import { openRocksEngine } from "../../../src/engines/rocksdb/index.js";
import type { RowJson } from "../../../src/schemas/index.js";
import { CanarySearch } from "../../support/canaries.js";
import { copyOfDatabase, fixtureRows, temporaryFolder } from "../../support/fixtures.js";
import { changeDatabase, makeDatabase, rowsAt } from "../../support/transfer.js";
import { cli, intoPipe, onTerminal } from "../run.js";

const FIXTURE = "core-0.10/node-a";
const context = "50294aa1897ed121581ee83e8298e75aaba8c9dec9e80d3efe112cd651588f04";
const map = "c1026fe6293775dc013d6e97492e9ae86a6ab7462692e698d999965f49688134";
const entry = "29a1f24c0844b9ba2eacc1128a8ce5af6e735b3841c4148a75625f514a02d01f";
const rows = fixtureRows(FIXTURE);

function stateRow(stateKey: Uint8Array) {
  const key = `${context}${Buffer.from(stateKey).toString("hex")}`;
  const row = rows.find((row) => row.column === "State" && row.key === key);
  if (row === undefined) throw new Error("the fixture lacks a row of its private map");
  return row;
}

const data = stateRow(entryStateKey(fromHex(entry)));
const indexes = [map, entry].map((id) => stateRow(indexStateKey(fromHex(id))));
const hashes = indexes.flatMap(({ decoded }) => {
  const { fullHash, ownHash } = decoded as { readonly fullHash: string; readonly ownHash: string };
  return [fullHash, ownHash];
});
const secret = "made-up secret";
const secrets = [Buffer.from(secret).toString("hex"), map, entry, ...new Set(hashes)].map(fromHex);
const search = new CanarySearch(secrets);

function expectNone(text: string, what: string): void {
  expect([...search.find(text)], what).toEqual([]);
}

/** Runs a command into a pipe and on a terminal; neither shows a secret. Returns the text in the pipe. */
async function run(...words: readonly string[]): Promise<string> {
  const piped = await intoPipe(...words);
  for (const { stdout, stderr } of [piped, await onTerminal(...words)])
    expectNone(stdout + stderr, words.join(" "));
  return piped.stdout;
}

/** The decoded value of an index row or a delta. */
interface Decoded {
  readonly children?: readonly unknown[];
  readonly actions?: readonly unknown[];
}

function parsed(text: string): readonly RowJson[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RowJson);
}

describe("a private map in State and Delta", () => {
  it("is found by the search where it is shown", async () => {
    using copy = copyOfDatabase(FIXTURE);
    const { stdout } = await cli("scan", "--json", copy.path, "--reveal-secrets");
    expect(Buffer.from(data.value, "hex").toString("latin1")).toContain(secret);
    expect(stdout).toContain(data.value);
    expect(search.find(stdout).size).toBe(secrets.length);
  });

  it("is not in any output, in any revision", async () => {
    using copy = copyOfDatabase(FIXTURE);
    for (const words of [
      ["scan"],
      ["scan", "--base58"],
      ["export"],
      ["status", "--rows"],
      ["status"],
      ["verify"],
    ]) {
      const [command, ...options] = words as [string, ...string[]];
      await run(command, copy.path, ...options);
      for (const revision of ["documented", "core-0.10", "core-0.11"])
        await run(command, copy.path, ...options, "--revision", revision);
    }
    for (const { column, key } of rows.filter(({ key }) => key.startsWith(context)))
      await run("show", copy.path, "--column", column, "--key", key);
  });

  it("hides six rows, and of two of them only the parts that hold it", async () => {
    using copy = copyOfDatabase(FIXTURE);
    const plain = parsed(
      await cli("scan", "--json", copy.path, "--reveal-secrets").then(({ stdout }) => stdout),
    );
    await run("scan", copy.path);
    const shown = parsed(await run("scan", copy.path, "--json"));
    expect(shown.map(({ key }) => key)).toEqual(plain.map(({ key }) => key));
    const hidden = shown.filter(
      ({ column, value }) => ["State", "Delta"].includes(column) && value === undefined,
    );
    const whole = hidden.filter(({ decoded }) => decoded === "redacted");
    expect(hidden.map(({ column }) => column)).toEqual([...Array(5).fill("State"), "Delta"]);
    expect(whole.map(({ column }) => column)).toEqual(Array(4).fill("State"));
    const [root, delta] = hidden.filter(({ decoded }) => decoded !== "redacted") as [RowJson, RowJson];
    const plainOf = ({ key }: RowJson) => plain.find((row) => row.key === key)?.decoded as Decoded;
    const [{ children = [] }, { actions = [] }] = [plainOf(root), plainOf(delta)];
    expect([children.length, actions.length]).toEqual([3, 5]);
    expect(root.decoded).toEqual({ ...plainOf(root), children: [...children.slice(0, 2), "redacted"] });
    expect(delta.decoded).toEqual({
      ...plainOf(delta),
      actions: ["redacted", "redacted", ...actions.slice(2)],
    });
    const others = (form: readonly RowJson[]) =>
      form.filter(
        ({ column, key }) => ["State", "Delta"].includes(column) && !hidden.some((row) => row.key === key),
      );
    expect(others(shown)).toEqual(others(plain));
  });

  it("is not in any difference, also of a database without its handle", async () => {
    using one = copyOfDatabase(FIXTURE);
    using two = copyOfDatabase(FIXTURE);
    using folder = temporaryFolder();
    const changed = rows
      .filter(({ column, value }) => ["State", "Delta"].includes(column) && value.includes(entry))
      .map(({ column, key, value }) => ({
        column,
        key,
        value: value.replaceAll("6d6164652d7570", "4d4144452d5550"),
      }))
      .filter(({ key, value }) => !rows.some((row) => row.key === key && row.value === value));
    // The times in the index rows, and the order of the root's children.
    const touched = indexes.map(({ column, key, value }) => ({
      column,
      key,
      value: `${value.slice(0, -4)}0001aa`,
    }));
    await changeDatabase(two.path, [...changed, ...touched]);
    {
      await using engine = await openRocksEngine(two.path, { writable: true });
      for (const { column, key } of rows.filter(({ column }) => column === "PrivateState"))
        await engine.write([{ type: "delete", column, key: fromHex(key) }]);
      await engine.flush();
    }
    const files = [join(folder.path, "one.ndjson"), join(folder.path, "two.ndjson")] as const;
    await cli("export", one.path, "--reveal-secrets", "-o", files[0]);
    await cli("export", two.path, "--reveal-secrets", "-o", files[1]);
    for (const [a, b] of [
      [one.path, two.path],
      [two.path, one.path],
      [files[0], two.path],
      [two.path, files[0]],
      [files[1], files[0]],
    ] as const) {
      await run("diff", "--rows", a, b);
      const found = parsed(await run("diff", "--rows", a, b, "--json"));
      const fields = found.flatMap((row) => ("fields" in row ? (row.fields as { a: string }[]) : []));
      expect(fields.length).toBeGreaterThanOrEqual(3);
      for (const field of fields) expect(field).toMatchObject({ a: "redacted", b: "redacted" });
      await run("diff", a, b, "--by", "context");
    }
  });

  it("is not in any finding", async () => {
    using copy = copyOfDatabase(FIXTURE);
    await changeDatabase(copy.path, [{ ...data, value: data.value.replace("6d6164", "6d6165") }]);
    await run("verify", copy.path);
    const findings = parsed(await run("verify", copy.path, "--json")) as unknown as readonly Record<
      string,
      unknown
    >[];
    const [finding, ...more] = findings.filter(({ key }) => key === indexes[1]?.key);
    expect(finding).toMatchObject({ severity: "error", found: "redacted", expected: "redacted" });
    const redacted = { entity: "redacted", found: "redacted", expected: "redacted" };
    expect(more).toEqual([expect.objectContaining({ rule: "state-from-deltas", ...redacted })]);
  });

  it("is skipped by import, like all values that an export without secrets lacks", async () => {
    using copy = copyOfDatabase(FIXTURE);
    using folder = temporaryFolder();
    const [file, target] = [join(folder.path, "export.ndjson"), join(folder.path, "target")];
    await cli("export", copy.path, "-o", file);
    const refused = await cli("import", file, target);
    expect(refused.status).toBe(3);
    const { status, stderr } = await cli("import", file, target, "--without-secrets");
    expect(status).toBe(0);
    expectNone(stderr, "import");
    const before = await rowsAt(copy.path);
    const after = await rowsAt(target);
    const lost = before
      .filter((row) => !after.includes(row))
      .map((row) => row.split(" ") as [string, string]);
    expect(after.length + lost.length).toBe(before.length);
    expect(lost.filter(([column]) => ["State", "Delta"].includes(column))).toHaveLength(6);
  });

  it("stays out of an export that several threads write", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "db");
    // These rows come first, so that threads are at work when the others come.
    const first = Array.from({ length: 25_000 }, (_, at) => ({
      column: "State",
      key: `${"00".repeat(32)}${at.toString(16).padStart(64, "0")}`,
      value: "00",
    }));
    const moved = rows.filter(({ column }) => ["State", "PrivateState", "Delta"].includes(column));
    const columns = [...new Set(rows.map(({ column }) => column))];
    await makeDatabase(path, columns, [...first, ...moved]);
    const { status, stdout } = await cli("export", path, "--revision", "core-0.10", "--without-secrets");
    expect(status).toBe(0);
    expect(stdout.split("\n").length).toBeGreaterThan(25_000);
    expectNone(stdout, "export");
  });

  it("stays hidden when exports lack the handles in PrivateState", async () => {
    using copy = copyOfDatabase(FIXTURE);
    using folder = temporaryFolder();
    const [before, after] = ["before.ndjson", "after.ndjson"].map((name) => join(folder.path, name)) as [
      string,
      string,
    ];
    const columns = ["--column", "State", "Delta", "--reveal-secrets"];
    await cli("export", copy.path, ...columns, "-o", before);
    const changed = fromHex(data.value);
    changed[changed.length - 40] = (changed[changed.length - 40] as number) ^ 1;
    await changeDatabase(copy.path, [{ ...data, value: Buffer.from(changed).toString("hex") }]);
    await cli("export", copy.path, ...columns, "-o", after);
    for (const words of [
      [before, after],
      [after, before],
      [before, copy.path],
    ]) {
      const found = parsed(await run("diff", "--rows", ...words, "--json"));
      expect(JSON.stringify(found)).toContain(data.key);
    }
  });
});
