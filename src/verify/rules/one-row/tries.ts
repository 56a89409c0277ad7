/** The tries of children: hashes, shape, and the children that they list. */

import { toHex } from "../../../bytes/hex.js";
import { equalBytes } from "../../../bytes/order.js";
import { slices } from "../../../collections/lists.js";
import { childTrieHash, fullHash } from "../../../digests/index.js";
import { entityKey } from "../../../layouts/index.js";
import type { Pause } from "../../../pause.js";
import { type ChildTrieRow, flawOf, type TrieChild } from "../../../payloads/index.js";
import type { Found } from "../../tools.js";
import type { CountedTrie } from "./admitted.js";
import type { ContextTally, StateFindings } from "./findings.js";
import { beside, type Entity, entityIn, type StateKey } from "./rows.js";
import {
  type Finder,
  isUnder,
  LONGEST_PATH,
  type TriePlace,
  type VisitedNode,
  type VisitedRow,
  walkTries,
} from "./walk.js";

/** A child in a bucket. */
interface Listed {
  readonly place: TriePlace;
  readonly child: TrieChild;
  readonly nextOrder: bigint;
  /**
   * True if the row above the bucket, or the entity, has the bucket's hash: the finding is then about the child, not
   * the bucket.
   */
  readonly isAttested: boolean;
}

/** The next order of each walked trie, by the key of its first row. */
type Orders = Map<StateKey, { readonly next: bigint; isReported: boolean }>;

/** Children that are looked up in one round. */
const ROUND = 128;

/** Looks at the tries of entities whose full hash says that they have children. Returns the tries that are there. */
export async function lookAtTries(
  entities: readonly Entity[],
  tools: Finder,
  findings: StateFindings,
  tallyOf: (key: StateKey) => ContextTally,
  mayBeMissing: (key: StateKey) => Promise<boolean>,
  pause: Pause,
): Promise<readonly CountedTrie[]> {
  const look = new TrieLook(tools, findings, tallyOf, mayBeMissing, pause);
  for await (const round of walkTries(entities, tools, pause)) await look.round(round);
  return look.tries;
}

class TrieLook {
  readonly tries: CountedTrie[] = [];
  readonly #tools: Finder;
  readonly #findings: StateFindings;
  readonly #tallyOf: (key: StateKey) => ContextTally;
  readonly #mayBeMissing: (key: StateKey) => Promise<boolean>;
  readonly #orders: Orders = new Map();
  readonly #pause: Pause;
  /** Rows with a reported difference from a row below them. */
  readonly #blamed = new Set<VisitedNode>();

  constructor(
    tools: Finder,
    findings: StateFindings,
    tallyOf: (key: StateKey) => ContextTally,
    mayBeMissing: (key: StateKey) => Promise<boolean>,
    pause: Pause,
  ) {
    this.#tools = tools;
    this.#findings = findings;
    this.#tallyOf = tallyOf;
    this.#mayBeMissing = mayBeMissing;
    this.#pause = pause;
  }

  async round(rows: readonly VisitedRow[]): Promise<void> {
    const listed: Listed[] = [];
    for (const visited of rows) {
      if (visited.row === "missing" || visited.row === "unreadable") await this.#gap(visited);
      else listed.push(...this.#row(visited, visited.row));
      if (this.#pause.isLong) await this.#pause.ifLong();
    }
    for (const slice of slices(listed, ROUND)) {
      const keys = slice.map(({ place, child }) => beside(place.key, entityKey(child.id)));
      const found = (await this.#tools.find(keys)) as readonly Found<Uint8Array>[];
      for (const [at, one] of slice.entries()) {
        await this.#child(one, keys[at] as StateKey, found[at] as Found<Uint8Array>);
        if (this.#pause.isLong) await this.#pause.ifLong();
      }
    }
  }

  /** Looks at a place without a readable row. */
  async #gap({ entity, key, address, row, above }: VisitedRow): Promise<void> {
    if (above !== undefined) countBelow(above, undefined, this.#findings);
    // Another rule reports an unreadable row.
    if (row !== "missing" || (await this.#mayBeMissing(key))) return;
    this.#findings.checked("trie-hash");
    const message =
      above === undefined
        ? "the entity has children by its full hash, and the first row of their trie is not there"
        : "a row of the trie below this one is not there";
    this.#findings.add("trie-hash", { key: above?.place.key ?? entity.key, message, expected: address });
  }

  /** Looks at a row. Returns the children that it lists. */
  #row(visited: VisitedRow, row: ChildTrieRow): Listed[] {
    const { key, path, above, node } = visited;
    this.#tallyOf(key).reached.add(visited.address);
    const isAttested = this.#hash(visited, row);
    if (node !== undefined) node.isAttested = isAttested;
    this.#shape(visited, row);
    if (above === undefined) this.#orders.set(key, { next: row.nextOrder, isReported: false });
    if (row.kind === "Node") {
      if (row.slots.length === 0 && above !== undefined) countBelow(above, undefined, this.#findings);
      return [];
    }
    if (above !== undefined)
      countBelow(above, isAttested ? BigInt(row.children.length) : undefined, this.#findings);
    return row.children
      .filter(({ id }) => isUnder(id, path))
      .map((child) => ({ place: visited, child, nextOrder: row.nextOrder, isAttested }));
  }

  /** Compares the hash of a row with the hash in the row above it, or in the entity. Returns whether they are equal. */
  #hash({ entity, key, above, hash }: VisitedRow, row: ChildTrieRow): boolean {
    const found = childTrieHash(row);
    if (above === undefined) {
      const { index } = entity;
      const children = row.kind === "Node" ? row.count : BigInt(row.children.length);
      this.tries.push({ entity, hash: found, children });
      this.#findings.checked("full-hash");
      const expected = fullHash(index.ownHash, found);
      if (equalBytes(index.fullHash, expected)) return true;
      const message = "own hash and the trie of the children give another full hash";
      this.#findings.add("full-hash", { key: entity.key, message, found: index.fullHash, expected });
      return false;
    }
    this.#findings.checked("trie-hash");
    if (hash !== undefined && equalBytes(hash, found)) return true;
    const expected = hash as Uint8Array;
    if (above.isAttested) {
      const message = "the row above it in the trie holds another hash";
      this.#findings.add("trie-hash", { key, message, found, expected });
    } else if (!this.#blamed.has(above)) {
      this.#blamed.add(above);
      const message = "it holds another hash of a row below it than that row has";
      this.#findings.add("trie-hash", { key: above.place.key, message, found: expected, expected: found });
    }
    return false;
  }

  #shape({ key, path, above }: VisitedRow, row: ChildTrieRow): void {
    this.#findings.checked("trie-shape");
    const wrong = (message: string): void => this.#findings.add("trie-shape", { key, message });
    const flaw = flawOf(row);
    if (flaw !== undefined) wrong(`no node writes ${flaw}`);
    if (above !== undefined && row.nextOrder !== 0n) wrong("only the first row of a trie has a next order");
    if (row.kind === "Node") {
      if (path.length === LONGEST_PATH) wrong("a node at the end of the ids");
      return;
    }
    if (row.children.length === 0) wrong("a bucket without children");
    if (row.children.some(({ id }) => !isUnder(id, path)))
      wrong("it lists children whose ids do not lead to it: it belongs to another place");
  }

  /** Compares a child with its own row. */
  async #child(listed: Listed, childKey: StateKey, { there, value }: Found<Uint8Array>): Promise<void> {
    const { place, child, isAttested } = listed;
    const { key } = place;
    if (!there && (await this.#mayBeMissing(key))) return;
    this.#findings.checked("child-hash");
    const wrong = (finding: Parameters<StateFindings["add"]>[1]): void =>
      this.#findings.add("child-hash", finding);
    if (!there) return wrong({ key, message: "a child is not there", expected: child.id });
    const found = entityIn(childKey, value);
    // Another rule reports a row that cannot be read or has no index record.
    if (found === undefined) return;
    const { index } = found;
    if (index.deletedAt !== null)
      return wrong({ key, message: "a child is deleted, and still listed", found: child.id });
    const blamed = isAttested ? childKey : key;
    if (index.parentId === null || !equalBytes(index.parentId, place.entity.index.id)) {
      const message = `the child ${toHex(child.id)} names another parent than the one that lists it`;
      return wrong({
        key: blamed,
        message,
        expected: place.entity.index.id,
        ...(index.parentId !== null && { found: index.parentId }),
      });
    }
    this.#tallyOf(key).named.add(child.id);
    if (!equalBytes(index.fullHash, child.fullHash)) {
      const message = `the child ${toHex(child.id)} has another hash than its parent holds`;
      wrong({ key: blamed, message, found: index.fullHash, expected: child.fullHash });
    }
    this.#order(listed, index.metadata.order);
  }

  #order({ place, child }: Listed, order: bigint): void {
    const orders = this.#orders.get(place.first);
    if (orders === undefined || orders.isReported || order === 0n || order < orders.next) return;
    orders.isReported = true;
    const message = `the next order is not above that of the child ${toHex(child.id)}`;
    const expected = `more than ${order}`;
    this.#findings.add("trie-shape", { key: place.first, message, found: orders.next, expected });
  }
}

/**
 * Adds the children below one slot to a row. When all slots of the row are counted, its sum goes to the row above it.
 */
function countBelow(above: VisitedNode, children: bigint | undefined, findings: StateFindings): void {
  above.left--;
  if (children === undefined) above.isWhole = false;
  else above.children += children;
  if (above.left > 0) return;
  const { place, row, isWhole } = above;
  if (isWhole && above.children !== row.count) {
    const message = "the node counts other children than are below it";
    findings.add("trie-shape", { key: place.key, message, found: row.count, expected: above.children });
  }
  if (place.above !== undefined) countBelow(place.above, isWhole ? above.children : undefined, findings);
}
