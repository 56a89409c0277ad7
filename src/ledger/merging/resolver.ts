/** What a program says about conflicts: by which policy, and, where that is custom, how. */
import { MerostoreError } from "../../errors.js";
import { describeValue, isOneOf } from "../../options.js";
import { checkCallback } from "../callbacks/listeners.js";
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
       * Resolves one conflict. The merge is committed when this settles. If it throws, nothing is committed,
       * {@link Page.waitForConflictResolution} rejects with the error, and the conflict is resolved again after a delay.
       * From the same conflict every device must come to the same result, or merging never ends. Closing the page does not
       * wait for it; the conflict is resolved after the page is opened again.
       */
      resolve(conflict: Conflict): void | Promise<void>;
    };

/**
 * Returns the policy by which a page is merged. It is called once for each page, when its first merge is due. If it throws,
 * or returns something else, {@link Page.waitForConflictResolution} rejects, and it is called again with the next commit.
 */
export type ConflictResolver = (pageId: Uint8Array) => PagePolicy | Promise<PagePolicy>;

const LAST_ONE_WINS: PagePolicy = { policy: "last-one-wins" };

const isPolicy = isOneOf(["last-one-wins", "automatic-with-fallback", "custom"]);

/** @throws MerostoreError INVALID_ARGUMENT if a resolver did not return a policy */
export function checkPolicy(given: PagePolicy): void {
  const { policy, resolve }: { readonly policy?: unknown; readonly resolve?: unknown } = given ?? {};
  const expected = isPolicy(policy);
  if (expected !== undefined)
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      `the policy of a conflict resolver must be ${expected}, not ${describeValue(policy)}`,
    );
  if (policy !== "last-one-wins") checkCallback(`resolve of the policy ${policy}`, resolve);
}

/** The resolvers of a ledger: the one that was set first decides, until it is removed; then the next. */
export class Resolvers {
  readonly #resolvers: ConflictResolver[] = [];
  readonly #listeners = new Set<() => void>();
  #wasSet = false;

  /** @returns removes it */
  add(resolver: ConflictResolver): () => void {
    checkCallback("a conflict resolver", resolver);
    this.#resolvers.push(resolver);
    this.#wasSet = true;
    for (const listener of this.#listeners) listener();
    return () => {
      const at = this.#resolvers.indexOf(resolver);
      if (at >= 0) this.#resolvers.splice(at, 1);
    };
  }

  /** The resolver in charge: last one wins if none was ever set, undefined while all are removed. */
  get current(): ConflictResolver | undefined {
    return this.#wasSet ? this.#resolvers[0] : () => LAST_ONE_WINS;
  }

  /** Calls back whenever a resolver is added. */
  onAdded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
