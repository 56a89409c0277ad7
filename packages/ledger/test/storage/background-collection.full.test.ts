/** Removing unneeded rows in the background: in small batches, with the leftovers of any process that ended. */

import { type Engine, openMemoryEngine, type RawScan } from "merostore/engine";
import { toHex } from "merostore/internal";
import { describe, expect, it, vi } from "vitest";
import { commitRow, objectRow } from "../../src/rows/page-rows.js";
import { COLUMN } from "../../src/rows/row.js";
import type { CollectionPolicy } from "../../src/storage/background-collector.js";
import type { Commit } from "../../src/storage/commit.js";
import { mixedBytes, named, text } from "../inputs.js";
import { macrotasks } from "../support.js";
import { Counts, copyOf, counted } from "./counted.js";
import { TestPage } from "./pages.js";

const long = (name: string | number) => `${name} `.repeat(30);
const mixed = mixedBytes(300_000);
const tidying = { prune: true, collection: "eager-live-references" } as const;
const ENTRIES = 3_000;

/** A page of many entries, with and without values of several pieces. */
async function filled(counts: Counts, entries = ENTRIES): Promise<TestPage> {
  const page = await TestPage.open(tidying, counted(openMemoryEngine({ columns: [] }), counts));
  await page.edit((journal) => {
    for (let at = 0; at < entries; at++) journal.put(`key${at}`, long(at));
    journal.put("large", mixed);
  });
  await page.storage.collectGarbage();
  return page;
}

/** Checks that the page has this head, and no row that it does not need. */
async function expectOnly(page: TestPage, head: Commit): Promise<void> {
  expect((await page.head()).id).toEqual(head.id);
  expect(await page.commits()).toEqual([head]);
  const pieces = await page.reachable([head]);
  expect(await page.pieceNames()).toEqual(pieces);
  expect(await page.withStatus("local")).toEqual(pieces);
  expect(await page.withStatus("transient")).toEqual([]);
  expect(await page.storedEdges()).toEqual(await page.expectedEdges());
}

/** Opens a page of a killed process until nothing is left to remove. `killed` has the rows after the first removal. */
async function tidied(
  engine: Engine,
): Promise<{ head: string; contents: Record<string, string>; killed: Engine[] }> {
  const counts = new Counts();
  const killed: Engine[] = [];
  counts.onWrite = async () => {
    if (killed.length === 0) killed.push(await copyOf(engine));
  };
  const page = await TestPage.open(tidying, counted(engine, counts));
  const head = await page.head();
  await page.storage.collectGarbage();
  await expectOnly(page, head);
  const contents = await page.contents(head);
  await page.storage.close();
  return { head: toHex(head.id), contents, killed };
}

describe("after everything was cleared", () => {
  it("pieces go in small batches, and puts come in between", async () => {
    const counts = new Counts();
    const page = await filled(counts);
    counts.writes.length = 0;
    let turns = 0;
    let ticking = true;
    const tick = (): void => {
      turns++;
      if (ticking) setImmediate(tick);
    };
    setImmediate(tick);
    const inTurn = new Map<number, number>();
    const reads: number[] = [];
    counts.onWrite = async () => {
      inTurn.set(turns, 1 + (inTurn.get(turns) ?? 0));
      reads.push(counts.reads);
      counts.reads = 0;
    };
    await page.edit((journal) => journal.clear());
    // Enough commits that it does not wait for the page to be idle.
    for (let at = 0; at < 64; at++) await page.edit((journal) => journal.put("before", long(at)));
    const puts: number[] = [];
    const before = counts.writes.length;
    for (let at = 0; at < 5; at++) {
      await page.edit((journal) => journal.put("after", long(at)));
      puts.push(counts.writes.length - before);
    }
    await macrotasks();
    inTurn.clear();
    await page.storage.collectGarbage();
    ticking = false;
    const sizes = counts.writes.map((operations) => operations.length);
    expect(sizes.length).toBeGreaterThan(20);
    // A step ends with the piece that makes it full; the widest node has some hundred entries.
    expect(Math.max(...sizes)).toBeLessThan(2_048 + 4 * 2_000);
    expect(Math.max(...reads)).toBeLessThan(2_000);
    // A put waits for at most one step. One step follows each put, even if nothing else runs between them.
    expect(puts.every((written, at) => written <= 3 * (at + 2))).toBe(true);
    expect(puts.at(-1)).toBeGreaterThanOrEqual(2 * puts.length);
    // Between steps everything else has its turn.
    expect(Math.max(...inTurn.values())).toBeLessThanOrEqual(3);
    await expectOnly(page, await page.head());
  });

  it("a process that is killed at any moment leaves nothing for good, and loses nothing", async () => {
    const counts = new Counts();
    const page = await filled(counts, 400);
    /** Contents of all heads so far, by id, in the order of their acknowledgement. */
    const states = new Map<string, Record<string, string>>();
    const acknowledged = async (): Promise<void> => {
      const head = await page.head();
      states.set(toHex(head.id), await page.contents(head));
    };
    await acknowledged();
    const kills: { readonly known: number; readonly engine: Engine }[] = [];
    counts.onWrite = async () => {
      kills.push({ known: states.size, engine: await copyOf(page.engine) });
    };
    await page.edit((journal) => {
      journal.clear();
      journal.put("kept", mixed.subarray(0, 50_000));
    });
    await acknowledged();
    await page.edit((journal) => journal.put("after", long("after")));
    await acknowledged();
    await page.storage.collectGarbage();
    await expectOnly(page, await page.head());
    expect(kills.length).toBeGreaterThan(5);
    for (const { known, engine } of kills) {
      const again = await tidied(engine);
      // One commit may be stored and not acknowledged.
      const [least, next] = [...states].slice(known - 1);
      expect([least?.[0], next?.[0]]).toContain(again.head);
      expect(again.contents).toEqual(states.get(again.head));
      // Killed once more, while the rest was removed.
      for (const one of again.killed) {
        const { head, contents } = await tidied(one);
        expect({ head, contents }).toEqual({ head: again.head, contents: again.contents });
      }
    }
  });

  it("closing does not wait until all is removed, and the next opening goes on", async () => {
    const counts = new Counts();
    const page = await filled(counts);
    await page.edit((journal) => {
      journal.clear();
      journal.put("kept", "value");
    });
    counts.writes.length = 0;
    const rows = await copyOf(page.engine);
    await page.storage.close();
    expect(counts.writes.length).toBeLessThanOrEqual(2);
    const again = await TestPage.open(tidying, rows);
    await again.storage.collectGarbage();
    await expectOnly(again, await again.head());
  });
});

describe("what small commits replace", () => {
  /** A page of some entries, with `commits` more commits one after another. */
  async function changed(commits: number, counts = new Counts()): Promise<TestPage> {
    const page = await filled(counts, 600);
    counts.writes.length = 0;
    for (let at = 0; at < commits; at++)
      await page.edit((journal) => journal.put(`key${at % 7}`, long(`new ${at}`)));
    return page;
  }

  it("is removed once nothing else happens; each commit is one write, which removes the commits before its parent", async () => {
    const counts = new Counts();
    const page = await changed(20, counts);
    expect(counts.writes).toHaveLength(20);
    expect((await page.commits()).length).toBeLessThanOrEqual(2);
    expect((await page.pieceNames()).length).toBeGreaterThan(
      (await page.reachable([await page.head()])).length,
    );
    await vi.waitFor(async () => expectOnly(page, await page.head()), { timeout: 500_000 });
  });

  it("is removed after many commits, even if one follows the other", async () => {
    const page = await changed(300);
    const needed = (await page.reachable([await page.head()])).length;
    // At least three new pieces for each commit.
    expect((await page.pieceNames()).length - needed).toBeLessThan(3 * 200);
  });

  it("is removed when the page is closed", async () => {
    const page = await changed(60);
    const head = await page.head();
    const close = vi.spyOn(page.engine, "close").mockResolvedValue();
    await page.storage.close();
    close.mockRestore();
    await expectOnly(page, head);
  });

  it("is removed after the next opening if the process is killed", async () => {
    const page = await changed(60);
    const head = await page.head();
    const again = await TestPage.open(tidying, await copyOf(page.engine));
    await again.storage.collectGarbage();
    await expectOnly(again, head);
  });

  it("stays if an old commit is damaged, which fails no new one", async () => {
    const page = await TestPage.open();
    for (const letter of "abc") await page.edit((journal) => journal.put("a", long(letter)));
    const [, damaged] = (await page.commits()).sort((a, b) => Number(a.generation - b.generation));
    const key = commitRow.key.encode({ commit: (damaged as Commit).id });
    const engine = await copyOf(page.engine);
    await engine.write([{ type: "put", column: COLUMN, key, value: text("damage") }]);
    const again = await TestPage.open(tidying, engine);
    const held = again.storage.commitHolds.hold((damaged as Commit).id);
    await again.edit((journal) => journal.put("a", long("d")));
    expect(await again.contents(await again.head())).toEqual({ a: long("d") });
    held();
  });
});

describe("after an opening", () => {
  /** A page with a root of a commit, values, and leftovers of a killed process with every status. */
  async function littered(): Promise<{ engine: Engine; head: Commit; left: Record<string, string> }> {
    const page = await TestPage.open();
    const head = await page.edit((journal) => {
      journal.put("a", long("a"));
      journal.put("b", mixed, "lazy");
    });
    const left: Record<string, string> = {};
    for (const status of ["transient", "local", "synced"] as const) {
      const { root, pieces } = page.storage.values.split(text(long(status)));
      await page.engine.write(await page.storage.pieces.store(pieces, status));
      left[status] = named(root);
    }
    return { engine: await copyOf(page.engine), head, left };
  }

  const policies: Readonly<Record<CollectionPolicy, readonly string[]>> = {
    never: ["transient", "local", "synced"],
    "eager-root-nodes": ["transient"],
    "eager-live-references": [],
  };
  it.each(Object.entries(policies))(
    "with the policy %s unreferenced pieces are %s",
    async (policy, stays) => {
      const { engine, head, left } = await littered();
      const page = await TestPage.open({ prune: true, collection: policy as CollectionPolicy }, engine);
      await page.storage.collectGarbage();
      const expected = [...(await page.reachable([head])), ...stays.map((status) => left[status] as string)];
      expect(await page.pieceNames()).toEqual(expected.sort());
    },
  );

  it("pieces that no commit used are gone when the page is closed, however soon", async () => {
    const { engine } = await littered();
    const filling = await TestPage.open({}, engine);
    const values = Array.from({ length: 3000 }, (_, at) => filling.storage.values.split(text(long(at))));
    const large = filling.storage.values.split(mixed);
    const { pieces } = filling.storage;
    await engine.write(
      await pieces.store(
        [...values, large].flatMap((one) => one.pieces),
        "transient",
      ),
    );
    const left = await copyOf(engine);
    expect((await filling.withStatus("transient")).length).toBeGreaterThan(3000);
    const page = await TestPage.open(tidying, left);
    const commit = await page.edit((journal) => journal.put("c", long("c")));
    const close = vi.spyOn(left, "close").mockResolvedValue();
    await page.storage.close();
    close.mockRestore();
    expect(await page.withStatus("transient")).toEqual([]);
    expect((await page.head()).id).toEqual(commit.id);
  });

  it("thousands of pieces go that nothing refers to, and no other", async () => {
    const { engine, head } = await littered();
    const page = await TestPage.open({}, engine);
    for (let at = 0; at < 5; at++) {
      const pieces = Array.from({ length: 700 }, (_, value) =>
        page.storage.values.split(text(long(`${at} ${value}`))),
      );
      await page.engine.write(
        await page.storage.pieces.store(
          pieces.flatMap((one) => one.pieces),
          at % 2 === 0 ? "local" : "transient",
        ),
      );
    }
    const counts = new Counts();
    const again = await TestPage.open(tidying, counted(await copyOf(engine), counts));
    await again.storage.collectGarbage();
    await expectOnly(again, head);
    expect(Math.max(...counts.writes.map((operations) => operations.length))).toBeLessThan(3_000);
  });

  it("commits of a page that was never pruned go", async () => {
    const page = await TestPage.open();
    for (let at = 0; at < 1_500; at++) await page.edit((journal) => journal.put("key", `value ${at}`));
    const head = await page.head();
    const again = await TestPage.open(tidying, await copyOf(page.engine));
    await again.storage.collectGarbage();
    await expectOnly(again, head);
    const pruned = await TestPage.open({ prune: true, collection: "never" }, await copyOf(page.engine));
    await pruned.storage.collectGarbage();
    expect(await pruned.commits()).toEqual([head]);
    expect(await pruned.pieceNames()).toHaveLength(1_500);
  });

  it("commits that come meanwhile stay", async () => {
    const page = await TestPage.open();
    for (let at = 0; at < 50; at++) await page.edit((journal) => journal.put("key", long(at)));
    const again = await TestPage.open(tidying, await copyOf(page.engine));
    for (let at = 0; at < 20; at++) {
      await again.edit((journal) => journal.put("other", long(at)));
      await macrotasks(1);
    }
    await again.storage.collectGarbage();
    await expectOnly(again, await again.head());
  });

  it("the statuses of a piece under all numbers of encryption keys go", async () => {
    const { engine, head } = await littered();
    const page = await TestPage.open({ keyIndex: 7 }, engine);
    const { pieces } = page.storage.values.split(text(long("local")));
    await page.engine.write(await page.storage.pieces.store(pieces, "transient"));
    const again = await TestPage.open(tidying, await copyOf(engine));
    await again.storage.collectGarbage();
    await expectOnly(again, head);
    // Had a status stayed, the content would not be stored with this commit.
    const other = await TestPage.open({ keyIndex: 7 }, await copyOf(again.engine));
    const next = await other.edit((journal) => journal.put("a", long("local")));
    expect(await other.contents(next)).toMatchObject({ a: long("local") });
  });

  it("the numbers of encryption keys of all pieces are known, and no iterator looks for others", async () => {
    const page = await TestPage.open();
    await page.edit((journal) => journal.put("a", long("v")));
    const other = await TestPage.open({ keyIndex: 7 }, await copyOf(page.engine));
    await other.edit((journal) => journal.put("b", long("v")));
    const engine = await copyOf(other.engine);
    const again = await TestPage.open(tidying, engine);
    await again.storage.collectGarbage();
    await again.edit((journal) => journal.clear());
    const scan = vi.spyOn(engine, "scan");
    await again.storage.collectGarbage();
    const ranges = scan.mock.calls.map(([, range]) => Buffer.from(range?.gte ?? []).toString("latin1"));
    expect(ranges.filter((from) => !from.startsWith("refcounts/"))).toEqual([]);
    await expectOnly(again, await again.head());
  });

  it("a page is closed in the middle of it", async () => {
    const { engine } = await littered();
    for (let turns = 0; turns < 10; turns++) {
      const page = await TestPage.open(tidying, await copyOf(engine));
      await macrotasks(turns);
      await page.storage.close();
    }
  });

  it("values that are being stored stay", async () => {
    const page = await TestPage.open(tidying);
    async function* slow() {
      for (let at = 0; at < 3; at++) {
        yield mixedBytes(1_500_000).subarray(at);
        await page.storage.collectGarbage();
      }
    }
    const { root, size, release } = await page.storage.values.store(slow());
    const again = page.storage.collectGarbage();
    expect((await page.storage.objects.whole(root)).length).toBe(size);
    await again;
    release();
  });
});

describe("pieces that cannot be removed now", () => {
  it("goes when the last one who holds it lets go", async () => {
    const page = await TestPage.open(tidying);
    const value = await page.storage.values.store([mixed]);
    const other = page.storage.objectHolds.hold(value.root.digest);
    value.release();
    page.storage.values.discard([value.root]);
    await page.storage.collectGarbage();
    expect((await page.pieceNames()).length).toBeGreaterThan(5);
    other();
    await page.storage.collectGarbage();
    expect(await page.pieceNames()).toEqual([]);
  });

  it("goes when those have ended who use pieces that nothing refers to", async () => {
    const page = await TestPage.open(tidying);
    const release = await page.storage.pauseCollection();
    const another = await page.storage.pauseCollection();
    const value = await page.storage.values.store([text(long("v"))]);
    value.release();
    page.storage.values.discard([value.root]);
    await page.storage.collectGarbage();
    release();
    release();
    await page.storage.collectGarbage();
    expect(await page.pieceNames()).toEqual([named(value.root)]);
    another();
    await page.storage.collectGarbage();
    expect(await page.pieceNames()).toEqual([]);
  });

  it("and is damaged keeps nothing else", async () => {
    const page = await TestPage.open();
    await page.edit((journal) => journal.put("a", long("a")));
    const damaged = await page.edit((journal) => journal.put("a", long("b")));
    await page.edit((journal) => journal.put("a", long("c")));
    const head = await page.edit((journal) => journal.put("a", long("d")));
    const key = objectRow.key.encode({ digest: damaged.root.digest });
    await page.engine.write([{ type: "put", column: COLUMN, key, value: text("damage") }]);
    const again = await TestPage.open(tidying, await copyOf(page.engine));
    await again.storage.collectGarbage();
    expect(await again.commits()).toEqual([head]);
    const value = page.storage.values.split(text(long("b"))).root;
    const expected = [...(await again.reachable([head])), named(damaged.root), named(value)];
    expect(await again.pieceNames()).toEqual(expected.sort());
  });

  it("and is a damaged commit stays, and keeps nothing else", async () => {
    const page = await TestPage.open();
    const damaged = await page.edit((journal) => journal.put("a", long("a")));
    for (const letter of "bcd") await page.edit((journal) => journal.put("a", long(letter)));
    const head = await page.head();
    const key = commitRow.key.encode({ commit: damaged.id });
    await page.engine.write([{ type: "put", column: COLUMN, key, value: text("damage") }]);
    const again = await TestPage.open(tidying, await copyOf(page.engine));
    await again.storage.collectGarbage();
    const left = await again.partsOf(commitRow);
    expect(left.map(({ commit }) => toHex(commit)).sort()).toEqual(
      [toHex(head.id), toHex(damaged.id)].sort(),
    );
    const kept = await page.reachable([head, damaged]);
    expect(await again.pieceNames()).toEqual(kept);
  });
});

it("the sweep reads no values", async () => {
  const page = await TestPage.open({ prune: false, collection: "eager-live-references" });
  await page.edit((journal) => journal.put("a", mixed));
  const engine = await copyOf(page.engine);
  const scan = engine.scan.bind(engine);
  const withValues = new Map<RawScan, string>();
  engine.scan = (column, range, options) => {
    const opened = scan(column, range, options);
    const keys = opened.keys.bind(opened);
    opened.keys = () => {
      withValues.delete(opened);
      return keys();
    };
    if (options?.keysOnly !== true) withValues.set(opened, Buffer.from(range?.gte ?? []).toString("latin1"));
    return opened;
  };
  const again = await TestPage.open({ prune: false, collection: "eager-live-references" }, engine);
  await again.storage.collectGarbage();
  expect([...withValues.values()]).toEqual(["heads/"]);
});
