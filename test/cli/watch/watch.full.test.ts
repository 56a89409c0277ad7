/** The command watch beside a process that writes. */
import { readdirSync, renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { parserOf } from "../../../src/cli/arguments/parser.js";
import { Terminal } from "../../../src/cli/output/terminal.js";
import { merostore } from "../../../src/cli/program.js";
import { core011, fromHex, openStore, type Store } from "../../../src/index.js";
import { GroupDefaultCaps, GroupMember } from "../../../src/keys/index.js";
import { copyOfDatabase, fixturePath, fixtureRows } from "../../support/fixtures.js";
import { ToldWriter } from "../../support/told-writer.js";
import { cli, linesOf, Sink, sharedCopy } from "../run.js";
import { watching } from "./watching.js";

const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
const id = (at: number) => new Uint8Array(32).fill(at);
const caps = new GroupDefaultCaps({ groupId: id(1) });

describe("watch", () => {
  it("prints each change once, redacted and selected, and ends with Ctrl-C", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const writer = await ToldWriter.start(copy.path);
    const all = await watching(copy.path, "--json");
    const some = await watching(copy.path, "GroupDefaultCaps", "--group", toHex(id(1)), "--json");
    const secret = fixtureRows("core-0.11/node-a").find(({ kind }) => kind === "NodeIdentity");
    const key = caps.bytes;
    await writer.write([
      { type: "put", column: "Group", key, value: Uint8Array.of(4, 0, 0, 0) },
      {
        type: "put",
        column: "Group",
        key: new GroupDefaultCaps({ groupId: id(2) }).bytes,
        value: Uint8Array.of(5, 0, 0, 0),
      },
    ]);
    await writer.write([
      { type: "delete", column: "Group", key: new GroupMember({ groupId: id(1), account: id(3) }).bytes },
      { type: "put", column: "Group", key, value: Uint8Array.of(6, 0, 0, 0) },
    ]);
    await writer.tell("flush");
    const { column, key: secretKey, value } = secret as NonNullable<typeof secret>;
    await writer.write([
      { type: "put", column, key: fromHex(secretKey), value: fromHex(value) },
      { type: "deleteRange", column: "Group", gte: key, lt: Uint8Array.of(...key, 0) },
      { type: "delete", column: "Group", key },
    ]);
    await all.until(5);
    await some.until(3);
    const row = { column: "Group", kind: "GroupDefaultCaps", parts: { groupId: toHex(id(1)) } };
    expect(all.lines()).toMatchObject([
      { type: "put", existed: false, ...row, decoded: { capabilities: 4 } },
      { type: "put", existed: false, kind: row.kind, decoded: { capabilities: 5 } },
      { type: "put", existed: true, ...row, decoded: { capabilities: 6 } },
      { type: "put", existed: true, kind: "NodeIdentity" },
      { type: "deleteRange", column: "Group", from: toHex(key), to: `${toHex(key)}00` },
    ]);
    expect(all.out.stdout).not.toContain(value);
    expect(some.lines().map(({ type, decoded }) => [type, decoded])).toEqual([
      ["put", { capabilities: 4 }],
      ["put", { capabilities: 6 }],
      ["deleteRange", undefined],
    ]);
    for (const watch of [all, some]) {
      const status = await watch.end();
      expect({ status, stderr: watch.out.stderr }).toEqual({
        status: 0,
        stderr: `merostore: watching ${copy.path}; Ctrl-C ends it\n`,
      });
    }
    await writer.stop();
  });

  it("prints lines for people on a terminal, and hides State and Delta of core-0.10", async () => {
    using copy = copyOfDatabase("core-0.10/node-a");
    const writer = await ToldWriter.start(copy.path);
    const [out, err] = [new Sink(100), new Sink()];
    const terminal = new Terminal(out, err);
    let status: number | undefined;
    const words = ["watch", copy.path];
    const ended = parserOf(merostore, terminal, (result) => {
      status = result;
    }).parseAsync(words, { from: "user" });
    for (let round = 0; err.text === "" && round < 4000; round++) await sleep(10);
    const state = fixtureRows("core-0.10/node-a").find(({ kind }) => kind === "ContextState");
    const known = fixtureRows("core-0.10/node-a").find(({ kind }) => kind === "GroupDefaultCaps");
    const { capabilities = 0 } = (known?.decoded ?? {}) as { readonly capabilities?: number };
    await writer.write([
      { type: "put", column: "Group", key: fromHex(known?.key ?? ""), value: Uint8Array.of(99, 0, 0, 0) },
      { type: "put", column: "Group", key: caps.bytes, value: Uint8Array.of(4, 0, 0, 0) },
      { type: "put", column: "Group", key: caps.bytes, value: Uint8Array.of(5, 0, 0, 0) },
      { type: "put", column: "State", key: fromHex(state?.key ?? ""), value: fromHex(state?.value ?? "") },
      { type: "delete", column: "Group", key: caps.bytes },
      { type: "deleteRange", column: "Group", gte: caps.bytes, lt: new Uint8Array(40).fill(0xff) },
    ]);
    for (let round = 0; linesOf(out.text).length < 6 && round < 4000; round++) await sleep(10);
    terminal.stop(130);
    await ended.catch((error: unknown) => expect(error).toHaveProperty("status", 0));
    expect(status ?? 0).toBe(0);
    const lines = linesOf(out.text).map((line) =>
      line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (?:UTC|[+-]\d\d:\d\d) {2}/, ""),
    );
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(`^~ {2}GroupDefaultCaps {2}groupId=\\w{8}… {2}capabilities: ${capabilities} → 99$`),
      ),
      "+  GroupDefaultCaps  groupId=01010101…  {capabilities: 4}",
      "~  GroupDefaultCaps  groupId=01010101…  {capabilities: 5}",
      expect.stringMatching(/^~ {2}ContextState {2}contextId=.* redacted$/),
      "-  GroupDefaultCaps  groupId=01010101…",
      expect.stringMatching(/^- {2}Group {2}all keys from .* to before /),
    ]);
    await writer.stop();
  });

  it("shows the changes of a program that opens, writes and closes at once", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const watch = await watching(copy.path, "--json");
    const office = new GroupDefaultCaps({ groupId: fromHex(OFFICE) });
    /** Stops the watch while it writes and flushes, so that the log is gone when the watch looks. */
    const between = async (write: (store: Store<typeof core011>) => Promise<void>) => {
      watch.signal("SIGSTOP");
      const store = await openStore(copy.path, { writable: true, schema: core011 });
      await write(store);
      await store.flush();
      await store.close();
      watch.signal("SIGCONT");
    };
    await between((store) => store.put(office, { capabilities: 7 }));
    await watch.until(2);
    await between((store) => store.delete(office));
    await watch.until(4);
    // Once this change is shown, nothing more follows about earlier ones.
    await between((store) => store.put(office, { capabilities: 8 }));
    await watch.until(6);
    await watch.end();
    expect(watch.lines()).toMatchObject([
      { type: "rescan", compared: true },
      {
        ...{ type: "put", existed: true, kind: "GroupDefaultCaps", decoded: { capabilities: 7 } },
        before: { decoded: { capabilities: 4 } },
      },
      { type: "rescan", compared: true },
      { type: "delete", kind: "GroupDefaultCaps" },
      { type: "rescan", compared: true },
      { type: "put", existed: false, kind: "GroupDefaultCaps", decoded: { capabilities: 8 } },
    ]);
    expect(watch.out.stderr).toContain("the next lines show how the rows differ from before");
  });

  it("says that a database was replaced by its own backup, whose log has the same name", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    using other = copyOfDatabase("core-0.11/node-a");
    const [writer, otherWriter] = [await ToldWriter.start(copy.path), await ToldWriter.start(other.path)];
    const write = (to: ToldWriter, byte: number) =>
      to.write([{ type: "put", column: "Group", key: caps.bytes, value: Uint8Array.of(byte, 0, 0, 0) }]);
    const logs = [copy, other].map(({ path }) =>
      readdirSync(path)
        .filter((name) => name.endsWith(".log"))
        .at(-1),
    );
    expect(logs[0]).toBe(logs[1]);
    const watch = await watching(copy.path, "GroupDefaultCaps", "--json");
    await write(writer, 6);
    await watch.until(1); // it follows the log
    renameSync(copy.path, `${copy.path}-before`);
    renameSync(other.path, copy.path);
    await watch.until(2);
    await write(otherWriter, 7);
    while (!watch.lines().some(({ decoded }) => (decoded as { capabilities?: number })?.capabilities === 7))
      await sleep(10);
    await watch.end();
    expect(watch.lines()[1]).toMatchObject({ type: "rescan", replaced: true });
    expect(watch.out.stderr).toContain("another database replaced this one; ");
    await Promise.all([writer.kill(), otherWriter.kill()]);
  });

  it("says what operations and deltas did, below their rows", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const rows = fixtureRows("core-0.11/node-a");
    const operation = rows.find(({ parts }) => parts?.deltaId?.toString().startsWith("5b7cf7f6"));
    const delta = rows.find(({ parts }) => parts?.deltaId?.toString().startsWith("da09c544"));
    if (operation === undefined || delta === undefined) throw new Error("no such rows");
    const found = [operation, delta].map(({ column, key, value }) => ({
      column,
      key: fromHex(key),
      value: fromHex(value),
    }));
    const writer = await ToldWriter.start(copy.path);
    await writer.write(found.map(({ column, key }) => ({ type: "delete", column, key }) as const));
    const said = await watching(copy.path, "--utc");
    const bare = await watching(copy.path, "--rows");
    const manifest = fixturePath("abi/core-0.11/kv-store.json");
    const patch = await watching(copy.path, "ContextDagDelta", "--utc", "--patch", "--abi", manifest);
    const json = await watching(copy.path, "ContextDagDelta", "--patch", "--json", "--abi", manifest);
    await writer.write(found.map((row) => ({ type: "put", ...row }) as const));
    await said.until(4);
    await bare.until(2);
    const lines = linesOf(said.out.stdout).map((line) =>
      line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (?:UTC|[+-]\d\d:\d\d) {2}/, ""),
    );
    const at = lines.findIndex((line) => line.startsWith("+  NamespaceGovOp"));
    expect(lines[at + 1]).toMatch(/^ {4}28 {2}5b7cf7f6[0-9a-f]{56} {2}Zoë \([0-9a-f]{64}\) left office/);
    const next = lines.findIndex((line) => line.startsWith("+  ContextDagDelta"));
    expect(lines[next + 1]).toMatch(
      /^ {4}2026-11-21 05:51:50 UTC {2}da09c544.* added 1, changed 2: root, 767 bytes$/,
    );
    expect(linesOf(bare.out.stdout)).toHaveLength(2);
    await patch.until(5);
    const actions = linesOf(patch.out.stdout).slice(2);
    expect(actions).toEqual([
      '          + items["late103"] = "103", 106 bytes',
      `          ~ the fields of the state (${"76".repeat(32)}), 64 bytes`,
      "          ~ the root of the tree (b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443), 32 bytes",
    ]);
    await json.until(1);
    const [row] = linesOf(json.out.stdout).map((line) => JSON.parse(line));
    expect([row.type, row.kind]).toEqual(["put", "ContextDagDelta"]);
    const { contextId, deltaId } = row.parts;
    const log = await cli("log", copy.path, contextId, "--json", "--patch", "--abi", manifest);
    const logged = linesOf(log.stdout)
      .map((line) => JSON.parse(line))
      .find(({ id }) => id === deltaId);
    expect(row.changes).toContainEqual(expect.objectContaining({ path: 'items["late103"]', value: "103" }));
    expect(row.changes).toEqual(logged.changes);
    await Promise.all([said.end(), bare.end(), patch.end(), json.end()]);
    await writer.stop();
  });

  it("refuses kinds and column families that are not there, and engines that cannot", async () => {
    const db = sharedCopy("core-0.11/node-a");
    const exported = `${db}.ndjson`;
    await cli("export", db, "--out", exported, "--reveal-secrets");
    const refused = await cli("watch", exported);
    expect([refused.status, refused.stderr]).toEqual([
      2,
      "merostore: an export cannot be watched: name the folder of a database\n",
    ]);
    for (const [words, says] of [
      [["Nope"], /no kind of row "Nope"/],
      [["--column", "Nope"], /no column family "Nope"/],
      [["--engine", "rocksdb"], /the engine rocksdb cannot watch/],
    ] as const) {
      const { status, stdout, stderr } = await cli("watch", db, ...words);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(says);
    }
  });
});
