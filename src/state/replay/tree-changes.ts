/** Changes of a tree of entities in little memory. */
import { NumberColumn, TimeColumn } from "../../collections/columns.js";

/** The new content of a part of the tree: another entity, or none; a child, or not a child; a deleted child, or not one. */
export const [ENTITY, CHILD, NO_CHILD, DELETED, NOT_DELETED] = [0, 1, 2, 3, 4];

/** A list of changes. When one is made, what the part was takes its place. */
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

  /** The number of the record that the entity gets, plus 1, or 0 for none; of a child that of its parent. */
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

  /** Sets what a part of the tree becomes. */
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
