/** Storing a value that comes piece by piece, before a commit uses it. */
import type { ObjectIdentifier } from "../objects/identifier.js";
import { type SplitOptions, Splitter } from "../objects/splitter.js";
import { type StoredPiece, withReferences } from "../tree/references.js";
import type { LiveIds, Release } from "./live.js";

/** A value whose pieces are stored. */
export interface StoredValue {
  readonly root: ObjectIdentifier;
  /** Bytes of the value. */
  readonly size: number;
  /** Ends the hold that keeps it from being removed. */
  readonly release: Release;
}

/** What storing a value needs of a page's storage. */
export interface ValueTarget {
  readonly options: SplitOptions;
  readonly liveObjects: LiveIds;
  storeTransient(pieces: readonly StoredPiece[]): Promise<void>;
  drop(objects: readonly ObjectIdentifier[]): void;
}

/** Bytes of pieces that are gathered before they are stored. */
const STORED_AT_ONCE = 1 << 20;

/** Stores a value at constant memory. If its source fails nothing of it is held any more. */
export async function storeValue(
  target: ValueTarget,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StoredValue> {
  const { liveObjects } = target;
  const made: ObjectIdentifier[] = [];
  const holds: Release[] = [];
  let pending: StoredPiece[] = [];
  let bytes = 0;
  let size = 0;
  const splitter = new Splitter("blob", target.options, (piece) => {
    made.push(piece.identifier);
    holds.push(liveObjects.hold(piece.identifier.digest));
    pending.push(withReferences(piece));
    bytes += piece.content.length;
  });
  const store = async (): Promise<void> => {
    const pieces = pending;
    pending = [];
    bytes = 0;
    await target.storeTransient(pieces);
  };
  try {
    for await (const part of source) {
      splitter.update(part);
      size += part.length;
      if (bytes >= STORED_AT_ONCE) await store();
    }
    const root = splitter.finish();
    await store();
    return { root, size, release: liveObjects.hold(root.digest) };
  } catch (error) {
    target.drop(made);
    throw error;
  } finally {
    for (const release of holds) release();
  }
}
