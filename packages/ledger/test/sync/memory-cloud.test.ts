/** Pages that sync through a cloud: the rows on the way, and the contents on other devices. */

import { toHex } from "merostore/internal";
import { describe, expect, it, vi } from "vitest";
import { listOf } from "../../../../test/support/lists.js";
import { rejection } from "../../../../test/support/rejection.js";
import { MemoryCloud, memoryPlace, type Page, type SyncState } from "../../src/index.js";
import { faultsOf, readStored, rowsOf } from "../stored.js";
import { asTexts, begin, contents, headOf, testLedger, text, ticking, twoOf } from "../support.js";

const large = (name: string): string => `${name} `.repeat(50_000);

/** A ledger on a device of its own, whose clock never shows the time of another. */
function device(cloud: MemoryCloud, number: number, place = memoryPlace()) {
  return testLedger({ cloud, clock: ticking(BigInt(1000 + number), 1000n) }, place);
}

async function counts(place: ReturnType<typeof memoryPlace>): Promise<Record<string, number>> {
  const stored = await readStored(place);
  expect(faultsOf(stored, { lazyMissing: true })).toEqual([]);
  const of = (kind: string): number => rowsOf(stored, kind).length;
  return {
    transient: of("transient-piece"),
    local: of("local-piece"),
    synced: of("synced-piece"),
    unsynced: of("unsynced-commit"),
    online: of("online"),
    commits: of("commit"),
  };
}

it("changes that several devices make at once need fewer merges than changes", async () => {
  const cloud = new MemoryCloud();
  const ledgers = await Promise.all([1, 2, 3, 4, 5].map((number) => device(cloud, number)));
  const pages = await Promise.all(ledgers.map((ledger) => ledger.rootPage()));
  for (const round of [1, 2, 3])
    await Promise.all(pages.map((page, at) => page.put(`key ${at % 2}`, `${at} ${round}`)));
  await settled(cloud, pages);
  const parents = (await listOf((pages[0] as Page).history())).map((commit) => commit.parents.length);
  expect(parents.filter((count) => count === 1)).toHaveLength(15);
  expect(parents.filter((count) => count === 2).length).toBeLessThanOrEqual(15);
  for (const ledger of ledgers) await ledger.close();
});

describe("rows", () => {
  it("of values that were here before a commit from the cloud used them count as synced", async () => {
    const cloud = new MemoryCloud();
    const place = memoryPlace();
    await using here = await device(cloud, 1, place);
    await using page = await here.rootPage();
    for (const name of ["eager", "lazy"]) await page.createReference(large(name));
    await using there = await device(cloud, 2);
    await using other = await there.rootPage();
    await other.put("eager", large("eager"));
    await other.put("lazy", large("lazy"), { priority: "lazy" });
    await cloud.idle();
    await page.close();
    expect(await counts(place)).toMatchObject({ transient: 0, local: 0 });
  });

  it("pieces are transient in a transaction, local with its commit, synced when the cloud has them", async () => {
    const cloud = new MemoryCloud();
    const place = memoryPlace();
    cloud.reachable = false;
    {
      await using ledger = await device(cloud, 1, place);
      await using page = await ledger.rootPage();
      await page.put("a", "x".repeat(100));
      await page.put("b", "small", { priority: "lazy" });
    }
    // Two roots and a value; both commits stay.
    const local = { transient: 0, local: 3, synced: 0, unsynced: 2, online: 0, commits: 2 };
    expect(await counts(place)).toEqual(local);
    cloud.reachable = true;
    {
      await using ledger = await device(cloud, 1, place);
      await using page = await ledger.rootPage();
      await cloud.idle();
      expect(page.syncState).toEqual({ download: "idle", upload: "idle" });
    }
    const synced = { transient: 0, local: 0, synced: 3, unsynced: 0, online: 1, commits: 2 };
    expect(await counts(place)).toEqual(synced);
    // A commit from the cloud was never local.
    const other = memoryPlace();
    {
      await using ledger = await device(cloud, 2, other);
      await using page = await ledger.rootPage();
      await cloud.idle();
      expect(await contents(page)).toEqual({ a: "x".repeat(100), b: "small" });
    }
    // The root of the first commit is not here yet.
    expect(await counts(other)).toEqual({ ...synced, synced: 2 });
  });

  it("with a cloud the history stays, without one it goes", async () => {
    const cloud = new MemoryCloud();
    for (const [place, options, commits] of [
      [memoryPlace(), { cloud }, 5],
      [memoryPlace(), {}, 1],
    ] as const) {
      const ledger = await testLedger(options, place);
      const page = await ledger.rootPage();
      for (let at = 0; at < 5; at++) await page.put("count", `${at}`.repeat(100));
      await cloud.idle();
      await ledger.close();
      const stored = await readStored(place);
      expect(stored.roots.size).toBe(commits);
      expect(faultsOf(stored)).toEqual([]);
    }
  });

  it("values that no commit had go, also with a cloud", async () => {
    const place = memoryPlace();
    const cloud = new MemoryCloud();
    const ledger = await device(cloud, 1, place);
    const page = await ledger.rootPage();
    await page.put("kept", large("kept"));
    const tx = await begin(page);
    await tx.put("dropped", large("dropped"));
    await tx.rollback();
    await cloud.idle();
    await ledger.close();
    expect(await counts(place)).toMatchObject({ transient: 0, local: 0, unsynced: 0 });
  });
});

describe("devices", () => {
  it("reach the same contents and the same commit, and watchers are notified", async () => {
    const cloud = new MemoryCloud();
    await using one = await device(cloud, 1);
    await using two = await device(cloud, 2);
    const page1 = await one.rootPage();
    const page2 = await two.rootPage();
    const told: string[] = [];
    using watcher = await page2.watch(
      {},
      ({ changed }) => void told.push(...changed.map(({ key }) => text(key))),
    );
    await page1.put("name", "Alice");
    await cloud.idle();
    await watcher.idle();
    expect(await contents(page2)).toEqual({ name: "Alice" });
    expect(told).toEqual(["name"]);
    await page2.put("large", large("two"));
    await cloud.idle();
    expect(await contents(page1)).toEqual({ name: "Alice", large: large("two") });
    expect(await headOf(page1)).toEqual(await headOf(page2));
  });

  it("that were offline merge when they meet", async () => {
    const cloud = new MemoryCloud();
    await using one = await device(cloud, 1);
    await using two = await device(cloud, 2);
    const page1 = await one.rootPage();
    const page2 = await two.rootPage();
    await cloud.idle();
    cloud.reachable = false;
    for (let at = 0; at < 5; at++) {
      await page1.put(`one${at}`, large("1"));
      await page1.put("name", `Alice${at}`);
      await page2.put(`two${at}`, large("2"));
      await page2.put("name", `Bob${at}`);
    }
    cloud.reachable = true;
    await settled(cloud, [page1, page2]);
    const found = await contents(page1);
    expect(Object.keys(found)).toHaveLength(11);
    expect(found.name).toBe("Bob4");
    expect(await contents(page2)).toEqual(found);
  });

  it("that all write at once, large values too, lose nothing and end without an error", async () => {
    const cloud = new MemoryCloud();
    const ledgers = await Promise.all([1, 2, 3].map((number) => device(cloud, number)));
    const pages = await Promise.all(ledgers.map((ledger) => ledger.rootPage()));
    const states = new Set<SyncState>();
    for (const page of pages)
      page.watchSyncState(({ download, upload }) => void states.add(download).add(upload));
    for (let round = 0; round < 8; round++)
      await Promise.all(pages.map((page, at) => page.put(`${at}-${round}`, `${at}${round} `.repeat(2000))));
    await settled(cloud, pages);
    expect(states).not.toContain("error");
    const found = await contents(pages[0] as Page);
    expect(Object.keys(found)).toHaveLength(24);
    for (const page of pages) expect(await contents(page)).toEqual(found);
    for (const ledger of ledgers) await ledger.close();
  });

  it("pages of other ledgers, and other pages, are others", async () => {
    const cloud = new MemoryCloud();
    await using one = await device(cloud, 1);
    await using other = await testLedger({ cloud, name: "other" });
    const page = await one.rootPage();
    await page.put("name", "Alice");
    const pages = await Promise.all([one.createPage(), other.rootPage()]);
    await cloud.idle();
    for (const unrelated of pages) expect(await contents(unrelated)).toEqual({});
  });
});

/** Waits until all pages are at the same commit. */
async function settled(cloud: MemoryCloud, pages: readonly Page[]): Promise<void> {
  await vi.waitFor(
    async () => {
      await cloud.idle();
      for (const page of pages) await page.waitForConflictResolution();
      const heads = await Promise.all(pages.map(async (page) => toHex(await headOf(page))));
      expect(new Set(heads).size).toBe(1);
      for (const { syncState } of pages) expect(syncState).toEqual({ download: "idle", upload: "idle" });
    },
    { timeout: 500_000, interval: 5 },
  );
}

describe("lazy values", () => {
  async function shared(value: string) {
    const cloud = new MemoryCloud();
    const place = memoryPlace();
    const one = await device(cloud, 1);
    const writer = await one.rootPage();
    await writer.put("lazy", value, { priority: "lazy" });
    await writer.put("eager", value.slice(1));
    await cloud.idle();
    const two = await device(cloud, 2, place);
    const page = await two.rootPage();
    await cloud.idle();
    return {
      cloud,
      place,
      two,
      page,
      snapshot: await page.snapshot(),
      close: () => Promise.all([one.close(), two.close()]),
    };
  }

  it("are not here until they are fetched, and then are", async () => {
    const value = large("lazy");
    const { snapshot, place, close } = await shared(value);
    const { items } = await snapshot.entriesPart();
    expect(items.map(({ priority }) => priority)).toEqual(["eager"]);
    const rest = await snapshot.entriesPart({ gte: "lazy" });
    expect(asTexts(rest.items)).toEqual([["lazy", null]]);
    expect(rest.items[0]?.priority).toBe("lazy");
    await rejection(snapshot.get("lazy"), "NEEDS_FETCH");
    await rejection(snapshot.getPartial("lazy", 0, 1), "NEEDS_FETCH");
    await rejection(snapshot.stream("lazy").next(), "NEEDS_FETCH");
    expect(await snapshot.has("lazy")).toBe(true);
    expect(text((await snapshot.get("eager")) as Uint8Array)).toBe(value.slice(1));
    expect(text((await snapshot.get("lazy", { fetch: true })) as Uint8Array)).toBe(value);
    expect(text((await snapshot.get("lazy")) as Uint8Array)).toBe(value);
    expect(asTexts((await snapshot.entriesPart({ gte: "lazy" })).items)).toEqual([["lazy", value]]);
    await close();
    expect(faultsOf(await readStored(place))).toEqual([]);
    expect(await counts(place)).toMatchObject({ transient: 0, local: 0 });
  });

  it("a part is fetched, then the rest", async () => {
    const value = Array.from({ length: 60_000 }, (_, at) => `${at} `).join("");
    const { snapshot, place, two, page, close } = await shared(value);
    const part = (await snapshot.getPartial("lazy", -10, 5, { fetch: true })) as Uint8Array;
    expect(text(part)).toBe(value.slice(-10, -5));
    expect(text((await snapshot.getPartial("lazy", -10, 5)) as Uint8Array)).toBe(value.slice(-10, -5));
    await rejection(snapshot.get("lazy"), "NEEDS_FETCH");
    expect(asTexts((await snapshot.entriesPart({ gte: "lazy" })).items)).toEqual([["lazy", null]]);
    const chunks = await listOf(snapshot.stream("lazy", { fetch: true }));
    expect(Buffer.concat(chunks).toString()).toBe(value);
    expect(text((await snapshot.get("lazy")) as Uint8Array)).toBe(value);
    await page.close();
    await snapshot.close();
    await using again = await two.rootPage();
    expect((await contents(again)).lazy).toBe(value);
    await close();
    expect(faultsOf(await readStored(place))).toEqual([]);
  });

  it("cannot be had while the cloud is out of reach, nor without one", async () => {
    const { cloud, snapshot, place, close } = await shared(large("lazy"));
    cloud.reachable = false;
    await rejection(snapshot.get("lazy", { fetch: true }), "NETWORK_ERROR");
    await rejection(snapshot.getPartial("lazy", 0, 1, { fetch: true }), "NETWORK_ERROR");
    await close();
    await using offline = await testLedger({}, place);
    await using page = await offline.rootPage();
    await using here = await page.snapshot();
    await rejection(here.get("lazy"), "NEEDS_FETCH");
    await rejection(here.get("lazy", { fetch: true }), "NETWORK_ERROR");
    expect(await here.get("no such key", { fetch: true })).toBeUndefined();
  });

  it("small ones are part of the entry", async () => {
    const { snapshot, close } = await shared("a small value");
    expect(text((await snapshot.get("lazy")) as Uint8Array)).toBe("a small value");
    await close();
  });

  it("a merge keeps lazy values of others that are not here", async () => {
    const value = large("lazy");
    const { cloud, page, close } = await shared(value);
    const [other] = await twoOf(await device(cloud, 3));
    await cloud.idle();
    cloud.reachable = false;
    await page.put("a", "1");
    await other.delete("eager");
    cloud.reachable = true;
    await settled(cloud, [page, other]);
    expect(await contents(page)).toEqual({ a: "1", lazy: null });
    await using snapshot = await other.snapshot();
    expect(text((await snapshot.get("lazy", { fetch: true })) as Uint8Array)).toBe(value);
    await close();
  });
});

describe("eviction", () => {
  it("of a page that is in the cloud: it comes back when it is opened again", async () => {
    const cloud = new MemoryCloud();
    await using ledger = await device(cloud, 1);
    const page = await ledger.rootPage();
    await page.put("name", "Alice");
    await page.put("large", large("value"));
    await cloud.idle();
    const head = await headOf(page);
    expect(await ledger.evict(page.id)).toBe(false);
    await page.close();
    expect(await ledger.evict(page.id)).toBe(true);
    expect(await ledger.pages()).toEqual([]);
    await rejection(ledger.rootPage({ create: false }), "PAGE_NOT_FOUND");
    await using again = await ledger.rootPage();
    await cloud.idle();
    expect(await contents(again)).toEqual({ large: large("value"), name: "Alice" });
    expect(await headOf(again)).toEqual(head);
  });

  it("never of a page that is not all in the cloud", async () => {
    const cloud = new MemoryCloud();
    await using ledger = await device(cloud, 1);
    const page = await ledger.rootPage();
    await page.put("name", "Alice");
    await cloud.idle();
    cloud.reachable = false;
    await page.put("name", "Bob");
    await cloud.idle();
    await page.close();
    expect(await ledger.evict(page.id)).toBe(false);
    cloud.reachable = true;
    const again = await ledger.rootPage();
    await cloud.idle();
    expect(await contents(again)).toEqual({ name: "Bob" });
    await again.close();
    expect(await ledger.evict(again.id)).toBe(true);
  });

  it("a page that was online and is empty now is not removed when it is closed", async () => {
    const cloud = new MemoryCloud();
    await using ledger = await device(cloud, 1);
    const page = await ledger.rootPage();
    await page.put("name", "Alice");
    await page.clear();
    await cloud.idle();
    await page.close();
    expect(await ledger.pages()).toHaveLength(1);
  });
});
