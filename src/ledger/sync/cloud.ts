/**
 * What a ledger needs of a cloud, or of other devices, and what it shows them. A ledger works without one; nothing here
 * knows of any network.
 */
import { MerostoreError } from "../../errors.js";
import type { ObjectIdentifier } from "../objects/identifier.js";

/** Whether a page is as the cloud has it: nothing to do, something to do, something being done, or not possible. */
export type SyncState = "idle" | "pending" | "in-progress" | "error";

/** Where something comes from. What comes from a peer is still to go to the cloud. */
export type SyncSource = "cloud" | "peer";

/** A commit as it travels. */
export interface CommitBytes {
  readonly id: Uint8Array;
  readonly bytes: Uint8Array;
}

/** A piece that was fetched. */
export interface FetchedPiece {
  readonly content: Uint8Array;
  readonly source: SyncSource;
}

/** What a page shows to its cloud. */
export interface SyncedPage {
  readonly ledger: string;
  readonly id: Uint8Array;
  /** The commits that are in no cloud, by (generation, id): the order in which they go there. */
  unsyncedCommits(): Promise<CommitBytes[]>;
  /** The pieces that commits use and that are in no cloud. */
  unsyncedPieces(): AsyncIterable<ObjectIdentifier>;
  /** The content of a piece that is here. */
  piece(identifier: ObjectIdentifier): Promise<Uint8Array>;
  /**
   * Adds commits, parents first, after fetching what their entries need: nodes, and the values of eager entries.
   * @throws MissingCommits if a parent is not known; nothing is added then
   */
  addCommits(commits: readonly CommitBytes[], source: SyncSource): Promise<void>;
  /** The cloud has a commit. */
  markCommitSynced(id: Uint8Array): Promise<void>;
  /** The cloud has a piece. */
  markPieceSynced(identifier: ObjectIdentifier): Promise<void>;
  /** A peer has got the page. */
  markSyncedToPeer(): Promise<void>;
  /** What the cloud wanted to remember under a key. */
  metadata(key: Uint8Array): Promise<Uint8Array | undefined>;
  setMetadata(key: Uint8Array, value: Uint8Array): Promise<void>;
  /**
   * Calls the listener after new commits were stored. An error of the listener is reported as a process warning.
   * @returns a function that removes the listener
   */
  onCommits(listener: () => void): () => void;
}

/** A page's line to the cloud. */
export interface CloudConnection {
  readonly state: SyncState;
  /** Calls back when the state changes. Gives what ends it. */
  onState(listener: (state: SyncState) => void): () => void;
  /** @throws MerostoreError NETWORK_ERROR */
  fetchPiece(identifier: ObjectIdentifier): Promise<FetchedPiece>;
  /** Waits for what goes on, and begins nothing more. */
  close(): Promise<void>;
}

/** A cloud. With one, commits and pieces stay until it has them. */
export interface Cloud {
  /**
   * Called when a page is opened, which waits for it. Pieces are fetched by the connection that it gives: it must not wait
   * for {@link SyncedPage.addCommits} before.
   */
  connect(page: SyncedPage): Promise<CloudConnection>;
}

/** Commits that are not known here, and were needed. */
export class MissingCommits extends MerostoreError {
  readonly missing: readonly Uint8Array[];

  constructor(missing: readonly Uint8Array[]) {
    super("COMMIT_NOT_FOUND", `${missing.length} parents of the commits are not on this device`);
    this.name = "MissingCommits";
    this.missing = missing;
  }
}

/** Without a cloud: there is nothing to do, and nothing to be had. */
export const noCloud: CloudConnection = {
  state: "idle",
  onState: () => () => undefined,
  fetchPiece: async () => {
    throw new MerostoreError("NETWORK_ERROR", "the value is not on this device, and there is no cloud");
  },
  close: async () => undefined,
};
