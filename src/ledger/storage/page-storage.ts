/** A page's database: objects, commits and heads, and how they change together. */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import type { Engine, WriteOperation } from "../../engine/engine.js";
import { isInline } from "../objects/digest.js";
import { equalIdentifiers, type ObjectIdentifier } from "../objects/identifier.js";
import { type SplitOptions, split } from "../objects/splitter.js";
import { headRow, onlineRow, type PieceStatus } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { type Clock, systemClock } from "../rows/timestamp.js";
import { damage } from "../tables/table-reader.js";
import type { Entry } from "../tables/tree-node.js";
import { findEntry } from "../tree/iterate.js";
import { type StoredPiece, withReferences } from "../tree/references.js";
import { byTime, type Commit, emptyRoot, FIRST_COMMIT_ID, newCommit } from "./commit.js";
import { CommitStore, type Head } from "./commit-store.js";
import type { Changes } from "./journal.js";
import { LiveIds, type Release } from "./live.js";
import { ObjectReader } from "./object-reader.js";
import { PieceStore } from "./piece-store.js";
import { Serial } from "./serial.js";
import { type StoredValue, storeValue } from "./store-value.js";
import { type CollectionPolicy, Tidier } from "./tidier.js";
import { changeTree } from "./tree-writer.js";

export interface StorageOptions extends SplitOptions {
  readonly clock?: Clock | undefined;
  /** Whether commits that nothing needs are removed as soon as they have descendants. */
  readonly prune: boolean;
  readonly collection: CollectionPolicy;
}

/** Told of commits once they are stored, parents first. */
export type CommitListener = (commits: readonly Commit[]) => void;

export class PageStorage {
  readonly engine: Engine;
  readonly options: StorageOptions;
  readonly pieces: PieceStore;
  readonly objects: ObjectReader;
  readonly commits: CommitStore;
  /** Commits of snapshots, transactions and merges that go on. */
  readonly liveCommits = new LiveIds((id) => {
    if (this.options.prune && !this.isHead(id)) this.#tidier.wake();
  });
  /** Objects that somebody holds and that no commit has yet. */
  readonly liveObjects = new LiveIds((id) => this.#tidier.free(id));
  /** By (timestamp, id); never empty. */
  #heads: readonly Head[] = [];
  readonly #listeners = new Set<CommitListener>();
  /** All writing. */
  readonly #writing = new Serial();
  readonly #tidier: Tidier;

  private constructor(engine: Engine, options: StorageOptions, commits: CommitStore, heads: readonly Head[]) {
    this.engine = engine;
    this.options = options;
    this.pieces = new PieceStore(engine);
    this.objects = new ObjectReader(this.pieces);
    this.commits = commits;
    this.#heads = heads;
    this.#tidier = new Tidier(this);
  }

  /**
   * Opens the storage of a page's database; a new one gets its first head. What earlier processes left behind is removed
   * in the background.
   *
   * @throws MerostoreError DATA_INTEGRITY_ERROR for one that has rows and no head
   */
  static async open(engine: Engine, options: StorageOptions): Promise<PageStorage> {
    const commits = new CommitStore(engine, options.keyIndex);
    const heads = await commits.heads();
    if (heads.length === 0) {
      for await (const _ of engine.scan(COLUMN, {}, { keysOnly: true, limit: 1 }))
        throw damage("the page has rows, and none of them is a head");
      const first = { id: FIRST_COMMIT_ID, timestamp: 0n };
      await engine.write([headRow.put({ commit: first.id }, first.timestamp)], { sync: true });
      heads.push(first);
    }
    return new PageStorage(engine, options, commits, heads);
  }

  get heads(): readonly Head[] {
    return this.#heads;
  }

  isHead(id: Uint8Array): boolean {
    return this.#heads.some((head) => equalBytes(head.id, id));
  }

  /** Runs work with the commits of the heads, which stay meanwhile whatever happens to the page. */
  async withHeads<T>(work: (heads: readonly Commit[]) => Promise<T>): Promise<T> {
    const holds = this.#heads.map(({ id }) => this.liveCommits.hold(id));
    try {
      return await work(await Promise.all(this.#heads.map((head) => this.commits.ofHead(head))));
    } finally {
      for (const release of holds) release();
    }
  }

  onCommits(listener: CommitListener): Release {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The entry of a commit at a key. */
  entry({ root }: Commit, key: Uint8Array): Promise<Entry | undefined> {
    return findEntry(this.objects, root, key);
  }

  /** Whether the page has no entries, and only one head. */
  async isEmpty(): Promise<boolean> {
    const empty = emptyRoot(this.options.keyIndex);
    return this.withHeads(
      async ([only, ...others]) =>
        others.length === 0 && only !== undefined && equalBytes(only.root.digest, empty.digest),
    );
  }

  /** Whether everything is in the cloud. */
  async isSynced(): Promise<boolean> {
    if ((await this.commits.unsynced()).length > 0) return false;
    for await (const _ of this.pieces.withStatus("local")) return false;
    return true;
  }

  /** Whether the page was in the cloud or at a peer once. */
  async isOnline(): Promise<boolean> {
    return (await this.engine.get(COLUMN, onlineRow.key.encode({}))) !== undefined;
  }

  /** The identifier of a value and its pieces, none of which is stored. For values that are in memory anyway. */
  splitValue(content: Uint8Array): { readonly root: ObjectIdentifier; readonly pieces: StoredPiece[] } {
    const pieces: StoredPiece[] = [];
    const root = split(content, "blob", this.options, (piece) => pieces.push(withReferences(piece)));
    return { root, pieces };
  }

  /**
   * Stores pieces with the status `transient`: no commit uses them yet. Synced at once: a later synced write need not
   * carry them with it, if the log was changed in between.
   */
  async storeTransient(pieces: readonly StoredPiece[]): Promise<void> {
    if (pieces.length === 0) return;
    await this.#writing.run(async () => this.#write(await this.pieces.store(pieces, "transient"), true));
  }

  /** Stores a value that comes piece by piece, at constant memory. It is held until it is released. */
  storeValue(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredValue> {
    return storeValue(this, source);
  }

  /** Removes objects that were given up, if the policy says so and as soon as nothing refers to them. */
  drop(objects: readonly ObjectIdentifier[]): void {
    this.#tidier.drop(objects.map(({ digest }) => digest));
  }

  /**
   * Makes a commit of changes: after one parent, or of two that it merges; then the changes are those of the first.
   *
   * @returns undefined if nothing would change, unless it is a merge
   */
  async commit(
    parents: readonly [Commit] | readonly [Commit, Commit],
    changes: Changes,
  ): Promise<Commit | undefined> {
    const { keyIndex, clock = systemClock } = this.options;
    const [base] = parents;
    const start = changes.clear ? emptyRoot(keyIndex) : base.root;
    const tree = await changeTree(this.objects, start, changes.changes, this.options);
    if (parents.length === 1 && equalIdentifiers(tree.root, base.root)) return undefined;
    const commit = newCommit(parents, tree.root, clock());
    const written = await this.#writing.run(async () => {
      const pieces = unique([...changes.pieces, ...tree.pieces]);
      const values = changes.changes.flatMap(({ entry }) => (entry === undefined ? [] : [entry.value]));
      const operations = [
        ...(await this.pieces.store([...pieces.values()], "local")),
        ...(await this.#raiseValues(values, new Set(pieces.keys()))),
      ];
      await this.#add([commit], operations, "local");
      return operations.length;
    });
    await this.#tidier.workOff(written);
    return commit;
  }

  /**
   * Adds commits whose pieces are all there, parents first, in one batch. For sync.
   *
   * @throws MerostoreError COMMIT_NOT_FOUND for a parent that is not here; then none is added
   */
  async addCommits(commits: readonly Commit[], source: PieceStatus): Promise<void> {
    await this.#writing.run(() => this.#add(commits, [], source));
    this.#tidier.wake();
  }

  /** Removes everything that nothing needs, as far as the options allow. For tests: it happens in the background anyway. */
  tidy(): Promise<void> {
    return this.#tidier.tidy();
  }

  /** Stops all removal until the release. For work with pieces that nothing refers to yet. */
  keepAll(): Promise<Release> {
    return this.#tidier.pause();
  }

  /** Runs work that must not overlap with writing. */
  exclusively<T>(
    work: (write: (operations: readonly WriteOperation[]) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    return this.#writing.run(() => work((operations) => this.#write(operations, false)));
  }

  /** Waits for writes, then closes the database. What is left to remove is removed after the next opening. */
  async close(): Promise<void> {
    await this.#tidier.close();
    await this.#writing.idle();
    await this.engine.close();
  }

  /** Adds commits, moves the heads, and tells of it when all is stored. */
  async #add(
    commits: readonly Commit[],
    operations: readonly WriteOperation[],
    source: PieceStatus,
  ): Promise<void> {
    const heads = new Map(this.#heads.map((head) => [toHex(head.id), head]));
    const before = new Map(heads);
    const added = new Map<string, Commit>();
    const batch = [...operations];
    for (const commit of commits) {
      if ((await this.commits.find(commit.id)) !== undefined) continue;
      for (const parent of commit.parents) if (!added.has(toHex(parent))) await this.commits.get(parent);
      batch.push(...this.commits.add(commit, source === "synced"));
      for (const parent of commit.parents) heads.delete(toHex(parent));
      heads.set(toHex(commit.id), commit);
      added.set(toHex(commit.id), commit);
    }
    for (const [name, { id }] of before) if (!heads.has(name)) batch.push(headRow.delete({ commit: id }));
    for (const [name, { id, timestamp }] of heads)
      if (!before.has(name)) batch.push(headRow.put({ commit: id }, timestamp));
    if (added.size === 0) return;
    await this.#write(batch, true);
    this.#heads = [...heads.values()].map(({ id, timestamp }) => ({ id, timestamp })).sort(byTime);
    for (const commit of added.values()) this.#tidier.addCommit(commit);
    for (const listener of this.#listeners) listener([...added.values()]);
  }

  /** The operations that make those pieces of values local which were stored before the commit. */
  async #raiseValues(
    values: readonly ObjectIdentifier[],
    stored: ReadonlySet<string>,
  ): Promise<WriteOperation[]> {
    const older = values.filter(({ digest }) => !isInline(digest) && !stored.has(toHex(digest)));
    const statuses = await this.pieces.statuses(older);
    const found: ObjectIdentifier[] = [];
    for (const [index, value] of older.entries()) {
      if (statuses[index] !== "transient") continue;
      for await (const piece of this.objects.pieces(value)) if (!isInline(piece.digest)) found.push(piece);
    }
    return found.length === 0 ? [] : this.pieces.raise(found, "local");
  }

  async #write(operations: readonly WriteOperation[], sync: boolean): Promise<void> {
    if (operations.length > 0) await this.engine.write(operations, { sync });
  }
}

/** Each piece once. */
function unique(pieces: readonly StoredPiece[]): Map<string, StoredPiece> {
  return new Map(pieces.map((piece) => [toHex(piece.identifier.digest), piece]));
}
