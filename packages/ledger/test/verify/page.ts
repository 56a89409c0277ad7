/** A page with a bit of everything, as rows. */

import { type Engine, openMemoryEngine, type RawRow } from "merostore/engine";
import { toHex } from "merostore/internal";
import { listOf } from "../../../../test/support/lists.js";
import { verifyPage } from "../../src/index.js";
import { COLUMN } from "../../src/rows/row.js";
import type { Commit } from "../../src/storage/commit.js";
import { Journal } from "../../src/storage/journal.js";
import { PageStorage, type StorageOptions } from "../../src/storage/page-storage.js";
import { noCloud } from "../../src/sync/cloud.js";
import { Fetcher } from "../../src/sync/fetcher.js";
import { syncedPage } from "../../src/sync/synced-page.js";
import { entryRuns } from "../../src/tree/iterate.js";

let time = 1_000_000_000n;
const options: StorageOptions = {
  rollingHash: "V3",
  keyIndex: 1,
  prune: false,
  collection: "never",
  clock: () => (time += 1000n),
};

const encoder = new TextEncoder();

/** Bytes that look random and are the same each time. */
export function content(seed: number, size: number): Uint8Array {
  let state = (seed * 2_654_435_761) | 1;
  return Uint8Array.from({ length: size }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  });
}

export type Put = readonly [key: string, value: Uint8Array | undefined, priority?: "eager" | "lazy"];

async function commit(
  storage: PageStorage,
  parents: readonly [Commit] | readonly [Commit, Commit],
  ...puts: Put[]
) {
  const journal = new Journal();
  for (const [key, value, priority = "eager"] of puts) {
    if (value === undefined) journal.delete(encoder.encode(key));
    else {
      const { root, pieces } = storage.values.split(value);
      journal.put(encoder.encode(key), root, priority, pieces);
    }
  }
  return (await storage.commit(parents, journal.contents)) as Commit;
}

/** A page with values of one and many pieces, two levels of nodes, lazy entries, a merge, two heads; half synced. */
export async function fullPage(engine: Engine): Promise<void> {
  const storage = await PageStorage.open(engine, options);
  const [first] = (await storage.heads.withCommits(async (heads) => heads)) as [Commit];
  const many = Array.from({ length: 10 }, (_, at): Put => [`key${`${at}`.padStart(5, "0")}`, content(at, 3)]);
  // key00425 is of level 1, so that the tree has two.
  const base = await commit(storage, [first], ...many, ["key00425", content(7, 100)]);
  const left = await commit(storage, [base], ["big", content(1, 20_000)], ["lazy", content(2, 200), "lazy"]);
  const page = syncedPage({
    ledger: "l",
    id: new Uint8Array(16),
    storage,
    fetcher: new Fetcher(storage, noCloud.fetchPiece),
  });
  const local = [];
  for await (const identifier of page.unsyncedPieces()) local.push(identifier);
  await page.markSynced({ pieces: local });
  await page.markSynced({ commits: [base.id, left.id] });
  await page.setMetadata(encoder.encode("position"), encoder.encode("42"));
  const right = await commit(storage, [base], ["name", content(3, 33)], ["key00003", undefined]);
  const merged = await commit(
    storage,
    [left, right],
    ["name", content(3, 33)],
    ["more", content(4, 30_000), "lazy"],
  );
  await commit(storage, [merged], ["name", content(5, 50)]);
  await commit(storage, [merged], ["name", content(6, 60)], ["key00001", content(6, 60)]);
  await storage.values.storePieces(storage.values.split(content(8, 500)).pieces);
  await storage.collectGarbage();
}

export async function rowsOf(engine: Engine): Promise<RawRow[]> {
  return (await listOf(engine.scan(COLUMN))).map(({ key, value }) => ({
    key: key.slice(),
    value: value.slice(),
  }));
}

/** An engine with these rows. */
export async function engineOf(rows: readonly RawRow[]): Promise<Engine> {
  const engine = openMemoryEngine({ columns: [] });
  await engine.write(rows.map(({ key, value }) => ({ type: "put", column: COLUMN, key, value })));
  return engine;
}

export const findings = (engine: Engine) => listOf(verifyPage(engine));

/** Every entry of every head with its value, or `missing`; by the id of the head and the key, as hex. */
export async function contents(engine: Engine): Promise<Map<string, string>> {
  const storage = await PageStorage.open(engine, options);
  const read = new Map<string, string>();
  await storage.heads.withCommits(async (heads) => {
    for (const { id, root } of heads)
      for await (const run of entryRuns(storage.objects, root)) {
        const values = await storage.objects.wholes(run.map(({ value }) => value));
        for (const [at, { key }] of run.entries())
          read.set(`${toHex(id)} ${toHex(key)}`, values[at] === undefined ? "missing" : toHex(values[at]));
      }
  });
  return read;
}
