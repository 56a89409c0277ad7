/** Falsified contexts, and what a replay names: the entity, the delta, or the hash of an author. */
import { join } from "node:path";
import { concat } from "../../src/bytes/concat.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { compareBytes } from "../../src/bytes/order.js";
import { entryStateKey, indexStateKey, ownHash } from "../../src/digests/index.js";
import type { Engine } from "../../src/engines/index.js";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import { entityKey, entityRow } from "../../src/layouts/index.js";
import { firstValue, type NodeReader, type RowOf, rowsOf } from "../../src/node/tables/rows.js";
import { Pause } from "../../src/pause.js";
import { contradictions, type ReplayVerdict, readReplay } from "../../src/state/index.js";
import { deltaOf } from "../../src/state/replay/delta.js";
import { openStore, type Store, storeOn } from "../../src/store/index.js";
import {
  CONTEXT,
  history,
  type MadeDelta,
  rowsAfter,
  setItem,
  storeWith,
} from "../state/replay/made-deltas.js";
import { contextsOf } from "../state/support.js";

/** The totals. */
export interface ReplayFigures {
  /** Numbers of falsified entities, removed deltas and changed hashes of authors; in core-1.0, of contexts. */
  readonly tried: Figures;
  /** Numbers of named ones; an entity counts if its delta is named too. */
  readonly named: Figures;
  /** Cases that the replay did not name, each with its known reason. */
  readonly misses: readonly string[];
  /** Failures: cases that the replay did not name, without a known reason. */
  readonly wrong: readonly string[];
}

interface Figures {
  entities: number;
  deltas: number;
  hashes: number;
}

/** Databases of nodes whose deltas are all proven. */
const SUBJECTS = [
  "core-0.11/node-a",
  "core-0.11/node-b",
  "core-0.11/node-c",
  "core-0.10/node-a",
  "core-0.10/node-b",
];

/** A new value of a row; a row without one is deleted. */
interface Change {
  readonly column: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** A database in memory whose rows are changed and put back. */
class Falsified {
  readonly store: Store;
  readonly #engine: Engine;
  readonly #before = new Map<string, Uint8Array>();

  private constructor(engine: Engine, store: Store) {
    this.#engine = engine;
    this.store = store;
  }

  static async of(path: string): Promise<Falsified> {
    await using store = await openStore(path);
    return await Falsified.copyOf(store);
  }

  static async copyOf(store: Store): Promise<Falsified> {
    const engine = openMemoryEngine({ columns: store.columns });
    const made = new Falsified(engine, (await storeOn(engine, { schema: store.schema })) as unknown as Store);
    for (const column of store.columns)
      for await (const chunk of store.raw.scan(column).chunks()) {
        const rows = chunk.map(({ key, value }) => ({
          key: Uint8Array.from(key),
          value: Uint8Array.from(value),
        }));
        for (const { key, value } of rows) made.#before.set(`${column} ${toHex(key)}`, value);
        await engine.write(rows.map((row) => ({ type: "put", column, ...row })));
      }
    return made;
  }

  get(column: string, key: Uint8Array): Uint8Array | undefined {
    return this.#before.get(`${column} ${toHex(key)}`);
  }

  /** Asks while rows are changed. */
  async with<T>(changes: readonly Change[], ask: () => Promise<T>): Promise<T> {
    await this.#write(changes);
    try {
      return await ask();
    } finally {
      await this.#write(changes.map(({ column, key }) => ({ column, key, value: this.get(column, key) })));
    }
  }

  #write(changes: readonly Change[]): Promise<void> {
    return this.#engine.write(
      changes.map(({ column, key, value }) =>
        value === undefined ? { type: "delete", column, key } : { type: "put", column, key, value },
      ),
    );
  }
}

/**
 * Falsifies entities, removes deltas and changes the hashes of authors, one at a time.
 *
 * @param fixtures the folder of all fixtures
 * @param most the number of each in each database
 */
export async function falsifyContexts(fixtures: string, most: Figures): Promise<ReplayFigures> {
  const figures: Counted = { tried: none(), named: none(), misses: [], wrong: [] };
  for (const name of SUBJECTS) {
    const database = await Falsified.of(join(fixtures, name, "db"));
    for (const contextId of await contextsOf(database.store))
      await falsify(name, database, contextId, most, figures);
  }
  // Nodes of core-1.0 left no history with as many deltas.
  const made = [...history, ...Array.from({ length: MADE }, (_, at) => madeDelta(history.length + at + 1))];
  {
    await using store = await storeWith((await rowsAfter(CONTEXT, made)).rows);
    await falsify("core-1.0", await Falsified.copyOf(store), CONTEXT, most, figures);
  }
  for (const at of some([...made.keys()], most.hashes)) {
    const { rows, rootHash } = await rowsAfter(CONTEXT, made.slice(0, at + 1));
    const other = Uint8Array.from(rootHash);
    other[at % other.length]! ^= 1;
    const meta = rows.find(({ column }) => column === "Meta");
    const value = Buffer.from(meta?.value ?? []);
    value.set(other, value.indexOf(rootHash));
    await using store = await storeWith([
      ...rows,
      { ...meta, value: Uint8Array.from(value) } as (typeof rows)[number],
    ]);
    figures.tried.hashes++;
    const { verdict, witnesses } = await (await readReplay(store, CONTEXT)).certaintyOfFirst(at + 1);
    const isNamed = verdict === "differs" && witnesses.some(({ kind }) => kind === "rows");
    if (isNamed) figures.named.hashes++;
    else figures.wrong.push(`core-1.0: another root hash after ${at + 1} deltas is ${verdict}`);
  }
  return figures;
}

/** The totals so far. */
interface Counted {
  readonly tried: Figures;
  readonly named: Figures;
  readonly misses: string[];
  readonly wrong: string[];
}

/** The number of deltas that are made for core-1.0 beside the short history. */
const MADE = 320;

function madeDelta(number: number): MadeDelta {
  return { number, actions: [setItem(`item ${number}`, "x", number)] };
}

function none(): Figures {
  return { entities: 0, deltas: 0, hashes: 0 };
}

/** Adds the figures of one context. */
async function falsify(
  name: string,
  database: Falsified,
  contextId: Uint8Array,
  most: Figures,
  { tried, named, misses, wrong }: Counted,
): Promise<void> {
  for (const entity of some(await entitiesOf(database, contextId), most.entities)) {
    tried.entities++;
    const told = await falsified(database, contextId, entity, tried.entities % 2 === 0);
    if (told === "named") named.entities++;
    else if (entity.delta === undefined)
      misses.push(`${name}: entity ${toHex(entity.id)} is from before the first delta: ${told}`);
    else wrong.push(`${name}: entity ${toHex(entity.id)} is ${told}`);
  }
  const rows = await deltasOf(database, contextId);
  const meta = await firstValue(database.store as unknown as NodeReader, "ContextMeta", { contextId });
  const known = new Set(
    [...(meta?.dagHeads ?? []), ...rows.flatMap(({ value }) => value.parents)].map(toHex),
  );
  for (const { key } of some(rows, most.deltas)) {
    tried.deltas++;
    const without = [{ column: "Delta", key: key.bytes, value: undefined }];
    const { missing } = await database.with(without, () => readReplay(database.store, contextId));
    if (missing.includes(toHex(key.deltaId))) named.deltas++;
    else if (!known.has(toHex(key.deltaId)))
      misses.push(`${name}: no head and no other delta names the removed delta ${toHex(key.deltaId)}`);
    else wrong.push(`${name}: the removed delta ${toHex(key.deltaId)} is not named`);
  }
  const before = await verdictsOf(database.store, contextId);
  for (const row of some(rows, most.hashes)) {
    const value = await otherHash(row);
    const delta = toHex(row.key.deltaId);
    const verdict = before.get(delta);
    if (value === undefined || verdict === undefined || verdict === "unknown") continue;
    tried.hashes++;
    const change = { column: "Delta", key: row.key.bytes, value };
    const after = await database.with([change], () => verdictsOf(database.store, contextId));
    if (after.get(delta) === "differs") named.hashes++;
    else wrong.push(`${name}: delta ${delta} with another hash is ${after.get(delta)}`);
  }
}

/** Some of a list, at equal distances. */
function some<T>(all: readonly T[], most: number): readonly T[] {
  return all.length <= most
    ? all
    : Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as T);
}

interface Entity {
  readonly id: Uint8Array;
  /** The delta that wrote it last, 64 hex digits; undefined for an entity from before the first delta. */
  readonly delta: string | undefined;
}

/** The entities with data. */
async function entitiesOf({ store }: Falsified, contextId: Uint8Array): Promise<readonly Entity[]> {
  const replay = await readReplay(store, contextId);
  await replay.moveToFirst();
  const found: Entity[] = [];
  for (const [name, { data, deletedAt }] of replay.tree.entities())
    if (data !== undefined && deletedAt === undefined)
      found.push({ id: fromHex(name), delta: replay.lastWriteOf(name)?.id });
  return found.sort((a, b) => compareBytes(a.id, b.id));
}

/** Gives an entity other data, with or without its hash in the index row. Returns what the replay finds. */
function falsified(
  database: Falsified,
  contextId: Uint8Array,
  { id, delta }: Entity,
  isConsistent: boolean,
): Promise<"named" | "found without its delta" | "not found"> {
  return database.with(changesOf(database, contextId, id, isConsistent), async () => {
    const replay = await readReplay(database.store, contextId);
    for await (const one of contradictions(database.store, replay))
      if (one.entity === toHex(id))
        return delta !== undefined && one.delta?.id === delta ? "named" : "found without its delta";
    return "not found";
  });
}

/** The rows of an entity with other data. */
function changesOf(
  database: Falsified,
  contextId: Uint8Array,
  id: Uint8Array,
  isConsistent: boolean,
): readonly Change[] {
  const key = concat(contextId, entityKey(id));
  const one = database.get("State", key);
  if (one !== undefined) {
    const { data, index, verbatim } = entityRow(id).decode(one);
    const other = Uint8Array.from(data as Uint8Array);
    other[0]! ^= 1;
    const hashed = isConsistent && index !== null ? { ...index, ownHash: ownHash(other) } : index;
    const value = Uint8Array.from(entityRow(id).encode({ verbatim, data: other, index: hashed }));
    return [{ column: "State", key, value }];
  }
  const [entry, index] = [entryStateKey(id), indexStateKey(id)].map((key) => concat(contextId, key)) as [
    Uint8Array,
    Uint8Array,
  ];
  const data = Uint8Array.from(database.get("State", entry) as Uint8Array);
  const before = ownHash(data);
  data[0]! ^= 1;
  const changes: Change[] = [{ column: "State", key: entry, value: data }];
  if (isConsistent) {
    const row = Buffer.from(database.get("State", index) as Uint8Array);
    row.set(ownHash(data), row.indexOf(before));
    changes.push({ column: "State", key: index, value: Uint8Array.from(row) });
  }
  return changes;
}

async function deltasOf({ store }: Falsified, contextId: Uint8Array): Promise<readonly DeltaRow[]> {
  const found: DeltaRow[] = [];
  for await (const chunk of rowsOf(store as unknown as NodeReader, "ContextDagDelta", { contextId }))
    for (const row of chunk) if ((await deltaOf(row, new Pause())).checkpoint === undefined) found.push(row);
  return found;
}

type DeltaRow = RowOf<"ContextDagDelta">;

/** The row of a delta with another root hash of its author; undefined if it carries none. */
async function otherHash(row: DeltaRow): Promise<Uint8Array | undefined> {
  const { witness, expected } = await deltaOf(row, new Pause());
  const hash = expected ?? witness?.hash;
  if (hash === undefined) return undefined;
  const bytes = Buffer.from(row.bytes);
  // Changes the last occurrence: an earlier action may have the same hash.
  const at = bytes.lastIndexOf(hash);
  bytes[at]! ^= 1;
  return Uint8Array.from(bytes);
}

/** The verdicts on the deltas of a context, by their ids. */
async function verdictsOf(store: Store, contextId: Uint8Array): Promise<ReadonlyMap<string, ReplayVerdict>> {
  const replay = await readReplay(store, contextId);
  return new Map((await replay.positions()).map(({ delta, verdict }) => [delta, verdict]));
}
