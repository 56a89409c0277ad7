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
  ValueCodec,
  ValueReference,
} from "../src/index.js";
import { headRow, mergeRow, statusRows } from "../src/rows/page-rows.js";

declare const ledger: Ledger;
declare const page: Page;
declare const snapshot: PageSnapshot;
declare const reference: ValueReference;
declare const id: Uint8Array;
declare const codec: ValueCodec<Date>;

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

  // Values of a page: a read has the type of a put.
  const texts = await ledger.rootPage({ values: "text" });
  expectTypeOf(texts).toEqualTypeOf<Page<string, string>>();
  expectTypeOf(await texts.get("key")).toEqualTypeOf<string | undefined>();
  // @ts-expect-error a value of this page is a text
  await texts.put("key", id);
  const dates = await ledger.page(id, { values: codec, create: false });
  expectTypeOf(dates).toEqualTypeOf<Page<Date, Date>>();
  for await (const { value } of dates.entries()) expectTypeOf(value).toEqualTypeOf<Date | undefined>();
  await dates.transaction(async (tx) => {
    await tx.put("key", new Date());
    expectTypeOf(await tx.get("key")).toEqualTypeOf<Date | undefined>();
    // @ts-expect-error a value of this page is a date
    await tx.put("key", "text");
  });
  await dates.watch({}, async ({ changed, snapshot }) => {
    for (const { value } of changed) expectTypeOf(value).toEqualTypeOf<Date | undefined>();
    expectTypeOf(await snapshot()).toEqualTypeOf<PageSnapshot<Date>>();
  });
  expectTypeOf(await dates.snapshot()).toEqualTypeOf<PageSnapshot<Date>>();
  expectTypeOf(await ledger.createPage({ values: "json" })).toEqualTypeOf<Page<unknown, unknown>>();
  for (const opened of [
    await ledger.rootPage({ values: "bytes" }),
    await ledger.page(id),
    await ledger.createPage(),
  ])
    expectTypeOf(opened).toEqualTypeOf<Page>();
  // @ts-expect-error an unknown form
  await ledger.rootPage({ values: "yaml" });

  // @ts-expect-error a key is bytes or text
  await page.put(7, "text");
  // @ts-expect-error an unknown priority
  await page.put("key", "text", { priority: "soon" });
  // @ts-expect-error only a page makes references
  await page.putReference("key", {});
  // @ts-expect-error a transaction changes the page, and no more
  await page.transaction((transaction) => transaction.snapshot());
  // @ts-expect-error a custom policy must resolve
  const policy: PagePolicy = { policy: "custom" };

  // Rows: the key's declaration gives the parts, and the value's declaration its type.
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
