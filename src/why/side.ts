/** A database in a comparison, with what one of its contexts has. */
import { toHex } from "../bytes/hex.js";
import { MerostoreError } from "../errors.js";
import type { Node } from "../node/index.js";
import type { Schema } from "../schemas/index.js";
import {
  type ContextReplay,
  type Contradiction,
  contradictions,
  readReplay,
  type StateOptions,
} from "../state/index.js";
import type { StoreReader } from "../store/browser.js";

/** A database that is compared. */
export interface WhySource {
  /** The name under which sentences speak of it. */
  readonly name: string;
  /** A store or a snapshot. */
  readonly reader: StoreReader<Schema>;
  /** The same database in people's words. */
  readonly node: Node;
}

/** Contradictions of a context that are listed. */
export const MOST_WRONG = 1_000;

/** One side's part in a context. */
export interface Side {
  /** The database. */
  readonly source: WhySource;
  /** The replay of its deltas. */
  readonly replay: ContextReplay;
  /** The root hash that its rows say, 64 hex digits. */
  readonly rootHash: string;
  /** The ids of the deltas that it has applied. */
  readonly applied: ReadonlySet<string>;
  /** Entities that are not what its deltas lead to. */
  readonly wrong: readonly Contradiction[];
}

/** Reads a side. */
export async function readSide(
  source: WhySource,
  contextId: Uint8Array,
  options: StateOptions,
): Promise<Side> {
  const details = await source.node.context(toHex(contextId));
  if (details?.rootHash === undefined)
    throw new MerostoreError("UNKNOWN_NAME", `${source.name} has not joined the context`);
  const replay = await readReplay(source.reader, contextId, options);
  const wrong: Contradiction[] = [];
  for await (const one of contradictions(source.reader, replay)) {
    wrong.push(one);
    if (wrong.length === MOST_WRONG) break;
  }
  return {
    source,
    replay,
    rootHash: details.rootHash,
    applied: new Set(replay.graph.deltas.map(({ id }) => id)),
    wrong,
  };
}

/**
 * The deltas that a side need not have, because its state was taken over with them or its history was pruned: those that its first
 * deltas or a checkpoint follow, as another side knows them. A history that begins with the context's first delta has none.
 */
export function coveredIn({ replay, applied }: Side, other: Side): ReadonlySet<string> {
  const covered = new Set<string>();
  const { deltas } = replay.graph;
  const hasFirst = deltas.some(({ parents }) => parents.length === 0);
  if (!replay.isJoined || (hasFirst && replay.checkpointIds.length === 0)) return covered;
  const open = [...replay.checkpointIds];
  for (const { parents } of deltas) open.push(...parents.filter((id) => !applied.has(id)));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (covered.has(id)) continue;
    covered.add(id);
    const number = other.replay.graph.numberOf(id);
    open.push(...(number === undefined ? [] : (other.replay.graph.deltas[number]?.parents ?? [])));
  }
  return covered;
}
