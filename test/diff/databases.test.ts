/** All differences in one pass: the same as by row, by context and by group. */
import { describe, expect, it } from "vitest";
import {
  diffByContext,
  diffByGroup,
  diffDatabases,
  diffRows,
  type RowDifference,
  type RowSource,
  rowsOfStore,
} from "../../src/diff/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

describe.each([
  ["core-0.11/node-a", "core-0.11/node-b"],
  ["core-0.10/node-a", "core-0.10/node-b"],
])("%s and %s", (nameA, nameB) => {
  it("differ in the same way in one pass", async () => {
    const [a, b] = [await openStore(fixturePath(nameA, "db")), await openStore(fixturePath(nameB, "db"))];
    try {
      const rows: RowDifference[] = [];
      let read = 0;
      const { byContext, byGroup } = await diffDatabases(rowsOfStore(a), rowsOfStore(b), {
        onDifference: (row) => rows.push(row),
        onProgress: ({ done }) => {
          read = done;
        },
      });
      expect(byContext).toEqual(await diffByContext(rowsOfStore(a), rowsOfStore(b)));
      expect(byGroup).toEqual(await diffByGroup(rowsOfStore(a), rowsOfStore(b)));
      expect(rows.length).toBeGreaterThan(100);
      expect(rows).toEqual(await listOf(diffRows(rowsOfStore(a), rowsOfStore(b))));
      expect(read).toBe(byContext.summary.a + byContext.summary.b);
    } finally {
      await a.close();
      await b.close();
    }
  });
});

it("refuses a value that is not a source, and unknown options", async () => {
  const source = { rows: () => [] };
  await expect(diffDatabases({} as never, source as never)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  await expect(
    diffDatabases(source as never, source as never, { onDifference: 1 } as never),
  ).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

it("closes both sources and ends their scans when the callback throws", async () => {
  await using a = await openStore(fixturePath("core-0.11/node-a", "db"));
  await using b = await openStore(fixturePath("core-0.11/node-b", "db"));
  const open = new Set<string>();
  const watched = (store: typeof a, name: string): RowSource => ({
    ...rowsOfStore(store),
    async *rows(column) {
      open.add(`${name} ${column}`);
      try {
        yield* store.raw.scan(column).chunks();
      } finally {
        open.delete(`${name} ${column}`);
      }
    },
    close: async () => void closed.push(name),
  });
  const closed: string[] = [];
  const stop = new Error("enough");
  const comparison = diffDatabases(watched(a, "a"), watched(b, "b"), {
    onDifference: () => {
      throw stop;
    },
  });
  await expect(comparison).rejects.toBe(stop);
  expect(closed).toEqual(["a", "b"]);
  expect([...open]).toEqual([]);
});
