/** Changes of a tree of entities in little memory. */
import { NumberColumn, TimeColumn } from "../../collections/columns.js";

/**
 * The kinds of changes: an entity is replaced or removed; a child is added; a child is removed; a deleted child is
 * added; a deleted child is removed.
 */
export const [ENTITY, CHILD, NO_CHILD, DELETED, NOT_DELETED] = [0, 1, 2, 3, 4];

/** A list of changes. When a change is made, the former content of that part of the tree replaces it. */
export class TreeChanges {
  #length = 0;
  readonly #kinds = new NumberColumn();
  readonly #ids = new NumberColumn();
  readonly #numbers = new NumberColumn();
  readonly #created = new TimeColumn();

  /** The number of changes. */
  get length(): number {
    return this.#length;
  }

  /** The new content of the part. */
  kindOf(at: number): number {
    return this.#kinds.get(at);
  }

  /** The entity. */
  idOf(at: number): number {
    return this.#ids.get(at);
  }

  /** For an entity: the number of its new record plus 1, or 0 for none. For a child: the number of its parent. */
  numberOf(at: number): number {
    return this.#numbers.get(at);
  }

  /** The time of creation that the parent gets for a child. */
  createdAt(at: number): bigint | undefined {
    return this.kindOf(at) === CHILD ? this.#created.get(at) : undefined;
  }

  /** Adds a change. Returns its place. */
  push(kind: number, id: number, number: number, createdAt?: bigint): number {
    const at = this.#length++;
    this.#ids.set(at, id);
    this.set(at, kind, number, createdAt);
    return at;
  }

  /** Sets the new content of a part of the tree. */
  set(at: number, kind: number, number: number, createdAt?: bigint): void {
    this.#kinds.set(at, kind);
    this.#numbers.set(at, number);
    if (createdAt !== undefined) this.#created.set(at, createdAt);
  }

  /** Adds a change of another list. */
  pushFrom(changes: TreeChanges, at: number): void {
    this.push(changes.kindOf(at), changes.idOf(at), changes.numberOf(at), changes.createdAt(at));
  }

  /** Puts a change in the place of an earlier one. */
  move(from: number, to: number): void {
    this.#ids.set(to, this.idOf(from));
    this.set(to, this.kindOf(from), this.numberOf(from), this.createdAt(from));
  }

  /** Drops all changes but the first ones. */
  truncate(length: number): void {
    this.#length = length;
  }
}
