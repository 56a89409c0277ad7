/** The entities of a context as a tree that changes and goes back: the state as of any delta, with its hashes. */
import { toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import { sha256 } from "../../crypto/index.js";
import type { Pause } from "../../pause.js";
import { type ChildOrder, ChildSet } from "./child-set.js";
import type { ReplayedEntity } from "./entity.js";

/** A part of the tree, and what it was before a change. */
export type TreeChange =
  | { readonly part: "entity"; readonly id: number; before: ReplayedEntity | undefined }
  | { readonly part: "child"; readonly parent: number; readonly id: number; before: bigint | undefined }
  | { readonly part: "deleted child"; readonly parent: number; readonly id: number; before: boolean };

/** Words of a hash. */
const WORDS = 8;

/** The hash of an entity is not computed, is known, or depends on data that nothing says. */
const [NOT_COMPUTED, KNOWN, UNKNOWN] = [0, 1, 2];

const NOTHING: ReadonlySet<number> = new Set();

/** The entities of a context, by numbers. Every change can be undone. */
export class EntityTree {
  readonly #order: ChildOrder;
  readonly #ids: IdTable;
  #idBytes: Uint8Array = new Uint8Array(0);
  readonly #entities: (ReplayedEntity | undefined)[] = [];
  readonly #children = new Map<number, ChildSet>();
  readonly #deletedChildren = new Map<number, Set<number>>();
  /** Those that have an entity as a child without being its parent, as after it was written below another one: few. */
  readonly #otherParents = new Map<number, Set<number>>();
  /** Full hashes, one after another. If that of an entity is computed, those of all entities below it are. */
  #hashes = new Int32Array(64 * WORDS);
  #states = new Uint8Array(64);
  #log: TreeChange[] = [];
  /** The number of the first change in the log. */
  #first = 0;

  /** @param ids the ids of entities: their numbers are those of the tree */
  constructor(order: ChildOrder, ids = new IdTable()) {
    this.#order = order;
    this.#ids = ids;
  }

  /** The number of ids: of all entities that deltas name, and of those in the tree. */
  get size(): number {
    return this.#ids.size;
  }

  /** The number of the entity with an id of 32 bytes. */
  numberOf(id: Uint8Array): number {
    return this.#ids.add(id);
  }

  /** The number of an entity; undefined if no entity or delta has this id. */
  find(id: Uint8Array): number | undefined {
    const number = this.#ids.find(id);
    return number < 0 ? undefined : number;
  }

  /** The id of an entity, 32 bytes, as a view. */
  idOf(id: number): Uint8Array {
    return this.#ids.bytes.subarray(id * ID_BYTES, (id + 1) * ID_BYTES);
  }

  /** The id of an entity, 64 hex digits. */
  nameOf(id: number): string {
    return toHex(this.idOf(id));
  }

  /** The number of changes until now. */
  get changes(): number {
    return this.#first + this.#log.length;
  }

  /** Undoes the newest changes until `count` are left. */
  undoTo(count: number): void {
    while (this.changes > count) this.#exchange(this.#log.pop() as TreeChange);
  }

  /**
   * Forgets the order of the oldest changes, until the first `count`: they cannot be undone one by one any more.
   *
   * @returns the changes together: each part of the tree once, as it was before the first of them
   */
  condense(count: number): TreeChange[] {
    const seen = new Set<string | number>();
    const first: TreeChange[] = [];
    const oldest = this.#log.slice(0, count - this.#first);
    for (const change of oldest) {
      const key =
        change.part === "entity" ? change.id : `${change.part === "child"} ${change.parent} ${change.id}`;
      if (seen.has(key)) continue;
      seen.add(key);
      first.push(change);
    }
    this.#log = this.#log.slice(oldest.length);
    this.#first = count;
    return first;
  }

  /** Undoes changes that were taken together, or does them again. None may have been made after them. */
  swap(changes: readonly TreeChange[]): void {
    for (const change of changes) change.before = this.#exchange(change) as never;
  }

  /** An entity; deleted ones too. */
  get(id: number): ReplayedEntity | undefined {
    return this.#entities[id];
  }

  /** All entities, deleted ones too. */
  *entities(): Generator<[number, ReplayedEntity], void, undefined> {
    for (const [id, entity] of this.#entities.entries()) if (entity !== undefined) yield [id, entity];
  }

  /** The children that live, in no order. */
  children(id: number): Iterable<number> {
    return this.#children.get(id)?.ids() ?? [];
  }

  /** The children that live, in the order in which their hashes count. */
  sortedChildren(id: number): readonly number[] {
    this.#idBytes = this.#ids.bytes;
    return this.#children.get(id)?.sorted() ?? [];
  }

  /** The children that were deleted. */
  deletedChildren(id: number): ReadonlySet<number> {
    return this.#deletedChildren.get(id) ?? NOTHING;
  }

  /** The time of creation that a parent has for a child; undefined if it has no such child. */
  childCreation(parent: number, id: number): bigint | undefined {
    return this.#children.get(parent)?.createdAt(id);
  }

  /** Writes an entity. */
  put(id: number, entity: ReplayedEntity): void {
    this.#do({ part: "entity", id, before: entity });
  }

  /** Removes an entity, as if it had never been there. */
  remove(id: number): void {
    if (this.get(id) !== undefined) this.#do({ part: "entity", id, before: undefined });
  }

  /** Makes an entity the child of another, or gives the child another time of creation. */
  addChild(parent: number, id: number, createdAt: bigint): void {
    if (this.deletedChildren(parent).has(id)) this.#do({ part: "deleted child", parent, id, before: false });
    if (this.childCreation(parent, id) !== createdAt)
      this.#do({ part: "child", parent, id, before: createdAt });
  }

  /** Takes a child from its parent, which remembers it as deleted. */
  removeChild(parent: number, id: number): void {
    this.dropChild(parent, id);
    this.rememberDeleted(parent, id);
  }

  /** Lets a parent remember a child as deleted. */
  rememberDeleted(parent: number, id: number): void {
    if (!this.deletedChildren(parent).has(id)) this.#do({ part: "deleted child", parent, id, before: true });
  }

  /** Takes a child from its parent, as if it had never been there. */
  dropChild(parent: number, id: number): void {
    if (this.childCreation(parent, id) !== undefined)
      this.#do({ part: "child", parent, id, before: undefined });
  }

  /** The full hash of an entity, 32 bytes; undefined if it is not there, or depends on data that nothing says. */
  hash(id: number): Uint8Array | undefined {
    for (const _ of this.#computing(id));
    if (this.#states[id] !== KNOWN) return undefined;
    const { buffer } = this.#hashes;
    return new Uint8Array(buffer.slice(id * WORDS * 4, (id + 1) * WORDS * 4));
  }

  /** Computes the full hash of an entity, and of all below it, with pauses. */
  async computeHash(id: number, pause: Pause): Promise<void> {
    for (const _ of this.#computing(id)) if (pause.isLong) await pause.ifLong();
  }

  /** Computes the hashes of an entity and of all below it that are not computed yet. Each step computes one. */
  *#computing(id: number): Generator<void, void, undefined> {
    if (this.#states.length < this.#ids.size) this.#grow();
    if (this.#states[id] !== NOT_COMPUTED || this.get(id) === undefined) return;
    const open = [{ id, children: this.sortedChildren(id), next: 0 }];
    const isOpen = new Set([id]);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const child = top.children[top.next++];
      if (child === undefined) {
        this.#compute(top.id, top.children);
        isOpen.delete(top.id);
        open.pop();
        yield;
        // An entity that is below itself, which only forged deltas make, has no hash.
      } else if (
        this.#states[child] === NOT_COMPUTED &&
        this.get(child) !== undefined &&
        !isOpen.has(child)
      ) {
        isOpen.add(child);
        open.push({ id: child, children: this.sortedChildren(child), next: 0 });
      }
    }
  }

  #compute(id: number, children: readonly number[]): void {
    this.#states[id] = UNKNOWN;
    const own = this.get(id)?.ownHash;
    if (own === undefined) return;
    const hashes = this.#hashes;
    const bytes = new Uint8Array(ID_BYTES * (1 + children.length));
    bytes.set(own);
    const words = new Int32Array(bytes.buffer);
    let at = WORDS;
    for (const child of children) {
      if (this.#states[child] !== KNOWN) return;
      for (let word = child * WORDS; word < (child + 1) * WORDS; word++) words[at++] = hashes[word] as number;
    }
    new Uint8Array(hashes.buffer, id * WORDS * 4, WORDS * 4).set(sha256(bytes));
    this.#states[id] = KNOWN;
  }

  #grow(): void {
    const size = 2 * this.#ids.size;
    const [hashes, states] = [this.#hashes, this.#states];
    this.#hashes = new Int32Array(size * WORDS);
    this.#hashes.set(hashes);
    this.#states = new Uint8Array(size);
    this.#states.set(states);
  }

  /** Makes a change: `before` is what the part of the tree becomes. */
  #do(change: TreeChange): void {
    change.before = this.#exchange(change) as never;
    this.#log.push(change);
  }

  /** Gives a part of the tree what it was before. Returns what it is. */
  #exchange(change: TreeChange): TreeChange["before"] {
    const { part, id, before } = change;
    if (part === "entity") {
      const now = this.#entities[id];
      while (this.#entities.length <= id) this.#entities.push(undefined);
      this.#entities[id] = before;
      if (now?.parent !== before?.parent) {
        if (now?.parent !== undefined) this.#noteParent(now.parent, id);
        if (before?.parent !== undefined) this.#noteParent(before.parent, id);
      }
      this.#forgetHash(id);
      return now;
    }
    const { parent } = change;
    if (part === "child") {
      let children = this.#children.get(parent);
      if (children === undefined) {
        children = new ChildSet(this.#order, (a, b) => this.#compareIds(a, b));
        this.#children.set(parent, children);
      }
      const now = children.createdAt(id);
      children.set(id, before);
      this.#noteParent(parent, id);
      this.#forgetHash(parent);
      return now;
    }
    let deleted = this.#deletedChildren.get(parent);
    if (deleted === undefined) {
      deleted = new Set();
      this.#deletedChildren.set(parent, deleted);
    }
    if (before) deleted.add(id);
    else deleted.delete(id);
    return !before;
  }

  #compareIds(a: number, b: number): number {
    const bytes = this.#idBytes;
    const [one, other] = [a * ID_BYTES, b * ID_BYTES];
    for (let at = 0; at < ID_BYTES; at++) {
      const order = (bytes[one + at] as number) - (bytes[other + at] as number);
      if (order !== 0) return order;
    }
    return 0;
  }

  /** Keeps whether an entity has another one as a child without being its parent. */
  #noteParent(parent: number, id: number): void {
    const others = this.#otherParents.get(id);
    if (this.get(id)?.parent !== parent && this.childCreation(parent, id) !== undefined) {
      if (others === undefined) this.#otherParents.set(id, new Set([parent]));
      else others.add(parent);
    } else if (others?.delete(parent) && others.size === 0) this.#otherParents.delete(id);
  }

  /** Forgets the hash of an entity and of all above it. */
  #forgetHash(id: number): void {
    const states = this.#states;
    states[id] = NOT_COMPUTED;
    const forget = (above: number): void => {
      if ((states[above] ?? NOT_COMPUTED) === NOT_COMPUTED) return;
      states[above] = NOT_COMPUTED;
      open.push(above);
    };
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const parent = this.get(at)?.parent;
      if (parent !== undefined) forget(parent);
      for (const other of this.#otherParents.get(at) ?? NOTHING) forget(other);
    }
  }
}
