/** One side of a comparison: a database, and the state and deltas of one of its contexts. */
import { isZeros } from "../bytes/bytes.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { MerostoreError } from "../errors.js";
import { snapshotKey } from "../keys/index.js";
import { markersOf } from "../node/contexts.js";
import type { CalimeroNode } from "../node/index.js";
import { namespacesWithOperations } from "../node/replay/facts.js";
import { type Governance, readGovernance } from "../node/replay/governance.js";
import { readSources } from "../node/replay/sources.js";
import { type ContextRecord, readContexts } from "../node/tables/contexts.js";
import { type GroupRecord, readGroups } from "../node/tables/groups.js";
import { once } from "../node/tables/once.js";
import { hasKind, type NodeReader } from "../node/tables/rows.js";
import { Pause } from "../pause.js";
import type { Schema } from "../schemas/index.js";
import { EntityRows } from "../state/entity-rows.js";
import {
  type ContextReplay,
  type Contradiction,
  contradictions,
  type ReplayOptions,
  readReplay,
} from "../state/index.js";
import { layoutOf } from "../state/layouts/layout-of.js";
import type { StoreReader } from "../store/browser.js";

/** A database that is compared. */
export interface WhySource {
  /** The name of the database in sentences. */
  readonly name: string;
  /** A store or a snapshot. */
  readonly reader: StoreReader<Schema>;
  /** The same database as contexts, groups and members. */
  readonly node: CalimeroNode;
}

/** The most contradictions of a context that are listed. */
export const MOST_WRONG = 1_000;

/** A database. It reads once the tables that several contexts and groups need. */
export class Peer {
  readonly source: WhySource;
  /** The groups by their ids. */
  readonly groups: () => Promise<ReadonlyMap<string, GroupRecord>>;
  /** The contexts by their ids. */
  readonly contexts: () => Promise<ReadonlyMap<string, ContextRecord>>;
  /** The ids of the namespaces that have operations. */
  readonly namespaces: () => Promise<ReadonlySet<string>>;
  readonly #sources: () => ReturnType<typeof readSources>;
  readonly #governance = new Map<string, Promise<Governance | undefined>>();

  constructor(source: WhySource) {
    this.source = source;
    this.groups = once(() => readGroups(this.#reader));
    this.contexts = once(() => readContexts(this.#reader));
    this.#sources = once(() => readSources(this.#reader));
    this.namespaces = once(async () => new Set(await namespacesWithOperations(this.#reader)));
  }

  get name(): string {
    return this.source.name;
  }

  /** The operations of a namespace; undefined if the database has none. */
  governance(namespace: string): Promise<Governance | undefined> {
    const known = this.#governance.get(namespace) ?? this.#readGovernance(namespace);
    this.#governance.set(namespace, known);
    return known;
  }

  /** The markers of a context on this node: for example, that it left, or which code it activated. */
  marks(context: string): ReturnType<typeof markersOf> {
    return markersOf(this.#reader, context);
  }

  async #readGovernance(namespace: string): Promise<Governance | undefined> {
    // The documented revision does not define the effects of operations.
    if (!hasKind(this.#reader, "NamespaceGovOp") || this.#reader.schema.name === "documented")
      return undefined;
    if (!(await this.namespaces()).has(namespace)) return undefined;
    const found = await readGovernance(await this.#sources(), namespace);
    return found.operations.size === 0 ? undefined : found;
  }

  get #reader(): NodeReader {
    return this.source.reader as unknown as NodeReader;
  }
}

/** The state and deltas of a context on one node. */
export interface Side {
  /** The database. */
  readonly source: WhySource;
  /** The replay of its deltas. */
  readonly replay: ContextReplay;
  /** The root hash of its state, 64 hex digits. */
  readonly rootHash: string;
  /** True if the state is incomplete: the node is fetching a snapshot, or has not fetched one yet. */
  readonly isUnfinished: boolean;
  /** True if its row of the context states another root hash. */
  readonly hasWrongRootHash: boolean;
  /** The ids of the deltas that it has applied, in causal order. */
  readonly applied: ReadonlySet<string>;
  /** Entities that differ from the replay of its deltas. No correct node has them. */
  readonly wrong: readonly Contradiction[];
  /** Entities that differ from the replay of its deltas, but that a correct node can have. */
  readonly unchecked: readonly Contradiction[];
}

/**
 * The hash of an entity's data at the current position of a replay, in hex; undefined if the entity is deleted or
 * absent.
 */
export function dataHash(replay: ContextReplay, entity: string): string | undefined {
  const found = replay.tree.get(entity);
  const hash = found?.deletedAt === undefined ? found?.ownHash : undefined;
  return hash && toHex(hash);
}

/** Reads a side. */
export async function readSide(
  source: WhySource,
  contextId: Uint8Array,
  rootHash: string | undefined,
  options: ReplayOptions,
): Promise<Side> {
  if (rootHash === undefined)
    throw new MerostoreError("UNKNOWN_NAME", `${source.name} has not joined the context`);
  const replay = await readReplay(source.reader, contextId, options);
  const applied = await idsOf(replay);
  if (await isUnfinished(source.reader, contextId, rootHash))
    return {
      source,
      replay,
      rootHash,
      isUnfinished: true,
      hasWrongRootHash: false,
      applied,
      wrong: [],
      unchecked: [],
    };
  const wrong: Contradiction[] = [];
  const unchecked: Contradiction[] = [];
  for await (const one of contradictions(source.reader, replay)) {
    if (one.mayBe === undefined) wrong.push(one);
    else if (unchecked.length < MOST_WRONG) unchecked.push(one);
    if (wrong.length === MOST_WRONG) break;
  }
  const root = await new EntityRows(source.reader.raw, contextId, layoutOf(source.reader.schema)).index(
    contextId,
  );
  const ofRows = root === undefined ? rootHash : toHex(root.fullHash);
  // If the replay gives the stated hash, the root entity's row is wrong instead.
  const hasWrongRootHash = ofRows !== rootHash && (replay.rootHash && toHex(replay.rootHash)) !== rootHash;
  return {
    source,
    replay,
    rootHash: hasWrongRootHash ? ofRows : rootHash,
    isUnfinished: false,
    hasWrongRootHash,
    applied,
    wrong,
    unchecked,
  };
}

/** The ids of all deltas of a replay, in its order. */
async function idsOf({ graph }: ContextReplay): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const pause = new Pause();
  for (const { id } of graph.deltas) {
    ids.add(id);
    if (pause.isLong) await pause.ifLong();
  }
  return ids;
}

/** True if the state of a context is not complete. */
async function isUnfinished(
  { raw }: StoreReader<Schema>,
  contextId: Uint8Array,
  rootHash: string,
): Promise<boolean> {
  if (isZeros(fromHex(rootHash))) return true;
  if (!raw.columns.includes("Generic")) return false;
  return (await raw.get("Generic", snapshotKey(contextId).bytes)) !== undefined;
}

/**
 * The deltas that a side need not have, because it took over a state that contains them or pruned its history. They are
 * its checkpoints, the missing parents of its deltas, and the ancestors of both in the graph of the other side. For a
 * side without deltas, they are its heads and their ancestors. A missing parent that descends from a delta of the side
 * is not covered. No delta is covered if the side has no checkpoint, and has the context's first delta or all parents.
 */
export function coveredIn({ replay, applied }: Side, other: Side): ReadonlySet<string> {
  const covered = new Set<string>();
  const { deltas } = replay.graph;
  const isBegun = replay.graph.hasFirst && replay.checkpointIds.length === 0;
  if (replay.length > 0 && (!replay.isJoined || isBegun)) return covered;
  const cover = (ids: readonly string[]): void => {
    for (const open = [...ids]; open.length > 0; ) {
      const id = open.pop() as string;
      if (covered.has(id)) continue;
      covered.add(id);
      for (const parent of parentsIn(other, id)) open.push(parent);
    }
  };
  cover(replay.checkpointIds);
  if (replay.length === 0) cover(replay.missing);
  const follows = followersOf(applied, other);
  for (const { parents } of deltas)
    cover(parents.filter((id) => !applied.has(id) && !covered.has(id) && !follows(id)));
  return covered;
}

/** @internal The parents of a delta in the graph of a side. */
export function parentsIn({ replay: { graph } }: Side, id: string): readonly string[] {
  const number = graph.numberOf(id);
  return number === undefined ? [] : (graph.deltas[number]?.parents ?? []);
}

/** Returns a function that tells whether a delta of a side is a descendant of one of `ids`. */
function followersOf(ids: ReadonlySet<string>, { replay: { graph } }: Side): (id: string) => boolean {
  const marks = new Uint8Array(graph.deltas.length);
  for (const number of graph.deltas.keys())
    graph.eachParent(number, (parent) => {
      if (marks[parent] === 1 || ids.has(graph.deltas[parent]?.id ?? "")) marks[number] = 1;
    });
  return (id) => marks[graph.numberOf(id) ?? -1] === 1;
}

/** True if the replay of a side's deltas gives its root hash. */
export async function isReplayed({ replay, rootHash }: Side): Promise<boolean> {
  await replay.moveToFirst();
  const hash = replay.rootHash;
  return hash !== undefined && toHex(hash) === rootHash;
}
