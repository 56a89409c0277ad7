/** The entities of a context as a tree that changes and goes back: the state as of any delta, with its hashes. */
import { sha256 } from "../../crypto/index.js";
import type { EntityMetadata } from "../index-row.js";
import { type ChildOrder, ChildSet } from "./child-set.js";

/** An entity as of a moment. Records do not change: a change puts another one in their place. */
export interface ReplayedEntity {
  /** The id of the entity above, 64 hex digits; undefined for the root, and for an entity that names none. */
  readonly parent: string | undefined;
  /** The entity's data; undefined once it is deleted, and where no delta that is there wrote it. */
  readonly data: Uint8Array | undefined;
  /** SHA-256 of the data, 32 bytes; undefined where nothing says it. */
  readonly ownHash: Uint8Array | undefined;
  /** Times, owner and kind. */
  readonly metadata: EntityMetadata;
  /** When it was deleted, in nanoseconds since 1970; undefined while it lives. */
  readonly deletedAt: bigint | undefined;
  /** The number of the delta that wrote or deleted it last; undefined below the base. */
  readonly writer: number | undefined;
}

/** Bytes of a hash. */
const HASH = 32;

/** The entities of a context. Every change can be undone. */
export class ReplayedTree {
  readonly #order: ChildOrder;
  readonly #entities = new Map<string, ReplayedEntity>();
  readonly #children = new Map<string, ChildSet>();
  readonly #deletedChildren = new Map<string, Set<string>>();
  /** Full hashes. If that of an entity is there, those of all entities below it are. */
  readonly #hashes = new Map<string, Uint8Array | undefined>();
  readonly #undo: (() => void)[] = [];

  constructor(order: ChildOrder) {
    this.#order = order;
  }

  /** The number of changes that can be undone. */
  get changes(): number {
    return this.#undo.length;
  }

  /** Undoes the newest changes until `count` are left. */
  undoTo(count: number): void {
    while (this.#undo.length > count) (this.#undo.pop() as () => void)();
  }

  /** An entity; deleted ones too. */
  get(id: string): ReplayedEntity | undefined {
    return this.#entities.get(id);
  }

  /** All entities, deleted ones too. */
  entities(): IterableIterator<[string, ReplayedEntity]> {
    return this.#entities.entries();
  }

  /** The ids of the children that live, in the order in which their hashes count. */
  children(id: string): Iterable<string> {
    return this.#children.get(id)?.ids() ?? [];
  }

  /** The ids of the children that were deleted. */
  deletedChildren(id: string): ReadonlySet<string> {
    return this.#deletedChildren.get(id) ?? new Set();
  }

  /** Writes an entity. */
  put(id: string, entity: ReplayedEntity): void {
    const before = this.#entities.get(id);
    this.#entities.set(id, entity);
    this.#forgetHash(id, entity.parent);
    this.#undo.push(() => {
      this.#forgetHash(id, entity.parent);
      if (before === undefined) this.#entities.delete(id);
      else this.#entities.set(id, before);
    });
  }

  /** Removes an entity, as if it had never been there. */
  remove(id: string): void {
    const before = this.#entities.get(id);
    if (before === undefined) return;
    this.#entities.delete(id);
    this.#forgetHash(id, before.parent);
    this.#undo.push(() => {
      this.#entities.set(id, before);
      this.#forgetHash(id, before.parent);
    });
  }

  /** Makes an entity the child of another, or gives the child another time of creation. */
  addChild(parent: string, id: string, createdAt: bigint): void {
    const children = this.#children.get(parent) ?? new ChildSet(this.#order);
    this.#children.set(parent, children);
    const before = children.createdAt(id);
    this.#setDeletedChild(parent, id, false);
    if (before === createdAt) return;
    this.#setChild(parent, children, id, createdAt);
    this.#undo.push(() => this.#setChild(parent, children, id, before));
  }

  /** Takes a child from its parent, which remembers it as deleted. */
  removeChild(parent: string, id: string): void {
    this.dropChild(parent, id);
    this.rememberDeleted(parent, id);
  }

  /** Lets a parent remember a child as deleted. */
  rememberDeleted(parent: string, id: string): void {
    this.#setDeletedChild(parent, id, true);
  }

  /** Takes a child from its parent, as if it had never been there. */
  dropChild(parent: string, id: string): void {
    const children = this.#children.get(parent);
    const before = children?.createdAt(id);
    if (children !== undefined && before !== undefined) {
      this.#setChild(parent, children, id, undefined);
      this.#undo.push(() => this.#setChild(parent, children, id, before));
    }
  }

  /** The time of creation that a parent has for a child; undefined if it has no such child. */
  childCreation(parent: string, id: string): bigint | undefined {
    return this.#children.get(parent)?.createdAt(id);
  }

  /** The full hash of an entity, 32 bytes; undefined if it is not there, or depends on data that nothing says. */
  hash(id: string): Uint8Array | undefined {
    if (this.#hashes.has(id)) return this.#hashes.get(id);
    const open = [{ id, children: this.children(id)[Symbol.iterator]() }];
    const isOpen = new Set([id]);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { value: child, done } = top.children.next();
      if (done === true) {
        this.#hashes.set(top.id, this.#compute(top.id));
        isOpen.delete(top.id);
        open.pop();
      } else if (!this.#hashes.has(child) && this.#entities.has(child) && !isOpen.has(child)) {
        // An entity that is below itself, which only forged deltas make, has no hash.
        isOpen.add(child);
        open.push({ id: child, children: this.children(child)[Symbol.iterator]() });
      }
    }
    return this.#hashes.get(id);
  }

  #compute(id: string): Uint8Array | undefined {
    const own = this.#entities.get(id)?.ownHash;
    if (own === undefined) return undefined;
    const children = this.#children.get(id);
    const bytes = new Uint8Array(HASH * (1 + (children?.size ?? 0)));
    bytes.set(own);
    let at = HASH;
    for (const child of children?.ids() ?? []) {
      const hash = this.#hashes.get(child);
      if (hash === undefined) return undefined;
      bytes.set(hash, at);
      at += HASH;
    }
    return sha256(bytes);
  }

  #setChild(parent: string, children: ChildSet, id: string, createdAt: bigint | undefined): void {
    if (createdAt === undefined) children.delete(id);
    else children.set(id, createdAt);
    this.#forgetHash(parent);
  }

  #setDeletedChild(parent: string, id: string, isDeleted: boolean): void {
    const ids = this.#deletedChildren.get(parent) ?? new Set();
    if (ids.has(id) === isDeleted) return;
    this.#deletedChildren.set(parent, ids);
    const change = (isThere: boolean): void => void (isThere ? ids.add(id) : ids.delete(id));
    change(isDeleted);
    this.#undo.push(() => change(!isDeleted));
  }

  /** Forgets the hash of an entity and of those above it. */
  #forgetHash(id: string, parent?: string): void {
    this.#hashes.delete(id);
    for (let at = parent ?? this.#entities.get(id)?.parent; at !== undefined && this.#hashes.delete(at); )
      at = this.#entities.get(at)?.parent;
  }
}
