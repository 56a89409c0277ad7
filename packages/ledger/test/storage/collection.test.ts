/** Removing pieces that nothing refers to. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ObjectIdentifier } from "../../src/objects.js";
import { unsyncedCommitRow } from "../../src/rows/page-rows.js";
import { Collector } from "../../src/storage/collector.js";
import type { Commit } from "../../src/storage/commit.js";
import { mixedBytes, named, text } from "../inputs.js";
import { TestPage } from "./pages.js";

const long = (letter: string) => letter.repeat(100);
const mixed = mixedBytes(300_000);
const tidying = { prune: true, collection: "eager-root-nodes" } as const;

async function collectFrom(page: TestPage, ...candidates: ObjectIdentifier[]): Promise<void> {
  const collector = new Collector(page.storage, true);
  collector.addPieces(candidates.map(({ digest }) => digest));
  while (!collector.isIdle) await page.storage.writes.exclusively((write) => collector.step(write));
}

/** Marks all pieces and commits as stored in the cloud. */
function sync(page: TestPage): Promise<void> {
  return page.storage.writes.exclusively(async (write) => {
    const pieces = [];
    for await (const piece of page.storage.pieces.withStatus("local")) pieces.push(piece);
    await write([
      ...(await page.storage.pieces.raise(pieces, "synced")),
      ...(await page.partsOf(unsyncedCommitRow)).map((parts) => unsyncedCommitRow.delete(parts)),
    ]);
  });
}

/** Expects only pieces that live commits reach, and only their edges. */
async function expectTidy(page: TestPage): Promise<void> {
  const reachable = await page.reachable(await page.commits());
  expect(await page.pieceNames()).toEqual(reachable);
  expect([...(await page.withStatus("local")), ...(await page.withStatus("synced"))].sort()).toEqual(
    reachable,
  );
  expect(await page.storedEdges()).toEqual(await page.expectedEdges());
}

describe("collection after pruning", () => {
  it("removes nodes and values of old states, with all their rows", async () => {
    const page = await TestPage.open(tidying);
    await page.edit((journal) => {
      journal.put("a", long("a"));
      journal.put("b", long("b"), "lazy");
    });
    const head = await page.edit((journal) => {
      journal.delete("a");
      journal.put("b", long("c"));
    });
    await page.storage.collectGarbage();
    await expectTidy(page);
    expect(await page.pieceNames()).toHaveLength(2);
    expect(await page.contents(head)).toEqual({ b: long("c") });
    await page.edit((journal) => journal.clear());
    await page.storage.collectGarbage();
    // The root of an empty page is inline: a head, a commit, and a row that says that the commit is unsynced.
    expect(Object.keys(await page.rows())).toHaveLength(3);
  });

  it("removes the pieces of a split value that no other has", async () => {
    const page = await TestPage.open(tidying);
    await page.edit((journal) => journal.put("a", mixed));
    const before = await page.pieceNames();
    await page.edit((journal) => journal.put("a", mixed.subarray(0, 200_000)));
    await page.storage.collectGarbage();
    const after = await page.pieceNames();
    await expectTidy(page);
    expect(after.length).toBeLessThan(before.length);
    // The chunks up to the end of the shorter value are the same.
    expect(after.filter((name) => before.includes(name)).length).toBeGreaterThan(10);
    await page.edit((journal) => journal.delete("a"));
    await page.storage.collectGarbage();
    expect(await page.pieceNames()).toEqual([]);
  });

  it("keeps what a held commit needs", async () => {
    const page = await TestPage.open(tidying);
    const held = await page.edit((journal) => journal.put("a", long("a")));
    const release = page.storage.commitHolds.hold(held.id);
    const head = await page.edit((journal) => journal.put("a", long("b")));
    await page.storage.collectGarbage();
    expect(await page.contents(held)).toEqual({ a: long("a") });
    await expectTidy(page);
    release();
    await page.storage.collectGarbage();
    await expectTidy(page);
    expect(await page.pieceNames()).toEqual(await page.reachable([head]));
  });

  it("spares a value that somebody holds", async () => {
    const page = await TestPage.open(tidying);
    await page.edit((journal) => journal.put("a", mixed));
    const value = page.storage.values.split(mixed).root;
    const release = page.storage.objectHolds.hold(value.digest);
    await page.edit((journal) => journal.delete("a"));
    await page.storage.collectGarbage();
    expect(Buffer.compare(await page.storage.objects.whole(value), mixed)).toBe(0);
    await collectFrom(page, value);
    expect(await page.pieceNames()).toContain(named(value));
    release();
    await collectFrom(page, value);
    expect(await page.pieceNames()).toEqual([]);
    await expectTidy(page);
  });

  it("keeps what a new commit takes from an old one", async () => {
    const page = await TestPage.open(tidying);
    await page.edit((journal) => journal.put("a", long("v")));
    await page.edit((journal) => {
      journal.delete("a");
      journal.put("b", long("v"), "lazy");
    });
    const head = await page.edit((journal) => journal.put("c", "short"));
    await page.storage.collectGarbage();
    expect(await page.contents(head)).toEqual({ b: long("v"), c: "short" });
    await expectTidy(page);
  });

  it.each(["local", "synced"])("spares a root that came again, also if all is %s", async (status) => {
    const page = await TestPage.open(tidying);
    const first = await page.head();
    const release = page.storage.commitHolds.hold(first.id);
    await page.edit((journal) => journal.put("a", long("a")));
    await page.edit((journal) => journal.put("a", long("b")));
    const head = await page.edit((journal) => journal.put("a", long("a")));
    if (status === "synced") await sync(page);
    release();
    await page.storage.collectGarbage();
    expect(await page.contents(head)).toEqual({ a: long("a") });
    await expectTidy(page);
  });
});

describe("a collection", () => {
  const twoStates = async (): Promise<[TestPage, Commit, Commit]> => {
    const page = await TestPage.open();
    const old = await page.edit((journal) => journal.put("a", long("a")));
    return [page, old, await page.edit((journal) => journal.put("a", long("b")))];
  };

  it("keeps the roots of commits, even of old ones that the cloud has: merges read them", async () => {
    const [page, old, head] = await twoStates();
    for (const isSynced of [false, true]) {
      if (isSynced) await sync(page);
      const before = await page.rows();
      await collectFrom(page, old.root, head.root, page.storage.values.split(text(long("a"))).root);
      expect(await page.rows()).toEqual(before);
    }
  });

  it("after each opening leaves them too, wherever the sweep begins", async () => {
    const [page] = await twoStates();
    await sync(page);
    const before = await page.rows();
    for (let opening = 0; opening < 10; opening++) {
      const again = await TestPage.open({ prune: false, collection: "eager-live-references" }, page.engine);
      await again.storage.collectGarbage();
      expect(await page.rows()).toEqual(before);
    }
  });

  it("leaves a synced piece that another one refers to", async () => {
    const [page, , head] = await twoStates();
    await sync(page);
    const value = page.storage.values.split(text(long("b"))).root;
    await collectFrom(page, value);
    expect(await page.contents(head)).toEqual({ a: long("b") });
  });

  it("does nothing for absent and inline values", async () => {
    const page = await TestPage.open();
    const before = await page.rows();
    const values = ["short", long("x")].map((value) => page.storage.values.split(text(value)).root);
    await collectFrom(page, ...values);
    expect(await page.rows()).toEqual(before);
  });
});

describe("random histories", () => {
  const key = fc.constantFrom("a", "b", "c", "key00425", "key00751", "k9004");
  /** A text, or a number of mixed bytes. */
  const value = fc.constantFrom("short", long("1"), long("2"), long("3"), 30_000, 60_000, 61_000);
  const step = fc.record({
    key,
    value: fc.option(value, { nil: undefined, freq: 3 }),
    priority: fc.constantFrom("eager" as const, "lazy" as const),
  });
  const transaction = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    clear: fc.nat({ max: 9 }).map((number) => number === 0),
    /** The head that is changed, and the choice to merge it with the next one. */
    head: fc.nat({ max: 3 }),
    branch: fc.boolean(),
    merge: fc.boolean(),
    synced: fc.nat({ max: 9 }).map((number) => number === 0),
    hold: fc.nat({ max: 4 }).map((number) => number === 0),
    release: fc.boolean(),
  });

  it("leave the pieces that live commits reach, their edges, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(transaction, { maxLength: 12 }), async (transactions) => {
        const page = await TestPage.open(tidying);
        const holds: { readonly commit: Commit; readonly release: () => void }[] = [];
        for (const { steps, clear, head, branch, merge, synced, hold, release } of transactions) {
          const heads = await page.headCommits();
          const base = heads[head % heads.length] as Commit;
          const other = heads[(head + 1) % heads.length] as Commit;
          const journal = page.journal();
          if (clear) journal.clear();
          for (const { key: name, value: content, priority } of steps) {
            if (content === undefined) journal.delete(name);
            else
              journal.put(name, typeof content === "string" ? content : mixed.subarray(0, content), priority);
          }
          const keep = page.storage.commitHolds.hold(base.id);
          await page.storage.commit(merge && other !== base ? [base, other] : [base], journal.contents);
          if (branch && heads.length < 3) {
            const second = page.journal();
            second.put("branch", `${long("b")} ${heads.length}`);
            await page.storage.commit([base], second.contents);
          }
          keep();
          if (hold) {
            const [commit] = await page.headCommits();
            if (commit !== undefined)
              holds.push({ commit, release: page.storage.commitHolds.hold(commit.id) });
          }
          if (release) holds.shift()?.release();
          if (synced) await sync(page);
        }
        await page.storage.collectGarbage();
        await expectTidy(page);
        // Everything that is held or a head can be read from the rows alone.
        const again = await TestPage.open({}, page.engine);
        const live = [...(await page.headCommits()), ...holds.map(({ commit }) => commit)];
        for (const commit of live) await again.contents(commit);
      }),
      { numRuns: 60 },
    );
  });
});
