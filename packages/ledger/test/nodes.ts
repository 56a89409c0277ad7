/** Trees in memory, whose new nodes are counted. */
import { toHex } from "merostore/internal";
import { listOf } from "../../../test/support/lists.js";
import { isInline, type ObjectIdentifier } from "../src/objects.js";
import type { RollingHash } from "../src/pieces/rolling-hash.js";
import { nodePieces } from "../src/storage/committer.js";
import {
  decodeNode,
  EMPTY_NODE,
  encodeNode,
  type TreeEntry,
  type TreeNode,
} from "../src/tables/tree-node.js";
import { applyChanges, type EntryChange } from "../src/tree/apply.js";
import { entryRuns, type NodeSource } from "../src/tree/iterate.js";
import { type LevelOf, levelOf } from "../src/tree/level.js";
import { KEY_INDEX } from "./inputs.js";

const decoder = new TextDecoder();

/** Levels of the keys `key` ‖ number, fixed as in upstream's tests of trees, without a hash. */
export const fixedLevel: LevelOf = (key) => {
  const number = decoder.decode(key).slice("key".length);
  if (["50", "75"].includes(number)) return 2;
  return ["03", "07", "30", "60", "89"].includes(number) ? 1 : 0;
};

export class MemoryTrees implements NodeSource {
  readonly empty: ObjectIdentifier;
  readonly #level: LevelOf;
  readonly #rollingHash: RollingHash;
  readonly #nodes = new Map<string, Uint8Array>();
  /** The number of nodes that were read so far. */
  reads = 0;

  constructor(level: LevelOf = levelOf, rollingHash: RollingHash = "V1") {
    this.#level = level;
    this.#rollingHash = rollingHash;
    this.empty = this.store(EMPTY_NODE);
  }

  async node({ digest }: ObjectIdentifier): Promise<TreeNode> {
    this.reads++;
    const bytes = this.#nodes.get(toHex(digest));
    if (bytes === undefined) throw new Error(`no node ${toHex(digest)}`);
    return decodeNode(bytes);
  }

  /** The tree after changes, and how many nodes with rows of their own are new. */
  async change(
    root: ObjectIdentifier,
    changes: Iterable<EntryChange>,
  ): Promise<{ readonly root: ObjectIdentifier; readonly created: number }> {
    let created = 0;
    const sink = (node: TreeNode): ObjectIdentifier => {
      const identifier = this.store(node);
      if (!isInline(identifier.digest)) created++;
      return identifier;
    };
    return { root: await applyChanges(this, root, changes, sink, this.#level), created };
  }

  /** A tree of these entries. */
  async build(changes: Iterable<EntryChange>): Promise<ObjectIdentifier> {
    return (await this.change(this.empty, changes)).root;
  }

  async entries(root: ObjectIdentifier, from?: Uint8Array): Promise<TreeEntry[]> {
    return (await listOf(entryRuns(this, root, from))).flat();
  }

  async keys(root: ObjectIdentifier, from?: Uint8Array): Promise<string[]> {
    return (await this.entries(root, from)).map(({ key }) => decoder.decode(key));
  }

  /** All nodes of a tree, parents first. */
  async nodes(root: ObjectIdentifier): Promise<TreeNode[]> {
    const node = await this.node(root);
    const below: TreeNode[] = [];
    for (const child of node.children) if (child !== undefined) below.push(...(await this.nodes(child)));
    return [node, ...below];
  }

  /** The name of a node that is stored. */
  store(node: TreeNode): ObjectIdentifier {
    const { root } = nodePieces(node, { rollingHash: this.#rollingHash, keyIndex: KEY_INDEX });
    this.#nodes.set(toHex(root.digest), encodeNode(node));
    return root;
  }
}
