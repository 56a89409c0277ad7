/**
 * The replay of deltas since core-1.0: deltas make whole contexts that two independent programs computed, and the
 * replay reaches their root hashes and the bytes of all their rows.
 */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import type { Action } from "../../../src/payloads/index.js";
import { readerAt } from "../../../src/state/replay/as-of.js";
import { readReplay } from "../../../src/state/replay/read-replay.js";
import { type Context, contexts } from "../../verify/one-row/contexts.js";
import { actionsOf, deltaRow, metaRow, storeWith } from "./made-deltas.js";

function storeOfDeltas(deltas: readonly (readonly Action[])[], { context_id, root_hash }: Context) {
  const contextId = fromHex(context_id);
  return storeWith([
    metaRow(contextId, fromHex(root_hash), [deltas.length]),
    ...deltas.map((actions, at) => deltaRow(contextId, { number: at + 1, actions })),
  ]);
}

describe("the replay of deltas since core-1.0", () => {
  const good = contexts.filter(({ layout, damage, entities }) => layout === "R" && !damage && entities);

  it("leads to the root hashes and the rows of whole contexts", async () => {
    expect(good.length).toBeGreaterThanOrEqual(10);
    for (const context of good) {
      const actions = actionsOf(
        context.context_id,
        context.rows.map(([key, value]) => [fromHex(key), fromHex(value)] as const),
      );
      const deltas =
        actions.length > 100 ? [actions.slice(0, 50), actions.slice(50)] : actions.map((one) => [one]);
      await using store = await storeOfDeltas(deltas, context);
      const replay = await readReplay(store, fromHex(context.context_id));
      await replay.moveToFirst();
      expect(replay.rootHash && toHex(replay.rootHash)).toBe(context.root_hash);
      const past = await readerAt(store, replay);
      const found = await past.raw.scan("State", {}).toArray();
      expect(found.map(({ key, value }) => [toHex(key), toHex(value)])).toEqual(
        [...context.rows].sort(([a], [b]) => (a < b ? -1 : 1)),
      );
      const verdicts = new Set(
        (await replay.positions()).map(({ verdict, witnesses }) => `${verdict} ${witnesses[0]?.kind}`),
      );
      expect([...verdicts]).toEqual(["agrees rows"]);
    }
  });
});
