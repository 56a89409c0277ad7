/** A database in a comparison, with what one of its contexts has. */
import { toHex } from "../bytes/hex.js";
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
const MOST = 1_000;

/** One side's part in a context. */
export interface Side {
  readonly source: WhySource;
  readonly replay: ContextReplay;
  /** The root hash that its rows say, 64 hex digits; undefined for a context that it does not have. */
  readonly rootHash: string | undefined;
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
  const replay = await readReplay(source.reader, contextId, options);
  const wrong: Contradiction[] = [];
  for await (const one of contradictions(source.reader, replay)) {
    wrong.push(one);
    if (wrong.length === MOST) break;
  }
  const details = await source.node.context(toHex(contextId));
  return {
    source,
    replay,
    rootHash: details?.rootHash,
    applied: new Set(replay.graph.deltas.map(({ id }) => id)),
    wrong,
  };
}

/** The deltas that a side has by a snapshot: those that its first deltas or a checkpoint follow, as another side knows them. */
export function coveredIn({ replay, applied }: Side, other: Side): ReadonlySet<string> {
  const covered = new Set<string>();
  if (!replay.isJoined) return covered;
  const open = [...replay.checkpointIds];
  for (const { parents } of replay.graph.deltas) open.push(...parents.filter((id) => !applied.has(id)));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (covered.has(id)) continue;
    covered.add(id);
    const number = other.replay.graph.numberOf(id);
    open.push(...(number === undefined ? [] : (other.replay.graph.deltas[number]?.parents ?? [])));
  }
  return covered;
}
