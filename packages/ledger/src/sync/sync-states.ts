/** States of syncing: of one page, of several together, and for listeners. */
import { describeValue, invalidArgument, isOneOf } from "merostore/internal";
import { guarded, type ListenerLoop, outside, within } from "../callbacks.js";

/**
 * The state of syncing in one direction:
 *
 * - `idle`: there is nothing to do.
 * - `pending`: there is something to do, and it waits, for the network for example.
 * - `in-progress`: it is being done.
 * - `error`: it has failed, and another try does not help: content is damaged, or has another key.
 */
export type SyncState = "idle" | "pending" | "in-progress" | "error";

/** The states of syncing in both directions. */
export interface SyncStates {
  /** The state of commits and pieces that come from the cloud. */
  readonly download: SyncState;
  /** The state of commits and pieces that go to the cloud. */
  readonly upload: SyncState;
}

/** Something with states of syncing. */
export interface SyncStateSource {
  /** The states at this moment. */
  readonly state: SyncStates;
  /**
   * Calls a listener when the states change.
   * @returns removes the listener
   */
  onState(listener: () => void): () => void;
}

/** From the least to the most urgent. */
const ORDER: readonly SyncState[] = ["idle", "pending", "in-progress", "error"];

const isState = isOneOf(ORDER);

/** Nothing to do in either direction. */
export const IDLE: SyncStates = { download: "idle", upload: "idle" };

/**
 * Returns a copy of the states of a source.
 * @throws MerostoreError INVALID_ARGUMENT if the cloud of the program has no valid states
 */
export function statesOf({ state }: SyncStateSource): SyncStates {
  const { download, upload }: Partial<SyncStates> = state ?? {};
  for (const one of [download, upload]) {
    const expected = isState(one);
    if (expected === undefined) continue;
    throw invalidArgument(
      `download and upload in the state of a cloud must be ${expected}, not ${describeValue(one)}`,
    );
  }
  return { download, upload } as SyncStates;
}

/** Returns whether two pairs of states are equal. */
function equalStates(a: SyncStates, b: SyncStates): boolean {
  return a.download === b.download && a.upload === b.upload;
}

/** States that syncing sets. An error of a listener is reported as a process warning. */
export class OwnSyncState implements SyncStateSource {
  readonly #listeners = new Set<() => void>();
  #state = IDLE;

  get state(): SyncStates {
    return this.#state;
  }

  onState(listener: () => void): () => void {
    const guardedListener = guarded("the state of syncing", listener);
    this.#listeners.add(guardedListener);
    return () => this.#listeners.delete(guardedListener);
  }

  protected setState(download: SyncState, upload: SyncState): void {
    const state = { download, upload };
    if (equalStates(state, this.#state)) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The states of several sources together: in each direction the most urgent one. */
export class JointSyncState implements SyncStateSource {
  readonly #sources = new Set<SyncStateSource>();
  readonly #listeners = new Set<() => void>();

  get state(): SyncStates {
    return [...this.#sources].map(statesOf).reduce(
      (a, b) => ({
        download: moreUrgent(a.download, b.download),
        upload: moreUrgent(a.upload, b.upload),
      }),
      IDLE,
    );
  }

  onState(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Adds a source.
   * @returns removes it
   */
  add(source: SyncStateSource): () => void {
    const changed = (): void => {
      for (const listener of this.#listeners) listener();
    };
    const end = source.onState(changed);
    this.#sources.add(source);
    changed();
    return () => {
      end();
      this.#sources.delete(source);
      changed();
    };
  }
}

function moreUrgent(a: SyncState, b: SyncState): SyncState {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}

/** Called with the states of syncing. The next call waits until this one has settled. An error closes the watcher. */
export type SyncListener = (states: SyncStates) => void | Promise<void>;

/** Calls the listener with the present states first, then whenever they differ from the states of the last call. */
export class SyncWatcherLoop implements ListenerLoop {
  readonly #source: SyncStateSource;
  readonly #listener: SyncListener;
  readonly #unsubscribe: () => void;
  #told: SyncStates | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(source: SyncStateSource, listener: SyncListener) {
    this.#source = source;
    this.#listener = listener;
    this.#unsubscribe = source.onState(() => this.#wake());
    this.#wake();
  }

  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unsubscribe();
  }

  #wake(): void {
    if (!this.#closed) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    await Promise.resolve(); // #running is set before this can end
    try {
      while (!this.#closed) {
        const states = statesOf(this.#source);
        if (this.#told !== undefined && equalStates(this.#told, states)) break;
        this.#told = states;
        await outside(() => within(this, () => this.#listener({ ...states })));
      }
    } catch (error) {
      this.#failure = { error };
      this.close();
    }
    this.#running = undefined;
  }
}
