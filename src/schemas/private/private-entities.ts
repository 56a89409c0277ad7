/**
 * The private entities of a database. Nodes of core-0.10 keep the collections of private structs in State and record
 * them in Delta, next to the public ones; only handles in PrivateState identify them.
 */

import { concat } from "../../bytes/concat.js";
import { toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import { equalBytes } from "../../bytes/order.js";
import { entryStateKey, indexStateKey } from "../../digests/index.js";

/** Column families whose rows may contain entities of a context, with the offset of the context's id in the key. */
const CARRIERS: ReadonlyMap<string, number> = new Map([
  ["State", 0],
  ["Delta", 0],
  ["UnifiedOp", 0],
  ["AbsorbBuffer", 1],
]);

/** Returns true if rows of a column family may contain private entities. */
export function mayCarryEntities(column: string): boolean {
  return CARRIERS.has(column);
}

/** The parts of a row that are secret because of private entities. */
export interface HiddenEntities {
  /** True if the row belongs to a private entity; otherwise it names private entities among others. */
  readonly whole: boolean;
  /** @internal The private entities of the row's context. */
  readonly ids: IdTable;
}

/** Private entities by context: the context's id in hex, and their ids (32 bytes each) one after another. */
export type EntitiesByContext = ReadonlyMap<string, Uint8Array>;

interface OfContext {
  readonly ids: IdTable;
  /** The state keys of their rows. */
  readonly stateKeys: IdTable;
}

/** Identifies rows that contain private entities. Created by {@link findPrivateEntities}. */
export class PrivateEntities {
  /** For a database without private entities. */
  static readonly none = new PrivateEntities(new Map());
  /** For rows without the handles that identify private entities: all entities may be private. */
  static readonly unknown = new PrivateEntities(new Map(), true);

  /** The ids, in a form that can be sent to another thread. */
  readonly byContext: EntitiesByContext;
  readonly #contexts = new Map<string, OfContext>();
  readonly #mayBeAny: boolean;
  /** The context of the last row: rows of a context are adjacent. */
  #last: { readonly contextId: Uint8Array; readonly of: OfContext | undefined } | undefined;

  constructor(byContext: EntitiesByContext, mayBeAny = false) {
    this.byContext = byContext;
    this.#mayBeAny = mayBeAny;
    for (const [context, bytes] of byContext) {
      const of: OfContext = { ids: new IdTable(), stateKeys: new IdTable() };
      for (let at = 0; at < bytes.length; at += ID_BYTES) {
        const id = bytes.subarray(at, at + ID_BYTES);
        of.ids.add(id);
        of.stateKeys.add(indexStateKey(id));
        of.stateKeys.add(entryStateKey(id));
      }
      if (of.ids.size > 0) this.#contexts.set(context, of);
    }
  }

  /** The number of private entities. */
  get size(): number {
    return [...this.#contexts.values()].reduce((sum, { ids }) => sum + ids.size, 0);
  }

  /** Returns the secret parts of a row; undefined if it contains no private entity. */
  in(column: string, key: Uint8Array, value: Uint8Array): HiddenEntities | undefined {
    if (this.#mayBeAny) return CARRIERS.has(column) ? { whole: true, ids: new IdTable() } : undefined;
    if (this.#contexts.size === 0) return undefined;
    const start = CARRIERS.get(column);
    if (start === undefined || key.length < start + ID_BYTES) return undefined;
    const of = this.#of(key.subarray(start, start + ID_BYTES));
    if (of === undefined) return undefined;
    const { ids, stateKeys } = of;
    // The key identifies the entity if the value is damaged.
    if (column === "State" && key.length === 2 * ID_BYTES && stateKeys.has(key, ID_BYTES))
      return { whole: true, ids };
    return ids.isIn(value) ? { whole: false, ids } : undefined;
  }

  /** Returns the union: a secret of one database is also secret in a copy that lacks the handle. */
  and(other: PrivateEntities): PrivateEntities {
    if (this.#mayBeAny || other.#mayBeAny) return PrivateEntities.unknown;
    if (other.size === 0) return this;
    if (this.size === 0) return other;
    const both = new Map(this.byContext);
    for (const [context, ids] of other.byContext)
      both.set(context, concat(both.get(context) ?? new Uint8Array(0), ids));
    return new PrivateEntities(both);
  }

  #of(contextId: Uint8Array): OfContext | undefined {
    if (this.#last === undefined || !equalBytes(this.#last.contextId, contextId)) {
      const copy = new Uint8Array(contextId);
      this.#last = { contextId: copy, of: this.#contexts.get(toHex(copy)) };
    }
    return this.#last.of;
  }
}
