/** Random programs against plain maps. */
import fc from "fast-check";
import { toHex } from "merostore/internal";
import { expect, it } from "vitest";
import { type Mutations, memoryPlace, type Page, type PageSnapshot, type Priority } from "../src/index.js";
import { type Contents, Graph, lastOneWins, sameContents } from "./graph.js";
import { faultsOf, readStored, readTidied, rowsOf } from "./stored.js";
import { begin, connections, headOf, type OpenTransaction, testLedger } from "./support.js";
import { Courier, converge } from "./sync/courier.js";

const SEED = 20_261_121;

/** Keys of levels 0, 1 and 2 of the tree. */
const KEYS = ["", "a", "b", "key", "name", "au", "fg", "xc", "key00425", "key00751", "k9004", "k21732"];
const VALUES = [
  "",
  "1",
  "2",
  "a value with a row of its own ".repeat(2),
  "value of many pieces ".repeat(2000),
];

const encoder = new TextEncoder();

/** A key, a value and a priority as {@link Contents} has them. */
const keyName = (key: string): string => toHex(encoder.encode(key));
const entryName = (value: string, priority: Priority): string =>
  `${priority} ${toHex(encoder.encode(value))}`;

/** Times that are all different, in no order. */
function scattered(offset = 0, step = 1): () => bigint {
  let count = 0;
  return () => BigInt(1 + (((offset + step * ++count) * 7919) % 100_003));
}

async function shownBy(snapshot: PageSnapshot): Promise<Contents> {
  const found = new Map<string, string>();
  for await (const { key, value, priority } of snapshot.entries())
    found.set(toHex(key), `${priority} ${toHex(value ?? new Uint8Array(0))}`);
  return found;
}

const edit = {
  key: fc.constantFrom(...KEYS),
  value: fc.constantFrom(...VALUES),
  priority: fc.constantFrom<Priority[]>("eager", "lazy"),
};

const step = fc.record({
  ...edit,
  at: fc.nat(3),
  what: fc.constantFrom(
    ...["put", "put", "put", "put", "delete", "delete", "clear", "begin", "begin", "commit", "commit"],
    ...["rollback", "snapshot", "close snapshot"],
  ),
});

/** A connection as the model has it. */
interface Connection {
  readonly page: Page;
  transaction: { readonly tx: OpenTransaction; readonly base: Commit; contents: Contents } | undefined;
}

interface Commit {
  readonly contents: Contents;
  readonly time: bigint;
}

/** A page with one head: a second head is merged at once. */
class Model {
  head: Commit = { contents: new Map(), time: 0n };
  /** True once two commits had the same time: their ids decide, which the model does not know. */
  isTied = false;

  commit(base: Commit, contents: Contents, now: bigint): void {
    if (sameContents(base.contents, contents)) return;
    // A commit is later than its parent.
    const time = now > base.time ? now : base.time + 1n;
    this.isTied ||= this.head !== base && this.head.time === time;
    const made = { contents, time };
    if (this.head === base) this.head = made;
    else {
      const [older, newer] = this.head.time < time ? [this.head, made] : [made, this.head];
      this.head = {
        contents: lastOneWins(base.contents, older.contents, newer.contents),
        time: newer.time,
      };
    }
  }
}

function changed(
  before: Contents,
  { what, key, value, priority }: typeof step extends fc.Arbitrary<infer T> ? T : never,
): Contents {
  const after = new Map(what === "clear" ? [] : before);
  if (what === "put") after.set(keyName(key), entryName(value, priority));
  if (what === "delete") after.delete(keyName(key));
  return after;
}

it("connections to a page match plain maps, and leave only pieces that a head needs", async () => {
  let begun = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { minLength: 10, maxLength: 80 }),
      async (count, steps) => {
        begun++;
        const place = memoryPlace();
        let now = 0n;
        const times = scattered();
        const ledger = await testLedger({ clock: () => now }, place);
        const all = (await connections(ledger, count)).map(
          (page): Connection => ({ page, transaction: undefined }),
        );
        const model = new Model();
        const snapshots: { readonly snapshot: PageSnapshot; readonly contents: Contents }[] = [];
        const check = async ({ snapshot, contents }: (typeof snapshots)[number]): Promise<void> =>
          expect(await shownBy(snapshot)).toEqual(
            new Map([...contents].toSorted(([a], [b]) => (a < b ? -1 : 1))),
          );
        for (const one of steps) {
          const connection = all[one.at % count] as Connection;
          const { page, transaction } = connection;
          now = times();
          if (one.what === "begin") {
            if (transaction !== undefined) continue;
            const tx = await begin(page);
            connection.transaction = { tx, base: model.head, contents: model.head.contents };
          } else if (one.what === "commit" || one.what === "rollback") {
            if (transaction === undefined) continue;
            await transaction.tx[one.what]();
            connection.transaction = undefined;
            if (one.what === "commit") model.commit(transaction.base, transaction.contents, now);
          } else if (one.what === "snapshot") {
            const { contents } = transaction?.base ?? model.head;
            snapshots.push({ snapshot: await page.snapshot(), contents });
          } else if (one.what === "close snapshot") {
            const taken = snapshots.shift();
            if (taken === undefined) continue;
            await check(taken);
            await taken.snapshot.close();
          } else {
            const on = transaction?.tx ?? page;
            if (one.what === "put") await on.put(one.key, one.value, { priority: one.priority });
            else if (one.what === "delete") await on.delete(one.key);
            else await on.clear();
            if (transaction !== undefined) transaction.contents = changed(transaction.contents, one);
            else model.commit(model.head, changed(model.head.contents, one), now);
          }
          await page.waitForConflictResolution();
          if (!model.isTied) continue;
          await ledger.close();
          fc.pre(false);
        }
        for (const taken of snapshots) {
          await check(taken);
          await taken.snapshot.close();
        }
        for (const { page, transaction } of all) {
          await transaction?.tx.rollback();
          await using snapshot = await page.snapshot();
          await check({ snapshot, contents: model.head.contents });
          expect(await headOf(page)).toEqual(await headOf((all[0] as Connection).page));
        }
        await ledger.close();
        if (model.head.contents.size === 0) return; // an empty page is removed
        const stored = await readTidied(place);
        expect(faultsOf(stored)).toEqual([]);
        expect(rowsOf(stored, "transient-piece")).toEqual([]);
        expect([stored.heads.length, stored.roots.size]).toEqual([1, 1]);
      },
    ),
    { seed: SEED, numRuns: 300 },
  );
  // Other runs were left out because of a tie.
  expect(300 / begun).toBeGreaterThan(0.9);
});

it("the same contents have the same root, whatever was put and deleted on the way", async () => {
  const edits = fc.array(fc.record({ ...edit, keep: fc.boolean() }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(edits, fc.boolean(), async (history, together) => {
      const roots: string[] = [];
      const last = new Map<string, (typeof history)[number]>();
      for (const one of history)
        if (one.keep) last.set(one.key, one);
        else last.delete(one.key);
      last.set("always", { key: "always", value: "there", priority: "eager", keep: true });
      const ordered = [...last.values()].toSorted((a, b) => (a.key < b.key ? 1 : -1));
      for (const list of [[...history, ...ordered.slice(0, 1), last.get("always")], ordered]) {
        const place = memoryPlace();
        const ledger = await testLedger({}, place);
        const page = await ledger.rootPage();
        const change = async (on: Mutations): Promise<void> => {
          for (const one of list) {
            if (one === undefined) continue;
            if (one.keep) await on.put(one.key, one.value, { priority: one.priority });
            else await on.delete(one.key);
          }
        };
        await (together ? page.transaction(change) : change(page));
        await ledger.close();
        roots.push([...(await readTidied(place)).roots.values()].join());
      }
      expect(roots[0]).toBe(roots[1]);
    }),
    { seed: SEED, numRuns: 300 },
  );
});

const action = fc.record({
  ...edit,
  device: fc.nat(2),
  at: fc.nat(1),
  from: fc.nat(2),
  /** The part of another device's commits that is carried. */
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  wait: fc.boolean(),
  what: fc.constantFrom(
    ...["put", "put", "put", "delete", "clear", "begin", "commit", "commit", "rollback", "bring", "bring"],
  ),
});

it("devices that exchange commits in any order reach the same commit, and every merge follows the rule", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 60 }), async (actions) => {
      const places = [memoryPlace(), memoryPlace(), memoryPlace()];
      const all = await Promise.all(
        Courier.network(3).map(async (courier, at) => {
          const ledger = await testLedger({ cloud: courier, clock: scattered(at, 3) }, places[at]);
          const pages = await connections(ledger, 2);
          const open: (Promise<OpenTransaction> | undefined)[] = [undefined, undefined];
          return { courier, ledger, pages, page: pages[0] as Page, open };
        }),
      );
      type Device = (typeof all)[number];
      let going: Promise<void>[] = [];
      for (const { what, device, at, from, part, wait, key, value, priority } of actions) {
        const { courier, pages, open } = all[device] as Device;
        const page = pages[at] as Page;
        const tx = open[at];
        const change = (use: (on: Mutations) => Promise<void>): void =>
          void going.push(tx === undefined ? use(page) : tx.then(use));
        if (what === "put") change((on) => on.put(key, value, { priority }));
        if (what === "delete") change((on) => on.delete(key));
        if (what === "clear") change((on) => on.clear());
        if (what === "begin") open[at] ??= begin(page);
        if ((what === "commit" || what === "rollback") && tx !== undefined) {
          open[at] = undefined;
          going.push(tx.then((begun) => begun[what]()));
        }
        if (what === "bring" && from !== device) {
          const other = (all[from] as Device).courier;
          const bring = async (): Promise<void> => {
            // Parents come before their children.
            const commits = await other.commits();
            await courier.page.addCommits(commits.slice(0, Math.ceil(part * commits.length)), "peer");
          };
          going.push(bring());
        }
        if (wait) await Promise.all(going.splice(0));
      }
      for (const tx of all.flatMap(({ open }) => open))
        if (tx !== undefined) going.push(tx.then((begun) => begun.commit()));
      await Promise.all(going);
      going = [];
      await converge(all);
      const heads = await Promise.all(
        all.flatMap(({ pages }) => pages.map(async (page) => toHex(await headOf(page)))),
      );
      expect(new Set(heads).size).toBe(1);
      await Promise.all(all.map(({ ledger }) => ledger.close()));
      for (const place of places) {
        if ((await place.pages("test")).length === 0) continue; // nothing happened
        const stored = await readStored(place);
        expect(faultsOf(stored, { lazyMissing: true })).toEqual([]);
        expect(stored.heads).toEqual([heads[0]]);
        const graph = new Graph(stored);
        for (const { contents, parents } of graph.merges) {
          const [one, other] = parents as [string, string];
          expect(contents).toEqual(graph.merged(one, other));
        }
      }
    }),
    { seed: SEED, numRuns: 50 },
  );
});
