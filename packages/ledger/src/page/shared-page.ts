/** The state that all connections to a page in one process share. */
import type { Commit } from "../storage/commit.js";
import type { Head } from "../storage/commit-store.js";
import type { ChangeSet } from "../storage/journal.js";
import type { PageStorage } from "../storage/page-storage.js";
import type { CloudConnection } from "../sync/cloud.js";
import type { PageSnapshot } from "./snapshot.js";
import type { ValueReferences } from "./value.js";
import type { DecodeValue } from "./value-codec.js";

/** A transaction, as its snapshots read it. */
export interface ReadTransaction {
  readonly changes: ChangeSet;
  /** The snapshots that are open. */
  readonly opened: Set<PageSnapshot<unknown>>;
}

/** An open page, as its connections use it. */
export interface SharedPage {
  /** 16 bytes. */
  readonly id: Uint8Array;
  readonly storage: PageStorage;
  readonly cloud: CloudConnection;
  readonly references: ValueReferences;
  /** @throws MerostoreError ILLEGAL_STATE in a conflict resolver of the page */
  checkNotResolving(): void;
  /**
   * Opens a snapshot for the program. The page stays open until the snapshot is closed.
   * @param decode makes the values that the snapshot returns
   * @param transaction the transaction to which the snapshot belongs: it shows its changes too
   */
  openSnapshot<Value>(
    commit: Commit,
    prefix: Uint8Array,
    decode: DecodeValue<Value>,
    transaction?: ReadTransaction,
  ): PageSnapshot<Value>;
  /**
   * Passes the commit that a connection shows to a function, which must hold it: the connection's own commit, or the
   * merge of heads that are merged later.
   */
  shown<T>(own: Commit, heads: readonly Head[], use: (commit: Commit) => T): Promise<T>;
  /** Returns the commit that changes follow: the connection's own, or a merge of heads if the changes depend on it. */
  parentOf(own: Commit, heads: readonly Head[], changes: ChangeSet): Promise<Commit>;
  /** Settles when the page has one head. */
  waitForConflictResolution(): Promise<"no-conflicts" | "conflicts-resolved">;
  /**
   * Must be called when a connection is closed.
   * @param connection the `Page` itself
   */
  release(connection: object): Promise<void>;
}
