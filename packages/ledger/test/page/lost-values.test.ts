/** Lost pieces of values: DATA_INTEGRITY_ERROR for an eager entry, NEEDS_FETCH for a lazy one. */

import type { Engine } from "merostore/engine";
import { fromHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import {
  type Cloud,
  type Conflict,
  exportEntries,
  type Ledger,
  MemoryCloud,
  memoryPlace,
  type PageChange,
  type PageSnapshot,
  type Place,
  type Priority,
  ROOT_PAGE_ID,
  type SyncedPage,
  type ValueOptions,
} from "../../src/index.js";
import { objectType, pieceType } from "../../src/objects.js";
import { objectRow } from "../../src/rows/page-rows.js";
import { COLUMN } from "../../src/rows/row.js";
import { divergeOn } from "../merging/support.js";
import { faultsOf, readStored } from "../stored.js";
import { cloudOf, contents, Gate, keysOf, shown, testLedger, twoOf } from "../support.js";

const small = "small ".repeat(10);
const large = Array.from({ length: 30_000 }, (_, at) => `${at} `).join("");

/** Removes pieces of values from the closed root page: the chunks, the indexes, or all. */
async function lose(place: Place, which: "chunk" | "index" | "any" = "any"): Promise<void> {
  const { pieces } = await readStored(place);
  const digests = [...pieces.keys()]
    .map(fromHex)
    .filter((digest) => objectType(digest) === "blob" && (which === "any" || pieceType(digest) === which));
  expect(digests.length).toBeGreaterThan(0);
  const engine = await place.openPage("test", ROOT_PAGE_ID, { create: false });
  await engine?.write(digests.map((digest) => objectRow.delete({ digest })));
  await engine?.close();
}

/** A place whose root page has the entries `key` and `other`. */
async function stored(value: string, priority: Priority, cloud?: Cloud): Promise<Place> {
  const place = memoryPlace();
  await using ledger = await testLedger({ cloud }, place);
  await using page = await ledger.rootPage();
  await page.put("key", value, { priority });
  await page.put("other", "1");
  if (cloud instanceof MemoryCloud) await cloud.idle();
  return place;
}

async function exported(snapshot: PageSnapshot, options?: ValueOptions): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of exportEntries(snapshot, options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** All ways of reading the value at `key`. */
function reading(ledger: Ledger): readonly (() => Promise<unknown>)[] {
  const withSnapshot =
    (use: (snapshot: Awaited<ReturnType<typeof open>>) => Promise<unknown>) => async () => {
      await using snapshot = await open();
      return await use(snapshot);
    };
  const open = async () => {
    await using page = await ledger.rootPage();
    return await page.snapshot();
  };
  return [
    withSnapshot((snapshot) => snapshot.get("key")),
    withSnapshot((snapshot) => snapshot.getPartial("key", 0, -1)),
    withSnapshot((snapshot) => snapshot.getPartial("key", -5, 5)),
    withSnapshot(async (snapshot) => {
      for await (const _ of snapshot.stream("key"));
    }),
    withSnapshot((snapshot) => exported(snapshot)),
  ];
}

describe.each([
  ["of one piece", small, "any"],
  ["of many pieces, without its index", large, "index"],
  ["of many pieces, without one of them", large, "chunk"],
] as const)("a value %s", (_, value, which) => {
  it.each([true, false])("eager: DATA_INTEGRITY_ERROR; with a cloud: %s", async (isSynced) => {
    const place = await stored(value, "eager", isSynced ? new MemoryCloud() : undefined);
    await lose(place, which);
    // Another cloud, which does not have the value.
    await using ledger = await testLedger({ cloud: isSynced ? new MemoryCloud() : undefined }, place);
    for (const read of reading(ledger)) {
      const { message } = await rejection(read(), "DATA_INTEGRITY_ERROR");
      expect(message).toMatch(/the piece objects\/[0-9a-f]{66} of an eager entry's value is missing/);
    }
    await using page = await ledger.rootPage();
    await using snapshot = await page.snapshot();
    await rejection(snapshot.entriesPart(), "DATA_INTEGRITY_ERROR");
    await rejection(shown(snapshot), "DATA_INTEGRITY_ERROR");
    await rejection(snapshot.get("key", { fetch: true }), "DATA_INTEGRITY_ERROR");
    // Everything that does not need the value works.
    expect(await snapshot.has("key")).toBe(true);
    expect(await keysOf(snapshot.keys())).toEqual(["key", "other"]);
    expect(await snapshot.get("other")).toEqual(Uint8Array.of(0x31));
    await page.put("key", "new");
    expect(await contents(page)).toEqual({ key: "new", other: "1" });
  });

  it("lazy: NEEDS_FETCH", async () => {
    const place = await stored(value, "lazy");
    await lose(place, which);
    await using ledger = await testLedger({}, place);
    for (const read of reading(ledger)) await rejection(read(), "NEEDS_FETCH");
    await using page = await ledger.rootPage();
    await using snapshot = await page.snapshot();
    expect(await contents(snapshot)).toEqual({ key: null, other: "1" });
    await rejection(snapshot.get("key", { fetch: true }), "NETWORK_ERROR");
  });

  it.each(["eager", "lazy"] as const)("%s: fetched from the cloud it is here again", async (priority) => {
    const cloud = new MemoryCloud();
    const place = await stored(value, priority, cloud);
    await lose(place, which);
    {
      await using ledger = await testLedger({ cloud }, place);
      await using page = await ledger.rootPage();
      await using snapshot = await page.snapshot();
      cloud.reachable = false;
      await rejection(
        snapshot.get("key", { fetch: true }),
        priority === "eager" ? "DATA_INTEGRITY_ERROR" : "NETWORK_ERROR",
      );
      cloud.reachable = true;
      expect(Buffer.from((await snapshot.get("key", { fetch: true })) as Uint8Array).toString()).toBe(value);
      expect(await contents(snapshot)).toEqual({ key: value, other: "1" });
    }
    expect(faultsOf(await readStored(place))).toEqual([]);
  });

  it.each(["eager", "lazy"] as const)("%s: an export fetches it from the cloud", async (priority) => {
    const cloud = new MemoryCloud();
    const place = await stored(value, priority, cloud);
    await lose(place, which);
    await using ledger = await testLedger({ cloud }, place);
    await using page = await ledger.rootPage();
    await using snapshot = await page.snapshot();
    const bytes = await exported(snapshot, { fetch: true });
    expect(await contents(snapshot)).toEqual({ key: value, other: "1" });
    expect(Buffer.compare(bytes, await exported(snapshot))).toBe(0);
  });
});

it("an eager value that comes from the cloud is here as soon as its entry is", async () => {
  const cloud = new MemoryCloud();
  await using first = await testLedger({ cloud });
  await using second = await testLedger({ cloud });
  await using here = await first.rootPage();
  await using there = await second.rootPage();
  const seen: PageChange[] = [];
  using watcher = await there.watch({}, (change) => void seen.push(change));
  // The same value is lazy at one key and eager at another.
  await here.put("lazy", large, { priority: "lazy" });
  await cloud.idle();
  expect(await contents(there)).toEqual({ lazy: null });
  await here.put("eager", large);
  await here.put("small", small);
  await cloud.idle();
  await watcher.idle();
  expect(await contents(there)).toEqual({ lazy: large, eager: large, small });
  expect(seen.length).toBeGreaterThan(0);
});

it("reading a conflict fails with the damage, and so does waiting for its resolution", async () => {
  const place = await stored(small, "eager");
  await lose(place);
  await using ledger = await testLedger({}, place);
  const [page, other] = await twoOf(ledger);
  const failures: unknown[] = [];
  const resolve = async (conflict: Conflict): Promise<void> => {
    for await (const { key } of conflict.differences()) failures.push(key);
  };
  ledger.setConflictResolver(() => ({ policy: "custom", resolve }));
  await divergeOn([page, other], { key: null }, { more: "2" });
  await rejection(page.waitForConflictResolution(), "DATA_INTEGRITY_ERROR");
  expect(failures).toEqual([]);
});

it("a watcher that would report a lost value ends with the damage", async () => {
  const place = memoryPlace();
  const engines: (Engine | undefined)[] = [];
  const openPage = place.openPage.bind(place);
  place.openPage = async (...given) => {
    const engine = await openPage(...given);
    engines.push(engine);
    return engine;
  };
  await using ledger = await testLedger({}, place);
  await using page = await ledger.rootPage();
  const [called, gate] = [new Gate(), new Gate()];
  let calls = 0;
  using watcher = await page.watch({}, async () => {
    calls++;
    called.open();
    await gate.opened;
  });
  await page.put("a", "1");
  await called.opened;
  await page.put("key", small);
  const [engine] = engines as [Engine];
  const rows = objectRow.range();
  for await (const { key } of engine.scan(COLUMN, rows))
    if (objectType(objectRow.parts(key).digest) === "blob")
      await engine.write([{ type: "delete", column: COLUMN, key: key.slice() }]);
  gate.open();
  await rejection(watcher.idle(), "DATA_INTEGRITY_ERROR");
  expect(calls).toBe(1);
});

it("a piece that the cloud asks for, and that has a status but no content, is damage", async () => {
  const place = await stored(small, "eager");
  await lose(place);
  let found: unknown;
  const onPage = async (page: SyncedPage): Promise<void> => {
    for await (const identifier of page.unsyncedPieces())
      found ??= await page.piece(identifier).then(
        () => undefined,
        (error: unknown) => error,
      );
  };
  await using ledger = await testLedger({ cloud: cloudOf({ onPage }) }, place);
  await using _page = await ledger.rootPage();
  expect(found).toMatchObject({ code: "DATA_INTEGRITY_ERROR" });
});
