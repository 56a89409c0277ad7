/** Removing pieces that nothing refers to any more: from the roots of removed commits down. */
import { toHex } from "../../bytes/hex.js";
import type { ByteRange, Engine, WriteOperation } from "../../engine/engine.js";
import { isInline, type ObjectDigest, objectType, pieceType } from "../objects/digest.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import { commitReferenceRow, commitRow, eagerReferenceRow, lazyReferenceRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { decodeFileIndex } from "../tables/file-index.js";
import { eagerReferences, mergeReferences, nodeReferences, type Reference } from "../tree/references.js";
import type { CommitStore, Head } from "./commit-store.js";
import type { LiveIds } from "./live.js";
import type { ObjectReader } from "./object-reader.js";
import type { PieceStore } from "./piece-store.js";

/** What a collection needs of a page's storage. */
export interface Collected {
  readonly engine: Engine;
  readonly pieces: PieceStore;
  readonly objects: ObjectReader;
  readonly commits: CommitStore;
  readonly heads: readonly Head[];
  readonly liveCommits: LiveIds;
  readonly liveObjects: LiveIds;
}

/** Operations that are written at once. */
const BATCH = 4096;

/**
 * Removes these pieces, and what only they refer to, unless something else refers to them: another piece, somebody who
 * holds the object, or a commit. A piece that is in the cloud does not stay for a commit alone, unless the commit is a head
 * or held: it can be had again.
 *
 * @param known digests that are referred to for certain, which saves looking
 * @param first operations that remove what refers to the candidates; they are written with the first removals
 */
export async function collect(
  page: Collected,
  candidates: readonly ObjectIdentifier[],
  known: ReadonlySet<string>,
  first: readonly WriteOperation[],
  write: (operations: readonly WriteOperation[]) => Promise<void>,
): Promise<void> {
  const collection = new Collection(page, known, write);
  collection.add(first);
  await collection.run(candidates.map(({ digest }) => digest));
}

class Collection {
  readonly #page: Collected;
  readonly #known: ReadonlySet<string>;
  readonly #write: (operations: readonly WriteOperation[]) => Promise<void>;
  #operations: WriteOperation[] = [];
  /** Keys that are removed by operations which are not written yet. */
  readonly #removed = new Set<string>();
  #rootsInUse: ReadonlySet<string> | undefined;

  constructor(
    page: Collected,
    known: ReadonlySet<string>,
    write: (operations: readonly WriteOperation[]) => Promise<void>,
  ) {
    this.#page = page;
    this.#known = known;
    this.#write = write;
  }

  add(operations: readonly WriteOperation[]): void {
    for (const operation of operations) {
      this.#operations.push(operation);
      if (operation.type === "delete") this.#removed.add(toHex(operation.key));
    }
  }

  async run(digests: readonly ObjectDigest[]): Promise<void> {
    const open = [...digests];
    for (let digest = open.pop(); digest !== undefined; digest = open.pop()) {
      if (await this.#isNeeded(digest)) continue;
      const references = await this.#referencesOf(digest);
      if (references === undefined) continue;
      this.add(await this.#page.pieces.remove(digest, references));
      open.push(...references.map((reference) => reference.digest));
      if (this.#operations.length >= BATCH) await this.#flush();
    }
    await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#write(this.#operations);
    this.#operations = [];
    this.#removed.clear();
  }

  async #isNeeded(digest: ObjectDigest): Promise<boolean> {
    const { liveObjects, pieces } = this.#page;
    const name = toHex(digest);
    if (isInline(digest) || this.#known.has(name) || liveObjects.has(digest)) return true;
    const to = lazyReferenceRow.range({ destination: digest }).to;
    if (!(await pieces.hasStatus(digest, "synced"))) {
      // Edges from commits come before those from pieces.
      return this.#hasEdge({ from: commitReferenceRow.range({ destination: digest }).from, to });
    }
    return (
      (await this.#hasEdge({ from: eagerReferenceRow.range({ destination: digest }).from, to })) ||
      (await this.#findRootsInUse()).has(name)
    );
  }

  async #hasEdge(range: ByteRange): Promise<boolean> {
    for await (const rows of this.#page.engine.scan(COLUMN, range, { keysOnly: true }).chunks())
      if (rows.some(({ key }) => !this.#removed.has(toHex(key)))) return true;
    return false;
  }

  /**
   * Of heads and held commits, which are read; of those that are not in the cloud, and of their first parents, because
   * uploading them takes the difference.
   */
  async #findRootsInUse(): Promise<ReadonlySet<string>> {
    if (this.#rootsInUse === undefined) {
      const { commits, heads, liveCommits } = this.#page;
      const unsynced = await commits.unsynced();
      const firsts = unsynced.flatMap(({ parents: [first] }) => (first === undefined ? [] : [first]));
      const ids = [...heads.map(({ id }) => id), ...liveCommits, ...firsts];
      const found = await Promise.all(ids.map((id) => commits.find(id)));
      const stay = [...unsynced, ...found].filter(
        (commit) =>
          commit !== undefined && !this.#removed.has(toHex(commitRow.key.encode({ commit: commit.id }))),
      );
      const roots = stay.flatMap((commit) => (commit ? [toHex(commit.root.digest)] : []));
      this.#rootsInUse = new Set(roots);
    }
    return this.#rootsInUse;
  }

  /** The edges from a piece; undefined if it is not stored. */
  async #referencesOf(digest: ObjectDigest): Promise<readonly Reference[] | undefined> {
    const { pieces, objects } = this.#page;
    const content = await pieces.read(digest);
    if (content === undefined) return undefined;
    const children =
      pieceType(digest) === "index"
        ? eagerReferences(decodeFileIndex(content).children.map(({ identifier }) => identifier.digest))
        : [];
    if (objectType(digest) !== "tree-node") return children;
    return mergeReferences(children, nodeReferences(await objects.node({ keyIndex: 0, digest })));
  }
}
