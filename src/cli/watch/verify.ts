/** Compares the states of a running node with the replay of its deltas, for `watch --verify`. */
import { setTimeout as sleep } from "node:timers/promises";
import { fromHex, toHex } from "../../bytes/hex.js";
import { invalidArgument } from "../../errors.js";
import type { Change, Store } from "../../store/index.js";
import { type Finding, revisionsOf, ruleOf, verifyStore } from "../../verify/index.js";

const rule = ruleOf("state-from-deltas");

/** The column families whose rows begin with a context. */
const COLUMNS = ["Delta", "Meta", "State"];

/** Bytes of a context's id. */
const ID = 32;

/** The least milliseconds between two looks, and the greatest share of the time for them. */
const BETWEEN = 200;
const SHARE = 0.2;

/**
 * The milliseconds that a difference must last. A node writes a state, its root hash and the delta one after another,
 * so they differ in between.
 */
const LASTING = 2_000;

/** A difference that may be gone at the next look. */
interface Doubt {
  readonly text: string;
  readonly since: number;
}

/** Looks at each context that changes, until one differs from the replay of its deltas. */
export class StateWatch {
  /** The kinds of rows whose changes it needs. */
  static readonly kinds: readonly string[] = ["ContextDagDelta", "ContextMeta", "ContextState"];

  readonly #store: Store;
  readonly #only: string | undefined;
  /** Contexts to look at. */
  readonly #changed = new Set<string>();
  readonly #doubts = new Map<string, Doubt>();

  /**
   * @param store a separate store, because it is refreshed
   * @param only the watched context; all unless given
   * @throws MerostoreError `INVALID_ARGUMENT` for a revision whose deltas are not replayed
   */
  constructor(store: Store, only: Uint8Array | undefined) {
    if (revisionsOf(rule, [store.schema]).length === 0)
      throw invalidArgument(`deltas of ${store.schema.name} are not replayed`);
    this.#store = store;
    this.#only = only && toHex(only);
  }

  /** Notes the contexts of changes. */
  note(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === "rescan" || change.type === "deleteRange" || !COLUMNS.includes(change.column))
        continue;
      const key = change.key instanceof Uint8Array ? change.key : change.key.bytes;
      this.#add(toHex(key.subarray(0, ID)));
    }
  }

  /** Notes all contexts. */
  async noteAll(): Promise<void> {
    for await (const { key } of this.#store.table("ContextMeta").scan()) this.#add(toHex(key.bytes));
  }

  #add(context: string): void {
    if (this.#only === undefined || this.#only === context) this.#changed.add(context);
  }

  /** Returns the first difference that lasts; undefined when the signal aborts. */
  async first(signal: AbortSignal): Promise<Finding | undefined> {
    await this.noteAll();
    while (!signal.aborted) {
      const begun = performance.now();
      for (const context of [...this.#changed]) {
        if (signal.aborted) return undefined;
        const found = await this.#look(context);
        if (found !== undefined) return found;
      }
      const took = performance.now() - begun;
      await sleep(Math.max(BETWEEN, took / SHARE - took), undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }

  /** Looks at a context. Returns a difference that has lasted long enough. */
  async #look(context: string): Promise<Finding | undefined> {
    this.#changed.delete(context);
    await this.#store.refresh();
    let first: Finding | undefined;
    for await (const finding of verifyStore(this.#store, {
      rules: [rule],
      context: fromHex(context),
    }))
      if (finding.severity !== "info") {
        first = finding;
        break;
      }
    if (first === undefined) {
      this.#doubts.delete(context);
      return undefined;
    }
    const text = JSON.stringify(first);
    const doubt = this.#doubts.get(context);
    if (doubt?.text !== text) this.#doubts.set(context, { text, since: performance.now() });
    else if (performance.now() - doubt.since >= LASTING) return first;
    this.#changed.add(context);
    return undefined;
  }
}
