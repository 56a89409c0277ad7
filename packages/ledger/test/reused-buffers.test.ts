/**
 * Programs use one buffer again and again, and overwrite bytes that a page gave them. Neither changes what is stored.
 */
import fc from "fast-check";
import { fromHex, isMerostoreError, toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { Hand, kindsOfBytes, type MakeHolder, unreadableBytes } from "../../../test/bytes/kinds.js";
import { temporaryFolder } from "../../../test/support/fixtures.js";
import {
  type CloudConnection,
  joinedKey,
  MemoryCloud,
  type Mutations,
  memoryPlace,
  type Page,
  type PageSnapshot,
  type Place,
  ROOT_PAGE_ID,
  readAscending,
  type SyncedPage,
} from "../src/index.js";
import { folderPlace } from "../src/places/folder-place.js";
import { mixedBytes } from "./inputs.js";
import { diverge } from "./merging/support.js";
import { faultsOf, readStored } from "./stored.js";
import { Recorder, testLedger, twoPagesTest } from "./support.js";

/** Hex of keys and values. */
type Entries = Map<string, string>;

const mixed = mixedBytes(60_000);
const kinds = Object.entries(kindsOfBytes);
const key = fc.uint8Array({ maxLength: 3, max: 3 });
const value = fc.oneof(
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 50 }) },
  { weight: 1, arbitrary: fc.nat({ max: 3 }).map((at) => mixed.slice(at, 30_000 + at)) },
);
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constantFrom("put" as const, "put lazily" as const), key, value }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("put a stream" as const), key, value }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("put a reference" as const), key, value }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("delete" as const), key }) },
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Gives a value in parts that share the same memory. */
async function* parts(bytes: Uint8Array, make: MakeHolder): AsyncGenerator<Uint8Array> {
  const holder = make(7_000);
  for (let at = 0; at < bytes.length; at += holder.length) {
    const part = bytes.subarray(at, at + holder.length);
    holder.set(part);
    yield holder.subarray(0, part.length);
    holder.fill(0xee);
  }
}

/** Makes a change, and overwrites the given bytes before the call has settled. */
async function make(page: Page, to: Mutations, done: Change, hand: Hand, kind: MakeHolder): Promise<void> {
  if (done.what === "put a reference") {
    const made = page.createReference(hand.give(done.value));
    hand.spoil();
    const reference = await made;
    const put = to.putReference(hand.give(done.key), reference);
    hand.spoil();
    return put;
  }
  const given = hand.give(done.key);
  const priority = done.what === "put lazily" ? "lazy" : "eager";
  const going =
    done.what === "delete"
      ? to.delete(given)
      : done.what === "put a stream"
        ? to.put(given, parts(done.value, kind))
        : to.put(given, hand.give(done.value), { priority });
  hand.spoil();
  return going;
}

function apply(entries: Entries, done: Change): void {
  if (done.what === "delete") entries.delete(toHex(done.key));
  else entries.set(toHex(done.key), toHex(done.value));
}

function sorted(entries: Entries): [string, string][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** All entries. Overwrites the returned arrays. */
async function shownBy(snapshot: PageSnapshot): Promise<[string, string][]> {
  const shown: [string, string][] = [];
  for await (const { key, value } of snapshot.entries()) {
    shown.push([toHex(key), toHex(value as Uint8Array)]);
    key.fill(0xdd);
    value?.fill(0xdd);
  }
  return shown;
}

describe.each(kinds)("bytes in a %s that is used again", (_, kind) => {
  it("are the entries of a page as they were", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 5 }), async (groups) => {
        const place = memoryPlace();
        const ledger = await testLedger({}, place);
        const page = await ledger.rootPage();
        await page.put("always", "there");
        const entries: Entries = new Map([[toHex(Buffer.from("always")), toHex(Buffer.from("there"))]]);
        const hand = new Hand(kind);
        for (const [at, group] of groups.entries()) {
          if (at % 2 === 0) for (const done of group) await make(page, page, done, hand, kind);
          else
            await page.transaction(async (transaction) => {
              // A reference is made before its transaction: the connection does one thing after another.
              for (const done of group)
                if (done.what !== "put a reference") await make(page, transaction, done, hand, kind);
            });
          for (const done of group) if (at % 2 === 0 || done.what !== "put a reference") apply(entries, done);
        }
        for (let round = 0; round < 2; round++) {
          await using snapshot = await page.snapshot();
          expect(await shownBy(snapshot)).toEqual(sorted(entries));
        }
        await ledger.close();
        expect(faultsOf(await readStored(place))).toEqual([]);
        // From the rows alone.
        await using again = await testLedger({}, place);
        await using same = await again.rootPage();
        await using snapshot = await same.snapshot();
        expect(await shownBy(snapshot)).toEqual(sorted(entries));
      }),
      { numRuns: 15 },
    );
  });

  twoPagesTest("are the keys and prefixes that were asked for", async ([page, watched]) => {
    for (const name of ["aa", "ab", "b"]) await page.put(name, name);
    const hand = new Hand(kind);
    const give = (name: string): Uint8Array => hand.give(Buffer.from(name));
    const asked = async <T>(call: () => T): Promise<Awaited<T>> => {
      const going = call();
      hand.spoil();
      return await going;
    };
    await using snapshot = await asked(() => page.snapshot({ prefix: give("a") }));
    expect(await asked(() => snapshot.has(give("aa")))).toBe(true);
    expect(toHex((await asked(() => snapshot.get(give("ab")))) as Uint8Array)).toBe("6162");
    expect(toHex((await asked(() => snapshot.getPartial(give("ab"), 1, 1))) as Uint8Array)).toBe("62");
    const chunks: string[] = [];
    const stream = snapshot.stream(give("ab"));
    const entries = snapshot.entries({ gte: give("ab") });
    const keys = snapshot.keys({ gte: give("ab") });
    hand.spoil(); // they are read later
    for await (const chunk of stream) chunks.push(toHex(chunk));
    for await (const { key } of entries) chunks.push(toHex(key));
    for await (const key of keys) chunks.push(toHex(key));
    expect(chunks).toEqual(["6162", "6162", "6162"]);
    const { items } = await asked(() => snapshot.entriesPart({ gte: give("ab") }));
    expect(items.map(({ key }) => toHex(key))).toEqual(["6162"]);
    expect((await asked(() => snapshot.keysPart({ gte: give("ab") }))).items.map(toHex)).toEqual(["6162"]);

    const seen = new Recorder();
    using watcher = await asked(() => watched.watch({ prefix: give("a") }, seen.listener));
    await page.put("ac", "1");
    await page.put("c", "1");
    await watcher.idle();
    expect(seen.texts).toMatchObject([{ changed: { ac: "1" } }]);
    const joined = joinedKey(give("a"), give("b"));
    hand.spoil();
    expect(toHex(joined)).toBe("6162");
    expect(readAscending(hand.give(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 7)))).toBe(7n);
  });

  it("are ids of pages", async () => {
    using folder = temporaryFolder();
    const ids = ["11".repeat(16), "22".repeat(16), "33".repeat(16)];
    const places: Place[] = [memoryPlace(), folderPlace(folder.path, "leveldb")];
    for (const place of places) {
      const hand = new Hand(kind);
      const ledger = await testLedger({}, place);
      for (const id of ids) {
        const opening = ledger.page(hand.give(fromHex(id)));
        hand.spoil();
        const page = await opening;
        page.id.fill(0);
        expect(toHex(page.id)).toBe(id);
        await page.put("id", id);
      }
      await ledger.close();
      await using again = await testLedger({}, place);
      for (const found of await again.pages()) found.fill(0);
      for (const { id } of await again.usage()) id.fill(0);
      expect((await again.pages()).map(toHex)).toEqual(ids);
      for (const act of ["deletePage", "evict"] as const) {
        const going = again[act](hand.give(fromHex(ids[0] as string)));
        hand.spoil();
        await going;
      }
      expect((await again.pages()).map(toHex)).toEqual(ids.slice(1));
    }
  });

  it("are the result of a conflict", async () => {
    await using ledger = await testLedger();
    ledger.setConflictResolver((id) => {
      id.fill(0xee);
      return {
        policy: "custom",
        async resolve(conflict) {
          const hand = new Hand(kind);
          const give = (text: string): Uint8Array => hand.give(Buffer.from(text));
          const merging = conflict.merge([
            { key: give("name"), use: "older" },
            { key: give("new"), use: "new", value: give("made of both") },
            { key: give("phone"), use: "delete" },
            { key: give("last"), use: "new", value: give("one") },
          ]);
          hand.spoil();
          await merging;
        },
      };
    });
    const [page] = await diverge(ledger, { name: "Alice" }, { name: "Bob", phone: "1" });
    await page.waitForConflictResolution();
    await using snapshot = await page.snapshot();
    const shown = (await shownBy(snapshot)).map(([key, value]) => [fromText(key), fromText(value)]);
    expect(Object.fromEntries(shown)).toEqual({ last: "one", name: "Alice", new: "made of both" });
    expect(page.id).toEqual(new Uint8Array(16));
  });

  it("are data from a cloud", async () => {
    const cloud = new MemoryCloud();
    const place = memoryPlace();
    await using first = await testLedger({ cloud });
    await using page = await first.rootPage();
    const names = ["eager", "lazy", "large"];
    await page.put("eager", mixed.subarray(0, 100));
    await page.put("lazy", mixed.subarray(100, 300), { priority: "lazy" });
    await page.put("large", mixed);
    await cloud.idle();

    const careless = new CarelessCloud(cloud, kind);
    const second = await testLedger({ cloud: careless }, place);
    const other = await second.rootPage();
    await cloud.idle();
    await using snapshot = await other.snapshot();
    const read = async (): Promise<string[]> => {
      const values = await Promise.all(names.map((name) => snapshot.get(name, { fetch: true })));
      return values.map((bytes) => {
        const hex = toHex(bytes as Uint8Array);
        bytes?.fill(0);
        return hex;
      });
    };
    const expected = [mixed.subarray(0, 100), mixed.subarray(100, 300), mixed].map(toHex);
    expect(await read()).toEqual(expected);
    expect(await read()).toEqual(expected);
    await other.put("own", mixed.subarray(200, 400));
    await cloud.idle();
    await using back = await page.snapshot();
    expect(toHex((await back.get("own")) as Uint8Array)).toBe(toHex(mixed.subarray(200, 400)));

    const synced = careless.page as SyncedPage;
    const hand = new Hand(kind);
    const setting = synced.setMetadata(hand.give(Uint8Array.of(1)), hand.give(Uint8Array.of(2)));
    hand.spoil();
    await setting;
    const getting = synced.metadata(hand.give(Uint8Array.of(1)));
    hand.spoil();
    expect(await getting).toEqual(Uint8Array.of(2));
    await snapshot.close();
    await second.close();
    expect(faultsOf(await readStored(place), { lazyMissing: true })).toEqual([]);
  });
});

/** Gives a page everything in memory that is used again, and overwrites what the page returns. */
class CarelessCloud {
  readonly #cloud: MemoryCloud;
  readonly #make: MakeHolder;
  page: SyncedPage | undefined;

  constructor(cloud: MemoryCloud, make: MakeHolder) {
    this.#cloud = cloud;
    this.#make = make;
  }

  async connect(page: SyncedPage): Promise<CloudConnection> {
    this.page = page;
    const id = page.id.slice();
    page.id.fill(0xee);
    const hand = new Hand(this.#make);
    const given = <T>(call: () => Promise<T>): Promise<T> => {
      const going = call();
      hand.spoil();
      return going;
    };
    const connection = await this.#cloud.connect({
      ...page,
      id,
      unsyncedCommits: async () => {
        const commits = await page.unsyncedCommits();
        const copies = commits.map(({ id, bytes }) => ({ id: id.slice(), bytes: bytes.slice() }));
        for (const { id, bytes } of commits) {
          id.fill(0xee);
          bytes.fill(0xee);
        }
        return copies;
      },
      addCommits: (commits, source) =>
        given(() =>
          page.addCommits(
            commits.map(({ id, bytes }) => ({ id: hand.give(id), bytes: hand.give(bytes) })),
            source,
          ),
        ),
      piece: async ({ keyIndex, digest }) => {
        const content = await given(() => page.piece({ keyIndex, digest: hand.give(digest) }));
        const copy = content.slice();
        content.fill(0xee);
        return copy;
      },
      markSynced: ({ commits = [], pieces = [] }) =>
        given(() =>
          page.markSynced({
            commits: commits.map((id) => hand.give(id)),
            pieces: pieces.map(({ keyIndex, digest }) => ({ keyIndex, digest: hand.give(digest) })),
          }),
        ),
    });
    const answers = new Hand(this.#make);
    return {
      state: connection.state,
      onState: (listener) => connection.onState(listener),
      fetchPiece: async (identifier) => {
        const { content, source } = await connection.fetchPiece(identifier);
        identifier.digest.fill(0xee);
        setImmediate(() => answers.spoil());
        return { content: answers.give(content), source };
      },
      close: () => connection.close(),
    };
  }
}

function fromText(hex: string): string {
  return Buffer.from(hex, "hex").toString();
}

it("the id of the root page is the same whatever becomes of the constant", async () => {
  await using ledger = await testLedger();
  const before = ROOT_PAGE_ID.slice();
  try {
    ROOT_PAGE_ID.fill(7);
    await using page = await ledger.rootPage();
    expect(page.id).toEqual(before);
  } finally {
    ROOT_PAGE_ID.set(before);
  }
});

it.each(Object.entries(unreadableBytes()))("%s is not accepted as bytes", async (_, bytes) => {
  await using ledger = await testLedger();
  await using page = await ledger.rootPage();
  await using snapshot = await page.snapshot();
  const calls: Record<string, () => unknown> = {
    "the id of a page": () => ledger.page(bytes),
    "a key": () => page.put(bytes, "1"),
    "a value": () => page.put("a", bytes),
    "a stream": () =>
      page.put(
        "a",
        (async function* () {
          yield bytes;
        })(),
      ),
    "a reference": () => page.createReference(bytes),
    "a prefix": () => page.snapshot({ prefix: bytes }),
    "a key that is read": () => snapshot.get(bytes),
    "a key that is streamed": () => snapshot.stream(bytes).next(),
    "the start of a scan": () => snapshot.entriesPart({ gte: bytes }),
    "a part of a key": () => joinedKey("a", bytes),
    "a key of a number": () => readAscending(bytes),
  };
  for (const [what, call] of Object.entries(calls)) {
    const code = await (async () => call())().then(
      () => "accepted",
      (error: unknown) => (isMerostoreError(error) ? error.code : String(error)),
    );
    expect({ what, code }).toEqual({ what, code: "INVALID_ARGUMENT" });
  }
});
