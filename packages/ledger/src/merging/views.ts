/** What a page with several heads shows until they are merged: the merge that would be made now. It is in memory only. */
import { SerialQueue, toHex } from "merostore/internal";
import { type Commit, newCommit } from "../storage/commit.js";
import type { CommitStore } from "../storage/commit-store.js";
import type { ChangeSet } from "../storage/journal.js";
import type { PageStorage } from "../storage/page-storage.js";
import { changeTree } from "../storage/tree-writer.js";
import { sameEntry } from "./conflict.js";
import { type Mergeable, type MergeTarget, mergeAll, mergeCommits, ResolverFailure } from "./merge.js";
import type { PagePolicy } from "./resolver.js";

/** The merge of all heads. */
export interface View {
  readonly commit: Commit;
  /** True if heads have changed a key in different ways. */
  readonly hasConflicts: boolean;
}

/** A merge that is not stored. */
interface Step {
  readonly commit: Commit;
  readonly pieces: ReadonlyMap<string, Uint8Array>;
  readonly isConflict: boolean;
}

/** Fails where both sides have changed a key in different ways. */
const WITHOUT_CONFLICTS: PagePolicy = {
  policy: "automatic-with-fallback",
  resolve() {
    throw new Error("both sides have changed a key");
  },
};

export class Views {
  readonly #page: Mergeable;
  readonly #queue = new SerialQueue();
  /** By the ids of both parents: those of the last view, and those that somebody holds. */
  #steps = new Map<string, Step>();
  /** Bytes of the nodes that are in memory. */
  #bytes = 0;

  constructor(page: Mergeable) {
    this.#page = page;
  }

  /** Bytes of the trees that no commit has. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Passes the merge of commits to a function, which must hold it if it is to stay.
   * @param heads by (timestamp, id)
   * @throws ResolverFailure if the program must resolve a conflict; NETWORK_ERROR
   */
  use<T>(heads: readonly Commit[], policy: PagePolicy, use: (view: View) => T): Promise<T> {
    return this.#queue.run(async () => {
      const steps = new Map<string, Step>();
      const commit = await mergeAll(heads, async (a, b) => {
        const step = this.#steps.get(nameOf(a, b)) ?? (await this.#step(policy, a, b));
        this.#steps.set(nameOf(a, b), step);
        steps.set(nameOf(a, b), step);
        return step.commit;
      });
      this.#keep(steps);
      return use({ commit, hasConflicts: [...steps.values()].some(({ isConflict }) => isConflict) });
    });
  }

  /** Forgets all merges that nobody holds. */
  clear(): void {
    if (this.#steps.size > 0) void this.#queue.run(async () => this.#keep(new Map()));
  }

  async #step(policy: PagePolicy, a: Commit, b: Commit): Promise<Step> {
    if (policy.policy === "custom") throw new ResolverFailure();
    try {
      return await this.#merge(WITHOUT_CONFLICTS, a, b, false);
    } catch (error) {
      if (!(error instanceof ResolverFailure) || policy.policy !== "last-one-wins") throw error;
      return this.#merge(policy, a, b, true);
    }
  }

  async #merge(policy: PagePolicy, a: Commit, b: Commit, isConflict: boolean): Promise<Step> {
    const pieces = new Map<string, Uint8Array>();
    const target: MergeTarget = {
      commits: this.#commits(),
      store: async (base, other, changes) => {
        const step = await this.#stage(base, other, changes, isConflict);
        this.#steps.set(nameOf(base, other), step);
        for (const [name, content] of step.pieces) pieces.set(name, content);
        return step.commit;
      },
    };
    const commit = await mergeCommits(this.#page, policy, a, b, target);
    return { commit, pieces, isConflict };
  }

  async #stage(base: Commit, other: Commit, { changes }: ChangeSet, isConflict: boolean): Promise<Step> {
    const { objects, options } = this.#page.storage;
    const tree = await changeTree(objects, base.root, changes, options);
    const pieces = new Map(tree.pieces.map(({ identifier, content }) => [toHex(identifier.digest), content]));
    this.#page.storage.pieces.staged = new Map([...this.#page.storage.pieces.staged, ...pieces]);
    return { commit: newCommit([base, other], tree.root, 0n), pieces, isConflict };
  }

  /** The commits of the page, and those that are not stored. */
  #commits(): MergeTarget["commits"] {
    const { commits } = this.#page.storage;
    const staged = (id: Uint8Array): Commit | undefined => {
      for (const { commit } of this.#steps.values()) if (toHex(commit.id) === toHex(id)) return commit;
      return undefined;
    };
    return {
      find: async (id) => staged(id) ?? commits.find(id),
      get: async (id) => staged(id) ?? commits.get(id),
      mergesOf: async (a, b) => {
        const step = this.#steps.get([a, b].map(toHex).sort().join(" "));
        return step === undefined ? commits.mergesOf(a, b) : [step.commit.id];
      },
    } satisfies Pick<CommitStore, "find" | "get" | "mergesOf">;
  }

  /** Forgets all other merges that nobody holds. */
  #keep(steps: ReadonlyMap<string, Step>): void {
    const { commitHolds, pieces } = this.#page.storage;
    const kept = new Map(steps);
    for (const [name, step] of this.#steps) if (commitHolds.has(step.commit.id)) kept.set(name, step);
    this.#steps = kept;
    pieces.staged = new Map([...kept.values()].flatMap((step) => [...step.pieces]));
    this.#bytes = 0;
    for (const content of pieces.staged.values()) this.#bytes += content.length;
  }
}

/** Returns whether the entries at some keys, which are all of a change, are the same in two commits. */
export async function areEqualAt(
  storage: PageStorage,
  [a, b]: readonly [Commit, Commit],
  { clear, changes }: ChangeSet,
): Promise<boolean> {
  if (clear) return false;
  for (const { key } of changes) {
    if (!sameEntry(await storage.entry(a, key), await storage.entry(b, key))) return false;
  }
  return true;
}

function nameOf(a: Commit, b: Commit): string {
  return [toHex(a.id), toHex(b.id)].sort().join(" ");
}
