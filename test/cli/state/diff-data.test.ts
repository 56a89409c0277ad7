/** The differences of the application's data where it cannot be read. */
import { expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { fromHex } from "../../../src/bytes/hex.js";
import { dataLines, diffData } from "../../../src/cli/state/diff-data.js";
import { collectionId, entryStateKey } from "../../../src/digests/index.js";
import type { Engine } from "../../../src/engine/engine.js";
import { type StateEntry, type StateShared, stateOf } from "../../../src/state/index.js";
import { CONTEXT, field, indexRow, manifestWith, mapOf, mapRows, storeOf } from "../../state/made.js";
import { manifestOf, zooStore } from "../../state/support.js";

it("data is not called equal where something in it cannot be read on both sides", async () => {
  const zoo = fromHex("c7".repeat(32));
  const manifest = manifestOf("core-0.11/zoo");
  await using a = await zooStore();
  await using b = await zooStore();
  const before = await diffData([a, b], zoo, manifest);
  for (const store of [a, b]) {
    const shared = (await stateOf(store, zoo, { manifest })).field("shared")?.value as StateShared;
    const { id } = (await shared.value()) as StateEntry;
    const key = concat(zoo, entryStateKey(id));
    await (store.raw as Engine).write([{ type: "put", column: "State", key, value: new Uint8Array(64) }]);
  }
  const after = await diffData([a, b], zoo, manifest);
  expect(before.uncompared.map(({ path }) => path)).not.toContain("shared");
  expect([after.count, after.uncomparedCount]).toEqual([0, before.uncomparedCount + 1]);
  const why = "the entry's data does not end with the entry's id";
  expect(after.uncompared).toContainEqual({
    path: "shared",
    why: `first database: ${why}; second database: ${why}`,
  });
});

it("parts that are not compared are all counted, and the first 1,000 are listed", async () => {
  const items = collectionId("items");
  const ids = Array.from({ length: 1_001 }, (_, at) =>
    Uint8Array.from({ length: 32 }, (_, i) => at >> (8 * (i % 2))),
  );
  const manifest = manifestWith({
    State: { kind: "record", fields: [field("items", mapOf({ kind: "u32" }))] },
  });
  await using a = await storeOf(items, [indexRow(items, ids, "items")]);
  await using b = await storeOf(items, [indexRow(items, [], "items")]);
  const data = await diffData([a, b], CONTEXT, manifest);
  expect([data.uncompared.length, data.uncomparedCount, data.count]).toEqual([1_000, 1_001, 0]);
  expect(data.uncompared[0]?.why).toBe("first database: the entry has no data");
  expect(dataLines(data).at(-1)).toBe("… 1 more part was not compared");
});

it("an entry that neither side can read differs if its bytes do, which stay hidden", async () => {
  const items = collectionId("items");
  const manifest = manifestWith({
    State: { kind: "record", fields: [field("items", mapOf({ kind: "string" }))] },
  });
  const stateWith = (...values: readonly (readonly [key: string, value: Uint8Array])[]) =>
    storeOf(items, mapRows(values, "items"));
  const [short, other] = [Uint8Array.of(1, 2), Uint8Array.of(3, 4)];
  await using a = await stateWith(["same", short], ["secret", short]);
  await using b = await stateWith(["same", short], ["secret", other]);
  const data = await diffData([a, b], CONTEXT, manifest);
  expect([data.count, data.uncomparedCount]).toEqual([1, 0]);
  expect(dataLines(data)).toEqual([
    expect.stringMatching(/^~ items\["secret"\]: ! (\w+) → ! \1, other bytes$/),
  ]);
});
