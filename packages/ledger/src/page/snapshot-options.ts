/** Snapshots with watchers. */
import { isFunction, type OptionChecks } from "merostore/internal";
import type { Watcher } from "../callbacks/watcher.js";
import { type PageSnapshot, PREFIX_OPTIONS, type PrefixOptions } from "./snapshot.js";
import type { ChangeListener } from "./watcher.js";

/** The content of a snapshot, and the listener for newer changes. */
export interface SnapshotOptions extends PrefixOptions {
  /** Called with all changes after the snapshot. */
  readonly watch?: ChangeListener | undefined;
}

/** A snapshot, and the watcher of all that is newer. Closing the one does not close the other. */
export interface WatchedSnapshot extends PageSnapshot {
  /** Calls the listener until it is closed, or the page is. */
  readonly watcher: Watcher;
}

/** Checks of {@link SnapshotOptions}. */
export const SNAPSHOT_OPTIONS: OptionChecks<SnapshotOptions> = { ...PREFIX_OPTIONS, watch: isFunction };
