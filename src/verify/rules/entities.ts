/**
 * Entities of a context's state and, since core-0.11, of a node's private state: the index rows. Each row is decoded
 * once for all rules.
 */
import { equalBytes } from "../../bytes/order.js";
import { type Codec, DecodeError } from "../../codec/index.js";
import { indexStateKey } from "../../digests/index.js";
import { ContextPrivateState011, ContextState011 } from "../../keys/index.js";
import { EntityIndex010, EntityIndex011 } from "../../payloads/index.js";
import { OncePerBatch } from "../batches.js";
import type { GoodRow } from "../rule.js";

/** An index as either revision has it. */
export type AnyIndex = EntityIndex010 | EntityIndex011;

/** The place of a row in either state. */
export type StateKey = ContextState011 | ContextPrivateState011;

/** Returns whether a row belongs to the node's private state. Findings show no hash of its data. */
export function isPrivate(key: StateKey): boolean {
  return key instanceof ContextPrivateState011;
}

/** Returns the place of another row of the same context in the same state. */
export function beside(key: StateKey, stateKey: Uint8Array): StateKey {
  const place = { contextId: key.contextId, stateKey };
  return isPrivate(key) ? new ContextPrivateState011(place) : new ContextState011(place);
}

/** A row of either state that is an index. */
export interface Entity {
  readonly key: StateKey;
  readonly index: AnyIndex;
}

/** The indexes among rows of either state. */
export interface Indexes {
  readonly entities: readonly Entity[];
  /** The indexes whose key does not follow from their id. */
  readonly misplaced: readonly Entity[];
}

export type StateRow = GoodRow<StateKey, Uint8Array>;

/** Reads the indexes of a revision. */
export interface IndexReader {
  /** The indexes among the rows, in their order. The same list of rows is decoded only once. */
  read(rows: readonly StateRow[]): Indexes;
  /** Decodes an index; undefined if the bytes are no index. */
  decode(bytes: Uint8Array): AnyIndex | undefined;
  /** True if indexes list deleted children. */
  readonly hasDeletedChildren: boolean;
}

/** The indexes among the rows. All checks get the same objects for a batch. */
export async function* entitiesOf(
  batches: AsyncIterable<readonly StateRow[]>,
  reader: IndexReader,
): AsyncGenerator<readonly Entity[], void, undefined> {
  for await (const rows of batches) yield reader.read(rows).entities;
}

function indexReader(...codecs: readonly (Codec<EntityIndex010> | Codec<EntityIndex011>)[]): IndexReader {
  const known = new OncePerBatch<readonly StateRow[], Indexes>();
  const least = Math.min(...codecs.map(({ size }) => size.min));
  const decode = (bytes: Uint8Array): AnyIndex | undefined => {
    // The id is followed by a flag for the parent. Most data fails here, without the cost of an error.
    if (bytes.length < least || (bytes[32] as number) > 1) return undefined;
    for (const codec of codecs) {
      try {
        return codec.decode(bytes);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
      }
    }
    return undefined;
  };
  const read = (rows: readonly StateRow[]): Indexes => {
    const entities: Entity[] = [];
    const misplaced: Entity[] = [];
    for (const { key, value } of rows) {
      const index = decode(value);
      if (index === undefined) continue;
      const right = equalBytes(indexStateKey(index.id), key.stateKey);
      (right ? entities : misplaced).push({ key, index });
    }
    return { entities, misplaced };
  };
  const hasDeletedChildren = codecs.some((codec) => codec === EntityIndex011);
  return { decode, read: (rows) => known.of(rows, () => read(rows)), hasDeletedChildren };
}

export const indexes010 = indexReader(EntityIndex010);
/**
 * A row of State does not name the version that wrote it. A database with rows of several versions has indexes of both
 * layouts.
 */
export const indexes = indexReader(EntityIndex011, EntityIndex010);
