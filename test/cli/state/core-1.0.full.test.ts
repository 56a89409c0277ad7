/** Commands that show the application's data, on databases of core-1.0 that were written through RocksDB. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { parserOf } from "../../../src/cli/arguments/parser.js";
import { Terminal } from "../../../src/cli/output/terminal.js";
import { merostore } from "../../../src/cli/program.js";
import { Payload } from "../../../src/codec/index.js";
import { childTrie, collectionId, fullHash, mapEntryId, ownHash } from "../../../src/digests/index.js";
import { type EntityRow, entityRow } from "../../../src/layouts/index.js";
import { CalimeroNode } from "../../../src/node/index.js";
import { ActionList, DeltaRow } from "../../../src/payloads/index.js";
import { core10 } from "../../../src/schemas/index.js";
import { CharacterKey, TextRun } from "../../../src/state/collections/fugue-order.js";
import { openStore, StoreReader } from "../../../src/store/index.js";
import { PendingReader } from "../../../src/store/pending.js";
import { ContextMetaValue } from "../../../src/values/index.js";
import { type WhyAnswer, whyDiffer } from "../../../src/why/index.js";
import { about, expected, rows } from "../../state/one-row.js";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { publicMetadata, unsignedDelta } from "../../support/plain-rows.js";
import { ToldWriter } from "../../support/told-writer.js";
import { cli, linesOf, Sink } from "../run.js";

const CONTEXT = fromHex(about.context);
const ABI = fixturePath("core-1.0", "state", "abi.json");
const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const items = expected.items as Readonly<Record<string, string>>;
const [KEY = ""] = Object.keys(items);
const encoder = new TextEncoder();

type Rows = Map<string, Uint8Array>;
type Change = Parameters<PendingReader["add"]>[0];

/** The text of an entry of `items`, then its key and its id. */
function itemData(value: string, id: Uint8Array): Uint8Array {
  const text = (of: string): Uint8Array => {
    const bytes = encoder.encode(of);
    return concat(Uint8Array.of(bytes.length, 0, 0, 0), bytes);
  };
  return concat(text(value), text(KEY), id);
}

const ITEMS = collectionId("items");
const ESSAY = collectionId("essay");
const ENTRY = mapEntryId(ITEMS, encoder.encode(KEY));

const rowAt = (state: Rows, id: Uint8Array): EntityRow =>
  entityRow(id).decode(state.get(`00${toHex(id)}`) as Uint8Array);

/** Writes other data of an entity and the hashes above it. Returns the root hash. */
function change(state: Rows, id: Uint8Array, data: Uint8Array): Uint8Array {
  const children = new Map<string, { id: Uint8Array; fullHash: Uint8Array }[]>();
  for (const key of state.keys()) {
    if (!key.startsWith("00")) continue;
    const { index } = rowAt(state, fromHex(key.slice(2)));
    if (index === null || index.parentId === null || index.deletedAt !== null) continue;
    const parent = toHex(index.parentId);
    children.set(parent, [...(children.get(parent) ?? []), { id: index.id, fullHash: index.fullHash }]);
  }
  for (let [at, row]: [Uint8Array, EntityRow] = [id, { ...rowAt(state, id), data }]; ; ) {
    const { index } = row;
    if (index === null) throw new Error("no index record");
    const below = children.get(toHex(at)) ?? [];
    const own = row.data === null ? index.ownHash : ownHash(row.data);
    const trie = below.length === 0 ? undefined : childTrie(at, below, 1n << 20n);
    for (const one of trie?.rows ?? []) state.set(`03${toHex(one.address)}`, one.value);
    const full = fullHash(own, trie?.root);
    state.set(
      `00${toHex(at)}`,
      entityRow(at).encode({ ...row, index: { ...index, ownHash: own, fullHash: full } }),
    );
    if (index.parentId === null) return full;
    const siblings = children.get(toHex(index.parentId)) ?? [];
    for (const one of siblings) if (toHex(one.id) === toHex(at)) one.fullHash = full;
    at = index.parentId;
    row = rowAt(state, at);
  }
}

async function write(name: string, state: Rows, rootHash: Uint8Array): Promise<void> {
  await using store = await openStore(at(name), { create: true, schema: core10 });
  const secret = rows.filter(({ column }) => column === "PrivateState");
  const put = (column: string, key: Uint8Array, value: Uint8Array) =>
    ({ type: "put", column, key, value }) as const;
  await store.raw.write([
    ...[...state].map(([key, value]) => put("State", concat(CONTEXT, fromHex(key)), value)),
    ...secret.map(({ key, value }) => put("PrivateState", key, value)),
    put(
      "Meta",
      CONTEXT,
      ContextMetaValue.encode({ application: new Uint8Array(32), rootHash, dagHeads: [], serviceName: null }),
    ),
  ]);
}

beforeAll(async () => {
  const state: Rows = new Map(
    rows.filter(({ column }) => column === "State").map(({ key, value }) => [toHex(key.subarray(32)), value]),
  );
  await write("a", state, fromHex(about.rootHash));
  const changed = change(state, ENTRY, itemData("another text", ENTRY));
  await write("b", state, changed);
});
afterAll(() => folder[Symbol.dispose]());

describe("a database of core-1.0", () => {
  it("state shows all data, single parts, and private data if it is asked for", async () => {
    const whole = await cli("state", at("a"), about.context, "--abi", ABI, "--json");
    expect(JSON.parse(whole.stdout)).toEqual({ context: about.context, state: expected });
    expect([whole.status, whole.stderr]).toEqual([0, ""]);
    const path = `items[${JSON.stringify(KEY)}]`;
    const one = await cli("state", at("b"), about.context, path, "--abi", ABI);
    expect(one.stdout).toContain("another text");
    const words = ["--abi", ABI, "--private", fixturePath("core-1.0", "state", "private.json")];
    const secret = await cli("state", at("a"), about.context, ...words, "--reveal-secrets", "--json");
    expect(JSON.parse(secret.stdout).private).toEqual({ Secrets: about.private });
  });

  it("diff names the entry that differs", async () => {
    const { stdout, status } = await cli("diff", at("a"), at("b"), "--by", "context", "--abi", ABI, "--json");
    const found = linesOf(stdout).map((line) => JSON.parse(line));
    expect(status).toBe(1);
    const data = found.find((line) => line.data !== undefined);
    expect(data).toMatchObject({ dataCount: 1, uncompared: [] });
    expect(data.data).toEqual([expect.objectContaining({ path: `items[${JSON.stringify(KEY)}]` })]);
    expect(JSON.stringify(data.data)).toContain("another text");
    expect(JSON.stringify(data.data)).toContain(items[KEY]);
  });

  it("du counts the rows of the context", async () => {
    const { stdout, status } = await cli("du", at("a"), "--by", "context", "--json");
    expect(status).toBe(0);
    expect(stdout).toContain(about.context);
  });

  it("find names the rows that have an entity: its own, and that of the trie above it", async () => {
    const { stdout, status } = await cli("find", at("a"), toHex(ENTRY), "--json");
    const found = linesOf(stdout).map((line) => JSON.parse(line));
    expect(status).toBe(0);
    expect(found.map(({ kind }) => kind)).toEqual(["ContextState", "ContextState"]);
  });

  it("watch tells what a delta changes", async () => {
    const writer = await ToldWriter.start(at("a"));
    const [out, err] = [new Sink(), new Sink()];
    const terminal = new Terminal(out, err);
    const words = ["watch", at("a"), "ContextDagDelta", "--patch", "--json", "--abi", ABI];
    const ended = parserOf(merostore, terminal, () => undefined).parseAsync(words, { from: "user" });
    while (err.text === "") await sleep(10);
    const metadata = { ...publicMetadata(1n, 2n), order: 0n };
    const deltaId = new Uint8Array(32).fill(7);
    const first = CharacterKey.encode({ replica: 77n, counter: 0 });
    const run = mapEntryId(ESSAY, first);
    const block = TextRun.encode({
      start: { replica: 77n, counter: 0 },
      text: "typed at once",
      parent: null,
      side: "Right",
      deleted: new Uint8Array(),
    });
    const value = DeltaRow.encode({
      kind: "v1",
      parents: [new Uint8Array(32)],
      actions: Payload.of(ActionList, {
        kind: "ShortIds",
        actions: [
          { kind: "Update", id: ENTRY, data: itemData("by a delta", ENTRY), ancestors: [ITEMS], metadata },
          { kind: "Add", id: run, data: concat(block, first, run), ancestors: [ESSAY], metadata },
        ],
      }),
      hlc: { time: 1_793_000_000n << 32n, id: 9n },
      ...unsignedDelta,
      delegation: null,
    });
    await writer.write([{ type: "put", column: "Delta", key: concat(CONTEXT, deltaId), value }]);
    while (linesOf(out.text).length < 1) await sleep(10);
    terminal.stop(130);
    await ended.catch((error: unknown) => expect(error).toHaveProperty("status", 0));
    await writer.stop();
    expect(JSON.parse(linesOf(out.text)[0] as string)).toMatchObject({
      kind: "ContextDagDelta",
      changes: [
        { kind: "set", path: `items[${JSON.stringify(KEY)}]`, value: "by a delta" },
        { kind: "insert", path: "essay", value: "typed at once" },
      ],
    });
  });

  it("why says which state is not what the deltas lead to", async () => {
    const words = ["why", at("b"), at("a"), about.context];
    const { status, stdout } = await cli(...words, "--abi", ABI, "--json");
    expect(status).toBe(1);
    const answer = JSON.parse(stdout);
    // a has the older delta, and not its changes.
    expect(answer).toMatchObject({
      verdict: "repaired",
      sentence: "the state of a has 2 entities that no delta of it explains: it was written without deltas",
      about: ["a"],
      // No delta wrote these entities, so nothing tells why they differ.
      unexplained: 6,
      entryCount: 1,
    });
    expect(answer.causes[0]).toMatchObject({
      rule: "contradiction",
      entities: [
        { entity: toHex(ENTRY), how: "other data", delta: "07".repeat(32) },
        { how: "absent", delta: "07".repeat(32) },
      ],
    });
    // No delta of b begins its state: nothing tells whether the state that it took over is right.
    expect(answer.causes[1]).toMatchObject({ rule: "unchecked", rowCount: 0 });
    const same = await cli("why", at("b"), at("b"), about.context);
    expect([same.status, linesOf(same.stdout)[0]]).toEqual([
      0,
      `context ${about.context}: both have the same state and the same deltas.`,
    ]);
    const whole = await cli("why", at("a"), at("b"));
    expect([whole.status, whole.stdout]).toEqual([1, expect.stringContaining("b lacks 1 delta of a")]);
  });

  it("why calls deltas older only if others follow them that the node applied", async () => {
    await using store = await openStore(at("a"), { schema: core10 });
    const keyOf = (byte: number): Uint8Array => concat(CONTEXT, new Uint8Array(32).fill(byte));
    const stored = DeltaRow.decode((await store.raw.get("Delta", keyOf(7))) as Uint8Array);
    // Changes that the rows lack would be another reason.
    const first = {
      ...stored,
      actions: Payload.of(ActionList, { kind: "ShortIds", actions: [] }),
    } as typeof stored;
    const empty: Change = { type: "put", column: "Delta", key: keyOf(7), value: DeltaRow.encode(first) };
    const next = DeltaRow.encode({ ...first, parents: [new Uint8Array(32).fill(7)] });
    const later: Change = { type: "put", column: "Delta", key: keyOf(8), value: next };
    const without = (byte: number): Change => ({ type: "delete", column: "Delta", key: keyOf(byte) });
    const answer = async (...changes: readonly Change[]): Promise<WhyAnswer | undefined> => {
      const sides = [
        [empty, later],
        [empty, ...changes],
      ].map((some, side) => {
        const pending = new PendingReader(store.raw);
        for (const change of some) pending.add(change);
        const reader = new StoreReader(pending, core10);
        return { name: side === 0 ? "A" : "B", reader, node: new CalimeroNode(reader) };
      });
      return (await whyDiffer(sides, { context: about.context }))[0];
    };
    const older = await answer(later, without(7));
    expect(older?.sentence).toBe(
      "both have the same state; no checkpoint of B says whether it took the older deltas over or lost them",
    );
    expect(older?.pairs[0]?.verdict).toBe("snapshot");
    // The heads do not name it, so that B need not have applied it.
    const behind = await answer(without(8));
    expect(behind?.pairs[0]).toMatchObject({ verdict: "ahead", about: ["B"] });
    expect(behind?.sentence).toBe("both have the same state, but B lacks delta 08080808 of A");
  });
});
