/** Snapshots with watchers. */
import { isFunction, type OptionChecks } from "merostore/internal";
import type { Watcher } from "../callbacks/watcher.js";
import type { PageSnapshot } from "./snapshot.js";
import { type ChangeListener, WATCH_OPTIONS, type WatchOptions } from "./watcher.js";

/** The content of a snapshot, and the listener for newer changes, which gets `values`. */
export interface SnapshotOptions<Value = Uint8Array> extends WatchOptions {
  /** Called with all changes after the snapshot. */
  readonly watch?: ChangeListener<Value> | undefined;
}

/** A snapshot, and the watcher of all that is newer. Closing the one does not close the other. */
export interface WatchedSnapshot<Value = Uint8Array> extends PageSnapshot<Value> {
  /** Calls the listener until it is closed, or the page is. */
  readonly watcher: Watcher;
}

/** Checks of {@link SnapshotOptions}. */
export const SNAPSHOT_OPTIONS: OptionChecks<SnapshotOptions> = { ...WATCH_OPTIONS, watch: isFunction };
