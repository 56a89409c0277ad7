/** Rows of nodes of core-1.0 that differ between correct nodes. */
import { expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { rowsOfStore } from "../../src/diff/index.js";
import { collectionId } from "../../src/digests/index.js";
import type { WriteOperation } from "../../src/engine/engine.js";
import { type EntityRow, entityRow } from "../../src/layouts/index.js";
import type { Action } from "../../src/payloads/index.js";
import {
  CONTEXT,
  entityRowKey,
  falsified,
  history,
  itemId,
  type MadeDelta,
  metaRow,
  rowsAfter,
  setItem,
  storeWith,
} from "../state/replay/made-deltas.js";
import { differences } from "../support/differences.js";

function remove(number: number, name: string): MadeDelta {
  const { metadata } = setItem(name, "", 2) as Extract<Action, { kind: "Add" }>;
  const deletedAt = metadata.updatedAt + BigInt(number) * 1_000_000_000n;
  return { number, parents: [6], actions: [{ kind: "DeleteRef", id: itemId(name), deletedAt, metadata }] };
}

const { rows, rootHash } = await rowsAfter(CONTEXT, [...history, remove(7, "a"), remove(8, "b")]);

/** The row of the items with another list of deleted items. */
function listed(change: (ids: readonly Uint8Array[]) => readonly Uint8Array[]): WriteOperation {
  const items = collectionId("items");
  const key = entityRowKey(items);
  const row = rows.find((one) => one.column === "State" && toHex(one.key) === toHex(key));
  const { index, ...rest } = entityRow(items).decode(row?.value ?? new Uint8Array());
  if (index === null) throw new Error("the row has no index");
  const entity: EntityRow = {
    ...rest,
    index: { ...index, deletedChildren: [...change(index.deletedChildren)] },
  };
  return { type: "put", column: "State", key, value: Uint8Array.from(entityRow(items).encode(entity)) };
}

/** The reason for each row that differs on a node with other rows; undefined for one that no correct node has. */
async function said(changes: readonly WriteOperation[]): Promise<readonly (string | undefined)[]> {
  await using a = await storeWith(rows);
  await using b = await storeWith([...rows, ...changes]);
  const told = [];
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    told.push(
      (await differences(rowsOfStore(one), rowsOfStore(other))).found.map(({ benign }) => benign).toSorted(),
    );
  expect(told[0]).toEqual(told[1]);
  return told[0] ?? [];
}

it("the order of deleted children and of heads is that in which a node learned of them", async () => {
  expect(await said([listed((ids) => ids.toReversed())])).toEqual([
    expect.stringContaining("the hashes agree"),
  ]);
  expect(await said([metaRow(CONTEXT, rootHash, [8, 7])])).toEqual([
    expect.stringContaining("the same heads"),
  ]);
  expect(await said([metaRow(CONTEXT, rootHash, [8, 6])])).toEqual([undefined]);
});

it("an entry that two nodes added has the time and the place of the one that came first", async () => {
  const [id, key] = [itemId("c"), entityRowKey(itemId("c"))];
  const row = rows.find((one) => one.column === "State" && toHex(one.key) === toHex(key));
  const { index, ...rest } = entityRow(id).decode(row?.value ?? new Uint8Array());
  if (index === null) throw new Error("the row has no index");
  const { createdAt, order } = index.metadata;
  const metadata = { ...index.metadata, createdAt: createdAt - 5n, order: order + 1n };
  const value = Uint8Array.from(entityRow(id).encode({ ...rest, index: { ...index, metadata } }));
  expect(await said([{ type: "put", column: "State", key, value }])).toEqual([
    expect.stringContaining("the hashes agree"),
  ]);
});

it("a node drops what is left of a deleted entry", async () => {
  const gone = toHex(itemId("a"));
  const dropped = [
    listed((ids) => ids.filter((id) => toHex(id) !== gone)),
    { type: "delete", column: "State", key: entityRowKey(itemId("a")) } as const,
  ];
  expect(await said(dropped)).toEqual([
    expect.stringContaining("the hashes agree"),
    expect.stringContaining("the trace of a deleted entry"),
  ]);
});

it("other data, and a live entry that is not there, are not expected", async () => {
  const live = { type: "delete", column: "State", key: entityRowKey(itemId("c")) } as const;
  for (const change of [falsified(rows, itemId("c")).row, live])
    expect(await said([change])).toEqual([undefined]);
});
