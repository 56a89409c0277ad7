/** A cloud in memory, for tests and experiments with several devices. */
import {
  checkOptions,
  copyBytes,
  isMerostoreError,
  MerostoreError,
  type ProgressOptions,
  progressOptions,
  SerialQueue,
  toHex,
} from "merostore/internal";
import type { ObjectIdentifier } from "../objects.js";
import type { Cloud, CloudConnection, CommitBytes, FetchedPiece, SyncedPage } from "./cloud.js";
import type { FolderSync } from "./folder/folder-cloud.js";
import { type SyncTotals, Traffic } from "./folder/traffic.js";
import { restoreLost, warnOfLoss } from "./lost-commits.js";
import { OwnSyncState, type SyncState } from "./sync-states.js";

/** The commits and pieces of one page. */
class CloudPage {
  /** The number of erasures of the page. */
  erasures = 0;
  readonly commits: CommitBytes[] = [];
  readonly pieces = new Map<string, Uint8Array>();
  readonly connections = new Set<MemoryConnection>();
}

/**
 * Ledgers with the same cloud share their pages.
 *
 * @example
 * const cloud = new MemoryCloud();
 * await using phone = await openLedger("phone", { name: "contacts", cloud });
 * await using desk = await openLedger("desk", { name: "contacts", cloud });
 */
export class MemoryCloud implements Cloud {
  readonly #pages = new Map<string, CloudPage>();
  readonly #traffic = new Traffic();
  #isReachable = true;

  async connect(page: SyncedPage): Promise<CloudConnection> {
    const name = JSON.stringify([page.ledger, toHex(page.id)]);
    const shared = this.#pages.get(name) ?? new CloudPage();
    this.#pages.set(name, shared);
    const counted = this.#traffic.countedPage(page);
    const connection = new MemoryConnection(counted, shared, this.#traffic, () => this.#isReachable);
    shared.connections.add(connection);
    connection.sync();
    return connection;
  }

  /** True if pages can reach the cloud; true at first. */
  get reachable(): boolean {
    return this.#isReachable;
  }

  /** When pages can reach the cloud again, all of them sync. */
  set reachable(reachable: boolean) {
    this.#isReachable = reachable;
    if (reachable)
      for (const { connections } of this.#pages.values()) for (const one of connections) one.sync();
  }

  /** Removes all commits and pieces. Devices upload theirs again at their next sync; open pages sync at once. */
  erase(): void {
    for (const page of this.#pages.values()) {
      page.erasures++;
      page.commits.length = 0;
      page.pieces.clear();
      for (const connection of page.connections) connection.sync();
    }
  }

  /**
   * Commits, pieces and their bytes that pages have downloaded and uploaded so far; each commit and each piece counts
   * as a file.
   */
  get transferred(): SyncTotals {
    return this.#traffic.totals;
  }

  /**
   * Syncs all open pages now, as {@link FolderCloud.sync} does. Nothing waits for files here.
   *
   * @param options `onProgress` gets bytes of commits and pieces; the total grows with each found one
   * @throws MerostoreError NETWORK_ERROR if the cloud cannot be reached
   */
  async sync(options: ProgressOptions = {}): Promise<Pick<FolderSync, "waiting" | "restored">> {
    checkOptions("sync", options, progressOptions);
    return this.#traffic.follow(options, async () => {
      const connections = [...this.#pages.values()].flatMap((page) => [...page.connections]);
      const restored = await Promise.all(connections.map((connection) => connection.synced()));
      await this.idle();
      const all = restored.reduce((sum, one) => sum + one, 0);
      return { waiting: 0, ...(all > 0 && { restored: all }) };
    });
  }

  /** Settles when all open pages are synced with the cloud. */
  async idle(): Promise<void> {
    const connections = [...this.#pages.values()].flatMap((page) => [...page.connections]);
    await Promise.all(connections.map((connection) => connection.idle()));
    const again = [...this.#pages.values()].some((page) =>
      [...page.connections].some(({ isBusy }) => isBusy),
    );
    if (again) await this.idle();
  }
}

class MemoryConnection extends OwnSyncState implements CloudConnection {
  readonly #page: SyncedPage;
  readonly #shared: CloudPage;
  readonly #traffic: Traffic;
  readonly #isReachable: () => boolean;
  readonly #queue = new SerialQueue();
  readonly #unsubscribe: () => void;
  /** The number of syncs that are queued or running. */
  #pending = 0;
  /** The number of the cloud's commits that the page has. */
  #downloaded = 0;
  /** The number of erasures of the cloud when the page last uploaded everything again. */
  #erasures: number | undefined;
  #closed = false;

  constructor(page: SyncedPage, shared: CloudPage, traffic: Traffic, isReachable: () => boolean) {
    super();
    this.#page = page;
    this.#shared = shared;
    this.#traffic = traffic;
    this.#isReachable = isReachable;
    this.#unsubscribe = page.onCommits(() => this.sync());
  }

  /** Commits of others come at once. Heads still wait for commits of the same moment. */
  readonly roundTrip = 0;

  refresh(): Promise<unknown> {
    return this.synced();
  }

  get isBusy(): boolean {
    return this.#pending > 0;
  }

  async fetchPiece({ digest }: ObjectIdentifier): Promise<FetchedPiece> {
    const content = this.#isReachable() ? this.#shared.pieces.get(toHex(digest)) : undefined;
    if (content !== undefined) {
      this.#traffic.came(toHex(digest), content.length, content.length);
      return { content: copyBytes(content), source: "cloud" };
    }
    throw new MerostoreError("NETWORK_ERROR", `the cloud does not give the piece ${toHex(digest)}`);
  }

  /** Syncs. The state shows a failure. */
  sync(): void {
    this.synced().catch(() => undefined);
  }

  /** Downloads, then uploads, after the current syncs. Returns the number of commits that the cloud had lost. */
  async synced(): Promise<number> {
    if (this.#closed) return 0;
    if (this.#pending++ === 0) this.setState("pending", "pending");
    const done = (state: SyncState): void => {
      if (--this.#pending === 0) this.setState(state, state);
    };
    // Without a network the sync is pending until the cloud can be reached again.
    const failed = (error: unknown): void =>
      done(isMerostoreError(error, "NETWORK_ERROR") ? "pending" : "error");
    const synced = this.#queue.run(() => this.#sync());
    synced.then(() => done("idle"), failed);
    return synced;
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#shared.connections.delete(this);
    await this.#queue.idle();
  }

  async #sync(): Promise<number> {
    if (this.#closed) return 0;
    if (!this.#isReachable()) throw new MerostoreError("NETWORK_ERROR", "the cloud cannot be reached");
    this.setState("in-progress", "pending");
    const { commits, connections, erasures } = this.#shared;
    if (this.#erasures !== erasures) this.#downloaded = 0;
    const end = commits.length;
    const added = commits.slice(this.#downloaded, end);
    if (added.length > 0) await this.#page.addCommits(added, "cloud");
    for (const { id, bytes } of added) this.#traffic.came(toHex(id), bytes.length, bytes.length);
    this.#downloaded = end;
    this.setState("idle", "in-progress");
    const restored = this.#erasures === erasures ? 0 : await this.#restore();
    this.#erasures = erasures;
    // Read before the pieces: commits that are made meanwhile may lack uploaded pieces.
    const made = await this.#page.unsyncedCommits();
    for await (const identifier of this.#page.unsyncedPieces()) {
      this.#setPiece(identifier.digest, await this.#page.piece(identifier));
      await this.#page.markSynced({ pieces: [identifier] });
    }
    for (const commit of made) {
      if (!commits.some(({ id }) => toHex(id) === toHex(commit.id))) this.#addCommit(commit);
      await this.#page.markSynced({ commits: [commit.id] });
    }
    await this.#page.syncEnded("memory");
    if (commits.length > end) for (const other of connections) if (other !== this) other.sync();
    return restored;
  }

  #setPiece(digest: Uint8Array, content: Uint8Array): void {
    this.#shared.pieces.set(toHex(digest), copyBytes(content));
    this.#traffic.went(toHex(digest), content.length, true);
  }

  #addCommit(commit: CommitBytes): void {
    const { commits } = this.#shared;
    if (this.#downloaded === commits.length) this.#downloaded++; // it need not come back
    commits.push(commit);
    this.#traffic.went(toHex(commit.id), commit.bytes.length, true);
  }

  /** Uploads the lost commits of the cloud again, and their pieces. Returns the number of the commits. */
  async #restore(): Promise<number> {
    const found = new Set(this.#shared.commits.map(({ id }) => toHex(id)));
    const lost: CommitBytes[] = [];
    for await (const commit of this.#page.syncedCommits())
      if (!found.has(toHex(commit.id))) lost.push(commit);
    if (lost.length === 0) return 0;
    await restoreLost(this.#page, lost, {
      addPiece: async ({ digest, content }) => this.#setPiece(digest, content),
      addCommit: async (commit) => this.#addCommit(commit),
    });
    warnOfLoss(this.#page, lost, "the cloud in memory");
    return lost.length;
  }
}
