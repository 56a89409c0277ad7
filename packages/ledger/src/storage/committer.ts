/** Stores commits: new commits of this device with their trees, and commits that syncing brings. */
import type { WriteOperation } from "merostore/engine";
import { toHex } from "merostore/internal";
import { equalIdentifiers, isInline, type ObjectIdentifier } from "../objects.js";
import { edgesOfNode, mergeEdges, type NewPiece, withEdges } from "../pieces/edges.js";
import { type Piece, type SplitOptions, split } from "../pieces/splitter.js";
import { systemClock, timeAfter } from "../rows/object-parts.js";
import type { PieceStatus } from "../rows/page-rows.js";
import { encodeNode, type TreeNode } from "../tables/tree-node.js";
import { applyChanges, type EntryChange } from "../tree/apply.js";
import type { Removals } from "./collector.js";
import { type Commit, emptyRoot, newCommit } from "./commit.js";
import type { ChangeSet } from "./journal.js";
import type { ObjectReader } from "./object-reader.js";
import type { PageStorage } from "./page-storage.js";
import type { Write } from "./write-queue.js";

/** A tree whose new pieces are not stored yet. */
export interface NewTree {
  readonly root: ObjectIdentifier;
  readonly pieces: readonly NewPiece[];
}

/** Applies changes to a tree. Writes nothing. */
export async function changeTree(
  reader: ObjectReader,
  root: ObjectIdentifier,
  changes: Iterable<EntryChange>,
  options: SplitOptions,
): Promise<NewTree> {
  const pieces: NewPiece[] = [];
  const sink = (node: TreeNode): ObjectIdentifier => {
    const made = nodePieces(node, options);
    pieces.push(...made.pieces);
    reader.cache(made.root, node, made.bytes);
    return made.root;
  };
  return { root: await applyChanges(reader, root, changes, sink), pieces };
}

/** Splits a node into its pieces. The root piece has all edges of the node. */
export function nodePieces(node: TreeNode, options: SplitOptions): NewTree & { readonly bytes: number } {
  const content = encodeNode(node);
  const pieces: Piece[] = [];
  const root = split(content, "tree-node", options, (piece) => pieces.push(piece));
  const stored = pieces.map(withEdges);
  const last = stored.at(-1);
  if (last !== undefined && !isInline(root.digest)) {
    const ofNode = edgesOfNode(node);
    const edges = last.edges.length === 0 ? ofNode : mergeEdges(last.edges, ofNode);
    stored[stored.length - 1] = { ...last, edges };
  }
  return { root, pieces: stored, bytes: content.length };
}

/** A commit, and how many write operations stored it. */
export interface WrittenCommit {
  readonly commit: Commit;
  readonly operations: number;
}

/** The earliest time: an i64. */
const FIRST_TIME = -(2n ** 63n);

export class Committer {
  readonly #page: PageStorage;
  readonly #pruning: () => Promise<Removals>;

  /** @param pruning returns the operations that remove commits which nobody needs */
  constructor(page: PageStorage, pruning: () => Promise<Removals>) {
    this.#page = page;
    this.#pruning = pruning;
  }

  /**
   * Makes and stores a commit: after one parent, or a merge of two.
   *
   * @param changes of the first parent's tree
   * @param earlier a time that the commit must follow, beside the time of the parent
   * @returns undefined if nothing would change; never for a merge
   */
  async commit(
    parents: readonly [Commit] | readonly [Commit, Commit],
    changes: ChangeSet,
    earlier = FIRST_TIME,
  ): Promise<WrittenCommit | undefined> {
    const { objects, options, pieces, writes } = this.#page;
    const { keyIndex, clock = systemClock } = options;
    const [base] = parents;
    const start = changes.clear ? emptyRoot(keyIndex) : base.root;
    const tree = await changeTree(objects, start, changes.changes, options);
    if (parents.length === 1 && equalIdentifiers(tree.root, base.root)) return undefined;
    const commit = newCommit(parents, tree.root, timeAfter(earlier, clock()));
    return writes.exclusively(async (write) => {
      const added = uniquePieces([...changes.pieces, ...tree.pieces]);
      const values = changes.changes.flatMap(({ entry }) => (entry === undefined ? [] : [entry.value]));
      const operations = [
        ...(await pieces.store([...added.values()], "local")),
        ...(await this.#raiseValues(values, new Set(added.keys()))),
      ];
      const pruning = await this.#pruning();
      let isWritten = false;
      try {
        const all = [...operations, ...pruning.operations];
        isWritten = await this.#add(write, [commit], all, "local", true);
      } finally {
        if (!isWritten) pruning.putBack();
      }
      return { commit, operations: operations.length };
    });
  }

  /**
   * Stores commits whose pieces are stored already, parents first, in one batch.
   *
   * @throws MerostoreError COMMIT_NOT_FOUND for a missing parent; then no commit is stored
   */
  async addCommits(commits: readonly Commit[], source: PieceStatus): Promise<void> {
    await this.#page.writes.exclusively((write) => this.#add(write, commits, [], source, false));
  }

  /**
   * Writes the commits that are not stored yet, with the operations, and replaces the heads.
   * @returns false if all are stored already: then nothing was written
   */
  async #add(
    write: Write,
    commits: readonly Commit[],
    operations: readonly WriteOperation[],
    source: PieceStatus,
    isOwn: boolean,
  ): Promise<boolean> {
    const { commits: store, heads } = this.#page;
    const added = new Map<string, Commit>();
    const batch = [...operations];
    for (const commit of commits) {
      // A head has no children yet, so its child cannot be stored.
      const isNew = commit.parents.some((parent) => heads.has(parent));
      if (!isNew && (await store.find(commit.id)) !== undefined) continue;
      for (const parent of commit.parents) if (!added.has(toHex(parent))) await store.get(parent);
      batch.push(...store.add(commit, source === "synced"));
      added.set(toHex(commit.id), commit);
    }
    if (added.size === 0) return false;
    const all = [...added.values()];
    const next = heads.after(all, isOwn);
    await write([...batch, ...next.operations], { sync: true });
    for (const commit of all) store.remember(commit);
    heads.replace(next, all);
    return true;
  }

  /** Returns the operations that give the status `local` to pieces of values that were stored before the commit. */
  async #raiseValues(
    values: readonly ObjectIdentifier[],
    stored: ReadonlySet<string>,
  ): Promise<WriteOperation[]> {
    const { objects, pieces } = this.#page;
    const older = values.filter(({ digest }) => !isInline(digest) && !stored.has(toHex(digest)));
    const statuses = await pieces.statuses(older);
    const found: ObjectIdentifier[] = [];
    for (const [index, value] of older.entries()) {
      if (statuses[index] !== "transient") continue;
      for await (const piece of objects.pieces(value)) if (!isInline(piece.digest)) found.push(piece);
    }
    return found.length === 0 ? [] : pieces.raise(found, "local");
  }
}

/** Returns each piece once, by the hex of its digest. */
function uniquePieces(pieces: readonly NewPiece[]): Map<string, NewPiece> {
  return new Map(pieces.map((piece) => [toHex(piece.identifier.digest), piece]));
}
