/** Calls and transactions in listeners of a connection, and in sources of values: none waits for itself. */
import { describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import type { Page, Watcher } from "../../src/index.js";
import {
  contents,
  deferred,
  Gate,
  held,
  isSettled,
  macrotasks,
  pageTest,
  testLedger,
  text,
  twoPagesTest,
} from "../support.js";

const failure = new Error("changed my mind");

describe("in a listener of the connection", () => {
  /** The result of a listener's use of the page. */
  async function inListener(use: (page: Page, watcher: () => Watcher) => Promise<unknown>): Promise<unknown> {
    await using ledger = await testLedger();
    await using page = await ledger.rootPage();
    const answer = deferred<unknown>();
    const watcher: Watcher = await page.watch({ prefix: "in" }, async () => {
      answer.resolve(await use(page, () => watcher).catch((error: unknown) => error));
    });
    await page.put("in", "1");
    const result = await answer.promise;
    await watcher.idle();
    await page.put("later", "1");
    await page.transaction((tx) => tx.put("latest", "1"));
    expect(await contents(page)).toMatchObject({ in: "1", later: "1", latest: "1" });
    return result;
  }

  it.each<[string, (page: Page, watcher: () => Watcher) => Promise<unknown>]>([
    ["transaction", (page) => page.transaction((tx) => tx.put("lost", "1"))],
    ["idle of its own watcher", (_, watcher) => watcher().idle()],
    [
      "transaction, in a timer",
      (page) =>
        new Promise((resolve, reject) => {
          setTimeout(() => void page.transaction(async () => undefined).then(resolve, reject), 1);
        }),
    ],
  ])("%s fails instead of hanging", async (_, use) => {
    expect(await inListener(use)).toMatchObject({ code: "ILLEGAL_STATE" });
  });

  it("everything else works", async () => {
    const shown = await inListener(async (page) => {
      const reference = await page.createReference("x");
      await page.put("out/put", "1");
      await page.putReference("out/reference", reference);
      await page.delete("missing");
      await page.waitForConflictResolution();
      const watcher = await page.watch({}, () => undefined);
      watcher.close();
      return contents(page);
    });
    expect(shown).toEqual({ in: "1", "out/put": "1", "out/reference": "x" });
  });

  twoPagesTest("transactions of other connections and pages work", async ([page, other], ledger) => {
    await using elsewhere = await ledger.createPage();
    using watcher = await page.watch({ prefix: "in" }, async () => {
      await other.transaction((tx) => tx.put("out", "1"));
      await elsewhere.transaction((tx) => tx.put("out", "2"));
    });
    await page.put("in", "1");
    await watcher.idle();
    expect(await contents(page)).toEqual({ in: "1", out: "1" });
    expect(await contents(elsewhere)).toEqual({ out: "2" });
  });

  pageTest("a transaction may be begun by it and run when the call is over", async (page) => {
    const begun = deferred<void>();
    using _watcher = await page.watch({ prefix: "in" }, () => {
      setTimeout(() => {
        page.transaction((tx) => tx.put("out", "1")).then(begun.resolve, begun.reject);
      }, 1);
    });
    await page.put("in", "1");
    await begun.promise;
    expect(await contents(page)).toEqual({ in: "1", out: "1" });
  });

  pageTest(
    "changes made while a transaction waits come first, and are not rolled back with it",
    async (page) => {
      const [called, gate] = [new Gate(), new Gate()];
      const seen: string[] = [];
      using watcher = await page.watch({}, async ({ changed }) => {
        seen.push(...changed.map(({ key }) => text(key)));
        called.open();
        await gate.opened;
        if (!changed.some(({ key }) => text(key) === "in")) return;
        expect(await contents(page)).toEqual({ in: "1" });
        await page.put("out", "1");
      });
      await page.put("in", "1");
      await called.opened;
      let begun = false;
      const transaction = page.transaction(async (tx) => {
        begun = true;
        expect(await contents(page)).toEqual({ in: "1", out: "1" });
        await tx.put("in", "2");
        throw failure;
      });
      const other = page.put("other", "1");
      expect(await isSettled(other)).toBe(false);
      expect(begun).toBe(false);
      gate.open();
      await expect(transaction).rejects.toBe(failure);
      await other;
      expect(await contents(page)).toEqual({ in: "1", out: "1", other: "1" });
      await watcher.idle();
      // It was called for everything, but not during the transaction.
      expect(seen.toSorted()).toEqual(["in", "other", "out"]);
    },
  );

  pageTest("so do those of several listeners, again and again", async (page) => {
    const watchers = await Promise.all(
      ["a", "b", "c"].map((name) =>
        page.watch({ prefix: "in/" }, async ({ changed }) => {
          for (const { key } of changed) {
            await new Promise((resolve) => setImmediate(resolve));
            await page.put(`${name}/${text(key)}`, "1");
          }
        }),
      ),
    );
    const calls: Promise<unknown>[] = [];
    const expected: Record<string, string> = {};
    for (let at = 0; at < 30; at++) {
      const key = `in/${at}`;
      if (at % 3 === 0) calls.push(page.put(key, "1"));
      else if (at % 3 === 1) calls.push(page.transaction((tx) => tx.put(key, "1")));
      else
        calls.push(
          page
            .transaction(async (tx) => {
              await tx.put(key, "1");
              throw failure;
            })
            .catch((error: unknown) => expect(error).toBe(failure)),
        );
      if (at % 3 !== 2) for (const name of ["", "a/", "b/", "c/"]) expected[`${name}${key}`] = "1";
      if (at % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(calls);
    for (const watcher of watchers) await watcher.idle();
    expect(await contents(page)).toEqual(expected);
  });

  pageTest(
    "a listener of a closed watcher that still runs is not waited for, and waits itself",
    async (page) => {
      const [called, gate] = [new Gate(), new Gate()];
      let put: Promise<void> | undefined;
      const watcher = await page.watch({}, async () => {
        called.open();
        await gate.opened;
        put = page.put("out", "1");
        await put;
      });
      await page.put("in", "1");
      await called.opened;
      watcher.close();
      const transaction = held(page, (tx) => tx.put("mine", "1"));
      await transaction.begun;
      gate.open();
      await macrotasks(5);
      expect(await isSettled(put as Promise<void>)).toBe(false);
      transaction.gate.open();
      await transaction.done;
      await put;
      expect(await contents(page)).toEqual({ in: "1", mine: "1", out: "1" });
    },
  );
});

describe("in the source of a value", () => {
  async function* reading(page: Page): AsyncGenerator<Uint8Array> {
    await using snapshot = await page.snapshot();
    for await (const { key } of snapshot.entries()) yield key;
  }

  pageTest("reading the page shows it as it was before", async (page) => {
    await page.put("a", "1");
    await page.put("b", reading(page));
    await page.transaction((tx) => tx.put("c", reading(page)));
    const reference = await page.createReference(reading(page));
    await page.putReference("d", reference);
    expect(await contents(page)).toEqual({ a: "1", b: "a", c: "ab", d: "abc" });
  });

  pageTest("changing and closing the page fail instead of hanging", async (page) => {
    async function* source(use: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
      await use();
      yield new Uint8Array(1);
    }
    for (const use of [
      () => page.put("b", "2"),
      () => page.transaction(async () => undefined),
      () => page.close(),
    ]) {
      await rejection(page.put("a", source(use)), "ILLEGAL_STATE");
      await rejection(page.createReference(source(use)), "ILLEGAL_STATE");
    }
    await page.transaction(async (tx) => {
      await rejection(
        tx.put(
          "a",
          source(() => tx.put("b", "2")),
        ),
        "ILLEGAL_STATE",
      );
      await tx.put("c", "3");
    });
    expect(await contents(page)).toEqual({ c: "3" });
  });
});
