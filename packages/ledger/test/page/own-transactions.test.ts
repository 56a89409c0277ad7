/** transaction(work): only changes through its handle belong to it, and no call waits for itself. */
import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../test/engines/files/history.js";
import { rejection } from "../../../../test/support/rejection.js";
import type { Mutations, Watcher } from "../../src/index.js";
import {
  begin,
  contents,
  deferred,
  Gate,
  headOf,
  held,
  isSettled,
  pageTest,
  Recorder,
  testLedger,
  twoPagesTest,
} from "../support.js";

const failure = new Error("changed my mind");

describe("changes of others on the same connection", () => {
  pageTest("wait, and are not rolled back with it", async (page) => {
    const [begun, gate] = [new Gate(), new Gate()];
    const transaction = page.transaction(async (tx) => {
      await tx.put("mine", "1");
      begun.open();
      await gate.opened;
      throw failure;
    });
    await begun.opened;
    const others = [
      page.put("other", "1"),
      page.delete("missing"),
      page.putReference("large", await page.createReference("l".repeat(1000))),
    ];
    expect(await isSettled(Promise.race(others))).toBe(false);
    expect(await contents(page)).toEqual({});
    gate.open();
    await expect(transaction).rejects.toBe(failure);
    await Promise.all(others);
    expect(await contents(page)).toEqual({ other: "1", large: "l".repeat(1000) });
  });

  pageTest("come after it, in the order in which they were called", async (page) => {
    const before = page.put("key", "before");
    const { begun, gate, done } = held(page, (tx) => tx.put("key", "transaction"));
    const after = [page.put("key", "after"), page.put("last", "1"), page.delete("last")];
    await Promise.all([before, begun]);
    expect(await contents(page)).toEqual({ key: "before" });
    gate.open();
    await Promise.all([done, ...after]);
    expect(await contents(page)).toEqual({ key: "after" });
  });

  pageTest("other transactions wait too, in their order", async (page) => {
    const order: string[] = [];
    const { begun, gate, done } = held(page, (tx) => tx.put("n", "1"));
    await begun;
    const second = page.transaction(async (tx) => {
      order.push("second");
      expect(await contents(page)).toEqual({ n: "1" });
      await tx.put("n", "2");
    });
    const third = (async () => {
      const tx = await begin(page);
      order.push("third");
      await tx.put("n", "3");
      await tx.rollback();
    })();
    const fourth = page.put("m", "4").then(() => order.push("fourth"));
    expect(await isSettled(Promise.race([second, third, fourth]))).toBe(false);
    gate.open();
    await Promise.all([done, second, third]);
    // The rollback does not cover it.
    await fourth;
    expect(order).toEqual(["second", "third", "fourth"]);
    expect(await contents(page)).toEqual({ n: "2", m: "4" });
  });

  twoPagesTest(
    "any number of concurrent callers: exactly the acknowledged changes are present",
    async ([page, other]) => {
      const expected: Record<string, string> = {};
      const random = new Random(7);
      const caller = async (name: number): Promise<void> => {
        for (let at = 0; at < 25; at++) {
          const key = `${name}/${at}`;
          const wait = random.below(4);
          for (let turn = 0; turn < wait; turn++) await new Promise((resolve) => setImmediate(resolve));
          const kind = random.below(3);
          if (kind === 0) {
            await page.put(key, "put");
            expected[key] = "put";
            continue;
          }
          const work = page.transaction(async (tx) => {
            await tx.put(key, "transaction");
            for (let turn = 0; turn < wait; turn++) await new Promise((resolve) => setImmediate(resolve));
            await tx.put(`${key}/too`, "transaction");
            if (kind === 1) throw failure;
          });
          if (kind === 1) await expect(work).rejects.toBe(failure);
          else {
            await work;
            expected[key] = "transaction";
            expected[`${key}/too`] = "transaction";
          }
        }
      };
      await Promise.all([1, 2, 3, 4, 5].map(caller));
      expect(await contents(page)).toEqual(expected);
      expect(await contents(other)).toEqual(expected);
      expect(await headOf(other)).toEqual(await headOf(page));
    },
  );
});

describe("the handle", () => {
  pageTest("is good while the work goes on, and ILLEGAL_STATE afterwards", async (page) => {
    const kept: Mutations[] = [];
    const reference = await page.createReference("x");
    await page.transaction(async (tx) => {
      kept.push(tx);
      await tx.put("a", "1");
    });
    await expect(
      page.transaction(async (tx) => {
        kept.push(tx);
        throw failure;
      }),
    ).rejects.toBe(failure);
    for (const tx of kept)
      for (const use of [
        () => tx.put("b", "2"),
        () => tx.putReference("b", reference),
        () => tx.delete("a"),
        () => tx.clear(),
      ])
        await rejection(use(), "ILLEGAL_STATE");
    // Also in the next transaction of the connection.
    await page.transaction(async (tx) => {
      await rejection((kept[0] as Mutations).put("b", "2"), "ILLEGAL_STATE");
      await tx.put("c", "3");
    });
    expect(await contents(page)).toEqual({ a: "1", c: "3" });
  });

  twoPagesTest(
    "is CLOSED when the connection was closed meanwhile; nothing is committed",
    async ([page, other]) => {
      const work = page.transaction(async (tx) => {
        await tx.put("a", "1");
        await page.close();
        await rejection(tx.put("b", "2"), "CLOSED");
      });
      await rejection(work, "CLOSED");
      expect(await contents(other)).toEqual({});
    },
  );

  pageTest("calls that the work did not await are part of it if they were made in time", async (page) => {
    let late: Promise<void> | undefined;
    await page.transaction(async (tx) => {
      late = tx.put("a", "1");
    });
    await late;
    expect(await contents(page)).toEqual({ a: "1" });
  });

  pageTest("a change that is refused leaves the rest as it was", async (page) => {
    await page.transaction(async (tx) => {
      await tx.put("a", "1");
      await rejection(tx.put("k".repeat(257), "x"), "INVALID_ARGUMENT");
      await rejection(tx.delete("k".repeat(257)), "INVALID_ARGUMENT");
      await tx.delete("missing");
    });
    expect(await contents(page)).toEqual({ a: "1" });
  });

  pageTest("streams, references and clear work through it", async (page) => {
    await page.put("old", "1");
    await page.transaction(async (tx) => {
      const reference = await page.createReference("shared ".repeat(20));
      await tx.clear();
      await tx.putReference("one", reference);
      await tx.putReference("two", reference, { priority: "lazy" });
      await tx.put(
        "stream",
        (async function* () {
          yield Buffer.from("piece ");
          yield Buffer.from("by piece");
        })(),
      );
    });
    const shared = "shared ".repeat(20);
    expect(await contents(page)).toEqual({ one: shared, two: shared, stream: "piece by piece" });
  });
});

describe("in the work", () => {
  pageTest("changes and transactions without the handle fail instead of hanging", async (page) => {
    const reference = await page.createReference("x");
    await page.transaction(async (tx) => {
      await tx.put("a", "1");
      for (const use of [
        () => page.put("b", "2"),
        () => page.putReference("b", reference),
        () => page.delete("a"),
        () => page.clear(),
        () => page.transaction(async () => undefined),
      ])
        await rejection(use(), "ILLEGAL_STATE");
      // Also in callbacks of timers and events.
      const emitter = new EventEmitter();
      const emitted = new Promise((resolve) => {
        emitter.on("event", () => resolve(page.put("b", "2").catch((error: unknown) => error)));
      });
      setTimeout(() => emitter.emit("event"), 1);
      expect(await emitted).toMatchObject({ code: "ILLEGAL_STATE" });
    });
    expect(await contents(page)).toEqual({ a: "1" });
  });

  twoPagesTest(
    "reading, watching, other connections and other pages go on",
    async ([page, other], ledger) => {
      await using elsewhere = await ledger.createPage();
      await page.put("a", "1");
      const seen = new Recorder();
      const watchers: Watcher[] = [];
      await page.transaction(async (tx) => {
        await tx.put("b", "2");
        expect(await contents(page)).toEqual({ a: "1" });
        watchers.push(await page.watch({}, seen.listener));
        await other.put("c", "3");
        await elsewhere.transaction((inner) => inner.put("d", "4"));
      });
      await page.waitForConflictResolution();
      for (const watcher of watchers) await watcher.idle();
      expect(await contents(page)).toEqual({ a: "1", b: "2", c: "3" });
      expect(await contents(elsewhere)).toEqual({ d: "4" });
      expect(Object.assign({}, ...seen.texts.map(({ changed }) => changed))).toEqual({ b: "2", c: "3" });
    },
  );

  pageTest("calls that it leaves behind are not part of it after it has ended", async (page) => {
    const gate = new Gate();
    let later: Promise<void> | undefined;
    await page.transaction(async (tx) => {
      await tx.put("a", "1");
      later = gate.opened.then(() => page.put("b", "2"));
    });
    const second = held(page, (tx) => tx.put("c", "3"));
    await second.begun;
    gate.open();
    // It waits, as everybody else does.
    expect(await isSettled(later as Promise<void>)).toBe(false);
    second.gate.open();
    await Promise.all([later, second.done]);
    expect(await contents(page)).toEqual({ a: "1", b: "2", c: "3" });
  });

  twoPagesTest(
    "a listener that its commit on another connection calls is not in it",
    async ([page, other]) => {
      const put = new Gate();
      let made: Promise<void> | undefined;
      using _watcher = await other.watch({ prefix: "in" }, () => {
        made = page.put("out", "1");
        put.open();
      });
      await page.transaction(async (tx) => {
        await tx.put("a", "1");
        await other.put("in", "1");
        await put.opened;
        expect(await isSettled(made as Promise<void>)).toBe(false);
      });
      await made;
      await page.waitForConflictResolution();
      expect(await contents(page)).toEqual({ a: "1", in: "1", out: "1" });
    },
  );

  pageTest("a change that waited runs in the context of its caller", async (page, ledger) => {
    await using elsewhere = await ledger.createPage();
    const [begun, gate] = [new Gate(), new Gate()];
    // The transaction of one page ends within the work of another one's.
    const outer = elsewhere.transaction(async () => {
      await page.transaction(async () => {
        begun.open();
        await gate.opened;
      });
      await inner;
    });
    await begun.opened;
    const inner = page.put(
      "value",
      (async function* () {
        await using snapshot = await elsewhere.snapshot();
        yield Buffer.from(`${(await snapshot.entriesPart()).items.length}`);
      })(),
    );
    gate.open();
    await Promise.all([outer, inner]);
    expect(await contents(page)).toEqual({ value: "0" });
  });
});

describe("the end of the connection", () => {
  twoPagesTest(
    "rolls back the active transaction, completes earlier calls, and does not begin a waiting transaction",
    async ([page, other]) => {
      const first = held(page, (tx) => tx.put("first", "1"));
      await first.begun;
      const put = page.put("put", "1");
      let begun = false;
      const second = page.transaction(async (tx) => {
        begun = true;
        await tx.put("second", "1");
      });
      const last = page.put("last", "1");
      await Promise.all([page.close(), put, last, rejection(second, "CLOSED")]);
      expect(begun).toBe(false);
      expect(await contents(other)).toEqual({ put: "1", last: "1" });
      first.gate.open();
      await rejection(first.done, "CLOSED");
      expect(await contents(other)).toEqual({ put: "1", last: "1" });
      await other.put("later", "1");
      expect(await contents(other)).toEqual({ put: "1", last: "1", later: "1" });
    },
  );

  it("of the ledger: does not wait for work, and may come from it", async () => {
    const ledger = await testLedger();
    const page = await ledger.rootPage();
    const other = await ledger.createPage();
    const waiting = held(other, (tx) => tx.put("a", "1"));
    await waiting.begun;
    const work = page.transaction(async (tx) => {
      await tx.put("a", "1");
      await ledger.close();
    });
    await rejection(work, "CLOSED");
    waiting.gate.open();
    await rejection(waiting.done, "CLOSED");
  });

  it("may come from a listener", async () => {
    const ledger = await testLedger();
    const page = await ledger.rootPage();
    const closed = deferred<void>();
    await page.watch({}, () => ledger.close().then(closed.resolve, closed.reject));
    await page.put("a", "1");
    await closed.promise;
    await rejection(page.put("b", "1"), "CLOSED");
  });
});
