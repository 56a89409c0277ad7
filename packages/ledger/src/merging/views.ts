/**
 * The view of a page with several heads until they are merged: the merge that would be made now. Its new pieces are in
 * memory only; it shares all others with the heads. Those stay on disk: heads wait for a cloud, and a page with a cloud
 * is not pruned.
 */
import { equalBytes, isMerostoreError, SerialQueue, toHex } from "merostore/internal";
import { type Commit, newCommit } from "../storage/commit.js";
import type { CommitStore, Head } from "../storage/commit-store.js";
import { changeTree } from "../storage/committer.js";
import type { ChangeSet } from "../storage/journal.js";
import type { PageStorage } from "../storage/page-storage.js";
import { atMost } from "../timer.js";
import { type MergedPage, sameEntry } from "./conflict.js";
import { type MergeTarget, mergeAll, mergeCommits, ResolverFailure } from "./merge.js";
import type { PagePolicy } from "./resolver.js";

/** The merge of all heads. */
export interface View {
  readonly commit: Commit;
  /**
   * The keys, in hex, that both the newest head and another head have changed, even if in the same way. A change that
   * undoes the change of the newest head would leave the other one. Undefined if the keys are not known.
   */
  readonly contested: ReadonlySet<string> | undefined;
}

/** A merge that is not stored. */
interface Step extends View {
  readonly pieces: ReadonlyMap<string, Uint8Array>;
}

/** Fails if both sides have changed a key in different ways. */
const WITHOUT_CONFLICTS: PagePolicy = {
  policy: "automatic-with-fallback",
  resolve() {
    throw new Error("both sides have changed a key");
  },
};

/** Milliseconds that a connection waits for trees that only the cloud has, before it shows its own commit. */
const PATIENCE = 3000;

export class Views {
  readonly #page: MergedPage;
  readonly #queue = new SerialQueue();
  /**
   * By the ids of both parents: the merges of the last view, the held merges, and the merges that these follow. Parents
   * come first.
   */
  readonly #steps = new Map<string, Step>();
  /** The same merges, by their own ids. */
  #byId = new Map<string, Step>();
  /** The last view, by the ids of its heads; undefined if it cannot be made now. */
  #last: { readonly name: string; readonly view: View | undefined } | undefined;
  /** The number of views that are still being made although no caller waits for them. */
  #late = 0;
  /** Bytes of the pieces that are in memory. */
  #bytes = 0;

  constructor(page: MergedPage) {
    this.#page = page;
  }

  /** Bytes of the pieces that only merges in memory have. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Passes the merge of heads to a function, which must hold it if it is to stay. Passes undefined if the merge cannot
   * be made now: the program must resolve a conflict, or the cloud cannot be reached or does not answer. A late answer
   * notifies the connections.
   *
   * @param heads by (timestamp, id)
   */
  async use<T>(
    heads: readonly Head[],
    policy: PagePolicy,
    use: (view: View | undefined) => T | Promise<T>,
  ): Promise<T> {
    const name = heads.map(({ id }) => toHex(id)).join(" ");
    const useLast = async (): Promise<T> => {
      const view = this.#last?.view;
      const release = view && this.#page.storage.commitHolds.hold(view.commit.id);
      try {
        return await use(view);
      } finally {
        release?.();
      }
    };
    if (this.#last?.name === name) return useLast();
    if (this.#late > 0) return use(undefined);
    let state: "waiting" | "used" | "late" = "waiting";
    const isLate = (): boolean => state === "late";
    const used = this.#queue.run(async () => {
      if (this.#last?.name !== name) {
        this.#last = undefined; // its trees may be forgotten
        this.#last = { name, view: await this.#view(heads, policy) };
      }
      if (isLate()) return undefined;
      state = "used";
      return useLast();
    });
    do await atMost(PATIENCE, used);
    while (state === "waiting" && !this.#page.storage.isFetching);
    if (state !== "waiting") return used as Promise<T>;
    state = "late";
    this.#late++;
    const ended = (): void => void this.#late--;
    void used.then(ended, ended).then(() => this.#page.onPolicy());
    return use(undefined);
  }

  /**
   * Returns the merge that the heads would have if `newest` were the newest of them, as after a change. Nobody holds
   * it.
   */
  async withNewest(newest: Commit, heads: readonly Head[], policy: PagePolicy): Promise<View | undefined> {
    const others = heads.filter(({ id }) => !equalBytes(id, newest.id));
    if (heads.at(-1) !== others.at(-1)) return this.use(heads, policy, (view) => view);
    return this.#queue.run(async () => {
      this.#last = undefined; // its trees may be forgotten
      return this.#view(others, policy, newest);
    });
  }

  /** Forgets all merges that nobody holds. */
  clear(): void {
    void this.#queue.run(async () => {
      this.#last = undefined;
      this.#keep(new Map());
    });
  }

  /** @param newest a commit to merge after all heads */
  async #view(heads: readonly Head[], policy: PagePolicy, newest?: Commit): Promise<View | undefined> {
    const steps = new Map<string, Step>();
    let last: Step | undefined;
    const { commits } = this.#page.storage;
    try {
      const all = await Promise.all(heads.map((head) => commits.ofHead(head)));
      const commit = await mergeAll(all, async (a, b) => {
        const step = this.#steps.get(nameOf(a, b)) ?? (await this.#step(policy, a, b));
        this.#add(nameOf(a, b), step);
        steps.set(nameOf(a, b), step);
        last = step;
        return step.commit;
      });
      return newest === undefined ? last : await this.#step(policy, commit, newest);
    } catch (error) {
      if (error instanceof ResolverFailure || isMerostoreError(error, "NETWORK_ERROR")) return undefined;
      throw error;
    } finally {
      this.#keep(steps);
    }
  }

  async #step(policy: PagePolicy, a: Commit, b: Commit): Promise<Step> {
    if (policy.policy === "custom") return this.#merge(policy, a, b);
    try {
      return await this.#merge(WITHOUT_CONFLICTS, a, b);
    } catch (error) {
      if (!(error instanceof ResolverFailure) || policy.policy !== "last-one-wins") throw error;
      return this.#merge(policy, a, b);
    }
  }

  async #merge(policy: PagePolicy, a: Commit, b: Commit): Promise<Step> {
    const pieces = new Map<string, Uint8Array>();
    let contested: View["contested"];
    const target: MergeTarget = {
      commits: this.#commits(),
      isMemory: true,
      store: async (base, other, changes, keys) => {
        contested = keys;
        const step = await this.#stage(base, other, changes, contested);
        this.#add(nameOf(base, other), step);
        for (const [name, content] of step.pieces) pieces.set(name, content);
        return step.commit;
      },
    };
    const commit = await mergeCommits(this.#page, policy, a, b, target);
    return { commit, pieces, contested };
  }

  async #stage(base: Commit, other: Commit, given: ChangeSet, contested: View["contested"]): Promise<Step> {
    const { changes, pieces: values } = given;
    const { objects, options } = this.#page.storage;
    const tree = await changeTree(objects, base.root, changes, options);
    const pieces = new Map(
      [...values, ...tree.pieces].map(({ identifier, content }) => [toHex(identifier.digest), content]),
    );
    for (const [name, content] of pieces) this.#page.storage.pieces.staged.set(name, content);
    return { commit: newCommit([base, other], tree.root, 0n), pieces, contested };
  }

  /** The stored commits of the page, and the commits of merges in memory. */
  #commits(): MergeTarget["commits"] {
    const { commits } = this.#page.storage;
    const staged = (id: Uint8Array): Commit | undefined => this.#byId.get(toHex(id))?.commit;
    return {
      find: async (id) => staged(id) ?? commits.find(id),
      get: async (id) => staged(id) ?? commits.get(id),
      mergesOf: async (a, b) => {
        const step = this.#steps.get([a, b].map(toHex).sort().join(" "));
        return step === undefined ? commits.mergesOf(a, b) : [step.commit.id];
      },
    } satisfies Pick<CommitStore, "find" | "get" | "mergesOf">;
  }

  #add(name: string, step: Step): void {
    this.#steps.set(name, step);
    this.#byId.set(toHex(step.commit.id), step);
  }

  /** Keeps these merges, the held merges, and the parents of both. Forgets all others. */
  #keep(steps: ReadonlyMap<string, Step>): void {
    const { commitHolds, pieces } = this.#page.storage;
    // A tree shares pieces with the trees of earlier steps.
    const parents = new Set<string>();
    for (const [name, { commit }] of [...this.#steps].reverse()) {
      const isKept = steps.has(name) || commitHolds.has(commit.id) || parents.has(toHex(commit.id));
      if (isKept) for (const id of commit.parents) parents.add(toHex(id));
      else this.#steps.delete(name);
    }
    this.#byId = new Map(Array.from(this.#steps.values(), (step) => [toHex(step.commit.id), step]));
    pieces.staged.clear();
    for (const step of this.#steps.values())
      for (const [name, content] of step.pieces) pieces.staged.set(name, content);
    this.#bytes = 0;
    for (const content of pieces.staged.values()) this.#bytes += content.length;
  }
}

/** Returns whether the entries at some keys are the same in two commits. */
export async function areEqualAt(
  storage: PageStorage,
  [a, b]: readonly [Commit, Commit],
  keys: Iterable<Uint8Array>,
): Promise<boolean> {
  for (const key of keys) {
    if (!sameEntry(await storage.entry(a, key), await storage.entry(b, key))) return false;
  }
  return true;
}

function nameOf(a: Commit, b: Commit): string {
  return [toHex(a.id), toHex(b.id)].sort().join(" ");
}
