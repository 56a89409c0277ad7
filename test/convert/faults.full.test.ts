/** Conversions that are refused, that fail, and whose process is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyBytes } from "../../src/bytes/bytes.js";
import { concat } from "../../src/bytes/concat.js";
import { toHex } from "../../src/bytes/hex.js";
import { UndecryptedBytes } from "../../src/bytes/undecrypted.js";
import { checkUpgrade, convertDatabase } from "../../src/convert/index.js";
import { indexStateKey } from "../../src/digests/index.js";
import { openEngine, openMemoryEngine, type RawRow } from "../../src/engines/index.js";
import { EntityIndex010 } from "../../src/payloads/index.js";
import { openStore } from "../../src/store/index.js";
import { MASTER_KEY } from "../encryption/vectors.js";
import { filesOf } from "../support/files.js";
import { copyOfDatabase, fixturePath } from "../support/fixtures.js";
import { folderOfEachTest } from "../support/folder-of-each-test.js";
import { rejection } from "../support/rejection.js";
import { flipped } from "../verify/altered.js";
import { linesOf, source } from "./support.js";

const folder = folderOfEachTest();

const at = (...names: readonly string[]) => join(folder.path, ...names);
const to = "core-0.11" as const;

describe("a conversion", () => {
  it.each([
    ["core-0.11/node-b", "the database is of core-0.11 already"],
    ["documented/tables", "the database is of documented, and only databases of core-0.10 are converted"],
  ])("of %s is refused", async (name, message) => {
    const db = fixturePath(name, "db");
    for (const call of [() => convertDatabase(db, at("new"), { to }), () => checkUpgrade(db, { to })])
      expect((await rejection(call(), "CONVERSION_UNSUPPORTED")).message).toBe(message);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("never replaces the rows that an earlier one left behind", async () => {
    writeFileSync(at("new.left-behind.ndjson"), "{}\n");
    await rejection(convertDatabase(source("node-b"), at("new"), { to }), "DATABASE_EXISTS");
    expect(readdirSync(folder.path)).toEqual(["new.left-behind.ndjson"]);
  });

  it("that fails leaves nothing, not even the folders above", async () => {
    const onProgress = () => {
      throw new Error("stop");
    };
    await expect(convertDatabase(source("node-a"), at("a", "new"), { to, onProgress })).rejects.toThrow(
      "stop",
    );
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("that is killed leaves no database, and the next one removes the rest", async () => {
    const before = filesOf(source("node-a"));
    const module = new URL("../../dist/convert/index.js", import.meta.url).href;
    const script = `
      import { convertDatabase } from ${JSON.stringify(module)};
      const onProgress = () => process.kill(process.pid, "SIGKILL");
      await convertDatabase(${JSON.stringify(source("node-a"))}, ${JSON.stringify(at("new"))}, { to: "core-0.11", onProgress });`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
    const [, signal] = (await once(child, "exit")) as [number | null, string | null];
    expect(signal).toBe("SIGKILL");
    expect(existsSync(at("new"))).toBe(false);
    expect(existsSync(at("new.left-behind.ndjson"))).toBe(false);
    expect(readdirSync(folder.path).filter((name) => !name.startsWith(".new."))).toEqual([]);
    expect(readdirSync(folder.path)).toHaveLength(2);
    const { written } = await convertDatabase(source("node-a"), at("new"), { to });
    expect(written).toBe(441);
    expect(readdirSync(folder.path).sort()).toEqual(["new", "new.left-behind.ndjson"]);
    expect(filesOf(source("node-a"))).toEqual(before);
  });

  it("refuses a state whose entity is below itself", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    await changeIndex(copy.path, "root", (value, context) => {
      const root = EntityIndex010.decode(value);
      const children = root.children?.slice(0, 1).map((child) => ({ ...child, id: context })) ?? null;
      return EntityIndex010.encode({ ...root, children });
    });
    const refused = convertDatabase(copy.path, at("new"), { to });
    await rejection(refused, "DATA_INTEGRITY_ERROR", "is below itself");
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each([
    ["counts it, and writes the right one", null, 1],
    ["keeps it where the entity is deleted: its children are gone", 5n, 0],
  ])("of an entity with a wrong full hash %s", async (_, deletedAt, more) => {
    using copy = copyOfDatabase("core-0.10/node-b");
    const wrong = async (name: string) => {
      const { warnings } = await convertDatabase(copy.path, at(name), { to });
      return warnings
        .flatMap(({ message }) => /^(\d+) entit\w+ .* wrong full hash/.exec(message)?.[1] ?? [])
        .map(Number);
    };
    const [before = 0] = await wrong("before");
    const fullHash = new Uint8Array(32).fill(9);
    await changeIndex(copy.path, "child", (value) =>
      EntityIndex010.encode({ ...EntityIndex010.decode(value), deletedAt, fullHash }),
    );
    const [after = 0] = await wrong("after");
    expect(after - before).toBe(more);
  });

  it("leaves a row of an entity behind if it does not decode", async () => {
    for (const which of ["child", "root"] as const) {
      using copy = copyOfDatabase("core-0.10/node-b");
      const key = await changeIndex(copy.path, which, (value) => copyBytes(value).subarray(0, -1));
      const { kinds } = await checkUpgrade(copy.path, { to });
      expect(kinds).toEqual((await checkUpgrade(source("node-b"), { to })).kinds);
      const { leftBehind } = await convertDatabase(copy.path, at(which), { to });
      expect(linesOf(leftBehind).find((line) => line.key === toHex(key))).toMatchObject({
        kind: "ContextState",
        why: "its value does not decode as core-0.10",
      });
      await using engine = await openEngine(at(which));
      expect(await engine.get("State", key)).toBeUndefined();
    }
  });

  it("keeps rows that are no rows of core-0.10, whole", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    {
      await using engine = await openEngine(copy.path, { writable: true });
      const text = (column: string, key: Uint8Array) =>
        ({ type: "put", column, key, value: Uint8Array.of(7, 8) }) as const;
      await engine.write([
        text("Group", Uint8Array.of(0x99, 1)),
        text("Config", new Uint8Array(32).fill(5)),
        text("State", new Uint8Array(3)),
      ]);
    }
    const { rows, left, kinds } = await convertDatabase(copy.path, at("new"), { to });
    expect([rows, left]).toEqual([374, 16]);
    const of = (column: string) =>
      kinds.filter((one) => one.column === column).map(({ kind, rows, left }) => ({ kind, rows, left }));
    expect(of("Config")).toEqual([
      { kind: "ContextConfig", rows: 2, left: [{ why: "its value does not decode as core-0.10", rows: 1 }] },
    ]);
    const unknown = { why: "no kind of row of core-0.10 has such a key", rows: 1 };
    expect(of("State")[0]).toEqual({ kind: null, rows: 1, left: [unknown] });
    expect(of("Group").find(({ kind }) => kind === null)).toEqual({ kind: null, rows: 1, left: [unknown] });
  });
});

/** Changes the index of the first context's root entity, or of its first child. Returns the key of the row. */
async function changeIndex(
  path: string,
  which: "root" | "child",
  change: (value: Uint8Array, context: Uint8Array) => Uint8Array,
): Promise<Uint8Array> {
  await using engine = await openEngine(path, { writable: true });
  const [first] = await engine.scan("Meta", undefined, { limit: 1 }).toArray();
  const context = (first as RawRow).key;
  const keyOf = (id: Uint8Array) => concat(context, indexStateKey(id));
  const read = async (key: Uint8Array) => (await engine.get("State", key)) as Uint8Array;
  const [child] = EntityIndex010.decode(await read(keyOf(context))).children ?? [];
  if (child === undefined) throw new Error("the root has no child");
  const key = keyOf(which === "root" ? context : child.id);
  const value = change(await read(key), context);
  await engine.write([{ type: "put", column: "State", key, value }]);
  return key;
}

it("what the master key does not decrypt is left behind, and nothing of it is in the new database", async () => {
  using copy = copyOfDatabase("core-0.10/encrypted");
  let key: Uint8Array;
  {
    await using engine = await openEngine(copy.path, { writable: true });
    const [row] = (await engine.scan("State", undefined, { limit: 1 }).toArray()) as [RawRow];
    key = row.key;
    await engine.write([{ type: "put", column: "State", key, value: flipped(row.value, 20) }]);
  }
  await using store = await openStore(copy.path, { masterKey: MASTER_KEY });
  const checked = await checkUpgrade(store.raw, { to });
  const unreadable = checked.kinds.find(({ part }) => part === "entry rows")?.unreadable;
  expect(unreadable).toBe(1);
  const { leftBehind } = await convertDatabase(store.raw, at("new"), { to });
  const [line, ...others] = linesOf(leftBehind).filter((one) => "undecrypted" in one);
  expect(others).toEqual([]);
  expect(line).toMatchObject({ key: toHex(key), why: expect.stringContaining("decrypts") });
  expect(line?.value).toBeUndefined();
  await using engine = await openEngine(at("new"));
  expect(await engine.get("State", key)).toBeUndefined();
});

it("no engine writes a value that a read returned undecrypted", async () => {
  const engine = openMemoryEngine({ columns: ["State"] });
  const put = (value: Uint8Array, owned: boolean) =>
    engine.write([{ type: "put", column: "State", key: new Uint8Array(64), value }], { owned });
  const value = UndecryptedBytes.view(new Uint8Array(40));
  for (const owned of [true, false]) await rejection(put(value, owned), "UNDECRYPTED_ROWS");
});
