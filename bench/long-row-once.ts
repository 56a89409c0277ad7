/** A process of its own: one answer about a context with a delta of very many actions, with its longest turn and its memory. */
import { diffDatabases, rowsOfStore } from "../src/diff/index.js";
import { core011, openStore } from "../src/index.js";
import { ContextDagDelta, ContextMeta } from "../src/keys/index.js";
import { CalimeroNode } from "../src/node/index.js";
import { openSql } from "../src/sql/index.js";
import {
  AuthorViews,
  changedEntries,
  parseManifest,
  readerAt,
  StateHistory,
  StateMap,
  stateOf,
} from "../src/state/index.js";
import { verifyStore } from "../src/verify/index.js";
import { whyDiffer } from "../src/why/index.js";
import { manifest as json } from "./long-row-database.js";
import { keep } from "./measure.js";
import { CONTEXT } from "./replayed-context.js";
import { peak, turnsOf } from "./turns.js";

const [task, path] = process.argv.slice(2) as [keyof typeof tasks, string];
const manifest = parseManifest(json);
await using store = await openStore(path, { schema: core011, cacheBytes: 16 * 1024 * 1024 });

/** The same node without its last delta. */
async function older() {
  const overlay = store.overlay();
  const meta = await store.get(new ContextMeta({ contextId: CONTEXT }));
  const [deltaId] = meta?.dagHeads ?? [];
  if (meta === undefined || deltaId === undefined) throw new Error("the context has no head");
  const key = new ContextDagDelta({ contextId: CONTEXT, deltaId });
  const dagHeads = (await store.get(key))?.parents ?? [];
  overlay.delete(key);
  overlay.put(new ContextMeta({ contextId: CONTEXT }), { ...meta, dagHeads });
  return overlay;
}

const tasks = {
  verify: async () => {
    for await (const { rule, message } of verifyStore(store)) console.error(rule, message);
  },
  log: async () => {
    for await (const { actions } of new CalimeroNode(store).deltas(CONTEXT)) keep(actions?.length ?? 0);
  },
  patch: async () => {
    const views = await AuthorViews.of(store, CONTEXT, { manifest });
    const history = new StateHistory(store, await stateOf(store, CONTEXT, { manifest }));
    for await (const { id } of new CalimeroNode(store).deltas(CONTEXT)) {
      const changes = (await history.changes(id)) ?? [];
      const around = await views.around(id);
      if (around !== undefined) keep((await changedEntries(around, changes)).size);
    }
  },
  state: async () => {
    const { replay } = await AuthorViews.of(store, CONTEXT, { manifest });
    await replay.moveTo(2);
    const state = await stateOf(await readerAt(store, replay), CONTEXT, { manifest });
    for (const { value } of state.fields)
      if (value instanceof StateMap) for await (const { raw } of value.entries()) keep(raw?.length ?? 0);
  },
  why: async () => {
    const twin = await older();
    const sources = [store, twin].map((reader, at) => ({
      name: `node-${at}`,
      reader,
      node: new CalimeroNode(reader),
    }));
    for (const { sentence } of await whyDiffer(sources)) console.error(sentence);
  },
  diff: async () => {
    const { byContext } = await diffDatabases(rowsOfStore(store), rowsOfStore(await older()));
    keep(Object.keys(byContext).length);
  },
  sql: async () => {
    await using sql = await openSql(store);
    for (const table of ["deltas", "ContextDagDelta"])
      for await (const row of await sql.query(`select * from ${table}`)) keep(Object.keys(row).length);
  },
} as const;

const before = peak();
const clock = performance.now();
const turns = await turnsOf(tasks[task]);
console.log(
  JSON.stringify({
    ...turns,
    seconds: Math.round((performance.now() - clock) / 100) / 10,
    memory: Math.round(peak() - before),
  }),
);
