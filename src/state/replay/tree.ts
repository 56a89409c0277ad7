/** The entities of a replay by their ids in hex. */
import { fromHex } from "../../bytes/hex.js";
import type { ReplayedEntity } from "./entity.js";
import type { EntityTree } from "./entity-tree.js";

/** The entities of a context at the position of a replay. Ids are 64 hex digits. */
export class ReplayedTree {
  /** The same entities by numbers. */
  readonly byNumber: EntityTree;

  constructor(byNumber: EntityTree) {
    this.byNumber = byNumber;
  }

  /** An entity; deleted ones too. */
  get(id: string): ReplayedEntity | undefined {
    const number = this.#find(id);
    return number === undefined ? undefined : this.byNumber.get(number);
  }

  /** The parent of an entity; undefined for the root, and for an entity that is not there. */
  parentOf(id: string): string | undefined {
    const parent = this.get(id)?.parent;
    return parent === undefined ? undefined : this.byNumber.nameOf(parent);
  }

  /** All entities, deleted ones too. */
  *entities(): Generator<[string, ReplayedEntity], void, undefined> {
    for (const [id, entity] of this.byNumber.entities()) yield [this.byNumber.nameOf(id), entity];
  }

  /** The ids of the children that are not deleted, in the order in which their hashes count. */
  children(id: string): readonly string[] {
    const number = this.#find(id);
    return number === undefined
      ? []
      : Array.from(this.byNumber.children(number), (child) => this.byNumber.nameOf(child));
  }

  /**
   * The full hash of an entity, 32 bytes; undefined if the entity is not there, or the hash depends on unknown data.
   */
  hash(id: string): Uint8Array | undefined {
    const number = this.#find(id);
    return number === undefined ? undefined : this.byNumber.hash(number);
  }

  #find(id: string): number | undefined {
    return this.byNumber.find(fromHex(id));
  }
}
