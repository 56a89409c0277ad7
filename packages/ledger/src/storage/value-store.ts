/** Stores values before a commit uses them. */
import type { ObjectDigest, ObjectIdentifier } from "../objects.js";
import { type NewPiece, withEdges } from "../pieces/edges.js";
import { Splitter, split } from "../pieces/splitter.js";
import type { Release } from "./holds.js";
import type { PageStorage } from "./page-storage.js";

/** A value whose pieces are stored. */
export interface StoredValue {
  readonly root: ObjectIdentifier;
  /** Bytes of the value. */
  readonly size: number;
  /** Ends the hold that keeps the value from being removed. */
  readonly release: Release;
}

/** A value whose pieces are not stored. */
export interface SplitValue {
  readonly root: ObjectIdentifier;
  readonly pieces: NewPiece[];
}

/** Bytes of pieces that are buffered before they are stored. */
const BUFFER_SIZE = 1 << 20;

export class ValueStore {
  readonly #page: PageStorage;
  readonly #discard: (digests: readonly ObjectDigest[]) => void;

  constructor(page: PageStorage, discard: (digests: readonly ObjectDigest[]) => void) {
    this.#page = page;
    this.#discard = discard;
  }

  /** Splits a value that is in memory. Stores nothing. */
  split(content: Uint8Array): SplitValue {
    const pieces: NewPiece[] = [];
    const root = split(content, "blob", this.#page.options, (piece) => pieces.push(withEdges(piece)));
    return { root, pieces };
  }

  /**
   * Stores pieces with the status `transient`: no commit uses them yet. The write is not synced: the commit that uses
   * them is, and with it everything that was written before.
   */
  async storePieces(pieces: readonly NewPiece[]): Promise<void> {
    if (pieces.length === 0) return;
    const { pieces: store, writes } = this.#page;
    await writes.exclusively(async (write) => write(await store.store(pieces, "transient")));
  }

  /**
   * Stores a streamed value at constant memory, and holds it until the release. If the source fails, the stored pieces
   * are discarded.
   */
  async store(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredValue> {
    const { objectHolds, options } = this.#page;
    const stored: ObjectIdentifier[] = [];
    const holds: Release[] = [];
    let pending: NewPiece[] = [];
    let bytes = 0;
    let size = 0;
    const splitter = new Splitter("blob", options, (piece) => {
      stored.push(piece.identifier);
      holds.push(objectHolds.hold(piece.identifier.digest));
      pending.push(withEdges(piece));
      bytes += piece.content.length;
    });
    const flush = async (): Promise<void> => {
      const pieces = pending;
      pending = [];
      bytes = 0;
      await this.storePieces(pieces);
    };
    try {
      for await (const chunk of source) {
        splitter.update(chunk);
        size += chunk.length;
        if (bytes >= BUFFER_SIZE) await flush();
      }
      const root = splitter.finish();
      await flush();
      return { root, size, release: objectHolds.hold(root.digest) };
    } catch (error) {
      this.discard(stored);
      throw error;
    } finally {
      for (const release of holds) release();
    }
  }

  /**
   * Removes objects that the caller no longer uses, if the collection policy allows it and once nothing refers to them.
   */
  discard(objects: readonly ObjectIdentifier[]): void {
    this.#discard(objects.map(({ digest }) => digest));
  }
}
