/** The lives of entries agree with the states of the same replay. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { toJsonLine } from "../../../src/bytes/visible.js";
import { openStore } from "../../../src/index.js";
import { CalimeroNode } from "../../../src/node/index.js";
import {
  EntryLives,
  readerAt,
  readReplay,
  StateCollection,
  StateCounter,
  StateText,
  stateOf,
  valueJson,
} from "../../../src/state/index.js";
import { fixturePath } from "../../support/fixtures.js";

/**
 * The entries of collections by path, with value and writing delta.
 *
 * @param wholes gets the paths of entries that are counters or texts, whose parts are entities of their own
 */
async function* entriesIn(
  value: unknown,
  wholes: string[],
): AsyncGenerator<readonly [path: string, id: string, json: string]> {
  if (!(value instanceof StateCollection)) return;
  if (value instanceof StateCounter || value instanceof StateText) return;
  for await (const entry of value.parts()) {
    if (entry.problem !== undefined) continue;
    if (entry.value instanceof StateCounter || entry.value instanceof StateText) wholes.push(entry.path);
    if (entry.value instanceof StateCollection) yield* entriesIn(entry.value, wholes);
    else yield [entry.path, toHex(entry.id), toJsonLine((await valueJson(entry.value)).json)];
  }
}

describe.each([
  ["core-0.11/node-a", "lobby", [1, 30, 52, 155]],
  ["core-0.11/node-b", "b875f1c0", [1, 60, 125]],
  ["core-0.11/node-a", "sorted", [1, 2, 5, 12, 25, 26]],
  ["core-0.11/node-a", "nested", [1, 3, 8, 17, 19]],
])("the entries of %s, %s", (name, context, positions) => {
  it("are those of the state after as many deltas, each by the delta that wrote it", async () => {
    await using store = await openStore(fixturePath(name, "db"));
    const id = fromHex((await new CalimeroNode(store).resolve(context, ["context"])).id);
    const replay = await readReplay(store, id);
    await expect(replay.moveTo(new Date("yesterday"))).rejects.toThrow("the time is not a valid date");
    const lives = await EntryLives.of(replay, await stateOf(store, id));
    for (const position of positions) {
      await replay.moveToFirst(position);
      const expected = new Map<string, unknown>();
      const wholes: string[] = [];
      for (const { value } of (await stateOf(await readerAt(store, replay), id)).fields)
        for await (const [path, entity, json] of entriesIn(value, wholes))
          expected.set(path, [json, replay.lastWriteOf(entity)?.id]);
      const found = new Map<string, unknown>();
      const surplus: string[] = [];
      let live = 0;
      for (const event of lives.newest(position)) {
        const { entry, position: by, value } = lives.event(event);
        if (value !== undefined) live++;
        const delta = by === 0 ? undefined : lives.deltaAt(by).id;
        const path = lives.pathOf(entry);
        if (value === undefined) continue;
        if (expected.has(path)) found.set(path, [value, delta]);
        else surplus.push(path);
      }
      expect(found).toEqual(expected);
      expect(surplus.toSorted()).toEqual(wholes.toSorted());
      expect(lives.countAt(position)).toBe(live);
      expect(lives.everUntil(position)).toBe([...lives.newest(position)].length);
    }
  });
});

it("says what deltas between two positions changed, and ends when it is aborted", async () => {
  await using store = await openStore(fixturePath("core-0.11/node-a", "db"));
  const id = fromHex((await new CalimeroNode(store).resolve("lobby", ["context"])).id);
  const [replay, state] = [await readReplay(store, id), await stateOf(store, id)];
  const lives = await EntryLives.of(replay, state);
  const changed: string[] = [];
  for (const [before, after] of lives.between(150, 155))
    changed.push(`${lives.pathOf(lives.event(after).entry)} ${before} ${lives.event(after).value}`);
  expect(changed).toEqual([103, 102, 101, 100, 99].map((n) => `items["late${n}"] undefined "${n}"`));
  const over = new AbortController();
  over.abort(new Error("enough"));
  await expect(EntryLives.of(replay, state, { signal: over.signal })).rejects.toThrow("enough");
});
