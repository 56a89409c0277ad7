/** Calls the listener of a watcher: one call at a time, each with all changes since the call before. */
import {
  copyBytes,
  illegalState,
  isFunction,
  isMerostoreError,
  isWholeNumber,
  type OptionChecks,
} from "merostore/internal";
import type { ListenerLoop, Watcher } from "../callbacks.js";
import type { HeldCommit } from "../storage/background-collector.js";
import type { Commit } from "../storage/commit.js";
import { missingPieces, type ObjectReader, valuesOf } from "../storage/object-reader.js";
import type { PageStorage } from "../storage/page-storage.js";
import type { Priority, TreeEntry } from "../tables/tree-node.js";
import { diffTrees } from "../tree/diff.js";
import { PART_BYTES, PART_ENTRIES, PREFIX_OPTIONS, type PrefixOptions } from "./page-scan.js";
import { hasPrefix, type PageEntry, type PageSnapshot } from "./snapshot.js";
import type { DecodeValue } from "./value-codec.js";

/**
 * The part of a change that a call has: the whole change, or the first, a middle or the last part of a large change.
 */
export type ChangePart = "completed" | "partial-started" | "partial-continued" | "partial-completed";

/** The entries of a watcher, and the values that its listener gets. */
export interface WatchOptions extends PrefixOptions {
  /**
   * The most bytes of a value that a change has: 65,536 unless given. A larger one is read with
   * {@link ChangedEntry.stream}. With false, no value is read, so a missing value does not fail.
   */
  readonly values?: false | number | undefined;
}

/** Checks of {@link WatchOptions}. */
export const WATCH_OPTIONS: OptionChecks<WatchOptions> = {
  ...PREFIX_OPTIONS,
  values: (value) =>
    value === false || isWholeNumber(0)(value) === undefined ? undefined : "false or a whole number",
};

/** The most bytes of a value in a change. */
const MOST_VALUE = 65_536;

/** A new or changed entry. Its value is undefined if the watcher leaves it out, or if it is not on this device. */
export interface ChangedEntry<Value = Uint8Array> extends PageEntry<Value> {
  /** The bytes of a value that is left out because it is too large; otherwise undefined. */
  readonly size?: number;
  /**
   * Streams the bytes of the value, during the call of the listener, in chunks of at most 64 KiB.
   * @throws MerostoreError ILLEGAL_STATE after the call; NEEDS_FETCH for a lazy value that is not on this device
   */
  stream(): AsyncGenerator<Uint8Array, void, undefined>;
}

/** The changes since the last call. */
export interface PageChange<Value = Uint8Array> {
  /** The time of the new commit: nanoseconds since the Unix epoch, UTC. */
  readonly timestamp: bigint;
  /** A large change is passed in several calls. */
  readonly part: ChangePart;
  /** New and changed entries, ascending. */
  readonly changed: readonly ChangedEntry<Value>[];
  /** Keys of removed entries, ascending. */
  readonly deleted: readonly Uint8Array[];
  /**
   * Opens a snapshot of the state after the change: of the entries that the watcher includes. For a part of a large
   * change it is the state after all parts. Close the snapshot when you have read it.
   *
   * @throws MerostoreError ILLEGAL_STATE after the call of the listener has settled; CLOSED if the page is closed
   */
  snapshot(): Promise<PageSnapshot<Value>>;
}

/** Called with a change. The next call waits until this one has settled. An error closes the watcher. */
export type ChangeListener<Value = Uint8Array> = (change: PageChange<Value>) => void | Promise<void>;

/** Opens a snapshot of the entries of a commit with a prefix. */
export type OpenSnapshot<Value> = (commit: Commit, prefix: Uint8Array) => PageSnapshot<Value>;

/** The page that a {@link WatcherLoop} watches, and its listener. */
export interface WatcherParts<Value> {
  readonly prefix: Uint8Array;
  /** {@link WatchOptions.values}. */
  readonly values?: false | number | undefined;
  readonly decode: DecodeValue<Value>;
  readonly listener: ChangeListener<Value>;
  readonly open: OpenSnapshot<Value>;
  /** Settles when the loop knows of all earlier commits. */
  ready(): Promise<void>;
}

export class WatcherLoop<Value> implements ListenerLoop {
  readonly #storage: PageStorage;
  readonly #prefix: Uint8Array;
  readonly #values: false | number;
  readonly #decode: DecodeValue<Value>;
  readonly #listener: ChangeListener<Value>;
  readonly #open: OpenSnapshot<Value>;
  readonly #ready: () => Promise<void>;
  /** The commit that the listener has seen. */
  #known: HeldCommit;
  #target: HeldCommit | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    storage: PageStorage,
    start: Commit,
    { prefix, values, decode, listener, open, ready }: WatcherParts<Value>,
  ) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#values = values ?? MOST_VALUE;
    this.#decode = decode;
    this.#listener = listener;
    this.#open = open;
    this.#ready = ready;
    this.#known = hold(storage, start);
  }

  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Passes the changes up to a commit to the listener once its current call has ended. */
  update(commit: Commit): void {
    if (this.#closed) return;
    this.#target?.release();
    this.#target = hold(this.#storage, commit);
    this.#running ??= this.#run();
  }

  async idle(): Promise<void> {
    await this.#ready();
    while (this.#running !== undefined) await this.#running;
  }

  close(failure?: { readonly error: unknown }): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#failure ??= failure;
    this.#target?.release();
    this.#target = undefined;
    if (this.#running === undefined) this.#known.release();
  }

  async #run(): Promise<void> {
    try {
      for (let target = this.#target; target !== undefined && !this.#closed; target = this.#target) {
        this.#target = undefined;
        const known = this.#known;
        this.#known = target;
        try {
          await this.#notify(known.commit, target.commit);
        } finally {
          known.release();
        }
      }
    } catch (error) {
      this.#failure = { error };
      this.close();
    }
    if (this.#closed) this.#known.release();
    this.#running = undefined;
  }

  /** Calls the listener with the differences between two commits, in several calls if there are many. */
  async #notify(before: Commit, after: Commit): Promise<void> {
    const { objects } = this.#storage;
    let batch = new ChangeBatch<Value>();
    let isStarted = false;
    for await (const { key, after: entry } of diffTrees(objects, before.root, after.root, this.#prefix)) {
      if (!hasPrefix(key, this.#prefix) || this.#closed) break;
      const { value, size } = entry === undefined ? {} : await this.#valueOf(entry);
      const bytes = key.length + (value?.length ?? 0);
      if (!batch.hasRoom(bytes)) {
        await this.#call(batch, after, isStarted ? "partial-continued" : "partial-started");
        batch = new ChangeBatch();
        isStarted = true;
      }
      if (entry === undefined) batch.add(bytes, copyBytes(key));
      else batch.add(bytes, new Changed(objects, entry, value && this.#decode(key, value), size));
    }
    if (!batch.isEmpty && !this.#closed)
      await this.#call(batch, after, isStarted ? "partial-completed" : "completed");
  }

  /** Returns the value of an entry, or its size if it is larger than the listener wants. */
  async #valueOf(
    entry: TreeEntry,
  ): Promise<{ readonly value?: Uint8Array | undefined; readonly size?: number }> {
    const { objects } = this.#storage;
    if (this.#values === false) return {};
    try {
      const size = await objects.size(entry.value, missingPieces(entry));
      if (size > this.#values) return { size };
    } catch (error) {
      if (isMerostoreError(error, "NEEDS_FETCH")) return {};
      throw error;
    }
    const [value] = await valuesOf(objects, [entry]);
    return { value };
  }

  async #call({ changed, deleted }: ChangeBatch<Value>, after: Commit, part: ChangePart): Promise<void> {
    let isRunning = true; // and the commit is held
    const snapshot = async (): Promise<PageSnapshot<Value>> => {
      if (isRunning) return this.#open(after, this.#prefix);
      throw illegalState("a change opens snapshots only until the call of the listener has settled");
    };
    try {
      await this.#listener({ timestamp: after.timestamp, part, changed, deleted, snapshot });
    } finally {
      isRunning = false;
      for (const entry of changed) entry.end();
    }
  }
}

class Changed<Value> implements ChangedEntry<Value> {
  readonly key: Uint8Array;
  readonly value: Value | undefined;
  readonly priority: Priority;
  declare readonly size?: number;
  readonly #objects: ObjectReader;
  #entry: TreeEntry | undefined;

  constructor(objects: ObjectReader, entry: TreeEntry, value: Value | undefined, size: number | undefined) {
    this.key = copyBytes(entry.key);
    this.value = value;
    this.priority = entry.priority;
    if (size !== undefined) this.size = size;
    this.#objects = objects;
    this.#entry = entry;
  }

  async *stream(): AsyncGenerator<Uint8Array, void, undefined> {
    const entry = this.#running();
    for await (const chunk of this.#objects.chunks(entry.value, undefined, missingPieces(entry))) {
      yield chunk;
      this.#running();
    }
  }

  /** The call of the listener has settled. */
  end(): void {
    this.#entry = undefined;
  }

  #running(): TreeEntry {
    if (this.#entry !== undefined) return this.#entry;
    throw illegalState("a changed entry streams its value only until the call of the listener has settled");
  }
}

/** The changes of one call. */
class ChangeBatch<Value> {
  readonly changed: Changed<Value>[] = [];
  readonly deleted: Uint8Array[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  get #count(): number {
    return this.changed.length + this.deleted.length;
  }

  hasRoom(bytes: number): boolean {
    return this.isEmpty || (this.#count < PART_ENTRIES && this.#bytes + bytes <= PART_BYTES);
  }

  /**
   * @param bytes the size of the key and the value
   * @param change the new entry, or the key of the removed one
   */
  add(bytes: number, change: Changed<Value> | Uint8Array): void {
    if (change instanceof Changed) this.changed.push(change);
    else this.deleted.push(change);
    this.#bytes += bytes;
  }
}

function hold(storage: PageStorage, commit: Commit): HeldCommit {
  return { commit, release: storage.commitHolds.hold(commit.id) };
}

/** The watchers of a connection together. */
export class Watchers<Value> extends Set<WatcherLoop<Value>> {
  /** Notifies the watchers of the commit that the connection shows now. */
  notify(shown: Commit): void {
    for (const watcher of this) watcher.update(shown);
  }

  /** Settles when all listeners have finished. */
  async idle(): Promise<void> {
    await Promise.all([...this].map((watcher) => watcher.idle()));
  }

  /** Stops all notifications. @param failure the error that made them fail, if any */
  close(failure?: { readonly error: unknown }): void {
    for (const watcher of this) watcher.close(failure);
  }
}

/** The content of a snapshot, and the listener for newer changes. `values` limits the values of these changes. */
export interface SnapshotOptions<Value = Uint8Array> extends WatchOptions {
  /** Called with all changes after the snapshot. */
  readonly watch?: ChangeListener<Value> | undefined;
}

/** A snapshot, and the watcher of all that is newer. Closing the one does not close the other. */
export interface WatchedSnapshot<Value = Uint8Array> extends PageSnapshot<Value> {
  /** Calls the listener until the watcher or the page is closed. */
  readonly watcher: Watcher;
}

/** Checks of {@link SnapshotOptions}. */
export const SNAPSHOT_OPTIONS: OptionChecks<SnapshotOptions> = { ...WATCH_OPTIONS, watch: isFunction };
