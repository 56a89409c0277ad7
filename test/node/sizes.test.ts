/** A context's rows take the space of the rows in an export of the context. */
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { Alias, AliasKind, ScopeUnifiedOp } from "../../src/keys/index.js";
import { CalimeroNode } from "../../src/node/index.js";
import { type Schema, selectRows } from "../../src/schemas/index.js";
import { openStore, StoreReader } from "../../src/store/index.js";
import { PendingReader } from "../../src/store/pending.js";
import { fixturePath } from "../support/fixtures.js";

/** The size of the rows of a selection. */
async function sizeOf(store: StoreReader<Schema>, selection: Parameters<typeof selectRows>[0]) {
  const selected = selectRows(selection);
  const size = { rows: 0, bytes: 0 };
  for (const column of store.raw.columns)
    for (const { key, value } of await store.raw.scan(column).toArray())
      if (selected.has(store.schema, column, key)) {
        size.rows++;
        size.bytes += key.length + value.length;
      }
  return size;
}

it("of a context counts operations and aliases by its id", async () => {
  for (const node of ["core-0.10/node-a", "core-0.11/node-a"]) {
    await using store = await openStore(fixturePath(node, "db"));
    const [context] = (await store.raw.scan("Meta").toArray()).filter(({ key }) => key.length === 32);
    const scope = context?.key ?? new Uint8Array(32);
    const pending = new PendingReader(store.raw);
    const alias = new Alias({ aliasKind: AliasKind.Identity, scope, name: "me" });
    pending.add({ type: "put", column: "Alias", key: alias.bytes, value: scope });
    const operation = new ScopeUnifiedOp({ scope, opId: scope });
    if (store.raw.columns.includes("UnifiedOp"))
      pending.add({ type: "put", column: "UnifiedOp", key: operation.bytes, value: scope });
    const reader = new StoreReader(pending, store.schema);
    const { entries } = await new CalimeroNode(reader).sizes("context");
    expect(entries.map(({ of }) => of)).toContain(toHex(scope));
    for (const { of, rows, bytes } of entries)
      if (of !== "") expect({ rows, bytes }).toEqual(await sizeOf(reader, { contextId: fromHex(of) }));
  }
});

it("of groups counts all operations of contexts and namespaces", async () => {
  await using store = await openStore(fixturePath("core-0.11/node-a", "db"));
  const operations = await store.raw.scan("UnifiedOp").toArray();
  const pending = new PendingReader(store.raw);
  for (const { key } of operations) pending.add({ type: "delete", column: "UnifiedOp", key });
  const rowsIn = async (of: CalimeroNode): Promise<number> =>
    (await of.sizes("group")).entries.find((one) => one.of === "")?.rows ?? 0;
  const without = new CalimeroNode(new StoreReader(pending, store.schema));
  expect(operations.length).toBeGreaterThan(30);
  expect(await rowsIn(new CalimeroNode(store))).toBe(await rowsIn(without));
});
