/** A cloud in memory: for tests, and to try out what several devices do. */
import { copyBytes } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { SerialQueue } from "../../collections/serial-queue.js";
import { MerostoreError } from "../../errors.js";
import { guarded } from "../callbacks/listeners.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import type { Cloud, CloudConnection, CommitBytes, FetchedPiece, SyncedPage, SyncState } from "./cloud.js";

/** What the cloud has of one page. */
class CloudPage {
  readonly commits: CommitBytes[] = [];
  readonly pieces = new Map<string, Uint8Array>();
  readonly connections = new Set<MemoryConnection>();
}

/**
 * Ledgers that are given the same one share their pages.
 *
 * @example
 * const cloud = new MemoryCloud();
 * await using phone = await openLedger("phone", { name: "contacts", cloud });
 * await using desk = await openLedger("desk", { name: "contacts", cloud });
 */
export class MemoryCloud implements Cloud {
  readonly #pages = new Map<string, CloudPage>();
  #isReachable = true;

  async connect(page: SyncedPage): Promise<CloudConnection> {
    const name = JSON.stringify([page.ledger, toHex(page.id)]);
    const shared = this.#pages.get(name) ?? new CloudPage();
    this.#pages.set(name, shared);
    const connection = new MemoryConnection(page, shared, () => this.#isReachable);
    shared.connections.add(connection);
    connection.sync();
    return connection;
  }

  /** Whether pages reach the cloud; true at first. */
  get reachable(): boolean {
    return this.#isReachable;
  }

  set reachable(reachable: boolean) {
    this.#isReachable = reachable;
    if (reachable)
      for (const { connections } of this.#pages.values()) for (const one of connections) one.sync();
  }

  /** Settles when every page that is open has all that the cloud has, and the cloud all of theirs. */
  async idle(): Promise<void> {
    const connections = [...this.#pages.values()].flatMap((page) => [...page.connections]);
    await Promise.all(connections.map((connection) => connection.idle()));
    const again = [...this.#pages.values()].some((page) =>
      [...page.connections].some(({ isBusy }) => isBusy),
    );
    if (again) await this.idle();
  }
}

class MemoryConnection implements CloudConnection {
  readonly #page: SyncedPage;
  readonly #shared: CloudPage;
  readonly #isReachable: () => boolean;
  readonly #work = new SerialQueue();
  readonly #listeners = new Set<(state: SyncState) => void>();
  readonly #unsubscribe: () => void;
  #state: SyncState = "idle";
  #asked = 0;
  /** Commits of the cloud that the page has. */
  #seen = 0;
  #closed = false;

  constructor(page: SyncedPage, shared: CloudPage, isReachable: () => boolean) {
    this.#page = page;
    this.#shared = shared;
    this.#isReachable = isReachable;
    this.#unsubscribe = page.onCommits(() => this.sync());
  }

  get state(): SyncState {
    return this.#state;
  }

  get isBusy(): boolean {
    return this.#asked > 0;
  }

  onState(listener: (state: SyncState) => void): () => void {
    const told = guarded("the state of syncing", listener);
    this.#listeners.add(told);
    return () => this.#listeners.delete(told);
  }

  async fetchPiece({ digest }: ObjectIdentifier): Promise<FetchedPiece> {
    const content = this.#isReachable() ? this.#shared.pieces.get(toHex(digest)) : undefined;
    if (content !== undefined) return { content: copyBytes(content), source: "cloud" };
    throw new MerostoreError("NETWORK_ERROR", `the cloud does not give the piece ${toHex(digest)}`);
  }

  /** Downloads, then uploads, as soon as what goes on is done. */
  sync(): void {
    if (this.#closed) return;
    this.#asked++;
    this.#set("pending");
    const done = (state: SyncState) => () => {
      if (--this.#asked === 0) this.#set(state);
    };
    this.#work.run(() => this.#sync()).then(done("idle"), done("error"));
  }

  idle(): Promise<void> {
    return this.#work.idle();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#shared.connections.delete(this);
    await this.#work.idle();
  }

  async #sync(): Promise<void> {
    if (this.#closed) return;
    if (!this.#isReachable()) throw new MerostoreError("NETWORK_ERROR", "the cloud cannot be reached");
    this.#set("in-progress");
    const { commits, pieces, connections } = this.#shared;
    const end = commits.length;
    if (end > this.#seen) await this.#page.addCommits(commits.slice(this.#seen, end), "cloud");
    this.#seen = end;
    // First: of commits that come meanwhile the pieces may come too late.
    const made = await this.#page.unsyncedCommits();
    for await (const identifier of this.#page.unsyncedPieces()) {
      pieces.set(toHex(identifier.digest), copyBytes(await this.#page.piece(identifier)));
      await this.#page.markPieceSynced(identifier);
    }
    for (const commit of made) {
      if (!commits.some(({ id }) => toHex(id) === toHex(commit.id))) commits.push(commit);
      await this.#page.markCommitSynced(commit.id);
    }
    if (commits.length > end) for (const other of connections) if (other !== this) other.sync();
  }

  #set(state: SyncState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
