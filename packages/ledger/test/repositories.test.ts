/** Repositories as objects: ledgers by names of bytes, cleaning the disk up, the states of syncing all pages. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/engines/temporary.js";
import { rejection } from "../../../test/support/rejection.js";
import {
  ledgerNameBytes,
  MemoryCloud,
  memoryPlace,
  openLedger,
  openRepository,
  type SyncStates,
} from "../src/index.js";
import { contents, ticking } from "./support.js";
import { StatedCloud, states } from "./sync/states.js";

/** Bytes that are not UTF-8, alone and beside text. */
const names: readonly (readonly [bytes: readonly number[], text: string])[] = [
  [[0x61], "a"],
  [[0xff], "\udcff"],
  [[0x61, 0x80, 0xc3, 0xa9], "a\udc80é"],
  [[0xed, 0xa0, 0x80], "\udced\udca0\udc80"],
  [[0xc3, 0x28], "\udcc3("],
  [[0xf0, 0x9f, 0x98, 0x80, 0xf0, 0x9f], "😀\udcf0\udc9f"],
  [[0xef, 0xbb, 0xbf], "\ufeff"],
  [[0], "\0"],
];

describe("a ledger", () => {
  it.each([
    ["in memory", () => memoryPlace()],
    ["in a folder", () => join(temporaryFolder(), "repository")],
  ])("%s is found by the bytes of its name, or by its text", async (_, placeOf) => {
    const place = placeOf();
    {
      await using repository = await openRepository(place);
      for (const [bytes, text] of names) {
        await using ledger = await repository.ledger(Uint8Array.from(bytes));
        expect(ledger.name).toBe(text);
        expect([...ledgerNameBytes(text)]).toEqual(bytes);
        await using page = await ledger.rootPage();
        await page.put("name", `of ${text.toWellFormed()}`);
      }
    }
    await using repository = await openRepository(place);
    const sorted = names.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await repository.ledgers()).toEqual(sorted.map(([, text]) => text));
    for (const name of await repository.ledgers()) {
      await using ledger = await repository.ledger(name);
      await using page = await ledger.rootPage({ create: false });
      expect(await contents(page)).toEqual({ name: `of ${name.toWellFormed()}` });
      expect(await ledger.usage()).toMatchObject([{ closedAt: undefined }]);
    }
  });

  it.each<[unknown]>([
    [new Uint8Array(0)],
    [new Uint8Array(190)],
    [""],
    [7],
    ["\ud800"],
    ["\udc7f"],
    ["\udcc3\udca9"], // é has a text
  ])("%j is no name of one", async (name) => {
    await using repository = await openRepository(memoryPlace());
    await rejection(repository.ledger(name as string), "INVALID_ARGUMENT");
    await rejection(openLedger(memoryPlace(), { name: name as string }), "INVALID_ARGUMENT");
  });

  it("is opened once, with the repository or without, and closed with the repository", async () => {
    const place = memoryPlace();
    const repository = await openRepository(place);
    const ledger = await repository.ledger("one");
    await rejection(repository.ledger("one"), "ILLEGAL_STATE");
    await rejection(openLedger(place, { name: "one" }), "ILLEGAL_STATE");
    await using other = await openLedger(place, { name: "other" });
    const closedBefore = await repository.ledger("closed before");
    await closedBefore.close();
    const opening = repository.ledger("still being opened");
    await repository.close();
    await rejection(ledger.rootPage(), "CLOSED");
    await rejection((await opening).rootPage(), "CLOSED");
    for (const use of [
      () => repository.ledger("two"),
      () => repository.ledgers(),
      () => repository.cleanUp(),
    ])
      await rejection(use(), "CLOSED");
    expect(() => repository.syncState).toThrow("the repository is closed");
    expect(() => repository.watchSyncState(() => undefined)).toThrow("the repository is closed");
    // Ledgers that were opened without it stay open.
    await using page = await other.rootPage();
    await page.put("a", "1");
  });

  it("has the options of its repository", async () => {
    const place = memoryPlace();
    await rejection(openRepository(place, { name: "one" } as never), "INVALID_ARGUMENT");
    await rejection(openRepository(7 as never), "INVALID_ARGUMENT");
    await using repository = await openRepository(place, { clock: () => 42n });
    await using ledger = await repository.ledger("one");
    await using page = await ledger.rootPage();
    const times: bigint[] = [];
    using watcher = await page.watch({}, ({ timestamp }) => void times.push(timestamp));
    await page.put("a", "1");
    await watcher.idle();
    expect(times).toEqual([42n]);
  });
});

describe("cleaning up", () => {
  it("removes one page of any ledger, the least recently used one that is in the cloud", async () => {
    const [place, cloud] = [memoryPlace(), new MemoryCloud()];
    await using repository = await openRepository(place, { cloud, clock: ticking() });
    for (const name of ["b", "a", Uint8Array.of(0xff)]) {
      await using ledger = await repository.ledger(name);
      await using page = await ledger.rootPage();
      await page.put("a", "1");
      await cloud.idle();
    }
    await using used = await repository.ledger("a");
    await using page = await used.rootPage();
    expect(await repository.ledgers()).toEqual(["a", "b", "\udcff"]);
    expect(await repository.cleanUp()).toBe(true);
    expect(await repository.ledgers()).toEqual(["a", "\udcff"]);
    expect(await Promise.all([repository.cleanUp(), repository.cleanUp()])).toEqual([true, true]);
    expect(await repository.ledgers()).toEqual(["a"]);
    expect(await repository.cleanUp()).toBe(false);
    expect(await contents(page)).toEqual({ a: "1" });
  });

  it("removes nothing that only this device has", async () => {
    await using repository = await openRepository(memoryPlace());
    await using ledger = await repository.ledger("a");
    const page = await ledger.rootPage();
    await page.put("a", "1");
    await page.close();
    expect(await repository.cleanUp()).toBe(false);
    expect(await repository.ledgers()).toEqual(["a"]);
  });
});

describe("the states of syncing a repository", () => {
  it("are those of the most urgent open page, in each direction", async () => {
    const cloud = new StatedCloud();
    await using repository = await openRepository(memoryPlace(), { cloud });
    expect(repository.syncState).toEqual(states("idle", "idle"));
    const seen: SyncStates[] = [];
    using watcher = repository.watchSyncState((now) => void seen.push(now));
    await watcher.idle();
    await using first = await repository.ledger("first");
    await using second = await repository.ledger("second");
    await using page = await first.rootPage();
    const other = await second.createPage();
    for (const [set, expected] of [
      [() => cloud.set(page.id, "pending", "idle"), states("pending", "idle")],
      [() => cloud.set(other.id, "in-progress", "pending"), states("in-progress", "pending")],
      [() => cloud.set(page.id, "error", "idle"), states("error", "pending")],
      [() => cloud.set(page.id, "idle", "in-progress"), states("in-progress", "in-progress")],
      // A page that is closed does not count.
      [() => other.close(), states("idle", "in-progress")],
    ] as const) {
      await set();
      await watcher.idle();
      expect(seen.at(-1)).toEqual(expected);
      expect(repository.syncState).toEqual(expected);
    }
    expect(seen).toHaveLength(6);
    expect(page.syncState).toEqual(states("idle", "in-progress"));
  });

  it("are watched until the repository is closed", async () => {
    const cloud = new StatedCloud();
    const place = memoryPlace();
    const repository = await openRepository(place, { cloud });
    await using ledger = await openLedger(place, { name: "a", cloud });
    await using page = await ledger.rootPage();
    const seen: SyncStates[] = [];
    const watcher = repository.watchSyncState((now) => void seen.push(now));
    await watcher.idle();
    cloud.set(page.id, "pending", "pending"); // also of a ledger that was opened without it
    await watcher.idle();
    await repository.close();
    cloud.set(page.id, "error", "error");
    await watcher.idle();
    expect(seen).toEqual([states("idle", "idle"), states("pending", "pending")]);
  });
});
