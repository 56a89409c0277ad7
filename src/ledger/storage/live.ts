/** What is held in memory and must not be removed from disk: commits of snapshots and transactions, objects in use. */
import { toHex } from "../../bytes/hex.js";

/** Ends a hold. A second call does nothing. */
export type Release = () => void;

/** Ids that somebody holds, each as often as it is held. */
export class LiveIds {
  readonly #counts = new Map<string, { readonly id: Uint8Array; count: number }>();
  readonly #onFree: (id: Uint8Array) => void;

  /** @param onFree told when nobody holds an id any more */
  constructor(onFree: (id: Uint8Array) => void = () => undefined) {
    this.#onFree = onFree;
  }

  hold(id: Uint8Array): Release {
    const name = toHex(id);
    const entry = this.#counts.get(name) ?? { id, count: 0 };
    entry.count++;
    this.#counts.set(name, entry);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--entry.count > 0) return;
      this.#counts.delete(name);
      this.#onFree(id);
    };
  }

  has(id: Uint8Array): boolean {
    return this.#counts.has(toHex(id));
  }

  /** All of them, once each. */
  *[Symbol.iterator](): Iterator<Uint8Array> {
    for (const { id } of this.#counts.values()) yield id;
  }
}
