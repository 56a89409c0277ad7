/**
 * The interface between a ledger and a cloud or other devices. A ledger works without a cloud; no code here uses a
 * network.
 */
import { counted, describeValue, invalidArgument, MerostoreError } from "merostore/internal";
import type { ObjectIdentifier } from "../objects.js";
import { IDLE, type SyncStateSource } from "./sync-states.js";

/** The source of commits and pieces. Commits and pieces from a peer are then uploaded to the cloud. */
export type SyncSource = "cloud" | "peer";

/** A commit in its serialized form. */
export interface CommitBytes {
  /** 32 bytes. */
  readonly id: Uint8Array;
  /** The serialized commit. Its SHA-256 is the id. */
  readonly bytes: Uint8Array;
}

/** A fetched piece. */
export interface FetchedPiece {
  /** The bytes of the piece. */
  readonly content: Uint8Array;
  /** The source that had it. */
  readonly source: SyncSource;
}

/** The commits and pieces that a cloud has stored. */
export interface UploadedRecords {
  /** The ids of commits, 32 bytes each. */
  readonly commits?: readonly Uint8Array[];
  /** The identifiers of pieces. */
  readonly pieces?: readonly ObjectIdentifier[];
}

/** A page, as its cloud uses it. */
export interface SyncedPage {
  /** The name of the ledger. */
  readonly ledger: string;
  /** The id of the page, 16 bytes. */
  readonly id: Uint8Array;
  /** Returns the commits that are not in the cloud, by (generation, id): the order in which to upload them. */
  unsyncedCommits(): Promise<CommitBytes[]>;
  /** Yields the commits that the cloud has or had. An erased cloud needs them again, with the pieces of their trees. */
  syncedCommits(): AsyncIterable<CommitBytes>;
  /** Yields the pieces of commits that are not in the cloud. */
  unsyncedPieces(): AsyncIterable<ObjectIdentifier>;
  /**
   * Returns the content of a piece.
   * @throws MerostoreError NEEDS_FETCH if the piece is not on this device
   */
  piece(identifier: ObjectIdentifier): Promise<Uint8Array>;
  /** Returns the serialized bytes of a commit; undefined if it is not on this device. */
  commit(id: Uint8Array): Promise<Uint8Array | undefined>;
  /**
   * Adds commits, parents first. Before that it fetches missing tree nodes and missing values of eager entries: for all
   * commits of a peer, but for commits of the cloud only if no other one follows them. The others are fetched when they
   * are needed.
   * @throws MissingCommits if a parent is missing; then no commit is added
   */
  addCommits(commits: readonly CommitBytes[], source: SyncSource): Promise<void>;
  /** Marks commits and pieces as uploaded, all or none of them. */
  markSynced(uploaded: UploadedRecords): Promise<void>;
  /** Marks the page as synced to a peer. */
  markSyncedToPeer(): Promise<void>;
  /**
   * Remembers that a sync has ended now, and that both sides have everything of each other: {@link Page.lastSync}.
   * @param cloud its name, such as a path or URL
   */
  syncEnded(cloud: string): Promise<void>;
  /** Returns the metadata that the cloud has stored at a key. */
  metadata(key: Uint8Array): Promise<Uint8Array | undefined>;
  /** Stores metadata of the cloud at a key. */
  setMetadata(key: Uint8Array, value: Uint8Array): Promise<void>;
  /**
   * Calls the listener after new commits were stored. An error of the listener is reported as a process warning.
   * @returns a function that removes the listener
   */
  onCommits(listener: () => void): () => void;
}

/** The connection of a page to the cloud. */
export interface CloudConnection extends SyncStateSource {
  /**
   * Fetches a piece.
   * @throws MerostoreError NETWORK_ERROR
   */
  fetchPiece(identifier: ObjectIdentifier): Promise<FetchedPiece>;
  /**
   * The measured milliseconds from an upload of this device until it has the answers of others, 0 or more. Heads are
   * merged after that time without a change. Undefined if commits come at once.
   */
  readonly roundTrip?: number | undefined;
  /** Downloads the uploads of others. Called before the merge of heads that have waited for a round trip. */
  refresh?(): Promise<unknown>;
  /** Stops syncing. Settles when the current work has ended. */
  close(): Promise<void>;
}

/** A cloud. Commits and pieces are kept until they are uploaded. */
export interface Cloud {
  /**
   * Called when a page is opened; the opening waits for it. It must not wait for {@link SyncedPage.addCommits}, which
   * fetches pieces through the connection that this returns.
   */
  connect(page: SyncedPage): Promise<CloudConnection>;
}

/** @throws MerostoreError INVALID_ARGUMENT for a connection with a wrong round trip */
export function checkConnection({ roundTrip }: CloudConnection): void {
  if (roundTrip === undefined || (Number.isFinite(roundTrip) && roundTrip >= 0)) return;
  throw invalidArgument(
    `the round trip of a cloud must be a number of milliseconds, not ${describeValue(roundTrip)}`,
  );
}

/** Thrown when parents of added commits are missing. */
export class MissingCommits extends MerostoreError {
  /** The ids of the missing parents. */
  readonly missing: readonly Uint8Array[];

  constructor(missing: readonly Uint8Array[]) {
    super("COMMIT_NOT_FOUND", `not on this device: ${counted(missing.length, "parent")} of the commits`);
    this.name = "MissingCommits";
    this.missing = missing;
  }
}

/** The connection of a page without a cloud. */
export const noCloud: CloudConnection = {
  state: IDLE,
  onState: () => () => undefined,
  fetchPiece: async () => {
    throw new MerostoreError("NETWORK_ERROR", "the value is not on this device, and there is no cloud");
  },
  close: async () => undefined,
};
