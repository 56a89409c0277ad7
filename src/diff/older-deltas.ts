/** Deltas that one side need not have: it applied others that follow them, as a node does that started from a snapshot. */

import { fromHex, toHex } from "../bytes/hex.js";
import { IdTable } from "../bytes/id-table.js";
import { ReadFailure } from "../codec/index.js";
import type { Schema } from "../schemas/index.js";
import type { SourceRow } from "./row-source.js";

/** The number of deltas that only one side has, of which the other applied some that follow them. */
export interface OlderDeltas {
  /** Deltas that only the first database has. */
  onlyInA: number;
  /** Deltas that only the second database has. */
  onlyInB: number;
}

/** The parts of a delta that decide. */
interface Delta {
  readonly parents: readonly Uint8Array[];
  readonly applied: boolean;
}

/** A delta of one side that the other did not apply itself. */
interface Unapplied {
  readonly parents: readonly string[];
  /** True if the other side has it, pending: a snapshot may have come before its parents did. */
  readonly pending: boolean;
}

/** The deltas of a context on one side. */
class Side {
  /** Deltas that the other side did not apply, by id. */
  readonly unapplied = new Map<string, Unapplied>();
  /** The parents of the deltas that the other side applied. */
  followed = new IdTable();

  /** The number of deltas that the other side lacks and that come before some that it applied. Forgets all. */
  count(): number {
    let found = 0;
    const older = [...this.unapplied.keys()].filter((id) => this.followed.has(fromHex(id)));
    for (let id = older.pop(); id !== undefined; id = older.pop()) {
      const delta = this.unapplied.get(id);
      if (delta === undefined) continue;
      this.unapplied.delete(id);
      older.push(...delta.parents);
      if (!delta.pending) found++;
    }
    this.unapplied.clear();
    this.followed = new IdTable();
    return found;
  }
}

/** @internal Counts them by context. It holds ids of one context: the deltas of a context follow each other. */
export class OlderDeltaCounts {
  readonly #counts = new Map<string, OlderDeltas>();
  readonly #schemas: readonly [a: Schema, b: Schema];
  readonly #sides = [new Side(), new Side()] as const;
  #context = "";

  constructor(a: Schema, b: Schema) {
    this.#schemas = [a, b];
  }

  /** Takes the rows of a key; the keys of each column family ascend. */
  add(column: string, rowA: SourceRow | undefined, rowB: SourceRow | undefined): void {
    const { key } = (rowA ?? rowB) as SourceRow;
    if (column !== "Delta" || key.length !== 64) return;
    const context = toHex(key.subarray(0, 32));
    if (context !== this.#context) this.#settle();
    this.#context = context;
    const [a, b] = [readDelta(this.#schemas[0], rowA), readDelta(this.#schemas[1], rowB)];
    const [sideA, sideB] = this.#sides;
    const id = toHex(key.subarray(32));
    if (a !== undefined && !b?.applied)
      sideA.unapplied.set(id, { parents: a.parents.map(toHex), pending: rowB !== undefined });
    if (b !== undefined && !a?.applied)
      sideB.unapplied.set(id, { parents: b.parents.map(toHex), pending: rowA !== undefined });
    // A checkpoint does not name what came before it, and the other side may have the delta itself.
    for (const parent of [...(a?.parents ?? []), ...(b?.parents ?? [])]) {
      if (a?.applied) sideB.followed.add(parent);
      if (b?.applied) sideA.followed.add(parent);
    }
  }

  /** The counts by the context's id in hex, of the contexts that have some. */
  counts(): ReadonlyMap<string, OlderDeltas> {
    this.#settle();
    return this.#counts;
  }

  #settle(): void {
    const [onlyInA, onlyInB] = [this.#sides[0].count(), this.#sides[1].count()];
    if (onlyInA + onlyInB > 0) this.#counts.set(this.#context, { onlyInA, onlyInB });
  }
}

function readDelta(schema: Schema, found: SourceRow | undefined): Delta | undefined {
  const row = schema.rows.find(({ kind }) => kind === "ContextDagDelta");
  const delta = found?.value && row?.valueAt(row.key.view(found.key)).readWhole(found.value);
  return delta === undefined || delta instanceof ReadFailure ? undefined : (delta as Delta);
}
