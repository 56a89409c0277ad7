/** Uses of a ledger that must compile, and uses that must not. */
import { expectTypeOf, it } from "vitest";
import type {
  Conflict,
  Ledger,
  Page,
  PageEntry,
  PagePolicy,
  PageSnapshot,
  PageTransaction,
  ValueReference,
} from "../src/index.js";
import { headRow, mergeRow, statusRows } from "../src/rows/page-rows.js";

declare const ledger: Ledger;
declare const page: Page;
declare const snapshot: PageSnapshot;
declare const reference: ValueReference;
declare const id: Uint8Array;

/** Compiled, never called. */
async function compiles(): Promise<void> {
  expectTypeOf(await snapshot.get("key")).toEqualTypeOf<Uint8Array | undefined>();
  for await (const entry of snapshot.entries()) expectTypeOf(entry).toEqualTypeOf<PageEntry>();
  for await (const keys of snapshot.keys().chunks())
    expectTypeOf(keys).toEqualTypeOf<readonly Uint8Array[]>();
  expectTypeOf(await page.transaction(async () => 7)).toEqualTypeOf<number>();
  await page.put(id, "text", { priority: "lazy" });
  await page.putReference("key", reference);
  ledger.setConflictResolver(() => ({ policy: "last-one-wins" }));

  // Scans, of the page, a snapshot and a transaction.
  for (const of of [page, snapshot]) {
    expectTypeOf(await of.count({ gt: "a", lte: id })).toEqualTypeOf<number>();
    expectTypeOf(await of.keys({ reverse: true, after: "a", limit: 1 }).toArray()).toEqualTypeOf<
      Uint8Array[]
    >();
  }
  await page.transaction(async (tx) => {
    expectTypeOf(tx).toEqualTypeOf<PageTransaction>();
    expectTypeOf(await tx.get("key")).toEqualTypeOf<Uint8Array | undefined>();
    expectTypeOf(await tx.count({ prefix: "a" })).toEqualTypeOf<number>();
    for await (const entry of tx.entries({ reverse: true })) expectTypeOf(entry).toEqualTypeOf<PageEntry>();
  });
  // @ts-expect-error a count has no direction
  await page.count({ reverse: true });
  // @ts-expect-error a snapshot has its prefix already
  snapshot.entries({ prefix: "a" });
  // @ts-expect-error a transaction is a function
  page.startTransaction;

  // Conflicts: the newer and the older head.
  const resolve = async (conflict: Conflict): Promise<void> => {
    for await (const { newer, older, ancestor } of conflict.conflicts())
      for (const entry of [newer, older, ancestor])
        expectTypeOf(entry).toEqualTypeOf<PageEntry | undefined>();
    expectTypeOf(conflict.newer).toEqualTypeOf<PageSnapshot>();
    expectTypeOf(conflict.older).toEqualTypeOf<PageSnapshot>();
    await conflict.merge([{ key: "a", use: "older" }]);
    // @ts-expect-error the merge begins with the newer entries
    await conflict.merge([{ key: "a", use: "newer" }]);
  };
  ledger.setConflictResolver(() => ({ policy: "custom", resolve }));

  // @ts-expect-error a key is bytes or text
  await page.put(7, "text");
  // @ts-expect-error there is no such priority
  await page.put("key", "text", { priority: "soon" });
  // @ts-expect-error only a page makes references
  await page.putReference("key", {});
  // @ts-expect-error a transaction changes the page, and no more
  await page.transaction((transaction) => transaction.snapshot());
  // @ts-expect-error who wants to decide must resolve
  const policy: PagePolicy = { policy: "custom" };

  // Rows: the declaration of the key gives its parts, and that of the value its type.
  headRow.put({ commit: id }, 7n);
  expectTypeOf(headRow.decode({ key: id, value: id })).toEqualTypeOf<bigint>();
  expectTypeOf(statusRows.local.parts(id).identifier.keyIndex).toEqualTypeOf<number>();
  // @ts-expect-error the value of a head is a time
  headRow.put({ commit: id }, id);
  // @ts-expect-error a merge has two parents
  mergeRow.put({ left: id, commit: id }, null);
  void policy;
}

it("is checked by the compiler", () => {
  expectTypeOf(compiles).toBeFunction();
});
