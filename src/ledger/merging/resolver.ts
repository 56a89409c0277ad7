/** What a program says about conflicts: by which policy, and, where that is custom, how. */
import { copyBytes } from "../../bytes/bytes.js";
import type { Conflict } from "./conflict.js";

/** How two states of a page become one. */
export type PagePolicy =
  /** The changes of the newer one are made over the older one, deletions included. */
  | { readonly policy: "last-one-wins" }
  | {
      /**
       * - `automatic-with-fallback`: the changes of both are made, if they are to different keys or agree; otherwise the
       *   whole merge goes to `resolve`.
       * - `custom`: every merge goes to `resolve`.
       */
      readonly policy: "automatic-with-fallback" | "custom";
      /**
       * Resolves one conflict: the merge is made when this settles. If it throws, nothing is made, and it is asked again
       * after a while. From the same conflict every device must come to the same result, or merging never ends.
       */
      resolve(conflict: Conflict): void | Promise<void>;
    };

/** Says by which policy a page is merged; asked once for each page, when its first merge is due. */
export type ConflictResolver = (pageId: Uint8Array) => PagePolicy | Promise<PagePolicy>;

const LAST_ONE_WINS: PagePolicy = { policy: "last-one-wins" };

/** The resolvers of a ledger: the one that was set first decides, until it is removed; then the next. */
export class Resolvers {
  readonly #resolvers: ConflictResolver[] = [];
  readonly #listeners = new Set<() => void>();
  #wasSet = false;

  /** @returns removes it */
  add(resolver: ConflictResolver): () => void {
    this.#resolvers.push(resolver);
    this.#wasSet = true;
    for (const listener of this.#listeners) listener();
    return () => {
      const at = this.#resolvers.indexOf(resolver);
      if (at >= 0) this.#resolvers.splice(at, 1);
    };
  }

  /** The policy of a page: last one wins if no resolver was ever set, undefined as long as all are removed. */
  policyOf(pageId: Uint8Array): PagePolicy | Promise<PagePolicy> | undefined {
    return this.#wasSet ? this.#resolvers[0]?.(copyBytes(pageId)) : LAST_ONE_WINS;
  }

  /** Calls back whenever a resolver is added. */
  onAdded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
