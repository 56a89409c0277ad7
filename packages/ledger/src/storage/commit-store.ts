/** The rows of commits: reads them, and makes the operations that write them. */
import type { EngineReader, WriteOperation } from "merostore/engine";
import { compareBytes, equalBytes, LruCache, MerostoreError, toHex } from "merostore/internal";
import { isInline } from "../objects.js";
import {
  commitEdgeRow,
  commitRow,
  headRow,
  mergeRow,
  syncMetadataRow,
  unsyncedCommitRow,
} from "../rows/page-rows.js";
import { type AnyRow, COLUMN, hasRow } from "../rows/row.js";
import { damage } from "../tables/table-reader.js";
import {
  byGeneration,
  byTime,
  type Commit,
  FIRST_COMMIT_ID,
  firstCommit,
  isFirst,
  readCommit,
} from "./commit.js";
import { keysOf } from "./piece-store.js";

/** A commit without children. */
export interface Head {
  readonly id: Uint8Array;
  readonly timestamp: bigint;
}

/** The row of the head where connections begin, if it is not the newest one. */
export const SHOWN_HEAD = { key: new TextEncoder().encode("merostore shown head") };

/** The number of cached commits. */
const CACHED_COMMITS = 1024;

export class CommitStore {
  readonly #engine: EngineReader;
  readonly #first: Commit;
  readonly #cache = new LruCache<Commit>(CACHED_COMMITS);

  constructor(engine: EngineReader, keyIndex: number) {
    this.#engine = engine;
    this.#first = firstCommit(keyIndex);
  }

  /**
   * Reads the heads, by (timestamp, id). The head of a page without rows is the first commit.
   * @throws MerostoreError DATA_INTEGRITY_ERROR if the page has rows, but no head
   */
  async heads(): Promise<Head[]> {
    const heads: Head[] = [];
    for await (const stored of this.#engine.scan(COLUMN, headRow.range()))
      heads.push({ id: headRow.parts(stored.key).commit, timestamp: headRow.decode(stored) });
    if (heads.length > 0) return heads.sort(byTime);
    if (await hasRow(this.#engine, {})) throw damage("the page has rows, and none of them is a head");
    return [{ id: FIRST_COMMIT_ID, timestamp: 0n }];
  }

  /** Reads the commits of the heads, as {@link CommitStore.heads}. */
  async headCommits(): Promise<Commit[]> {
    return Promise.all((await this.heads()).map((head) => this.ofHead(head)));
  }

  /** Returns the head where a connection to the page begins: the last one of this device if known, else the newest. */
  async shownHead<T extends Head>(heads: readonly T[]): Promise<T> {
    const id = await this.#engine.get(COLUMN, syncMetadataRow.key.encode(SHOWN_HEAD));
    return (id && heads.find((head) => equalBytes(head.id, id))) ?? (heads.at(-1) as T);
  }

  /** Reads a commit; undefined if it is not on this device. */
  async find(id: Uint8Array): Promise<Commit | undefined> {
    if (isFirst(id)) return this.#first;
    const name = toHex(id);
    const known = this.#cache.get(name);
    if (known !== undefined) return known;
    const bytes = await this.#engine.get(COLUMN, commitRow.key.encode({ commit: id }));
    if (bytes === undefined) return undefined;
    const commit = readCommit(id, bytes);
    this.#cache.set(name, commit);
    return commit;
  }

  /**
   * Reads a commit.
   * @throws MerostoreError COMMIT_NOT_FOUND
   */
  async get(id: Uint8Array): Promise<Commit> {
    const commit = await this.find(id);
    if (commit !== undefined) return commit;
    throw new MerostoreError("COMMIT_NOT_FOUND", `the commit ${toHex(id)} is not on this device`);
  }

  /**
   * Reads the commit of a head.
   * @throws MerostoreError DATA_INTEGRITY_ERROR if the commit is missing or has another time
   */
  async ofHead(head: Head): Promise<Commit> {
    const commit = await this.find(head.id);
    if (commit === undefined) throw damage(`the head ${toHex(head.id)} has no commit`);
    if (commit.timestamp !== head.timestamp)
      throw damage(`the row heads/${toHex(head.id)} has another time than its commit`);
    return commit;
  }

  /** Returns the ids of the commits that merge two others. */
  async mergesOf(a: Uint8Array, b: Uint8Array): Promise<Uint8Array[]> {
    const keys = await keysOf(this.#engine, mergeRow.range(pair(a, b)));
    return keys.map((key) => mergeRow.parts(key).commit);
  }

  /** Returns whether a commit was made on this device and is not in the cloud. */
  async isUnsynced(id: Uint8Array): Promise<boolean> {
    return (await this.#engine.get(COLUMN, unsyncedCommitRow.key.encode({ commit: id }))) !== undefined;
  }

  /** Reads the commits that were made on this device and are not in the cloud, by (generation, id). */
  async unsynced(): Promise<Commit[]> {
    const keys = await keysOf(this.#engine, unsyncedCommitRow.range());
    const commits = await Promise.all(keys.map((key) => this.get(unsyncedCommitRow.parts(key).commit)));
    return commits.sort(byGeneration);
  }

  /** Yields the commits that a cloud has, or had. */
  async *synced(): AsyncGenerator<Commit, void, undefined> {
    for (const key of await keysOf(this.#engine, commitRow.range())) {
      const { commit: id } = commitRow.parts(key);
      const commit = (await this.isUnsynced(id)) ? undefined : await this.find(id);
      if (commit !== undefined) yield commit;
    }
  }

  /** Remembers a commit that was just stored. */
  remember(commit: Commit): void {
    this.#cache.set(toHex(commit.id), commit);
  }

  /** Returns the operations that store a commit. */
  add(commit: Commit, isSynced: boolean): WriteOperation[] {
    const { id, bytes, generation } = commit;
    const key = commitRow.key.encode({ commit: id });
    return [
      { type: "put", column: COLUMN, key, value: bytes },
      ...rowsBeside(commit).map(([row, parts]) => row.put(parts, null)),
      ...(isSynced ? [] : [unsyncedCommitRow.put({ commit: id }, generation)]),
    ];
  }

  /** Returns the operations that remove a commit. */
  remove(commit: Commit): WriteOperation[] {
    this.#cache.delete(toHex(commit.id));
    return [
      commitRow.delete({ commit: commit.id }),
      ...rowsBeside(commit).map(([row, parts]) => row.delete(parts)),
      unsyncedCommitRow.delete({ commit: commit.id }),
    ];
  }
}

/** Returns the other rows of a commit: the edge to its root, and the row of a merge. */
function rowsBeside({ id, root, parents: [left, right] }: Commit): [AnyRow, Record<string, unknown>][] {
  const rows: [AnyRow, Record<string, unknown>][] = [];
  if (!isInline(root.digest)) rows.push([commitEdgeRow, { destination: root.digest, commit: id }]);
  if (left !== undefined && right !== undefined) rows.push([mergeRow, { ...pair(left, right), commit: id }]);
  return rows;
}

function pair(a: Uint8Array, b: Uint8Array): { readonly left: Uint8Array; readonly right: Uint8Array } {
  return compareBytes(a, b) <= 0 ? { left: a, right: b } : { left: b, right: a };
}

/** A commit, and its parents that are not on this device. */
export interface WalkedCommit {
  readonly commit: Commit;
  /** The ids of the parents that were removed. */
  readonly pruned: readonly Uint8Array[];
}

/**
 * Yields commits and their ancestors, each once, by descending (generation, id): children before their parents. Memory
 * grows with the number of branches only.
 */
export async function* walkCommits(
  commits: CommitStore,
  start: readonly Commit[],
): AsyncGenerator<WalkedCommit, void, undefined> {
  const open = new Map(start.map((commit) => [toHex(commit.id), commit]));
  while (open.size > 0) {
    const commit = [...open.values()].reduce((a, b) => (byGeneration(a, b) > 0 ? a : b));
    open.delete(toHex(commit.id));
    const pruned: Uint8Array[] = [];
    for (const id of commit.parents) {
      const parent = await commits.find(id);
      if (parent === undefined) pruned.push(id);
      else open.set(toHex(id), parent);
    }
    yield { commit, pruned };
  }
}
