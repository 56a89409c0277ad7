/**
 * Databases of real nodes with one change at a time: an entity, alone or with all hashes above it, a removed delta, or
 * the root hash of an author. `verify` names the change, and so does `why` beside the unchanged database.
 */
import { describe, expect, it } from "vitest";
import { concat } from "../../src/bytes/concat.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { Payload } from "../../src/codec/index.js";
import { entryStateKey, fullHash010, fullHash011, indexStateKey, ownHash } from "../../src/digests/index.js";
import type { WriteOperation } from "../../src/engine/engine.js";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import { ContextDagDelta, ContextMeta } from "../../src/keys/index.js";
import { CalimeroNode } from "../../src/node/index.js";
import { ActionList011, EntityIndex010, EntityIndex011 } from "../../src/payloads/index.js";
import { core010, core011, type Schema } from "../../src/schemas/index.js";
import { type ContextReplay, readReplay } from "../../src/state/index.js";
import { openStore, type Store, StoreReader, storeOn } from "../../src/store/index.js";
import { PendingReader } from "../../src/store/pending.js";
import {
  ContextDagDeltaValue010,
  ContextDagDeltaValue011,
  ContextMetaValue,
} from "../../src/values/index.js";
import { type Finding, ruleOf, verifyStore } from "../../src/verify/index.js";
import { type WhyPair, whyDiffer } from "../../src/why/index.js";
import { CONTEXT, history, rowsAfter, storeWith } from "../state/replay/made-deltas.js";
import { appsDatabase } from "../support/apps.js";
import { listOf } from "../support/lists.js";
import { randomNumbers } from "../support/random-values.js";
import { flipped, inMemory } from "./altered.js";

/** The number of changes of each sort in each database. */
const MOST = Number(process.env.CHANGES ?? 1);

const rules = [
  "state-from-deltas",
  "base-hash",
  "delta-names-what-it-saw",
  "own-hash",
  "delta-id",
  "delta-heads",
  "delta-parent-there",
].map(ruleOf);

/** A context of a database. */
interface Context {
  readonly store: Store;
  readonly id: Uint8Array;
  readonly replay: ContextReplay;
  /** The findings of verification before the change. */
  readonly before: ReadonlySet<string>;
}

const textOf = (one: Finding): string => JSON.stringify(one);

const findings = ({ store, id }: Pick<Context, "store" | "id">) =>
  listOf(verifyStore(store, { rules, context: id }));

async function contextsOf(store: Store): Promise<readonly Context[]> {
  const contexts: Context[] = [];
  for await (const { key } of store.table(ContextMeta).scan()) {
    const id = key.contextId;
    const replay = await readReplay(store, id);
    await replay.moveToFirst();
    const before = new Set((await findings({ store, id })).map(textOf));
    contexts.push({ store, id, replay, before });
  }
  return contexts;
}

/** Some things, from each context in turn. */
function spread<T>(
  contexts: readonly Context[],
  random: () => number,
  of: (context: Context) => readonly T[],
): readonly (readonly [Context, T])[] {
  const mixed = <U>(list: readonly U[]): readonly U[] =>
    list
      .map((one) => [random(), one] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, one]) => one);
  const lists = mixed(contexts).map((context) => mixed(of(context)).map((one) => [context, one] as const));
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1)))
    .flat()
    .slice(0, MOST);
}

const put = (column: string, key: Uint8Array, value: Uint8Array): WriteOperation => ({
  type: "put",
  column,
  key,
  value,
});

/** Changes a database. Returns the new findings, and why it differs from the unchanged database. */
async function changed(
  context: Context,
  changes: readonly WriteOperation[],
): Promise<{ readonly news: readonly Finding[]; readonly why: WhyPair }> {
  const { store, id, before } = context;
  const back: WriteOperation[] = [];
  const other = new PendingReader(store.raw);
  for (const change of changes) {
    if (change.type === "deleteRange") throw new Error("one row at a time");
    const { column, key } = change;
    const value = await store.raw.get(column, key);
    back.push(value === undefined ? { type: "delete", column, key } : put(column, key, value));
    other.add(change as Parameters<PendingReader["add"]>[0]);
  }
  const reader = new StoreReader(other, store.schema);
  const sources = [
    { name: "A", reader: store, node: new CalimeroNode(store) },
    { name: "B", reader, node: new CalimeroNode(reader) },
  ];
  const [answer] = await whyDiffer(sources, { context: id });
  await store.raw.write(changes);
  const news = (await findings(context)).filter((one) => !before.has(textOf(one)));
  await store.raw.write(back);
  return { news, why: answer?.pairs[0] as WhyPair };
}

const indexKey = (contextId: Uint8Array, entity: Uint8Array): Uint8Array =>
  concat(contextId, indexStateKey(entity));

/** The rows of an entity with other data; if it is to look right, with the hashes above it. */
async function otherData(
  { store, id }: Context,
  entity: string,
  isHidden: boolean,
): Promise<readonly WriteOperation[]> {
  const isOld = store.schema.name === core010.name;
  const codec = (isOld ? EntityIndex010 : EntityIndex011) as typeof EntityIndex011;
  const hashOf = (isOld ? fullHash010 : fullHash011) as typeof fullHash011;
  const entry = concat(id, entryStateKey(fromHex(entity)));
  const data = flipped((await store.raw.get("State", entry)) as Uint8Array);
  const changes = [put("State", entry, data)];
  let at: Uint8Array | null = isHidden ? fromHex(entity) : null;
  let below: { readonly id: Uint8Array; readonly hash: Uint8Array } | undefined;
  while (at !== null) {
    const key = indexKey(id, at);
    const row: EntityIndex011 = codec.decode((await store.raw.get("State", key)) as Uint8Array);
    const { id: child, hash: merkleHash } = below ?? {};
    const hashes = (row.children ?? []).map((one) =>
      child !== undefined && merkleHash !== undefined && equalBytes(one.id, child)
        ? { ...one, merkleHash }
        : one,
    );
    const children = row.children && hashes;
    const other = { ...row, children, ownHash: child === undefined ? ownHash(data) : row.ownHash };
    const hash = hashOf(other);
    changes.push(put("State", key, codec.encode({ ...other, fullHash: hash })));
    below = { id: at, hash };
    at = row.parentId;
  }
  if (below === undefined) return changes;
  const meta = ContextMetaValue.decode((await store.raw.get("Meta", id)) as Uint8Array);
  return [...changes, put("Meta", id, ContextMetaValue.encode({ ...meta, rootHash: below.hash }))];
}

/** The row of a delta with another root hash of its author; undefined if it has none. */
async function otherHash({ store, id }: Context, delta: string): Promise<WriteOperation | undefined> {
  const key = concat(id, fromHex(delta));
  const bytes = (await store.raw.get("Delta", key)) as Uint8Array;
  if (store.schema.name === core010.name) {
    const row = ContextDagDeltaValue010.decode(bytes);
    return put(
      "Delta",
      key,
      ContextDagDeltaValue010.encode({ ...row, expectedRootHash: flipped(row.expectedRootHash) }),
    );
  }
  const row = ContextDagDeltaValue011.decode(bytes);
  const actions = [...(row.actions.value ?? [])];
  for (const [at, action] of [...actions.entries()].toReversed()) {
    if (!("ancestors" in action)) continue;
    const root = action.ancestors.at(-1);
    if (root === undefined || !equalBytes(root.id, id)) continue;
    const ancestors = [...action.ancestors.slice(0, -1), { ...root, merkleHash: flipped(root.merkleHash) }];
    actions[at] = { ...action, ancestors };
    return put(
      "Delta",
      key,
      ContextDagDeltaValue011.encode({ ...row, actions: Payload.of(ActionList011, actions) }),
    );
  }
  return undefined;
}

/** The ids of the deltas in the rows of a context, and the ids that heads or other deltas name. */
async function deltasOf({ store, id, replay }: Context) {
  const ids = (await listOf(store.table(ContextDagDelta).scan({ prefix: { contextId: id } }))).map(
    ({ key }) => toHex(key.deltaId),
  );
  const { dagHeads } = ContextMetaValue.decode((await store.raw.get("Meta", id)) as Uint8Array);
  const named = new Set([...dagHeads.map(toHex), ...replay.graph.deltas.flatMap(({ parents }) => parents)]);
  return { ids, named };
}

const opens: readonly (readonly [string, () => Promise<Store>])[] = [
  ...(["core-0.10/node-a", "core-0.10/node-b"] as const).map(
    (name) => [name, async () => (await inMemory(name, core010)) as unknown as Store] as const,
  ),
  ...(["core-0.11/node-a", "core-0.11/node-b", "core-0.11/node-c"] as const).map(
    (name) => [name, async () => (await inMemory(name, core011)) as unknown as Store] as const,
  ),
  ...(["parted-n3", "healed-n1", "healed-n2"] as const).map(
    (name) => [name, () => appInMemory(name)] as const,
  ),
];

async function appInMemory(name: string): Promise<Store> {
  using database = appsDatabase(name);
  await using store = await openStore(database.path);
  const engine = openMemoryEngine({ columns: store.columns });
  for (const column of store.columns)
    for await (const { key, value } of store.raw.scan(column, {}))
      await engine.write([put(column, key.slice(), (value as Uint8Array).slice())]);
  return storeOn(engine, { schema: store.schema as Schema }) as unknown as Store;
}

describe.each(opens)("%s", (name, open) => {
  const random = randomNumbers(opens.findIndex(([one]) => one === name));
  const contexts = open().then(contextsOf);
  const short = (id: string): string => id.slice(0, 8);

  it.each([false, true])(
    "an entity that was falsified is named (with all hashes above it: %s)",
    async (isHidden) => {
      const live = ({ replay }: Context) =>
        [...replay.tree.entities()].flatMap(([id, { data, deletedAt }]) =>
          data === undefined || deletedAt !== undefined ? [] : [id],
        );
      for (const [context, entity] of spread(await contexts, random, live)) {
        const { news, why } = await changed(context, await otherData(context, entity, isHidden));
        const key = toHex(indexKey(context.id, fromHex(entity)));
        const own = news.filter((one) => one.key === key && one.rule === "state-from-deltas");
        // Only the root hash of a checkpoint and those of authors are about data from before the first delta.
        const delta = context.replay.lastWriteOf(entity)?.id;
        const isMerged = news.some(({ message }) => message.includes("only the application merges them"));
        if (!isHidden || (delta !== undefined && !isMerged))
          expect(own.map((one) => one.delta)).toEqual([delta]);
        expect(news, entity).not.toEqual([]);
        expect(why.sentence).toContain(`entity ${short(entity)}`);
        expect(why).toMatchObject({ unexplained: [] });
        if (!isHidden) expect(why.causes[0]?.contradictions).toMatchObject([{ entity, how: "damaged" }]);
      }
    },
  );

  it("a delta that was removed is named, where another or a head names it", async () => {
    const all = new Map<Context, Awaited<ReturnType<typeof deltasOf>>>();
    for (const context of await contexts) all.set(context, await deltasOf(context));
    for (const [context, delta] of spread(await contexts, random, (one) => all.get(one)?.ids ?? [])) {
      const key = concat(context.id, fromHex(delta));
      const { news, why } = await changed(context, [{ type: "delete", column: "Delta", key }]);
      const isNamed = news.some(({ expected }) => expected?.includes(delta));
      expect(isNamed, delta).toBe(all.get(context)?.named.has(delta));
      // A node that lost its first delta looks like one that took it over with a snapshot.
      if (why.verdict !== "snapshot") expect(why.sentence).toContain(`delta ${short(delta)}`);
      expect(why).toMatchObject({ unexplained: [] });
    }
  });

  it("a delta with another hash of its author is named", async () => {
    const all = new Map<Context, readonly (readonly [string, WriteOperation])[]>();
    for (const context of await contexts) {
      const list: [string, WriteOperation][] = [];
      for (const id of (await deltasOf(context)).ids) {
        const change = await otherHash(context, id);
        if (change !== undefined && context.replay.graph.numberOf(id) !== undefined) list.push([id, change]);
      }
      all.set(context, list);
    }
    for (const [context, [delta, change]] of spread(await contexts, random, (one) => all.get(one) ?? [])) {
      const { news, why } = await changed(context, [change]);
      expect(news.map(({ key }) => key?.slice(-64))).toContain(delta);
      expect(why.sentence).toContain(`delta ${short(delta)} is not the same at A and B`);
      expect(why).toMatchObject({ verdict: "diverged", unexplained: [] });
    }
  });
});

it("another root hash of a context of core-1.0 is not what any number of its deltas leads to", async () => {
  for (const count of history.keys()) {
    const { rows, rootHash } = await rowsAfter(CONTEXT, history.slice(0, count + 1));
    const others = rows.map((row) => {
      if (row.column !== "Meta") return row;
      const meta = ContextMetaValue.decode(row.value);
      return { ...row, value: ContextMetaValue.encode({ ...meta, rootHash: flipped(rootHash) }) };
    });
    await using store = await storeWith(others);
    const replay = await readReplay(store, CONTEXT);
    expect(await replay.certaintyOfFirst(count + 1)).toMatchObject({
      verdict: "differs",
      witnesses: [{ kind: "rows" }],
    });
  }
});
