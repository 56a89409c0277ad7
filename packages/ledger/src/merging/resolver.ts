/** Conflict resolvers: how a program wants conflicts to be resolved. */
import { describeValue, invalidArgument, isOneOf } from "merostore/internal";
import { checkCallback } from "../callbacks.js";
import type { Conflict } from "./conflict.js";

/** The way in which two heads of a page are merged. */
export type PagePolicy =
  | {
      /** The changes of the newer head, including deletions, are applied to the older head. */
      readonly policy: "last-one-wins";
    }
  | {
      /**
       * - `automatic-with-fallback`: the changes of both heads are applied if they are to different keys or equal;
       *   otherwise `resolve` is called for the whole merge.
       * - `custom`: `resolve` is called for every merge.
       */
      readonly policy: "automatic-with-fallback" | "custom";
      /**
       * Resolves one conflict. The merge is committed when this settles. If it throws, nothing is committed,
       * {@link Page.waitForConflictResolution} rejects with the error, and the conflict is resolved again after a
       * delay. Every device must resolve the same conflict in the same way, or merging never ends. Closing the page
       * does not wait for this; the conflict is resolved after the page is opened again.
       */
      resolve(conflict: Conflict): void | Promise<void>;
    };

/** A policy that was checked. */
export type CheckedPolicy = PagePolicy & {
  /** True if its merges follow from the values alone: they can be shown before they are stored. */
  readonly isPure?: boolean;
};

const pure = new WeakSet<PagePolicy>();

/** Marks a policy whose merges follow from the values alone. */
export function purePolicy(policy: PagePolicy): PagePolicy {
  pure.add(policy);
  return policy;
}

/**
 * Returns the policy of a page. Called once for each page, before its first merge. If it throws or returns something
 * else, {@link Page.waitForConflictResolution} rejects, and the resolver is called again after the next commit.
 */
export type ConflictResolver = (pageId: Uint8Array) => PagePolicy | Promise<PagePolicy>;

const LAST_ONE_WINS: PagePolicy = { policy: "last-one-wins" };

const isPolicy = isOneOf(["last-one-wins", "automatic-with-fallback", "custom"]);

/**
 * Returns a copy of a resolver's policy. Reads each field once, because an object of the program may change later.
 *
 * @throws MerostoreError INVALID_ARGUMENT if it is not a policy
 */
export function checkPolicy(given: PagePolicy): CheckedPolicy {
  const { policy, resolve, ...others }: { readonly policy?: unknown; readonly resolve?: unknown } =
    given ?? {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined && Object.getPrototypeOf(given) === Object.prototype)
    throw invalidArgument(
      `unknown name ${JSON.stringify(unknown)} in the policy of a conflict resolver; the known names are policy, resolve`,
    );
  const expected = isPolicy(policy);
  if (expected !== undefined)
    throw invalidArgument(
      `the policy of a conflict resolver must be ${expected}, not ${describeValue(policy)}`,
    );
  if (policy === "last-one-wins") return LAST_ONE_WINS;
  checkCallback(`resolve of the policy ${policy}`, resolve);
  return { policy, resolve: (resolve as () => void).bind(given), isPure: pure.has(given) } as CheckedPolicy;
}

/** The resolvers of a ledger. The first one is used until it is removed, then the next one. */
export class Resolvers {
  readonly #resolvers: ConflictResolver[] = [];
  readonly #listeners = new Set<() => void>();
  #wasSet = false;

  /**
   * Adds a resolver.
   * @returns removes the resolver
   */
  add(resolver: ConflictResolver): () => void {
    checkCallback("a conflict resolver", resolver);
    this.#resolvers.push(resolver);
    this.#wasSet = true;
    for (const listener of this.#listeners) listener();
    return () => {
      const at = this.#resolvers.indexOf(resolver);
      if (at < 0) return;
      this.#resolvers.splice(at, 1);
      for (const listener of this.#listeners) listener();
    };
  }

  /** The resolver to use: last one wins if none was ever set; undefined while all are removed. */
  get current(): ConflictResolver | undefined {
    return this.#wasSet ? this.#resolvers[0] : () => LAST_ONE_WINS;
  }

  /**
   * Calls a listener whenever a resolver is added or removed.
   * @returns removes the listener
   */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
