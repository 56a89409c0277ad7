/** The entities of a context as a tree that can undo its changes: the state at any delta, with its hashes. */
import { toHex } from "../../bytes/hex.js";
import type { IdTable } from "../../bytes/id-table.js";
import { NumberColumn } from "../../collections/columns.js";
import type { Pause } from "../../pause.js";
import { type ChildOrder, Children } from "./children.js";
import type { ReplayedEntity } from "./entity.js";
import { EntityHashes } from "./entity-hashes.js";
import { EntityRecords } from "./entity-records.js";
import type { Pieces } from "./pieces.js";
import { CHILD, DELETED, ENTITY, NO_CHILD, NOT_DELETED, TreeChanges } from "./tree-changes.js";

/** Changes between two looks at the clock. */
const FEW = 256;

const NOTHING: ReadonlySet<number> = new Set();

/** Ids of entities, and their data. */
interface Known {
  /** The ids of entities. The tree uses the numbers of these ids. */
  readonly entities: IdTable;
  /** The data of entities that need not be copied. */
  readonly pieces: Pieces;
}

/** The entities of a context, by numbers. Every change can be undone. */
export class EntityTree {
  readonly #ids: IdTable;
  readonly #pieces: Pieces;
  readonly #records: EntityRecords;
  /** By the number of an entity: the number of its record, plus 1; 0 for an entity that is not there. */
  readonly #recordOf = new NumberColumn();
  readonly #children: Children;
  readonly #deletedChildren = new Map<number, Set<number>>();
  readonly #hashes: EntityHashes;
  #log = new TreeChanges();
  /** The number of the first change in the log. */
  #first = 0;

  constructor(order: ChildOrder, { entities, pieces }: Known) {
    this.#ids = entities;
    this.#pieces = pieces;
    this.#records = new EntityRecords(pieces);
    this.#children = new Children(order, entities);
    this.#hashes = new EntityHashes(
      this.#children,
      (id) => this.get(id)?.ownHash,
      (id) => this.#leafHash(id),
      order === "trie" ? (id) => this.idOf(id) : undefined,
    );
  }

  /** The number of ids: of all entities that deltas name, and of the entities in the tree. */
  get size(): number {
    return this.#ids.size;
  }

  /** The number of entities that are there; deleted ones too. */
  get count(): number {
    let count = 0;
    for (let id = 0; id < this.size; id++) if (this.has(id)) count++;
    return count;
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
    return this.#ids.at(id);
  }

  /** The id of an entity, 64 hex digits. */
  nameOf(id: number): string {
    return toHex(this.idOf(id));
  }

  /** Copies bytes to memory that records can share. Returns a view. */
  kept(bytes: Uint8Array): Uint8Array {
    return this.#pieces.add(bytes);
  }

  /** The number of changes until now. */
  get changes(): number {
    return this.#first + this.#log.length;
  }

  /** The entities that the changes after the first `count` put or removed, each once. */
  changedSince(count: number): readonly number[] {
    const ids = new Set<number>();
    for (let at = count - this.#first; at < this.#log.length; at++)
      if (this.#log.kindOf(at) === ENTITY) ids.add(this.#log.idOf(at));
    return [...ids];
  }

  /** Undoes the newest changes until `count` are left. */
  async undoTo(count: number, pause: Pause): Promise<void> {
    for (let at = this.#log.length - 1; this.#first + at >= count; at--) {
      if (at % FEW === 0 && pause.isLong) await pause.ifLong();
      this.#exchange(this.#log, at);
      this.#dropRecord(this.#log, at);
      this.#log.truncate(at);
    }
  }

  /**
   * Forgets the order of the oldest changes, until the first `count`: they cannot be undone one by one any more.
   *
   * @returns the changes together: each entity once, as it was before the first of them
   */
  async condense(count: number, pause: Pause): Promise<TreeChanges> {
    const seen = new Uint8Array(this.size);
    const oldest = new TreeChanges();
    let left = 0;
    for (let at = 0; at < this.#log.length; at++) {
      if (at % FEW === 0 && pause.isLong) await pause.ifLong();
      const id = this.#log.idOf(at);
      if (this.#first + at >= count) {
        this.#log.move(at, left++);
        continue;
      }
      const isEntity = this.#log.kindOf(at) === ENTITY;
      if (isEntity && seen[id] === 1) this.#dropRecord(this.#log, at);
      else oldest.pushFrom(this.#log, at);
      if (isEntity) seen[id] = 1;
    }
    this.#log.truncate(left);
    this.#first = count;
    return oldest;
  }

  /** Undoes changes that were taken together, or does them again. None may have been made after them. */
  async swap(changes: TreeChanges, direction: "undo" | "redo", pause: Pause): Promise<void> {
    const { length } = changes;
    for (let at = 0; at < length; at++) {
      if (at % FEW === 0 && pause.isLong) await pause.ifLong();
      this.#exchange(changes, direction === "redo" ? at : length - 1 - at);
    }
  }

  /** Keeps all that was changed until now: it cannot be undone any more. */
  settle(): void {
    this.forget(this.#log);
    this.#first = this.changes;
    this.#log = new TreeChanges();
  }

  /** Forgets changes, which are not done again. */
  forget(changes: TreeChanges): void {
    for (let at = 0; at < changes.length; at++) this.#dropRecord(changes, at);
  }

  /** Returns true if an entity is there; a deleted one too. */
  has(id: number): boolean {
    return this.#recordOf.get(id) > 0;
  }

  /** An entity; deleted ones too. */
  get(id: number): ReplayedEntity | undefined {
    const record = this.#recordOf.get(id);
    return record === 0 ? undefined : this.#records.get(record - 1);
  }

  /** The number of the delta that wrote or deleted an entity last; undefined below the base, and for one that is not there. */
  writerOf(id: number): number | undefined {
    const record = this.#recordOf.get(id);
    return record === 0 ? undefined : this.#records.writerOf(record - 1);
  }

  /** All entities, deleted ones too. */
  *entities(): Generator<[number, ReplayedEntity], void, undefined> {
    for (let id = 0; id < this.size; id++) {
      const entity = this.get(id);
      if (entity !== undefined) yield [id, entity];
    }
  }

  /** The children that are not deleted, in the order in which their hashes count. */
  children(id: number): Uint32Array {
    return this.#children.sorted(id);
  }

  /** The children that were deleted. */
  deletedChildren(id: number): ReadonlySet<number> {
    return this.#deletedChildren.get(id) ?? NOTHING;
  }

  /** The time of creation that a parent has for a child; undefined if it has no such child. */
  childCreation(parent: number, id: number): bigint | undefined {
    return this.#children.createdAt(parent, id);
  }

  /** Writes an entity. */
  put(id: number, entity: ReplayedEntity): void {
    this.#do(ENTITY, id, this.#records.add(entity) + 1);
  }

  /** Removes an entity, as if it had never been there. */
  remove(id: number): void {
    if (this.has(id)) this.#do(ENTITY, id, 0);
  }

  /** Makes an entity the child of another, or gives the child another time of creation. */
  addChild(parent: number, id: number, createdAt: bigint): void {
    if (this.deletedChildren(parent).has(id)) this.#do(NOT_DELETED, id, parent);
    if (this.childCreation(parent, id) !== createdAt) this.#do(CHILD, id, parent, createdAt);
  }

  /** Takes a child from its parent, which remembers it as deleted. */
  removeChild(parent: number, id: number): void {
    this.dropChild(parent, id);
    this.rememberDeleted(parent, id);
  }

  /** Lets a parent remember a child as deleted. */
  rememberDeleted(parent: number, id: number): void {
    if (!this.deletedChildren(parent).has(id)) this.#do(DELETED, id, parent);
  }

  /** Takes a child from its parent, as if it had never been there. */
  dropChild(parent: number, id: number): void {
    if (this.#children.has(parent, id)) this.#do(NO_CHILD, id, parent);
  }

  /**
   * The full hash of an entity, 32 bytes; undefined if the entity is not there, or the hash depends on unknown data.
   */
  hash(id: number): Uint8Array | undefined {
    if (!this.has(id)) return undefined;
    for (const _ of this.#hashes.computing(id, this.size));
    return this.#hashes.get(id);
  }

  /** Computes the full hash of an entity, and of all below it, with pauses. */
  async computeHash(id: number, pause: Pause): Promise<void> {
    if (this.has(id))
      for (const _ of this.#hashes.computing(id, this.size)) if (pause.isLong) await pause.ifLong();
  }

  #leafHash(id: number): Uint8Array | undefined {
    const record = this.#recordOf.get(id);
    return record === 0 ? undefined : this.#records.leafHash(record - 1);
  }

  #do(kind: number, id: number, number: number, createdAt?: bigint): void {
    this.#exchange(this.#log, this.#log.push(kind, id, number, createdAt));
  }

  /** Makes a change, and replaces it in the list by the former content of that part of the tree. */
  #exchange(changes: TreeChanges, at: number): void {
    const [kind, id, number] = [changes.kindOf(at), changes.idOf(at), changes.numberOf(at)];
    if (kind === ENTITY) {
      changes.set(at, ENTITY, this.#recordOf.get(id));
      this.#recordOf.set(id, number);
      this.#hashes.forget(id);
    } else if (kind === CHILD || kind === NO_CHILD) {
      const before = this.#children.createdAt(number, id);
      this.#children.set(number, id, changes.createdAt(at));
      changes.set(at, before === undefined ? NO_CHILD : CHILD, number, before);
      this.#hashes.forget(number, id);
    } else {
      let deleted = this.#deletedChildren.get(number);
      if (deleted === undefined) {
        deleted = new Set();
        this.#deletedChildren.set(number, deleted);
      }
      changes.set(at, deleted.has(id) ? DELETED : NOT_DELETED, number);
      if (kind === DELETED) deleted.add(id);
      else deleted.delete(id);
    }
  }

  /** Forgets the record of a change that is not made again. */
  #dropRecord(changes: TreeChanges, at: number): void {
    if (changes.kindOf(at) !== ENTITY || changes.numberOf(at) === 0) return;
    this.#records.free(changes.numberOf(at) - 1);
  }
}
