/** Watching a store while a process writes to its database. */
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import type { WriteOperation } from "../../src/engines/index.js";
import { ContextMeta, GroupDefaultCaps, GroupMember } from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import { type Change, openStore } from "../../src/store/index.js";
import { apply, rowsOf } from "../engines/files/changed-rows.js";
import { copyOfDatabase } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";
import { ToldWriter } from "../support/told-writer.js";

const fixture = "core-0.11/node-a";
const INTERVAL_MS = 10;

const stop: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of stop.splice(0).reverse()) await end();
});

/** A copy of a node's database, a writer of it, and the changes that a watcher sees. */
async function watched(options: { existed?: boolean } = {}) {
  const copy = copyOfDatabase(fixture);
  let writer = await ToldWriter.start(copy.path);
  const store = await openStore(copy.path, { schema: core011 });
  const control = new AbortController();
  const seen: Change<typeof core011>[] = [];
  const ended = (async () => {
    for await (const change of store.watch({ signal: control.signal, interval: INTERVAL_MS, ...options }))
      seen.push(change);
  })();
  stop.push(
    async () => copy[Symbol.dispose](),
    async () => store.close(),
    async () => writer.stop(),
    async () => {
      control.abort();
      await ended;
    },
  );
  await sleep(50); // it has begun
  return {
    store,
    seen,
    path: copy.path,
    ended,
    control,
    get writer() {
      return writer;
    },
    restart: async () => {
      await writer.kill();
      writer = await ToldWriter.start(copy.path);
    },
    /** Waits until `count` changes were seen. */
    until: async (count: number) => {
      for (let round = 0; seen.length < count && round < 1000; round++) await sleep(5);
      expect(seen.length).toBeGreaterThanOrEqual(count);
    },
  };
}

const id = (at: number) => new Uint8Array(32).fill(at);
const caps = (at: number) => new GroupDefaultCaps({ groupId: id(at) });
const putCaps = (at: number, capabilities: number): WriteOperation => ({
  type: "put",
  column: "Group",
  key: caps(at).bytes,
  value: Uint8Array.of(capabilities, 0, 0, 0),
});

const deleteCaps = (at: number): WriteOperation => ({ type: "delete", column: "Group", key: caps(at).bytes });
const deleteRange = (from: number, to: number): WriteOperation => ({
  type: "deleteRange",
  column: "Group",
  gte: caps(from).bytes,
  lt: caps(to).bytes,
});

/** A change as an operation of the engine. */
function operationOf(change: Change): WriteOperation {
  if (change.type === "rescan") throw new Error("changes were lost");
  if (change.type === "deleteRange") return change;
  const { type, column } = change;
  const key = change.key instanceof Uint8Array ? change.key : change.key.bytes;
  if (type === "delete") return { type, column, key };
  return { type, column, key, value: "bytes" in change ? change.bytes : (change.value as Uint8Array) };
}

describe("watch", () => {
  it("reports rows typed, those of unknown kinds as bytes, those that do not decode with an error", async () => {
    const { writer, seen, until, store } = await watched({ existed: true });
    const first = store.raw.sequence as number;
    await writer.write([putCaps(1, 4)]);
    await writer.write([
      putCaps(1, 5),
      deleteCaps(2),
      { type: "put", column: "Group", key: caps(3).bytes, value: Uint8Array.of(1) },
      { type: "put", column: "Group", key: Uint8Array.of(0xee), value: Uint8Array.of(2) },
      deleteRange(1, 2),
      deleteCaps(1),
      putCaps(1, 6),
    ]);
    await until(8);
    const details = { column: "Group", kind: "GroupDefaultCaps", sequence: first + 8 };
    expect(seen).toEqual([
      expect.objectContaining({
        ...details,
        type: "put",
        sequence: first + 1,
        existed: false,
        value: { capabilities: 4 },
      }),
      expect.objectContaining({ ...details, type: "put", existed: true, value: { capabilities: 5 } }),
      expect.objectContaining({ ...details, type: "delete", existed: false, key: caps(2) }),
      expect.objectContaining({
        ...details,
        type: "put",
        existed: false,
        value: undefined,
        bytes: Uint8Array.of(1),
      }),
      expect.objectContaining({ ...details, type: "put", kind: undefined, value: Uint8Array.of(2) }),
      { ...deleteRange(1, 2), sequence: first + 8 },
      expect.objectContaining({ ...details, type: "delete", existed: false }),
      expect.objectContaining({ ...details, type: "put", existed: false, value: { capabilities: 6 } }),
    ]);
    const [, , , wrong] = seen;
    expect(wrong).toHaveProperty("error.code", "DECODE_FAILED");
    expect(JSON.parse(JSON.stringify(seen[0]))).toMatchObject({
      type: "put",
      kind: "GroupDefaultCaps",
      parts: { groupId: toHex(id(1)) },
      decoded: { capabilities: 4 },
    });
    expect(await store.get(caps(1))).toBeUndefined(); // reads stay with their state
  });

  it("sees every change once, over flushes, ends and kills of the writer, and gets at the rows that are there", async () => {
    const watch = await watched({ existed: true });
    const { seen, until, restart, store, path } = watch;
    const rows = await rowsOf(store.raw);
    const existing = new Set(rows.keys());
    let count = 0;
    for (let round = 0; round < 30; round++) {
      const operations: WriteOperation[] = [];
      for (let at = 0; at < 1 + ((round * 13) % 40); at++) {
        const number = (round * 31 + at * 7) % 50;
        if ((round + at) % 5 === 0) operations.push(deleteCaps(number));
        else operations.push(at % 17 === 16 ? deleteRange(number, number + 3) : putCaps(number, round));
      }
      await watch.writer.write(operations);
      count += operations.length;
      if (round % 4 === 1) await watch.writer.tell("flush");
      if (round % 10 === 5) await watch.writer.tell("reopen");
      if (round % 10 === 8) await restart();
      await until(count);
    }
    await sleep(5 * INTERVAL_MS);
    expect(seen.length).toBe(count);
    for (const change of seen) {
      if (change.type === "put" || change.type === "delete") {
        const name = `${change.column} ${toHex((change.key as GroupDefaultCaps).bytes)}`;
        expect(change.existed).toBe(existing.has(name));
      }
      apply(rows, [operationOf(change)]);
      existing.clear();
      for (const name of rows.keys()) existing.add(name);
    }
    await using now = await openStore(path, { schema: core011 });
    expect(rows).toEqual(await rowsOf(now.raw));
    expect(rows).not.toEqual(await rowsOf(store.raw));
  });

  it("reports only the kinds that are wanted, and refuses others", async () => {
    const { writer, store, path } = await watched();
    const control = new AbortController();
    const kinds: string[] = [];
    const ended = (async () => {
      const { signal } = control;
      for await (const change of store.watch({
        kinds: ["ContextMeta", "GroupMember"],
        interval: 5,
        signal,
      })) {
        kinds.push(change.type === "put" || change.type === "delete" ? change.kind : change.type);
        // Typed by its kind.
        if (change.type === "put" && change.kind === "ContextMeta") change.value?.rootHash.slice();
      }
    })();
    const context = new ContextMeta({ contextId: id(9) });
    const member = new GroupMember({ groupId: id(1), account: id(2) });
    await writer.write([
      putCaps(1, 1),
      { type: "delete", column: "Meta", key: context.bytes },
      { type: "delete", column: "Group", key: member.bytes },
      deleteRange(1, 2),
      { type: "deleteRange", column: "Group", gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) },
    ]);
    for (let round = 0; kinds.length < 3 && round < 400; round++) await sleep(5);
    control.abort();
    await ended;
    expect(kinds).toEqual(["ContextMeta", "GroupMember", "deleteRange"]);
    const loose = store as unknown as { watch(options: object): unknown };
    expect(() => loose.watch({ kinds: ["Nope"] })).toThrow(expect.objectContaining({ code: "UNKNOWN_NAME" }));
    for (const wrong of [{ kinds: "Meta" }, { interval: 0 }, { signal: 1 }, { existed: 1 }, { more: 1 }])
      expect(() => loose.watch(wrong)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    await using native = await openStore(path, { schema: core011, engine: "rocksdb" });
    expect(() => native.watch()).toThrow(/the engine rocksdb cannot watch/);
  });

  it("reports a gap, and goes on after it", async () => {
    const copy = copyOfDatabase(fixture);
    stop.push(async () => copy[Symbol.dispose]());
    const writer = await ToldWriter.start(copy.path);
    await using store = await openStore(copy.path, { schema: core011 });
    const changes = store.watch({ interval: INTERVAL_MS, existed: true })[Symbol.asyncIterator]();
    await writer.write([putCaps(1, 4)]);
    await writer.tell("flush");
    await writer.write([putCaps(2, 4)]);
    await writer.tell("flush");
    const { value: gap } = await changes.next();
    expect(gap).toEqual({ type: "rescan", sequence: store.raw.sequence, compared: false });
    expect(await store.get(caps(1))).toEqual({ capabilities: 4 });
    await writer.write([putCaps(1, 5)]);
    const { value: next } = await changes.next();
    expect(next).toMatchObject({ type: "put", key: caps(1), value: { capabilities: 5 }, existed: true });
    await changes.return?.();
    await writer.stop();
  });

  it("ends with the block that uses it", async () => {
    const copy = copyOfDatabase(fixture);
    stop.push(async () => copy[Symbol.dispose]());
    await using store = await openStore(copy.path, { schema: core011 });
    let next: Promise<IteratorResult<unknown>>;
    let iterator: AsyncIterator<unknown>;
    {
      await using changes = store.watch({ interval: INTERVAL_MS });
      iterator = changes[Symbol.asyncIterator]();
      next = iterator.next(); // still under way when the block ends
    }
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it("ends when it is aborted, left or its store is closed", async () => {
    const copy = copyOfDatabase(fixture);
    stop.push(async () => copy[Symbol.dispose]());
    const store = await openStore(copy.path, { schema: core011 });
    // Longer than any test, so that the watch does not look again.
    const interval = 2 ** 31 - 1;
    for await (const _ of store.watch({ signal: AbortSignal.abort(), interval })) expect.unreachable();
    for await (const _ of store.watch({ signal: AbortSignal.timeout(20), interval })) expect.unreachable();
    const watching = (async () => {
      for await (const _ of store.watch({ interval: INTERVAL_MS, existed: true })) expect.unreachable();
    })();
    await sleep(30);
    await store.close();
    await watching;
    expect(() => store.watch()).toThrow(expect.objectContaining({ code: "CLOSED" }));
  });
});

it("ends with a signal of AbortSignal.timeout that nothing else holds", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  using copy = copyOfDatabase(fixture);
  await using store = await openStore(copy.path);
  const collecting = setInterval(collect, 10);
  const seen = await listOf(store.watch({ signal: AbortSignal.timeout(300), interval: INTERVAL_MS }));
  clearInterval(collecting);
  expect(seen).toEqual([]);
});
