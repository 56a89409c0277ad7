/** Removes commits that nobody needs and pieces that nothing refers to, from their roots down, in small batches. */

import type { ByteRange, WriteOperation } from "merostore/engine";
import { toHex, undefinedIf } from "merostore/internal";
import { isInline, type ObjectDigest, objectType, pieceType } from "../objects.js";
import { edgesOf, edgesOfNode } from "../pieces/edges.js";
import { commitEdgeRow, eagerEdgeRow, lazyEdgeRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { decodeFileIndex } from "../tables/file-index.js";
import type { TreeNode } from "../tables/tree-node.js";
import { nodeBeside } from "../tree/iterate.js";
import { isFirst } from "./commit.js";
import type { PageStorage } from "./page-storage.js";
import type { Write } from "./write-queue.js";

/** Operations that remove commits and pieces. */
export interface Removals {
  readonly operations: readonly WriteOperation[];
  /** Must be called if the operations are not written. */
  putBack(): void;
}

/** A step ends once it has this many operations; the last piece may add some hundreds. */
export const STEP_OPERATIONS = 2048;
/** The most commits and pieces that a step checks, and how many of them at once. */
const STEP_CANDIDATES = 64;
const CONCURRENCY = 8;

/**
 * Keeps the commits to remove and the pieces to check in memory only: after a crash the sweep of the next opening finds
 * them. A batch removes a piece together with its edges to others. So after any number of batches, each remaining piece
 * is either referred to, or the sweep finds it.
 */
export class Collector {
  readonly #page: PageStorage;
  readonly #takesPieces: boolean;
  /** A stack: the next commit to remove is the last. */
  readonly #commits: Uint8Array[] = [];
  readonly #candidates: ObjectDigest[] = [];
  /** Pieces to check again when nobody holds them. */
  readonly #held = new Set<string>();

  /** @param takesPieces whether to remove the pieces of removed commits too */
  constructor(page: PageStorage, takesPieces: boolean) {
    this.#page = page;
    this.#takesPieces = takesPieces;
  }

  /** True if there is nothing to remove or to check. */
  get isIdle(): boolean {
    return this.#commits.length === 0 && this.#candidates.length === 0;
  }

  /** Adds commits to remove. Their roots are checked after that. */
  addCommits(ids: readonly Uint8Array[]): void {
    for (const id of ids.toReversed()) this.#commits.push(id);
  }

  /** Adds pieces to check: they are removed if nothing refers to them. */
  addPieces(digests: Iterable<ObjectDigest>): void {
    for (const digest of digests) if (!isInline(digest)) this.#candidates.push(digest);
  }

  /** Adds an object after its last hold, if its check was due while it was held. */
  addFreed(digest: ObjectDigest): void {
    if (this.#held.delete(toHex(digest))) this.addPieces([digest]);
  }

  /**
   * Takes commits, and pieces unless told otherwise, until a step is full. Nobody else may write until they are
   * removed. The roots of the commits are checked after that.
   */
  async take(withPieces = true): Promise<Removals> {
    const step = new Step();
    const commits: Uint8Array[] = [];
    const candidates: ObjectDigest[] = [];
    const putBack = (): void => {
      this.addCommits(commits);
      this.addPieces(candidates);
    };
    try {
      while (
        step.operations.length < STEP_OPERATIONS &&
        commits.length + candidates.length < STEP_CANDIDATES
      ) {
        const some = withPieces ? this.#candidates.splice(-CONCURRENCY) : [];
        candidates.push(...some);
        if (some.length > 0) {
          await this.#removePieces(some, step);
          continue;
        }
        const id = this.#commits.pop();
        if (id === undefined) break;
        commits.push(id);
        await this.#removeCommit(id, step);
      }
      return { operations: step.operations, putBack };
    } catch (error) {
      putBack();
      throw error;
    }
  }

  /** Removes some commits and pieces in one write. */
  async step(write: Write): Promise<void> {
    const { operations, putBack } = await this.take();
    try {
      await write(operations);
    } catch (error) {
      putBack();
      throw error;
    }
  }

  async #removeCommit(id: Uint8Array, step: Step): Promise<void> {
    // Damaged rows are left alone.
    const commit = await undefinedIf(this.#page.commits.find(id), "DATA_INTEGRITY_ERROR");
    if (commit === undefined || isFirst(id)) return;
    step.removeCommit(id, this.#page.commits.remove(commit));
    if (this.#takesPieces) this.addPieces([commit.root.digest]);
  }

  async #removePieces(digests: readonly ObjectDigest[], step: Step): Promise<void> {
    const candidates = new Map(digests.map((digest) => [toHex(digest), digest]));
    for (const [name, digest] of candidates) {
      if (step.removed.has(name)) candidates.delete(name);
      else if (this.#page.objectHolds.has(digest)) {
        this.#held.add(name);
        candidates.delete(name);
      }
    }
    const removals = Array.from(candidates.values(), (digest) =>
      undefinedIf(this.#removalOf(digest, step), "DATA_INTEGRITY_ERROR"),
    );
    for (const found of await Promise.all(removals)) {
      if (found === undefined) continue;
      if (step.operations.length >= STEP_OPERATIONS) {
        this.addPieces([found.digest]);
        continue;
      }
      step.remove(found.digest, found.operations);
      this.addPieces(found.candidates);
    }
  }

  /** Returns how to remove a piece; undefined if it is needed, damaged or not stored. */
  async #removalOf(digest: ObjectDigest, step: Step): Promise<Removal | undefined> {
    const { pieces, objects } = this.#page;
    if (await this.#isNeeded(digest, step)) return undefined;
    const isIndex = pieceType(digest) === "index";
    const content = isIndex ? await pieces.read(digest) : undefined;
    if (isIndex && content === undefined) return undefined;
    const node = objectType(digest) === "tree-node" ? await objects.node({ keyIndex: 0, digest }) : undefined;
    const edges = edgesOf(content && decodeFileIndex(content), node);
    const operations = await pieces.remove(digest, edges);
    if (operations.length === 0) return undefined;
    const needed = node === undefined ? undefined : await this.#neededBeside(node, step);
    const candidates = edges.flatMap((edge) => (needed?.has(edge.name) ? [] : [edge.digest]));
    return { digest, operations, candidates };
  }

  /**
   * Returns whether an edge refers to a piece. The root of every stored commit is needed, even if the cloud has it too:
   * merges and snapshots of old commits read it.
   */
  async #isNeeded(digest: ObjectDigest, step: Step): Promise<boolean> {
    // Edges from commits come before those from pieces.
    const { gte: from } = commitEdgeRow.range({ destination: digest });
    const { lt: to } = lazyEdgeRow.range({ destination: digest });
    return this.#hasEdge({ gte: from, lt: to }, step);
  }

  /** Returns whether a range of edges has one that this step does not remove. */
  async #hasEdge(range: ByteRange, step: Step): Promise<boolean> {
    const scan = this.#page.engine.scan(COLUMN, range, { limit: 1 + step.mostEdges });
    for await (const keys of scan.keys().chunks())
      if (keys.some((key) => !step.removesEdge(key))) return true;
    return false;
  }

  /**
   * Returns the pieces that the newest head's node in the place of a removed node refers to. They are most of the
   * pieces that the removed node refers to. They are needed, so no search for other edges to them is necessary.
   */
  async #neededBeside(node: TreeNode, step: Step): Promise<ReadonlySet<string> | undefined> {
    const { commits, heads, objects } = this.#page;
    const head = heads.all.at(-1);
    const [first] = node.entries;
    if (head === undefined || first === undefined) return undefined;
    const { root } = await commits.ofHead(head);
    const beside = await nodeBeside(objects, root, node.level, first.key);
    if (beside === undefined) return undefined;
    const known = step.neededBeside.get(beside);
    if (known !== undefined) return known;
    const names = new Set(edgesOfNode(beside).map(({ name }) => name));
    step.neededBeside.set(beside, names);
    return names;
  }
}

interface Removal {
  readonly digest: ObjectDigest;
  readonly operations: readonly WriteOperation[];
  /** The pieces to check after the removal. */
  readonly candidates: readonly ObjectDigest[];
}

/** The removals of one step. They are still stored until the step is written. */
class Step {
  readonly operations: WriteOperation[] = [];
  /** Names of pieces. */
  readonly removed = new Set<string>();
  readonly #removedCommits = new Set<string>();
  readonly neededBeside = new Map<TreeNode, ReadonlySet<string>>();

  /** @param operations the operations that remove the piece and all edges from it */
  remove(digest: ObjectDigest, operations: readonly WriteOperation[]): void {
    this.removed.add(toHex(digest));
    for (const operation of operations) this.operations.push(operation);
  }

  /** @param operations the operations that remove the commit and the edge to its root */
  removeCommit(id: Uint8Array, operations: readonly WriteOperation[]): void {
    this.#removedCommits.add(toHex(id));
    this.operations.push(...operations);
  }

  /** The most edges to one piece that the step removes: a piece may have two edges to another, a commit one. */
  get mostEdges(): number {
    return 2 * this.removed.size + this.#removedCommits.size;
  }

  /** Returns whether the step removes the row of an edge. */
  removesEdge(key: Uint8Array): boolean {
    for (const { key: template } of [eagerEdgeRow, lazyEdgeRow]) {
      const source = template.parse(key)?.source;
      if (source !== undefined) return this.removed.has(toHex(source));
    }
    const commit = commitEdgeRow.key.parse(key)?.commit;
    return commit !== undefined && this.#removedCommits.has(toHex(commit));
  }
}
