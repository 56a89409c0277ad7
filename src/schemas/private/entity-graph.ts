/** The graph of the entities of one context: children, and references in their data. */
import { copyBytes } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
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
  reach(starts: Iterable<number>): Uint8Array {
    this.#linkOwners();
    const { offsets, targets } = this.#targets();
    const seen = new Uint8Array(this.ids.size);
    seen[this.#root] = 1;
    seen[this.#application] = 1;
    const heldByApplication = targets.subarray(offsets[this.#application], offsets[this.#application + 1]);
    for (const entity of heldByApplication) seen[entity] = 1;
    const found = new IdTable();
    const open = [...starts];
    for (let entity = open.pop(); entity !== undefined; entity = open.pop()) {
      if (seen[entity] === 1) continue;
      seen[entity] = 1;
      found.add(this.ids.bytes, entity * ID_BYTES);
      for (const next of targets.subarray(offsets[entity], offsets[entity + 1])) open.push(next);
    }
    return copyBytes(found.bytes);
  }

  #linkOwners(): void {
    if (this.#ofRows.size === 0) return;
    for (let entity = 0; entity < this.ids.size; entity++) {
      const id = this.ids.bytes.subarray(entity * ID_BYTES, (entity + 1) * ID_BYTES);
      for (const key of [indexStateKey(id), entryStateKey(id)])
        for (const to of this.#ofRows.get(toHex(key)) ?? []) this.link(entity, to);
    }
    this.#ofRows.clear();
  }

  /** The targets of the edges: the targets of entity n are in `[offsets[n], offsets[n + 1])`. */
  #targets(): { readonly offsets: Uint32Array; readonly targets: Uint32Array } {
    const offsets = new Uint32Array(this.ids.size + 1);
    for (const from of this.#from) offsets[from + 1] = (offsets[from + 1] as number) + 1;
    for (let at = 1; at < offsets.length; at++)
      offsets[at] = (offsets[at] as number) + (offsets[at - 1] as number);
    const targets = new Uint32Array(this.#to.length);
    const next = offsets.slice();
    for (const [at, from] of this.#from.entries()) {
      const place = next[from] as number;
      targets[place] = this.#to[at] as number;
      next[from] = place + 1;
    }
    return { offsets, targets };
  }
}
