/** How the entities of one context hang together: what is below what, and whose data names whom. */
import { copyBytes } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import { applicationStateId, entryStateKey, indexStateKey } from "../../digests/index.js";

/** Entities by number, and which of them lead to which others. */
export class EntityGraph {
  /** Every entity that an index row or an action names. */
  readonly ids = new IdTable();
  readonly #root: number;
  readonly #application: number;
  /** Where rows lead that do not show whose they are, by their state keys in hex. */
  readonly #ofRows = new Map<string, readonly number[]>();
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  /** @param contextId 32 bytes; also the id of the root entity */
  constructor(contextId: Uint8Array) {
    this.#root = this.ids.add(contextId);
    this.#application = this.ids.add(applicationStateId());
  }

  /** Notes that whoever reaches `from` reaches `to`. */
  link(from: number, to: number): void {
    if (from === to) return;
    this.#from.push(from);
    this.#to.push(to);
  }

  /** Notes where a row of State leads of which only the key tells whose it is. */
  linkRow(stateKey: Uint8Array, to: readonly number[]): void {
    if (to.length > 0) this.#ofRows.set(toHex(stateKey), to);
  }

  /**
   * The ids that can be reached from these entities, themselves included, one after another. The root, the application's
   * state and the collections that it holds itself are public, whatever names them: they are not entered.
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

  /** Where each entity leads: those of entity n lie from `offsets[n]` to `offsets[n + 1]`. */
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
