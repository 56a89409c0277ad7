/** Tells a listener the states of syncing: one call at a time, each with the newest states. */
import { outside, within } from "../callbacks/listeners.js";
import type { ListenerLoop } from "../callbacks/watcher.js";
import { equalStates, type SyncStateSource, type SyncStates, statesOf } from "./sync-states.js";

/** Called with the states of syncing. The next call waits until this one has settled. An error closes the watcher. */
export type SyncListener = (states: SyncStates) => void | Promise<void>;

/** Calls the listener with the present states first, then whenever they are others than those of the last call. */
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
