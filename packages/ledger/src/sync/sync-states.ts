/** States of syncing: of one page, and of several together. */
import { describeValue, isOneOf, MerostoreError } from "merostore/internal";

/**
 * The state of syncing in one direction:
 *
 * - `idle`: there is nothing to do.
 * - `pending`: there is something to do, and it waits, for the network for example.
 * - `in-progress`: it is being done.
 * - `error`: it has failed, and to try again does not help: something is damaged, or of another key.
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
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      `download and upload in the state of a cloud must be ${expected}, not ${describeValue(one)}`,
    );
  }
  return { download, upload } as SyncStates;
}

/** Returns whether two pairs of states are equal. */
export function equalStates(a: SyncStates, b: SyncStates): boolean {
  return a.download === b.download && a.upload === b.upload;
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
