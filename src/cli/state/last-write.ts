/** The last write of an entry, in the state that a replay was moved to. */
import { toHex } from "../../bytes/hex.js";
import { type ContextReplay, type DeltaOfState, StateCollection, StateError } from "../../state/index.js";

/**
 * Returns the last delta that wrote an entry, or wrote or deleted a part of a collection in its value; undefined if no
 * known delta did.
 *
 * @param entity the entity of the entry, 64 hex digits
 * @param value the value of the entry in that state; undefined without one
 */
export async function lastWriteIn(
  replay: ContextReplay,
  entity: string,
  value: unknown,
): Promise<DeltaOfState | undefined> {
  let last = replay.lastWriteOf(entity);
  const numberOf = (delta: DeltaOfState): number => replay.graph.numberOf(delta.id) ?? -1;
  for await (const part of partsIn(replay, value)) {
    const written = replay.lastWriteOf(part);
    if (written !== undefined && (last === undefined || numberOf(written) > numberOf(last))) last = written;
  }
  return last;
}

/** The entities of the parts of the collections in a value, with those of deleted parts. */
async function* partsIn(replay: ContextReplay, value: unknown): AsyncGenerator<string, void, undefined> {
  const tree = replay.tree.byNumber;
  for (const collection of collectionsIn(value)) {
    try {
      for await (const part of collection.parts()) {
        yield toHex(part.id);
        yield* partsIn(replay, part.value);
      }
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
    }
    for (const id of await collection.belongings()) {
      const number = tree.find(id);
      if (number !== undefined) for (const part of tree.deletedChildren(number)) yield tree.nameOf(part);
    }
  }
}

/** The collections in a value. */
export function* collectionsIn(value: unknown): Generator<StateCollection, void, undefined> {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
  if (value instanceof StateCollection) yield value;
  else for (const part of Object.values(value)) yield* collectionsIn(part);
}
