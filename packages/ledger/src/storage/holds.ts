/** Counts who uses a commit or an object in memory: it must not be removed from disk meanwhile. */
import { toHex } from "merostore/internal";

/** Ends a hold or a subscription. A second call does nothing. */
export type Release = () => void;

/** Reference counts of ids. */
export class Holds {
  readonly #counts = new Map<string, { readonly id: Uint8Array; count: number }>();
  /** Called when the last hold of an id ends. */
  onFree: (id: Uint8Array) => void = () => undefined;

  /** Holds an id until the release. */
  hold(id: Uint8Array): Release {
    const name = toHex(id);
    const held = this.#counts.get(name) ?? { id, count: 0 };
    held.count++;
    this.#counts.set(name, held);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      if (--held.count > 0) return;
      this.#counts.delete(name);
      this.onFree(id);
    };
  }

  /** Returns whether somebody holds an id. */
  has(id: Uint8Array): boolean {
    return this.#counts.has(toHex(id));
  }

  /** Iterates over the held ids, each once. */
  *[Symbol.iterator](): Iterator<Uint8Array> {
    for (const { id } of this.#counts.values()) yield id;
  }
}
