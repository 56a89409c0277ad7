/**
 * Deltas that one side need not have: it started from a snapshot, and applied deltas that follow them. A side with the
 * first delta of a context and no checkpoint did not start from a snapshot: it lost the deltas that it lacks. A side
 * that lacks a delta between others lost it too.
 */

import { isZeros } from "../bytes/bytes.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { IdTable } from "../bytes/id-table.js";
import { millisOfNtp64 } from "../bytes/ntp64.js";
import { equalBytes } from "../bytes/order.js";
import { ReadFailure } from "../codec/index.js";
import type { Schema } from "../schemas/index.js";
import type { SourceRow } from "./row-source.js";

/** The numbers of deltas that only one side has, while the other side applied deltas that follow them. */
export interface OlderDeltas {
  /** Deltas that only the first database has. */
  onlyInA: number;
  /** Deltas that only the second database has. */
  onlyInB: number;
}

/** The deltas of a context that one side lacks: it applied neither them nor deltas that follow them. */
export interface LackedDeltas {
  /** The number of these deltas. */
  readonly count: number;
  /**
   * The time of the first of these deltas, in milliseconds since 1970 by the author's clock; null if no delta has a
   * time.
   */
  readonly since: number | null;
}

/** The deltas of a context that one side applied and the other did not. */
interface DeltaCounts {
  readonly older: OlderDeltas;
  /** The numbers of differing rows that do not decode. Their sides may or may not have applied these deltas. */
  readonly unread: readonly [a: number, b: number];
  readonly onlyInA: LackedDeltas;
  readonly onlyInB: LackedDeltas;
}

/** @internal */
export const NO_DELTAS: DeltaCounts = {
  older: { onlyInA: 0, onlyInB: 0 },
  unread: [0, 0],
  onlyInA: { count: 0, since: null },
  onlyInB: { count: 0, since: null },
};

/** The parts of a delta that decide. */
interface Delta {
  readonly hlc: { readonly time: bigint };
  readonly parents: readonly Uint8Array[];
  readonly applied: boolean;
  readonly isFirst: boolean;
  readonly isCheckpoint: boolean;
}

/** A delta of one side that the other did not apply itself. */
interface Unapplied {
  readonly parents: readonly string[];
  /** True if the other side has a row of it, as a pending delta. A snapshot may have come before its parents. */
  readonly isThere: boolean;
  /** True if the row of the other side was not read. */
  readonly isUnread: boolean;
  /** True if the side itself applied it. */
  readonly applied: boolean;
  readonly time: bigint;
}

/** The deltas of a context on one side. */
class Side {
  /** Deltas that the other side did not apply, by id. */
  readonly unapplied = new Map<string, Unapplied>();
  /** The deltas that the other side applied, without checkpoints. */
  applied = new IdTable();
  /** The parents of these deltas; `covered` has the parents of the other side's checkpoints. */
  followed = new IdTable();
  covered = new IdTable();
  /** True if this side has the first delta, or a checkpoint. */
  hasFirst = false;
  hasCheckpoint = false;

  /** Takes a delta of this side. */
  add({ isFirst, isCheckpoint }: Delta): void {
    this.hasCheckpoint ||= isCheckpoint;
    this.hasFirst ||= isFirst && !isCheckpoint;
  }

  /**
   * Counts the deltas that the other side lacks: the deltas from before its history, and the rest. Forgets all of them.
   *
   * @param isWhole true if the other side's history begins with the first delta
   */
  count(isWhole: boolean): { readonly older: number; readonly rest: LackedDeltas } {
    let found = 0;
    const older = isWhole ? [] : this.#older();
    for (let id = older.pop(); id !== undefined; id = older.pop()) {
      const delta = this.unapplied.get(id);
      if (delta === undefined) continue;
      this.unapplied.delete(id);
      older.push(...delta.parents);
      if (!delta.isThere) found++;
    }
    let count = 0;
    let since: bigint | undefined;
    for (const { applied, isUnread, time } of this.unapplied.values()) {
      if (!applied || isUnread) continue;
      count++;
      if (time !== 0n && (since === undefined || time < since)) since = time;
    }
    const rest = { count, since: since === undefined ? null : millisOfNtp64(since) };
    this.unapplied.clear();
    this.applied = new IdTable();
    this.followed = new IdTable();
    this.covered = new IdTable();
    return { older: found, rest };
  }

  /** The parents of the other side's checkpoints, and the parents that its first deltas lack. */
  #older(): string[] {
    const children = new Map<string, string[]>();
    const open: string[] = [];
    for (const [id, { parents }] of this.unapplied)
      for (const parent of parents) {
        if (this.applied.has(fromHex(parent))) open.push(id);
        const others = children.get(parent);
        if (others === undefined) children.set(parent, [id]);
        else others.push(id);
      }
    const later = new Set<string>();
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (later.has(id)) continue;
      later.add(id);
      open.push(...(children.get(id) ?? []));
    }
    return [...this.unapplied.keys()].filter((id) => {
      const bytes = fromHex(id);
      return this.covered.has(bytes) || (this.followed.has(bytes) && !later.has(id));
    });
  }
}

/** @internal Counts older deltas by context. It holds one context's ids at a time: its rows are adjacent. */
export class OlderDeltaCounts {
  readonly #counts = new Map<string, DeltaCounts>();
  readonly #schemas: readonly [a: Schema, b: Schema];
  readonly #sides = [new Side(), new Side()] as const;
  #context = "";
  #unread: [a: number, b: number] = [0, 0];

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
    if (a !== undefined) sideA.add(a);
    if (b !== undefined) sideB.add(b);
    const id = toHex(key.subarray(32));
    if (a !== undefined && !b?.applied) sideA.unapplied.set(id, unapplied(a, rowB, b));
    if (b !== undefined && !a?.applied) sideB.unapplied.set(id, unapplied(b, rowA, a));
    if (!isSame(rowA, rowB)) {
      if (rowA !== undefined && a === undefined) this.#unread[0]++;
      if (rowB !== undefined && b === undefined) this.#unread[1]++;
    }
    if (a?.applied && !a.isCheckpoint) sideB.applied.add(key.subarray(32));
    if (b?.applied && !b.isCheckpoint) sideA.applied.add(key.subarray(32));
    // A checkpoint does not name the deltas before it, and the other side may have the delta itself.
    for (const parent of [...(a?.parents ?? []), ...(b?.parents ?? [])]) {
      if (a?.applied) (a.isCheckpoint ? sideB.covered : sideB.followed).add(parent);
      if (b?.applied) (b.isCheckpoint ? sideA.covered : sideA.followed).add(parent);
    }
  }

  /** The counts by the context's id in hex, of the contexts that have some. */
  counts(): ReadonlyMap<string, DeltaCounts> {
    this.#settle();
    return this.#counts;
  }

  #settle(): void {
    const isWhole = this.#sides.map(({ hasFirst, hasCheckpoint }) => hasFirst && !hasCheckpoint);
    const [inA, inB] = [this.#sides[0].count(isWhole[1] === true), this.#sides[1].count(isWhole[0] === true)];
    for (const side of this.#sides) {
      side.hasFirst = false;
      side.hasCheckpoint = false;
    }
    const unread = this.#unread;
    this.#unread = [0, 0];
    if (inA.older + inB.older + inA.rest.count + inB.rest.count + unread[0] + unread[1] === 0) return;
    const older = { onlyInA: inA.older, onlyInB: inB.older };
    this.#counts.set(this.#context, { older, unread, onlyInA: inA.rest, onlyInB: inB.rest });
  }
}

function unapplied(
  { parents, applied, hlc }: Delta,
  otherRow: SourceRow | undefined,
  other: Delta | undefined,
): Unapplied {
  const isThere = otherRow !== undefined;
  const isUnread = isThere && other === undefined;
  return { parents: parents.map(toHex), isThere, isUnread, applied, time: hlc.time };
}

/** Returns whether two rows have the same value. */
function isSame(a: SourceRow | undefined, b: SourceRow | undefined): boolean {
  return a?.value !== undefined && b?.value !== undefined && equalBytes(a.value, b.value);
}

function readDelta(schema: Schema, found: SourceRow | undefined): Delta | undefined {
  const row = schema.rows.find(({ kind }) => kind === "ContextDagDelta");
  const delta = found?.value && row?.valueAt(row.key.view(found.key)).readWhole(found.value);
  if (delta === undefined || delta instanceof ReadFailure) return undefined;
  const { parents, applied, hlc, ...rest } = delta as Value;
  const isFirst = parents.every((parent) => isZeros(parent));
  // In core-0.10 a checkpoint is a first delta that changes nothing.
  const isCheckpoint =
    "checkpointRootHash" in rest ? rest.checkpointRootHash !== null : isFirst && isEmpty(rest.actions);
  return { parents, applied, hlc, isFirst, isCheckpoint };
}

/** The parts of a delta's row that are read. */
interface Value extends Pick<Delta, "hlc" | "parents" | "applied"> {
  readonly checkpointRootHash?: Uint8Array | null;
  readonly actions: readonly unknown[] | { readonly bytes: Uint8Array };
}

/** Returns whether a list of actions, decoded or as a byte string, has none. */
function isEmpty(actions: Value["actions"]): boolean {
  return "bytes" in actions ? isZeros(actions.bytes) : actions.length === 0;
}
