/** Long work of the library reports its progress in one form, and ends when its signal aborts. */
import { existsSync, mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blobFolder, checkBlobs, putBlob } from "../src/blobs/index.js";
import { fromHex } from "../src/bytes/hex.js";
import { checkUpgrade, convertDatabase } from "../src/convert/index.js";
import { takeAlong } from "../src/convert/take-along.js";
import { diffByContext, diffByGroup, diffDatabases, diffRows, rowsOfStore } from "../src/diff/index.js";
import { countEncryption } from "../src/encryption/index.js";
import { abortable, originOf } from "../src/engine/abortable.js";
import { backupDatabase, recoverDatabase } from "../src/engines/index.js";
import { CalimeroNode, replayFacts } from "../src/node/index.js";
import type { Progress, ProgressOptions } from "../src/progress.js";
import { unknownRows } from "../src/schemas/unknown-rows.js";
import { exportParquet, openSql } from "../src/sql/index.js";
import { readReplay } from "../src/state/index.js";
import { countRows, openStore, type Store } from "../src/store/index.js";
import {
  backupNode,
  copyDatabase,
  exportStore,
  importExport,
  rewriteDatabase,
} from "../src/transfer/index.js";
import { verifyStore } from "../src/verify/index.js";
import { rootHashes, stuck } from "../src/why/index.js";
import { copyOfNode, inPieces } from "./blobs/fixtures.js";
import { fixturePath, temporaryFolder } from "./support/fixtures.js";
import { exportText, sourceOf } from "./support/transfer.js";

const PATH = fixturePath("core-0.11/node-a", "db");
const OTHER = fixturePath("core-0.11/node-b", "db");
const OLD = fixturePath("core-0.10/node-a", "db");
const GROUP = "office";
const CONTEXT = "lobby";

/**
 * Does work to its end. `folder` is empty, and must still be empty after aborted work. Each read of rows calls `onRead`
 * first.
 */
type Work = (options: ProgressOptions, folder: string, onRead?: () => void) => Promise<unknown>;

/** Calls `onRead` before each read of rows. */
function telling(store: Store, onRead: () => void = () => undefined): void {
  const { raw } = store;
  const { scan, get, getMany } = raw;
  const told =
    <Of extends unknown[], R>(read: (...of: Of) => R) =>
    (...of: Of): R => {
      onRead();
      return read.apply(raw, of);
    };
  Object.assign(raw, { scan: told(scan), get: told(get), getMany: told(getMany) });
}

async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

function reading(work: (store: Store, options: ProgressOptions) => Promise<unknown>, path = PATH): Work {
  return async (options, _, onRead) => {
    await using store = await openStore(path);
    telling(store, onRead);
    await work(store, options);
  };
}

function comparing(work: (a: Store, b: Store, options: ProgressOptions) => Promise<unknown>): Work {
  return async (options, _, onRead) => {
    await using a = await openStore(PATH);
    await using b = await openStore(OTHER);
    for (const store of [a, b]) telling(store, onRead);
    await work(a, b, options);
  };
}

function ofNode(work: (node: CalimeroNode, options: ProgressOptions) => Promise<unknown>): Work {
  return reading((store, options) => work(new CalimeroNode(store), options));
}

const exported = exportText(PATH);

const works: Readonly<Record<string, Work>> = {
  scan: reading((store, options) => store.table("ContextState").scan(options).toArray()),
  "scan of keys": reading((store, options) => all(store.table("ContextState").scan(options).keys())),
  count: reading((store, options) => store.table("ContextState").count(options)),
  countRows: reading((store, options) => all(countRows(store, options))),
  unknownRows: reading((store, options) => unknownRows(store.raw, store.schema, options)),
  countEncryption: reading((store, options) => countEncryption(store.raw, options)),
  takeAlong: reading((store, options) => takeAlong(store, options), OLD),
  verifyStore: reading((store, options) => verifyStore(store, options).summary()),
  diffRows: comparing((a, b, options) => all(diffRows(rowsOfStore(a), rowsOfStore(b), options))),
  diffDatabases: comparing((a, b, options) => diffDatabases(rowsOfStore(a), rowsOfStore(b), options)),
  diffByContext: comparing((a, b, options) => diffByContext(rowsOfStore(a), rowsOfStore(b), options)),
  diffByGroup: comparing((a, b, options) => diffByGroup(rowsOfStore(a), rowsOfStore(b), options)),
  exportStore: reading((store, options) => all(exportStore(store, options))),
  importExport: async (options, folder) =>
    importExport(sourceOf(await exported), join(folder, "new"), options),
  copyDatabase: (options, folder) => copyDatabase(PATH, join(folder, "new"), options),
  rewriteDatabase: (options, folder) =>
    rewriteDatabase(PATH, join(folder, "new"), { ...options, newMasterKey: new Uint8Array(32).fill(7) }),
  backupDatabase: (options, folder) => backupDatabase(PATH, join(folder, "new"), options),
  recoverDatabase: (options, folder) => recoverDatabase(PATH, join(folder, "new"), options),
  convertDatabase: (options, folder) =>
    convertDatabase(OLD, join(folder, "new"), { ...options, to: "core-0.11" }),
  checkUpgrade: (options) => checkUpgrade(OLD, { ...options, to: "core-0.11" }),
  find: ofNode((node, options) => all(node.find(CONTEXT, options))),
  sizes: ofNode((node, options) => node.sizes("kind", options)),
  history: ofNode((node, options) => all(node.history(GROUP, options))),
  groupLog: ofNode((node, options) => all(node.groupLog(GROUP, options))),
  deltas: ofNode((node, options) => all(node.deltas(CONTEXT, options))),
  replayFacts: reading((store, options) => all(replayFacts(store, options))),
  "sql query": reading(async (store, options) => {
    await using sql = await openSql(store);
    await all((await sql.query("select count(*) from ContextState", options)).chunks());
  }),
  exportParquet: async (options, folder) => {
    await using store = await openStore(PATH);
    await exportParquet(store, join(folder, "new"), options);
  },
  backupNode: async (options, folder) => {
    await using node = await copyOfNode();
    const { home, data, blobs } = node;
    await node.store.close();
    const config = join(home, "config.toml");
    await backupNode({ path: home, config, data, blobs, encrypts: false }, join(folder, "new"), options);
  },
  checkBlobs: async (options) => {
    await using node = await copyOfNode();
    await all(checkBlobs(node.store, node.folder, options));
  },
  putBlob: async (options, folder) => {
    await using node = await copyOfNode();
    const files = join(folder, "blobs");
    mkdirSync(files);
    const content = inPieces(new Uint8Array(3 * 2 ** 20).fill(1));
    await putBlob(node.store, await blobFolder(files), content, options).catch((error: unknown) => {
      expect(readdirSync(files)).toEqual([]);
      throw error;
    });
  },
  readReplay: reading(async (store, options) => {
    const { id } = await new CalimeroNode(store).resolve(CONTEXT);
    await (await readReplay(store, fromHex(id), options)).positions();
  }),
};

/** Work that reports no progress. */
const signalled: Readonly<Record<string, Work>> = {
  origins: ofNode((node, options) => node.origins(GROUP, options)),
  departuresOf: ofNode((node, options) => node.departuresOf("00".repeat(32), options)),
  "graph of a context": ofNode((node, options) => node.graph(CONTEXT, options)),
  "graph of a group": ofNode((node, options) => node.graph(GROUP, options)),
  at: ofNode(async (node, options) => {
    for await (const { id } of node.history(GROUP, { limit: 1 })) await node.at(id, options);
  }),
  rootHashes: comparing((a, b, options) =>
    all(
      rootHashes(
        [
          { name: "a", store: a },
          { name: "b", store: b },
        ],
        options,
      ),
    ),
  ),
  stuck: comparing((a, b, options) =>
    all(
      stuck(
        [
          { name: "a", store: a },
          { name: "b", store: b },
        ],
        options,
      ),
    ),
  ),
};

it.each(Object.entries(signalled))("%s ends when its signal aborts", async (_, work) => {
  using folder = temporaryFolder();
  const reason = new Error("enough");
  let reads = 0;
  await work({ signal: new AbortController().signal }, folder.path, () => void reads++);
  await expect(work({ signal: AbortSignal.abort(reason) }, folder.path)).rejects.toBe(reason);
  expect(reads).toBeGreaterThan(0);
  // Aborts at the first read and in the middle.
  for (const at of new Set([1, Math.ceil(reads / 2)])) {
    const stop = new AbortController();
    let left = at;
    const onRead = (): void => {
      if (--left === 0) stop.abort(reason);
    };
    await expect(work({ signal: stop.signal }, folder.path, onRead)).rejects.toBe(reason);
  }
});

it("a reader that two signals end rejects with the reason of the first that aborts", async () => {
  await using store = await openStore(PATH);
  for (const at of [0, 1]) {
    const stops = [new AbortController(), new AbortController()] as const;
    const raw = abortable(abortable(store.raw, stops[0].signal), stops[1].signal);
    await raw.get("Meta", new Uint8Array(32));
    const reason = new Error("enough");
    stops[at as 0 | 1].abort(reason);
    await expect(raw.get("Meta", new Uint8Array(32))).rejects.toBe(reason);
    expect(originOf(raw)).toBe(store.raw);
  }
});

it("a backup of compressed tables keeps its total to the end", async () => {
  using folder = temporaryFolder();
  const seen: Progress[] = [];
  const path = fixturePath("core-0.11/node-a-compressed", "db");
  const onProgress = (progress: Progress) => void seen.push(progress);
  const { bytes } = await backupDatabase(path, join(folder.path, "new"), { onProgress });
  expect(seen.slice(-2).map(({ total }) => total)).toEqual([2 * bytes, 2 * bytes]);
});

/** The files of the fixtures that this process has open. */
function openFiles(): readonly string[] {
  const folder = "/proc/self/fd";
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    try {
      const path = readlinkSync(join(folder, name));
      return path.startsWith(PATH) || path.startsWith(OLD) || path.startsWith(OTHER) ? path : [];
    } catch {
      return []; // closed meanwhile
    }
  });
}

it.each(Object.entries(works))("%s tells how far it is, and at the end that all is done", async (_, work) => {
  using folder = temporaryFolder();
  const seen: Progress[] = [];
  await work({ onProgress: (progress) => seen.push(progress) }, folder.path);
  const last = seen.at(-1) as Progress;
  expect(last.done).toBeGreaterThan(0);
  expect(last.total).toBe(last.done);
  expect(new Set(seen.map(({ unit }) => unit)).size).toBe(1);
  const done = seen.map((one) => one.done);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  for (const { done, total = done } of seen) expect(total).toBeGreaterThanOrEqual(done);
});

it.each(Object.entries(works))(
  "%s rejects with the reason of a signal that aborted before",
  async (_, work) => {
    using folder = temporaryFolder();
    const reason = new Error("enough");
    await expect(work({ signal: AbortSignal.abort(reason) }, folder.path)).rejects.toBe(reason);
    expect(readdirSync(folder.path).filter((name) => name !== "blobs")).toEqual([]);
    expect(openFiles()).toEqual([]);
  },
);

it.each(Object.entries(works))(
  "%s rejects with the reason in the middle, and leaves nothing",
  async (_, work) => {
    using folder = temporaryFolder();
    const stop = new AbortController();
    const reason = new Error("enough");
    let told = 0;
    const onProgress = (): void => {
      if (++told === 1) stop.abort(reason);
    };
    await expect(work({ onProgress, signal: stop.signal }, folder.path)).rejects.toBe(reason);
    expect(told).toBe(1);
    expect(readdirSync(folder.path).filter((name) => name !== "blobs")).toEqual([]);
    expect(openFiles()).toEqual([]);
  },
);

it.each(Object.entries(works))(
  "%s rejects with what onProgress throws at the end, and leaves nothing",
  async (_, work) => {
    using folder = temporaryFolder();
    const reason = new Error("enough");
    const onProgress = ({ done, total }: Progress): void => {
      if (done === total) throw reason;
    };
    await expect(work({ onProgress }, folder.path)).rejects.toBe(reason);
    expect(readdirSync(folder.path).filter((name) => name !== "blobs")).toEqual([]);
    expect(openFiles()).toEqual([]);
  },
);
