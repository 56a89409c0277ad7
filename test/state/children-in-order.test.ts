/** The children of the entities of whole contexts of core-1.0, in the order of their creation. */
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { Damage } from "../../src/state/layouts/layout.js";
import { oneRow } from "../../src/state/layouts/one-row.js";
import { contexts } from "../verify/one-row/contexts.js";

const good = contexts.filter(({ entities }) => entities !== undefined);

it("has contexts with many children", () => {
  expect(Math.max(...good.flatMap(({ entities = [] }) => entities.map((one) => one.children.length)))).toBe(
    300,
  );
});

it.each(good.map((context, at) => [at, context] as const))(
  "%i",
  async (_, { context_id, rows, entities = [] }) => {
    const values = new Map(rows);
    const read = oneRow.entitiesOf({
      contextId: fromHex(context_id),
      values: async (keys) => {
        return keys
          .map((key) => values.get(context_id + toHex(key)))
          .map((value) => value && fromHex(value)) as readonly (Uint8Array | undefined)[];
      },
    });
    for (const { id, children: expected } of entities) {
      const [row] = await read.indexes([fromHex(id)]);
      if (row === undefined) throw new Error(`${id} has no row`);
      const children = await read.children(row);
      const inOrder = children instanceof Damage ? children : await children.inOrder();
      expect(inOrder instanceof Damage ? inOrder.message : [...inOrder].map(toHex), id).toEqual(expected);
    }
  },
);
