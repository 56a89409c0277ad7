/** The calls of the library that read or write a whole database. */
import { rm } from "node:fs/promises";
import { convertDatabase } from "../src/convert/index.js";
import { diffDatabases, rowsOfStore } from "../src/diff/index.js";
import { backupDatabase, recoverDatabase } from "../src/engines/index.js";
import { core010, countRows, detectRevision, openStore, type Store } from "../src/index.js";
import { ContextDagDelta } from "../src/keys/index.js";
import { CalimeroNode } from "../src/node/index.js";
import { type Core010, unknownRows } from "../src/schemas/index.js";
import { exportParquet, openSql } from "../src/sql/index.js";
import {
  contradictions,
  countEntities,
  lostDeltas,
  readReplay,
  stateJson,
  stateOf,
} from "../src/state/index.js";
import { copyDatabase, exportStore, importExport, rewriteDatabase } from "../src/transfer/index.js";
import { verifyStore } from "../src/verify/index.js";
import { rootHashes, stuck, whyDiffer } from "../src/why/index.js";
import { keep } from "./measure.js";

/** The database, and a folder that does not exist. */
export interface Given {
  readonly path: string;
  readonly store: Store<Core010>;
  readonly node: CalimeroNode;
  readonly target: string;
}

type Call = (given: Given) => unknown;

/** Keys of one `getMany`. */
const KEYS = 10_000;

const masterKey = new Uint8Array(32).fill(7);

/** By their names. Those that yield are read to the end. */
export const calls: Readonly<Record<string, Call>> = {
  openStore: async ({ path }) => (await openStore(path)).close(),
  detectRevision: ({ store }) => detectRevision(store.raw, { thorough: true }),
  countRows: ({ store }) => countRows(store),
  unknownRows: ({ store }) => unknownRows(store.raw, store.schema),
  "table.scan": ({ store }) => store.table(ContextDagDelta).scan().chunks(),
  "raw.scan": async ({ store }) => {
    for (const column of store.columns) await readAll(store.raw.scan(column).chunks());
  },
  "raw.getMany": async ({ store }) => {
    const rows = await store.raw.scan("State", {}, { limit: KEYS, keysOnly: true }).toArray();
    await store.raw.getMany(
      "State",
      rows.map(({ key }) => key),
    );
  },
  namespaces: ({ node }) => node.namespaces(),
  contexts: ({ node }) => node.contexts(),
  sizes: ({ node }) => node.sizes("context"),
  find: ({ node }) => node.find("a text that no row has"),
  members: async ({ node }) => node.memberList(await groupOf(node)),
  history: async ({ node }) => node.history(await groupOf(node)),
  deltas: async ({ node }) => node.deltas(await contextOf(node)),
  graph: async ({ node }) => node.graph(await contextOf(node)),
  countEntities: async ({ store, node }) => countEntities(store, await contextOf(node)),
  stateJson: async ({ store, node }) => stateJson(await stateOf(store, await contextOf(node))),
  readReplay: async ({ store, node }) => (await readReplay(store, await contextOf(node))).positions(),
  contradictions: async ({ store, node }) =>
    contradictions(store, await readReplay(store, await contextOf(node))),
  lostDeltas: async ({ store, node }) => lostDeltas(await readReplay(store, await contextOf(node))),
  verifyStore: ({ store }) => verifyStore(store),
  diffDatabases: ({ store }) => diffDatabases(rowsOfStore(store), rowsOfStore(store)),
  rootHashes: ({ store }) => rootHashes([{ name: "a", store }]),
  stuck: ({ store }) => stuck([{ name: "a", store }]),
  whyDiffer: ({ store, node }) =>
    whyDiffer([
      { name: "a", reader: store, node },
      { name: "b", reader: store, node },
    ]),
  openSql: async ({ store }) => {
    await using sql = await openSql(store);
    await readAll(await sql.query("select count(*), max(deltaId) from ContextDagDelta"));
  },
  exportStore: ({ store }) => exportStore(store, { revealSecrets: true }),
  exportParquet: ({ store, target }) => exportParquet(store, target, { revealSecrets: true }),
  importExport: async ({ store, target }) =>
    importExport(() => exportStore(store, { revealSecrets: true }), target),
  backupDatabase: ({ path, target }) => backupDatabase(path, target),
  copyDatabase: ({ path, target }) => copyDatabase(path, target),
  convertDatabase: ({ path, target }) => convertDatabase(path, target, { to: "core-0.11" }),
  rewriteDatabase: ({ path, target }) => rewriteDatabase(path, target, { newMasterKey: masterKey }),
  recoverDatabase: ({ path, target }) => recoverDatabase(path, target),
};

/** Makes a call by its name, and reads what it yields. */
export async function makeCall(name: string, path: string, target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  try {
    await using store = await openStore(path, { schema: core010 });
    const node = new CalimeroNode(store);
    const answer = await calls[name]?.({ path, store, node, target });
    if (isIterable(answer)) await readAll(answer);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

function isIterable(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;
}

async function readAll(answers: AsyncIterable<unknown>): Promise<void> {
  for await (const answer of answers) keep(answer === undefined ? 0 : 1);
}

/** The id of a group. */
export async function groupOf(node: CalimeroNode): Promise<string> {
  const [first] = await node.namespaces();
  if (first === undefined) throw new Error("the database has no group");
  return first.group.id;
}

/** The id of a context. */
export async function contextOf(node: CalimeroNode): Promise<string> {
  const [first] = await node.contexts();
  if (first === undefined) throw new Error("the database has no context");
  return first.context.id;
}
