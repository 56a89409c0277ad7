/** The rows of a context of core-1.0 against the state after its deltas. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import type { WriteOperation } from "../../src/engine/engine.js";
import type { Action } from "../../src/payloads/index.js";
import { type Finding, ruleOf, verifyStore } from "../../src/verify/index.js";
import {
  CONTEXT,
  checkpointRow,
  deltaId,
  deltaRow,
  entityRowKey,
  falsified,
  history,
  itemId,
  type MadeDelta,
  metaRow,
  rowsAfter,
  setItem,
  setTitle,
  storeWith,
} from "../state/replay/made-deltas.js";
import { listOf } from "../support/lists.js";

const rules = ["state-from-deltas", "base-hash", "delta-names-what-it-saw"].map(ruleOf);
const { rows } = await rowsAfter(CONTEXT, history);

async function findings(all: readonly WriteOperation[]): Promise<readonly Finding[]> {
  await using store = await storeWith(all);
  return await listOf(verifyStore(store, { rules }));
}

/** The items, with the last delta that wrote each. */
const written = { a: 4, b: 3, c: 5, d: 6 };

describe("state-from-deltas in core-1.0", () => {
  it("finds nothing if the rows follow from the deltas", async () => {
    expect(await findings(rows)).toEqual([]);
  });

  it("names each falsified entity, both hashes, and the delta that wrote it last", async () => {
    for (const [name, delta] of Object.entries(written)) {
      const id = itemId(name);
      const { row, wanted, found } = falsified(rows, id);
      expect(await findings([...rows, row])).toEqual([
        expect.objectContaining({
          severity: "error",
          rule: "state-from-deltas",
          key: toHex(entityRowKey(id)),
          entity: toHex(id),
          delta: toHex(deltaId(delta)),
          expected: toHex(wanted),
          found: toHex(found),
        }),
      ]);
    }
  });

  it("warns of nothing if a node took over entities that a later delta deletes: their rows keep no hash", async () => {
    const { metadata } = setItem("a", "", 4) as Extract<Action, { kind: "Add" }>;
    const deletedAt = metadata.updatedAt + 1_000_000_000n;
    const later = {
      number: 7,
      actions: [{ kind: "DeleteRef", id: itemId("a"), deletedAt, metadata }],
    } as const;
    const { rootHash } = await rowsAfter(CONTEXT, history);
    const after = (await rowsAfter(CONTEXT, [...history, later])).rows;
    const all = [
      ...after.filter(({ column }) => column !== "Delta"),
      checkpointRow(CONTEXT, 6, rootHash),
      deltaRow(CONTEXT, later),
    ];
    expect((await findings(all)).filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  it("warns of nothing if a node took over fields that a delta, which does not follow them, changed before", async () => {
    const second = 1n << 32n;
    const stamp = 1_790_000_000n * second;
    const taken = [history[0] as MadeDelta, { number: 2, actions: [setTitle("later", stamp + second, 2)] }];
    const earlier = { number: 3, parents: [1], actions: [setTitle("earlier", stamp, 3)] };
    const { rootHash, rows: before } = await rowsAfter(CONTEXT, taken);
    const all = [
      ...before.filter(({ column }) => column === "State"),
      checkpointRow(CONTEXT, 2, rootHash),
      deltaRow(CONTEXT, earlier),
      metaRow(CONTEXT, rootHash, [2, 3]),
    ];
    expect((await findings(all)).filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  it("names missing entities, entities that no delta wrote, and entities of a lost delta", async () => {
    const id = itemId("b");
    const gone = { type: "delete", column: "State", key: entityRowKey(id) } as const;
    expect((await findings([...rows, gone])).map(({ message }) => message)).toEqual([
      `delta ${toHex(deltaId(3)).slice(0, 8)}… wrote the entity, and it is not there`,
    ]);
    // A row that does not decode does not count as missing.
    const damaged = {
      type: "put",
      column: "State",
      key: entityRowKey(id),
      value: Uint8Array.of(0xcd),
    } as const;
    expect(await findings([...rows, damaged])).toEqual([
      expect.objectContaining({
        severity: "info",
        message: `not checked: entity ${toHex(id).slice(0, 8)}…: its row does not decode`,
      }),
    ]);
    const more = await rowsAfter(CONTEXT, [...history, { number: 7, actions: [setItem("e", "fifth", 7)] }]);
    const state = more.rows.filter(({ column }) => column === "State");
    expect(await findings([...rows, ...state])).toEqual([
      expect.objectContaining({
        severity: "error",
        message: "no delta wrote the entity",
        entity: toHex(itemId("e")),
      }),
    ]);
    // The root hash also differs from the deltas' one: a repair may have written it.
    expect(await findings([...rows, ...state, metaRow(CONTEXT, more.rootHash, [6])])).toEqual([
      expect.objectContaining({ severity: "warning", entity: toHex(itemId("e")) }),
    ]);
  });

  it("compares the state that a node took over with the checkpoint", async () => {
    const later = { number: 7, parents: [4], actions: [setItem("e", "fifth", 7)] };
    const first = history.slice(0, 4);
    const before = await rowsAfter(CONTEXT, first);
    const after = await rowsAfter(CONTEXT, [...first, later]);
    const joined = [
      ...after.rows.filter(({ column }) => column !== "Delta"),
      checkpointRow(CONTEXT, 4, before.rootHash),
      deltaRow(CONTEXT, later),
    ];
    expect(await findings(joined)).toEqual([]);
    const { row } = falsified(after.rows, itemId("b"));
    const [found] = await findings([...joined, row]);
    expect(found).toMatchObject({ rule: "base-hash", expected: toHex(before.rootHash) });
  });
});
