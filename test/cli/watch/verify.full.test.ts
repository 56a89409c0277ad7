/** `watch --verify` and `watch --record` beside a process that writes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { entryStateKey, indexStateKey, ownHash } from "../../../src/digests/index.js";
import { fromHex, openStore } from "../../../src/index.js";
import * as key from "../../../src/keys/index.js";
import { core10 } from "../../../src/schemas/index.js";
import { compareWithRecord, parseRecord, readReplay } from "../../../src/state/index.js";
import {
  CONTEXT,
  deltaId,
  falsified as falsifiedOf,
  history,
  itemId,
  rowsAfter,
} from "../../state/replay/made-deltas.js";
import { copyOfDatabase, fixtureRows, temporaryFolder } from "../../support/fixtures.js";
import { ToldWriter } from "../../support/told-writer.js";
import { flipped } from "../../verify/altered.js";
import { cli, linesOf } from "../run.js";
import { watching } from "./watching.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

/** An entity of the lobby that a delta wrote, and the rows that falsify it. */
async function falsified(path: string) {
  await using store = await openStore(path);
  const contextId = fromHex(LOBBY);
  const replay = await readReplay(store, contextId);
  await replay.moveToFirst();
  for (const [id, { data, writer, deletedAt }] of replay.tree.entities()) {
    if (data === undefined || writer === undefined || deletedAt !== undefined || data.length < 33) continue;
    const other = flipped(data);
    const [index, entry] = [indexStateKey(fromHex(id)), entryStateKey(fromHex(id))].map(
      (stateKey) => new key.ContextState011({ contextId, stateKey }).bytes,
    ) as [Uint8Array, Uint8Array];
    const row = (await store.raw.get("State", index)) ?? new Uint8Array(0);
    const at = Buffer.from(row).indexOf(ownHash(data));
    if (at < 0) continue;
    const value = Buffer.from(row);
    value.set(ownHash(other), at);
    return {
      id,
      delta: replay.lastWriteOf(id)?.id,
      wanted: toHex(ownHash(data)),
      found: toHex(ownHash(other)),
      rows: [
        { type: "put", column: "State", key: index, value },
        { type: "put", column: "State", key: entry, value: other },
      ] as const,
    };
  }
  throw new Error("the lobby has no such entity");
}

/** The row with the root hash of the lobby. */
function lobbyMeta() {
  const row = fixtureRows("core-0.11/node-a").find((one) => one.kind === "ContextMeta" && one.key === LOBBY);
  return { column: "Meta", key: fromHex(LOBBY), value: fromHex(row?.value ?? "") };
}

it("--verify ends at the first entity that is not what the deltas lead to", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  const entity = await falsified(copy.path);
  const writer = await ToldWriter.start(copy.path);
  const [text, json] = await Promise.all([
    watching(copy.path, "--verify", "--context", LOBBY),
    watching(copy.path, "ContextMeta", "--verify", "--json"),
  ]);
  await writer.write(entity.rows);
  expect(await Promise.all([text.ended, json.ended])).toEqual([1, 1]);
  expect(linesOf(text.out.stdout).at(-1)).toMatch(
    `state-from-deltas: the data is not what delta ${entity.delta?.slice(0, 8)}… wrote last; ContextState contextId=b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443`,
  );
  expect(linesOf(text.out.stdout).at(-1)).toContain(`entity ${entity.id}`);
  // Only the kinds that were asked for are printed.
  const lines = linesOf(json.out.stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toEqual([
    expect.objectContaining({
      type: "difference",
      rule: "state-from-deltas",
      entity: entity.id,
      delta: entity.delta,
      found: entity.found,
      expected: entity.wanted,
    }),
  ]);
  await writer.stop();
});

it("--record keeps each root hash with its heads, which a replay confirms", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  using folder = temporaryFolder();
  const file = join(folder.path, "roots.ndjson");
  const writer = await ToldWriter.start(copy.path);
  const watch = await watching(copy.path, "GroupMember", "--record", file, "--verify");
  const { value, ...meta } = lobbyMeta();
  const other = flipped(value, 32);
  await writer.write([{ type: "put", ...meta, value: other }]);
  await writer.write([{ type: "put", ...meta, value }]);
  const lines = () => linesOf(readFileSync(file, "utf8"));
  while (lines().length < 9) await sleep(20);
  expect(await watch.end()).toBe(0);
  expect(watch.out.stdout).toBe("");
  await writer.stop();

  const record = parseRecord(readFileSync(file, "utf8"));
  const ofLobby = record.filter(({ context }) => context === LOBBY);
  expect(new Set(record.map(({ context }) => context)).size).toBe(7);
  expect(ofLobby.map(({ rootHash }) => rootHash)).toEqual(
    [value, other, value].map((bytes) => toHex(bytes.subarray(32, 64))),
  );
  await using store = await openStore(copy.path);
  const replay = await readReplay(store, fromHex(LOBBY));
  const compare = async (roots: typeof record) => {
    const found: (boolean | undefined)[] = [];
    for await (const { agrees } of compareWithRecord(replay, roots)) found.push(agrees);
    return found;
  };
  expect(await compare(record)).toEqual([true]);
  expect(await compare([ofLobby[1] as (typeof record)[number]])).toEqual([false]);
  const unknown = { context: LOBBY, rootHash: LOBBY, heads: ["ee".repeat(32)] };
  expect(await compare([unknown])).toEqual([undefined]);
  expect(() => parseRecord('{"context":"b875"}\n')).toThrow("line 1 of the record");
});

it("--verify and --record do the same beside a node of core-1.0, whose deltas carry no hash", async () => {
  using folder = temporaryFolder();
  const [db, file] = [join(folder.path, "db"), join(folder.path, "roots.ndjson")];
  const { rows, rootHash } = await rowsAfter(CONTEXT, history);
  {
    await using store = await openStore(db, { create: true, schema: core10 });
    await store.raw.write(rows);
  }
  // An earlier watcher was killed while it wrote.
  writeFileSync(file, '{"time":"2026-11-26T12');
  const { row } = falsifiedOf(rows, itemId("b"));
  const writer = await ToldWriter.start(db);
  const watch = await watching(db, "ContextMeta", "--verify", "--record", file, "--json");
  await writer.write([row]);
  expect(await watch.ended).toBe(1);
  await writer.stop();
  expect(linesOf(watch.out.stdout).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      type: "difference",
      rule: "state-from-deltas",
      entity: toHex(itemId("b")),
      delta: toHex(deltaId(3)),
    }),
  ]);
  expect(parseRecord(readFileSync(file, "utf8"))).toEqual([
    { context: toHex(CONTEXT), rootHash: toHex(rootHash), heads: [toHex(deltaId(6))] },
  ]);
});

it("--record refuses a file within a database, and another file", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  const within = await cli("watch", copy.path, "--record", join(copy.path, "roots.ndjson"));
  expect(within.status).toBe(2);
  expect(within.stderr).toContain("lies within the database");
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "notes"), "notes\n");
  const other = await cli("watch", copy.path, "--record", join(folder.path, "notes"));
  expect(other.status).toBe(2);
  expect(other.stderr).toContain("line 1 of the record");
});
