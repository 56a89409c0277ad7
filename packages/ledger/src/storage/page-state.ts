/** The share of a page that other devices have, and when they last had all of it. */
import type { Engine, EngineReader, WriteOperation } from "merostore/engine";
import { equalBytes, MerostoreError, toHex } from "merostore/internal";
import { isInline } from "../objects.js";
import {
  headRow,
  objectRow,
  onlineRow,
  statusRows,
  syncMetadataRow,
  unsyncedCommitRow,
} from "../rows/page-rows.js";
import { COLUMN, hasRow } from "../rows/row.js";
import { type Commit, emptyRoot, firstCommit, isFirst, newCommit } from "./commit.js";
import { CommitStore } from "./commit-store.js";
import { storedCommits } from "./sweep.js";
import type { WriteQueue } from "./write-queue.js";

/** The facts that decide whether a page may be removed from this device. */
export interface PageState {
  /** True if all commits and pieces of the page are in the cloud. */
  readonly synced: boolean;
  /** True if the page was in the cloud or at a peer once. */
  readonly online: boolean;
  /** True if the page has no entries. */
  readonly empty: boolean;
}

/** Returns whether a page was in the cloud or at a peer once. */
export async function isOnline(engine: EngineReader): Promise<boolean> {
  return (await engine.get(COLUMN, onlineRow.key.encode({}))) !== undefined;
}

/**
 * Returns whether the tree of a commit is only in the cloud: older commits come without it. Otherwise a missing tree is
 * damage.
 */
export async function isOnlyInCloud(
  engine: EngineReader,
  { id: commit, root: { digest } }: Commit,
): Promise<boolean> {
  if (isInline(digest)) return false;
  const [tree, head, unsynced, online] = await engine.getMany(COLUMN, [
    objectRow.key.encode({ digest }),
    headRow.key.encode({ commit }),
    unsyncedCommitRow.key.encode({ commit }),
    onlineRow.key.encode({}),
  ]);
  return tree === undefined && head === undefined && unsynced === undefined && online !== undefined;
}

/** The error for a commit whose tree only a cloud has, while the page has no cloud. */
export function onlyInCloud({ id }: Commit): MerostoreError {
  return new MerostoreError(
    "NETWORK_ERROR",
    `the state of the commit ${toHex(id)} is only in the cloud: read it once while the page is open with its cloud`,
  );
}

/** Returns whether a page with these heads has no entries: one head, with an empty tree. */
function isEmpty([head, ...others]: readonly Commit[]): boolean {
  if (head === undefined || others.length > 0) return false;
  return equalBytes(head.root.digest, emptyRoot(head.root.keyIndex).digest);
}

/**
 * Reads the state of a page, and whether commits before its heads are on this device.
 * @throws MerostoreError DATA_INTEGRITY_ERROR
 */
export async function readPageState(
  engine: EngineReader,
): Promise<PageState & { readonly hasHistory: boolean }> {
  const commits = new CommitStore(engine, ANY_KEY);
  const heads = await commits.headCommits();
  const older = heads.flatMap(({ parents }) => parents).filter((id) => !isFirst(id));
  const found = await Promise.all(older.map((id) => commits.find(id)));
  const isLocal =
    (await hasRow(engine, unsyncedCommitRow.range())) || (await hasRow(engine, statusRows.local.range()));
  return {
    synced: !isLocal,
    online: await isOnline(engine),
    empty: isEmpty(heads),
    hasHistory: found.some((commit) => commit !== undefined),
  };
}

/** The number of the encryption key in the root of the first commit, which is stored nowhere. */
export const ANY_KEY = 1;

/**
 * Replaces the commits of a page by one commit of its present state, if its history was pruned and it goes to a cloud
 * for the first time: others can use a commit only after its parents. A page with several heads stays as it is until
 * they are merged.
 */
export async function restartHistory(engine: Engine, keyIndex: number): Promise<void> {
  const store = new CommitStore(engine, keyIndex);
  const [head, ...others] = await store.heads();
  if (head === undefined || others.length > 0 || isFirst(head.id)) return;
  if ((await isOnline(engine)) || (await hasFirstCommits(engine))) return;
  const present = await store.ofHead(head);
  const begun: Commit = newCommit([firstCommit(keyIndex)], present.root, present.timestamp);
  const operations: WriteOperation[] = [headRow.delete({ commit: head.id })];
  for await (const ids of storedCommits(engine))
    for (const id of ids) operations.push(...store.remove(await store.get(id)));
  operations.push(...store.add(begun, false), headRow.put({ commit: begun.id }, begun.timestamp));
  await engine.write(operations, { sync: true });
}

/** Returns whether the page has a commit that follows none: pruning removes those before all others. */
async function hasFirstCommits(engine: Engine): Promise<boolean> {
  for await (const row of engine.scan(COLUMN, unsyncedCommitRow.range()))
    if (unsyncedCommitRow.decode(row) === 1n) return true;
  return false;
}

/** A sync of a page after which both sides had everything of each other. */
export interface LastSync {
  /** The time when it ended, by the clock of this device. */
  readonly at: Date;
  /** The cloud: the path or URL of its folder, or `memory`. */
  readonly cloud: string;
}

const ROW = { key: new TextEncoder().encode("merostore last sync") };
/** Milliseconds during which a stored time counts as new: a sync that finds nothing must not write each time. */
const STORED_FOR = 60_000;

/** Reads the last sync of a page; undefined if there was none. */
export async function readLastSync(engine: EngineReader): Promise<LastSync | undefined> {
  const bytes = await engine.get(COLUMN, syncMetadataRow.key.encode(ROW));
  try {
    const { at, cloud } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    const date = new Date(String(at));
    if (typeof cloud === "string" && !Number.isNaN(date.getTime())) return { at: date, cloud };
  } catch {
    // Another cloud may keep something else at this key.
  }
  return undefined;
}

/** The last sync of an open page. */
export class LastSyncs {
  readonly #engine: EngineReader;
  readonly #writes: WriteQueue;
  #last: LastSync | undefined;
  #stored = Number.NEGATIVE_INFINITY;

  constructor(engine: EngineReader, writes: WriteQueue) {
    this.#engine = engine;
    this.#writes = writes;
  }

  async read(): Promise<LastSync | undefined> {
    return this.#last ?? readLastSync(this.#engine);
  }

  /** Remembers that a sync has ended now. Stores it, unless it has stored one with this cloud a moment ago. */
  async ended(cloud: string): Promise<void> {
    const isStored = this.#last?.cloud === cloud && performance.now() - this.#stored < STORED_FOR;
    this.#last = { at: new Date(), cloud };
    if (isStored) return;
    const value = new TextEncoder().encode(JSON.stringify(this.#last));
    await this.#writes.exclusively((write) => write([syncMetadataRow.put(ROW, value)]));
    this.#stored = performance.now();
  }
}
