/** Callbacks that throw, return nonsense, or never settle: the caller gets the error, and nothing else is disturbed. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rejection } from "../../../test/support/rejection.js";
import {
  type Cloud,
  type Conflict,
  type ConflictResolver,
  MemoryCloud,
  memoryPlace,
  type PagePolicy,
  type SyncedPage,
} from "../src/index.js";
import { diverge, divergeOn, untilResolved } from "./merging/support.js";
import {
  begin,
  cloudOf,
  contents,
  Gate,
  headOf,
  isSettled,
  macrotasks,
  Recorder,
  testLedger,
  ticking,
  twoOf,
  twoPagesTest,
} from "./support.js";

const broken = new Error("the callback is broken");
const unhandled: unknown[] = [];
const warning = vi.spyOn(process, "emitWarning");
const noteUnhandled = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  warning.mockReset().mockImplementation(() => undefined);
  process.on("unhandledRejection", noteUnhandled);
});
afterEach(async () => {
  await macrotasks(2);
  process.off("unhandledRejection", noteUnhandled);
  expect(unhandled).toEqual([]);
});

/** The warnings of listeners that have failed. */
async function warnings(): Promise<unknown[]> {
  await macrotasks(2);
  const calls: readonly (readonly unknown[])[] = warning.mock.calls;
  return calls.flatMap(([message, options]) =>
    (options as { code?: string } | undefined)?.code === "MEROSTORE_LISTENER" ? [message] : [],
  );
}

describe("listeners of a cloud", () => {
  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw broken;
      },
    ],
    ["rejects", () => Promise.reject(broken)],
    ["rejects with something other than an error", () => Promise.reject(Object.create(null))],
  ])(
    "a listener that %s: a stored commit is acknowledged, and every connection sees it",
    async (_, listener) => {
      let calls = 0;
      const others: string[] = [];
      const cloud = cloudOf({
        onPage: (page) => {
          page.onCommits(() => {
            calls++;
            return listener() as undefined;
          });
          page.onCommits(() => void others.push("told"));
        },
      });
      await using ledger = await testLedger({ cloud });
      const [page, other] = await twoOf(ledger);
      const seen = new Recorder();
      using watcher = await other.watch({}, seen.listener);
      await page.put("a", "1");
      await page.transaction((tx) => tx.put("b", "2"));
      await page.put("c", "3");
      await watcher.idle();
      expect(await contents(page)).toEqual({ a: "1", b: "2", c: "3" });
      expect(await contents(other)).toEqual({ a: "1", b: "2", c: "3" });
      expect(await headOf(other)).toEqual(await headOf(page));
      expect(seen.texts.length).toBeGreaterThan(0);
      expect(calls).toBe(3);
      expect(others).toHaveLength(3);
      // One warning for the listener, however often it fails.
      expect(await warnings()).toEqual(["a listener of the commits of a page has failed"]);
    },
  );

  it("a listener must be a function", async () => {
    const refused: unknown[] = [];
    const cloud = cloudOf({
      onPage: (page) => {
        try {
          page.onCommits(undefined as never);
        } catch (error) {
          refused.push(error);
        }
      },
    });
    await using ledger = await testLedger({ cloud });
    await using _page = await ledger.rootPage();
    expect(refused).toMatchObject([{ code: "INVALID_ARGUMENT" }]);
  });

  it("commits of an unknown source are refused, and nothing of them is stored", async () => {
    const pages: SyncedPage[] = [];
    await using ledger = await testLedger({ cloud: cloudOf({ onPage: (page) => void pages.push(page) }) });
    await using page = await ledger.rootPage();
    await page.put("a", "1");
    const [synced] = pages as [SyncedPage];
    await rejection(synced.addCommits(await synced.unsyncedCommits(), "Cloud" as never), "INVALID_ARGUMENT");
    expect(await synced.unsyncedCommits()).toHaveLength(1);
  });
});

describe("data from a cloud", () => {
  it.each<[unknown]>([
    [undefined],
    [{}],
    [{ content: "text", source: "cloud" }],
    [{ content: new Uint8Array(100), source: "clod" }],
  ])("for a piece, %j, is refused", async (given) => {
    const place = memoryPlace();
    const cloud = new MemoryCloud();
    {
      await using ledger = await testLedger({ cloud });
      await using page = await ledger.rootPage();
      await page.put("lazy", "l".repeat(100), { priority: "lazy" });
      await cloud.idle();
      await using other = await testLedger({ cloud }, place);
      await using _same = await other.rootPage();
      await cloud.idle();
    }
    const fetchPiece = async () => given as never;
    await using ledger = await testLedger({ cloud: cloudOf({ fetchPiece }) }, place);
    await using page = await ledger.rootPage();
    await using snapshot = await page.snapshot();
    await rejection(snapshot.get("lazy", { fetch: true }), "INVALID_ARGUMENT");
    await rejection(snapshot.get("lazy"), "NEEDS_FETCH");
  });

  it("a cloud that cannot connect: opening the page fails with its error, and nothing stays open", async () => {
    const place = memoryPlace();
    const cloud: Cloud = { connect: () => Promise.reject(broken) };
    const ledger = await testLedger({ cloud }, place);
    await expect(ledger.rootPage()).rejects.toBe(broken);
    await ledger.close();
    await using again = await testLedger({}, place);
    await using page = await again.rootPage();
    await page.put("a", "1");
  });
});

describe("a clock", () => {
  it.each<[string, () => unknown]>([
    ["a number", () => 7],
    ["nothing", () => undefined],
    ["a date", () => new Date()],
    ["what no row holds", () => 2n ** 63n],
  ])("that returns %s: the change is refused and has no effect", async (_, clock) => {
    let isBroken = false;
    const sound = ticking();
    await using ledger = await testLedger({ clock: (() => (isBroken ? clock() : sound())) as never });
    await using page = await ledger.rootPage();
    await page.put("a", "1");
    isBroken = true;
    await rejection(page.put("b", "2"), "INVALID_ARGUMENT");
    await rejection(
      page.transaction((tx) => tx.put("c", "3")),
      "INVALID_ARGUMENT",
    );
    isBroken = false;
    await page.put("d", "4");
    expect(await contents(page)).toEqual({ a: "1", d: "4" });
  });

  it("that throws: the change fails with its error", async () => {
    let isBroken = true;
    const sound = ticking();
    const clock = (): bigint => {
      if (isBroken) throw broken;
      return sound();
    };
    await using ledger = await testLedger({ clock });
    await using page = await ledger.rootPage();
    await expect(page.put("a", "1")).rejects.toBe(broken);
    await expect(page.transaction((tx) => tx.put("a", "1"))).rejects.toBe(broken);
    const tx = await begin(page);
    await tx.put("a", "1");
    await expect(tx.commit()).rejects.toBe(broken);
    isBroken = false;
    await page.put("b", "2");
    expect(await contents(page)).toEqual({ b: "2" });
  });
});

describe("waiting for conflicts", () => {
  it.each<[string, unknown]>([
    ["a misspelt policy", { policy: "last-one-win" }],
    ["no policy", {}],
    ["nothing", undefined],
    ["null", null],
    ["a text", "custom"],
    ["custom without resolve", { policy: "custom" }],
    ["a resolve that is no function", { policy: "automatic-with-fallback", resolve: "merge" }],
    ["a promise of nothing", Promise.resolve()],
  ])("ends with INVALID_ARGUMENT for %s, and goes on with a policy", async (_, given) => {
    await using ledger = await testLedger();
    let answer = given;
    ledger.setConflictResolver(() => answer as PagePolicy);
    const [page, other] = await diverge(ledger, { a: "1" }, { b: "2" });
    await rejection(page.waitForConflictResolution(), "INVALID_ARGUMENT");
    // Each later call gets an error too; none hangs.
    await rejection(other.waitForConflictResolution(), "INVALID_ARGUMENT");
    await page.put("c", "3");
    await rejection(page.waitForConflictResolution(), "INVALID_ARGUMENT");
    answer = { policy: "last-one-wins" };
    expect(await page.waitForConflictResolution()).toBe("conflicts-resolved");
    expect(await contents(page)).toEqual({ a: "1", b: "2", c: "3" });
  });

  it.each<[string, ConflictResolver]>([
    [
      "a resolver that throws",
      () => {
        throw broken;
      },
    ],
    ["a resolver that rejects", () => Promise.reject(broken)],
    [
      "a policy that throws",
      () => ({
        policy: "custom",
        resolve: () => {
          throw broken;
        },
      }),
    ],
    [
      "a fallback that rejects",
      () => ({ policy: "automatic-with-fallback", resolve: () => Promise.reject(broken) }),
    ],
  ])("ends with the error of %s, for all who wait", async (_, resolver) => {
    await using ledger = await testLedger();
    let isBroken = true;
    ledger.setConflictResolver((id) => (isBroken ? resolver(id) : { policy: "last-one-wins" }));
    const [page, other] = await diverge(ledger, { a: "1" }, { a: "2" });
    // The first call may get the error of an earlier attempt; later calls wait for the next attempt.
    for (let round = 0; round < 3; round++) {
      const waiting = [page, other, page].map((one) => one.waitForConflictResolution());
      for (const one of waiting) await expect(one).rejects.toBe(broken);
    }
    isBroken = false;
  });

  it("a policy may be an object with methods", async () => {
    class Policy {
      readonly policy = "custom";
      readonly #value = "resolved";
      resolve(conflict: Conflict): Promise<void> {
        return conflict.merge([{ key: "c", use: "new", value: this.#value }]);
      }
    }
    await using ledger = await testLedger();
    ledger.setConflictResolver(() => new Policy());
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual({ b: "2", c: "resolved" });
  });

  it("in a resolver fails instead of hanging", async () => {
    await using ledger = await testLedger();
    const refused: unknown[] = [];
    const pages = await twoOf(ledger);
    const [page] = pages;
    const ask = async (): Promise<void> => {
      refused.push(await page.waitForConflictResolution().catch((error: unknown) => error));
    };
    ledger.setConflictResolver(async () => {
      await ask();
      return { policy: "custom", resolve: ask };
    });
    await divergeOn(pages, { a: "1" }, { b: "2" });
    await untilResolved(page);
    expect(refused).toMatchObject([{ code: "ILLEGAL_STATE" }, { code: "ILLEGAL_STATE" }]);
  });

  twoPagesTest("a resolver may read the page, and does not change it", async (pages, ledger) => {
    const [page] = pages;
    const read: unknown[] = [];
    const resolve = async (conflict: Conflict): Promise<void> => {
      read.push(await page.get("a"), await page.get("b"));
      for (const change of [
        () => page.put("note", "1"),
        () => page.delete("a"),
        () => page.clear(),
        () => page.transaction((tx) => tx.put("note", "1")),
      ])
        expect((await rejection(change(), "ILLEGAL_STATE")).message).toBe(
          "a conflict resolver cannot change its own page: it passes what it wants to conflict.merge",
        );
      await conflict.mergeNonConflicting();
    };
    ledger.setConflictResolver(() => ({ policy: "custom", resolve }));
    await divergeOn(pages, { a: "1" }, { b: "2" });
    await page.waitForConflictResolution();
    expect(read).toEqual([new TextEncoder().encode("1"), undefined]);
    expect(await contents(page)).toEqual({ a: "1", b: "2" });
    await page.put("note", "1");
    expect(await contents(page)).toEqual({ a: "1", b: "2", note: "1" });
  });
});

describe("closing", () => {
  it.each<[string, (asked: Gate) => ConflictResolver]>([
    [
      "a resolver",
      (asked) => () => {
        asked.open();
        return new Promise(() => undefined);
      },
    ],
    [
      "a policy",
      (asked) => () => ({
        policy: "custom",
        resolve: () => {
          asked.open();
          return new Promise(() => undefined);
        },
      }),
    ],
  ])("does not wait for %s that never answers; the heads are merged the next time", async (_, resolverOf) => {
    const place = memoryPlace();
    const ledger = await testLedger({}, place);
    const asked = new Gate();
    ledger.setConflictResolver(resolverOf(asked));
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    const waiting = page.waitForConflictResolution();
    const rejected = rejection(waiting, "CLOSED");
    await asked.opened;
    expect(await isSettled(waiting)).toBe(false);
    await ledger.close();
    await rejected;
    await using again = await testLedger({}, place);
    await using same = await again.rootPage();
    await untilResolved(same);
    expect(await contents(same)).toEqual({ a: "1", b: "2" });
  });

  it("may come from a resolver", async () => {
    const place = memoryPlace();
    const ledger = await testLedger({}, place);
    const closed = new Gate();
    const after: unknown[] = [];
    const resolve = async (conflict: Conflict): Promise<void> => {
      await ledger.close();
      closed.open();
      after.push(
        await conflict.merge([{ key: "c", use: "new", value: "3" }]).catch((error: unknown) => error),
      );
    };
    ledger.setConflictResolver(() => ({ policy: "custom", resolve }));
    await diverge(ledger, { a: "1" }, { b: "2" });
    await closed.opened;
    await macrotasks(2);
    expect(after).toMatchObject([{ code: "ILLEGAL_STATE" }]);
    await using again = await testLedger({}, place);
    await using same = await again.rootPage();
    await untilResolved(same);
    expect(await contents(same)).toEqual({ a: "1", b: "2" });
  });
});
