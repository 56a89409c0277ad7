/** The graph of the entities of one context: children, and references in their data. */
import { copyBytes } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import { GroupedNumbers } from "../../collections/grouped-numbers.js";
import { applicationStateId, entryStateKey, indexStateKey } from "../../digests/index.js";

/** Entities by number, and the edges between them. */
export class EntityGraph {
  /** Every entity that an index row or an action names. */
  readonly ids = new IdTable();
  readonly #root: number;
  readonly #application: number;
  /** The edges of rows whose entity is only known by its state key, by state key in hex. */
  readonly #ofRows = new Map<string, readonly number[]>();
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  /** @param contextId 32 bytes; also the id of the root entity */
  constructor(contextId: Uint8Array) {
    this.#root = this.ids.add(contextId);
    this.#application = this.ids.add(applicationStateId());
  }

  /** Adds an edge. */
  link(from: number, to: number): void {
    if (from === to) return;
    this.#from.push(from);
    this.#to.push(to);
  }

  /** Adds the edges of a row of State whose entity is only known by its key. */
  linkRow(stateKey: Uint8Array, to: readonly number[]): void {
    if (to.length > 0) this.#ofRows.set(toHex(stateKey), to);
  }

  /**
   * Returns the concatenated ids that can be reached from these entities, including themselves. The root, the
   * application's state and its direct collections are always public and are not entered.
   */
  async reach(starts: Iterable<number>): Promise<Uint8Array> {
    this.#linkOwners();
    const targets = await GroupedNumbers.of(this.ids.size, async (add) => {
      for (const [at, from] of this.#from.entries()) add(from, this.#to[at] as number);
    });
    const seen = new Uint8Array(this.ids.size);
    seen[this.#root] = 1;
    seen[this.#application] = 1;
    targets.each(this.#application, (entity) => {
      seen[entity] = 1;
    });
    const found = new IdTable();
    const open = [...starts];
    for (let entity = open.pop(); entity !== undefined; entity = open.pop()) {
      if (seen[entity] === 1) continue;
      seen[entity] = 1;
      found.add(this.ids.bytes, entity * ID_BYTES);
      targets.each(entity, (next) => open.push(next));
    }
    return copyBytes(found.bytes);
  }

  #linkOwners(): void {
    if (this.#ofRows.size === 0) return;
    for (let entity = 0; entity < this.ids.size; entity++) {
      const id = this.ids.at(entity);
      for (const key of [indexStateKey(id), entryStateKey(id)])
        for (const to of this.#ofRows.get(toHex(key)) ?? []) this.link(entity, to);
    }
    this.#ofRows.clear();
  }
}
