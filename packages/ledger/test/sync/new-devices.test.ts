/** A device that gets a page with a history: the newest state first, older ones when somebody needs them. */

import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { type Cloud, MemoryCloud, memoryPlace, type Page, type Place, verifyPage } from "../../src/index.js";
import { faultsOf, readStored } from "../stored.js";
import { contents, shown, testLedger, text, ticking } from "../support.js";

/** A cloud that notes the fetched pieces. */
function counting(cloud: MemoryCloud): Cloud & { readonly fetched: string[] } {
  const fetched: string[] = [];
  return {
    fetched,
    async connect(page) {
      const connection = await cloud.connect(page);
      return {
        get state() {
          return connection.state;
        },
        onState: (listener) => connection.onState(listener),
        fetchPiece(identifier) {
          fetched.push(toHex(identifier.digest));
          return connection.fetchPiece(identifier);
        },
        close: () => connection.close(),
      };
    },
  };
}

/** A page of a hundred entries with a row of their own, and as many commits after the first. */
async function history(cloud: MemoryCloud): Promise<void> {
  await using ledger = await testLedger({ cloud, clock: ticking(1000n, 1000n) });
  await using page = await ledger.rootPage();
  await page.transaction(async (transaction) => {
    for (let at = 0; at < 100; at++) await transaction.put(`key${at}`, `${at} `.repeat(30));
  });
  for (let at = 0; at < 100; at++) await page.put(`key${at}`, `new ${at} `.repeat(30));
  await cloud.idle();
}

async function idsOf(page: Page): Promise<Uint8Array[]> {
  const ids: Uint8Array[] = [];
  for await (const { id } of page.history()) ids.unshift(id);
  return ids;
}

async function errorsOf(place: Place): Promise<string[]> {
  const engine = await place.openPage("test", new Uint8Array(16), { create: false });
  const found: string[] = [];
  if (engine === undefined) return ["no page"];
  for await (const { severity, message } of verifyPage(engine)) if (severity !== "info") found.push(message);
  await engine.close();
  return found;
}

/** A new device that has fetched its pieces, and its requests. */
async function newDevice(cloud: MemoryCloud) {
  const counted = counting(cloud);
  const place = memoryPlace();
  const ledger = await testLedger({ cloud: counted }, place);
  const page = await ledger.rootPage();
  await cloud.idle();
  return { counted, place, ledger, page };
}

describe("a new device", () => {
  it("fetches the pieces of the newest state, each once", async () => {
    const cloud = new MemoryCloud();
    await history(cloud);
    const { counted, place, ledger, page } = await newDevice(cloud);
    expect(await idsOf(page)).toHaveLength(102);
    expect(Object.values(await contents(page)).every((value) => value?.startsWith("new"))).toBe(true);
    // A hundred values, and the nodes of one tree.
    expect(counted.fetched.length).toBeLessThan(110);
    expect(new Set(counted.fetched).size).toBe(counted.fetched.length);
    await ledger.close();
    expect(faultsOf(await readStored(place))).toEqual([]);
    expect(await errorsOf(place)).toEqual([]);
  });

  it("fetches older states when they are read, and what they share once", async () => {
    const cloud = new MemoryCloud();
    await history(cloud);
    const { counted, place, ledger, page } = await newDevice(cloud);
    const ids = await idsOf(page);
    const [first, middle] = [ids[1] as Uint8Array, ids[51] as Uint8Array];
    counted.fetched.length = 0;
    const keys: string[] = [];
    for await (const { key } of page.diff(middle, ids[52] as Uint8Array))
      keys.push(Buffer.from(key).toString());
    expect(keys).toEqual(["key50"]);
    const old = await page.snapshotAt(first);
    for (const [key, value] of await shown(old)) expect(value).toBe(`${key.slice(3)} `.repeat(30));
    await old.close();
    expect(new Set(counted.fetched).size).toBe(counted.fetched.length);
    expect(counted.fetched.length).toBeGreaterThan(50);
    await ledger.close();
    expect(faultsOf(await readStored(place))).toEqual([]);
    expect(await errorsOf(place)).toEqual([]);
  });

  it("without the cloud cannot merge heads whose common ancestor it does not have, says so, and merges later", async () => {
    const cloud = new MemoryCloud();
    await history(cloud);
    const unmerged = async (place = memoryPlace()) => {
      const ledger = await testLedger({ cloud }, place);
      ledger.setConflictResolver(() => ({ policy: "last-one-wins" }))(); // no resolver is left: nothing is merged
      return { place, ledger, page: await ledger.rootPage() };
    };
    const devices = [await unmerged(), await unmerged()];
    await cloud.idle();
    cloud.reachable = false;
    for (const [at, { page }] of devices.entries()) await page.put(`key${at}`, "at the same time");
    cloud.reachable = true;
    await cloud.idle();
    const { place, ledger: third } = await unmerged();
    await cloud.idle();
    for (const { ledger } of [...devices, { ledger: third }]) await ledger.close();
    {
      await using ledger = await testLedger({ history: "keep" }, place);
      await using page = await ledger.rootPage();
      expect(await page.heads()).toHaveLength(2);
      await rejection(page.waitForConflictResolution(), "NETWORK_ERROR");
    }
    cloud.reachable = false;
    await using ledger = await testLedger({ cloud }, place);
    await using page = await ledger.rootPage();
    await new Promise((resolve) => setImmediate(resolve)); // merging fails meanwhile
    cloud.reachable = true;
    await page.waitForConflictResolution();
    const { key0, key1 } = await contents(page);
    expect([key0, key1]).toEqual(["at the same time", "at the same time"]);
  });

  it("without the cloud has no older states, and gets them later", async () => {
    const cloud = new MemoryCloud();
    await history(cloud);
    const place = memoryPlace();
    {
      await using ledger = await testLedger({ cloud }, place);
      await using page = await ledger.rootPage();
      await cloud.idle();
      const [, first] = await idsOf(page);
      cloud.reachable = false;
      await rejection(page.snapshotAt(first as Uint8Array), "NETWORK_ERROR");
    }
    {
      await using ledger = await testLedger({ history: "keep" }, place);
      await using page = await ledger.rootPage();
      const [, first] = await idsOf(page);
      const error = await rejection(page.snapshotAt(first as Uint8Array), "NETWORK_ERROR");
      expect(error.message).toContain("only in the cloud");
      await page.put("key0", "3");
    }
    cloud.reachable = true;
    await using ledger = await testLedger({ cloud }, place);
    await using page = await ledger.rootPage();
    const [, first] = await idsOf(page);
    await using old = await page.snapshotAt(first as Uint8Array);
    expect(await shown(old)).toHaveLength(100);
  });

  it("has the whole of a value, lazy before and read in part, once it is eager", async () => {
    const cloud = new MemoryCloud();
    const value = Array.from({ length: 50_000 }, (_, at) => `${at}`).join();
    await using one = await testLedger({ cloud, clock: ticking(1000n, 1000n) });
    await using two = await testLedger({ cloud, clock: ticking(1001n, 1000n) });
    const pages = [await one.rootPage(), await two.rootPage()] as const;
    await pages[0].put("a", value, { priority: "lazy" });
    await cloud.idle();
    await using snapshot = await pages[1].snapshot();
    expect(await snapshot.getPartial("a", 0, 5, { fetch: true })).toHaveLength(5);
    await pages[0].put("a", value);
    await cloud.idle();
    cloud.reachable = false;
    expect(text((await pages[1].get("a")) as Uint8Array)).toBe(value);
  });

  it("merges heads whose common ancestor it has not read before", async () => {
    const cloud = new MemoryCloud();
    await history(cloud);
    const remove = new Set<() => void>();
    await using one = await testLedger({ cloud, clock: ticking(10n ** 6n, 1000n) });
    await using two = await testLedger({ cloud, clock: ticking(10n ** 6n + 1n, 1000n) });
    for (const ledger of [one, two])
      remove.add(ledger.setConflictResolver(() => ({ policy: "last-one-wins" })));
    const pages = [await one.rootPage(), await two.rootPage()] as const;
    await cloud.idle();
    // Nobody merges yet.
    for (const end of remove) end();
    cloud.reachable = false;
    await pages[0].put("key0", "one");
    await pages[1].put("key1", "two");
    cloud.reachable = true;
    await cloud.idle();
    const place = memoryPlace();
    const three = await testLedger({ cloud }, place);
    const page = await three.rootPage();
    await cloud.idle();
    await page.waitForConflictResolution();
    expect(await contents(page)).toMatchObject({ key0: "one", key1: "two", key2: "new 2 ".repeat(30) });
    await cloud.idle();
    await three.close();
    expect(faultsOf(await readStored(place))).toEqual([]);
    expect(await errorsOf(place)).toEqual([]);
  });
});
