/** Watchers of the states of syncing a page: the present ones first, one call at a time, then the newest. */
import { describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { MemoryCloud, type SyncStates } from "../../src/index.js";
import { cloudOf, Gate, macrotasks, pageTest, testLedger } from "../support.js";
import { StatedCloud, states } from "./states.js";

const IDLE = states("idle", "idle");

describe("a watcher of the states of syncing", () => {
  it("is told the present ones, then each change", async () => {
    const cloud = new StatedCloud();
    await using ledger = await testLedger({ cloud });
    await using page = await ledger.rootPage();
    cloud.set(page.id, "in-progress", "pending");
    const seen: SyncStates[] = [];
    using watcher = page.watchSyncState((now) => void seen.push(now));
    expect(seen).toEqual([]); // not before the call has returned
    await watcher.idle();
    expect(seen).toEqual([states("in-progress", "pending")]);
    cloud.set(page.id, "idle", "in-progress");
    await watcher.idle();
    cloud.set(page.id, "idle", "in-progress");
    await watcher.idle();
    cloud.set(page.id, "idle", "idle");
    await watcher.idle();
    expect(seen.slice(1)).toEqual([states("idle", "in-progress"), IDLE]);
    expect(page.syncState).toEqual(IDLE);
  });

  it("that is slow gets the newest next, and no queue; one call is in flight", async () => {
    const cloud = new StatedCloud();
    await using ledger = await testLedger({ cloud });
    await using page = await ledger.rootPage();
    const gates = [new Gate(), new Gate(), new Gate()];
    const seen: SyncStates[] = [];
    let running = 0;
    using watcher = page.watchSyncState(async (now) => {
      expect(++running).toBe(1);
      await gates[seen.push(now) - 1]?.opened;
      running--;
    });
    await macrotasks();
    cloud.set(page.id, "pending", "pending");
    cloud.set(page.id, "in-progress", "pending");
    cloud.set(page.id, "idle", "error");
    await macrotasks();
    expect(seen).toEqual([IDLE]);
    gates[0]?.open();
    await macrotasks();
    expect(seen).toEqual([IDLE, states("idle", "error")]);
    // A state that has changed and changed back is not reported.
    cloud.set(page.id, "in-progress", "error");
    cloud.set(page.id, "idle", "error");
    gates[1]?.open();
    await watcher.idle();
    expect(seen).toHaveLength(2);
  });

  pageTest("does not get an object that it can change for others", async (page) => {
    using first = page.watchSyncState((now) => {
      (now as { download: string }).download = "error";
    });
    await first.idle();
    expect(page.syncState).toEqual(IDLE);
  });

  it.each([undefined, new Error("broken")])(
    "that throws %s is closed, and idle() rejects",
    async (thrown) => {
      const cloud = new StatedCloud();
      await using ledger = await testLedger({ cloud });
      await using page = await ledger.rootPage();
      let calls = 0;
      using watcher = page.watchSyncState(async () => {
        calls++;
        throw thrown;
      });
      const outcome = await watcher.idle().catch((error: unknown) => ({ error }));
      expect(outcome).toEqual({ error: thrown });
      cloud.set(page.id, "error", "error");
      await macrotasks();
      expect(calls).toBe(1);
    },
  );

  it("is told nothing after it or the page is closed", async () => {
    const cloud = new StatedCloud();
    await using ledger = await testLedger({ cloud });
    await using keepsOpen = await ledger.rootPage();
    const page = await ledger.rootPage();
    const seen: SyncStates[] = [];
    const first = page.watchSyncState((now) => void seen.push(now));
    first.close();
    const second = page.watchSyncState((now) => void seen.push(now));
    await second.idle();
    await page.close();
    cloud.set(keepsOpen.id, "error", "error");
    await macrotasks();
    expect(seen).toEqual([IDLE]);
    expect(cloud.listeners(keepsOpen.id)).toBe(1); // the repository's
    expect(() => page.watchSyncState(() => undefined)).toThrow("closed");
  });

  it("may change and close the page; it cannot wait for itself", async () => {
    const cloud = new StatedCloud();
    await using ledger = await testLedger({ cloud });
    const page = await ledger.rootPage();
    let refused: unknown;
    const watcher = page.watchSyncState(async () => {
      refused = await rejection(watcher.idle(), "ILLEGAL_STATE");
      await page.put("a", "1");
      await page.transaction((tx) => tx.put("b", "2"));
      await page.close();
    });
    await watcher.idle();
    expect(refused).toBeDefined();
    await rejection(page.put("c", "3"), "CLOSED");
  });

  pageTest.each<unknown>([null, 7, {}])("%j is not a listener", async (page, listener) => {
    expect(() => page.watchSyncState(listener as never)).toThrow("function");
  });
});

describe("the states of syncing", () => {
  pageTest("are always idle without a cloud", async (page) => {
    const seen: SyncStates[] = [];
    using watcher = page.watchSyncState((now) => void seen.push(now));
    await page.put("name", "Alice");
    await watcher.idle();
    expect(seen).toEqual([IDLE]);
  });

  it("of a memory cloud: first the download, then the upload; pending while it is out of reach", async () => {
    const cloud = new MemoryCloud();
    await using ledger = await testLedger({ cloud });
    await using page = await ledger.rootPage();
    await cloud.idle();
    const seen: SyncStates[] = [];
    using watcher = page.watchSyncState((now) => void seen.push(now));
    await watcher.idle();
    await page.put("name", "Alice");
    await cloud.idle();
    await watcher.idle();
    expect(seen[0]).toEqual(IDLE);
    expect(seen.at(-1)).toEqual(IDLE);
    expect(seen).toContainEqual(states("idle", "in-progress"));
    cloud.reachable = false;
    await page.put("name", "Bob");
    await cloud.idle();
    expect(page.syncState).toEqual(states("pending", "pending"));
    cloud.reachable = true;
    await cloud.idle();
    expect(page.syncState).toEqual(IDLE);
  });

  it.each([["idle"], [undefined], [{ download: "idle" }], [{ download: "idle", upload: "done" }]])(
    "%j from a cloud are refused",
    async (state) => {
      await using ledger = await testLedger({ cloud: cloudOf({ state: state as never }) });
      await using page = await ledger.rootPage();
      expect(() => page.syncState).toThrow("the state of a cloud must be");
      using watcher = page.watchSyncState(() => undefined);
      await rejection(watcher.idle(), "INVALID_ARGUMENT");
    },
  );
});
