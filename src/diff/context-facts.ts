/**
 * Rows of State and Delta that show whether the rows of contexts are right: the roots of states, and the deltas of
 * heads.
 */
import { concat } from "../bytes/concat.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { compareBytes } from "../bytes/order.js";
import { counted } from "../bytes/quantity.js";
import { ReadFailure } from "../codec/index.js";
import { indexStateKey } from "../digests/index.js";
import { entityKey } from "../layouts/index.js";
import { type Schema, snapshotKey } from "../schemas/index.js";
import type { SourceRow } from "./row-source.js";

/** The claims of the row of a context on one side. */
interface Said {
  readonly rootHash: string | null;
  readonly dagHeads: readonly string[];
}

/** The sides whose row of a context contradicts their other rows. */
export interface Untrue {
  /** True for a side that states another root hash than its rows of State give. */
  readonly rootHash: readonly [a: boolean, b: boolean];
  /** True for a side that lists a head, but lacks its delta. */
  readonly heads: readonly [a: boolean, b: boolean];
}

/** @internal */
export const TRUE: Untrue = { rootHash: [false, false], heads: [false, false] };

/** Bytes of a key of State since core-1.0. */
const ONE_ROW_KEY = 65;

/** The root hash of a context without a whole state. */
const NO_STATE = "0".repeat(64);

/** Finds the rows of State and Delta that show which side is right about a context. */
export class ContextFacts {
  readonly #schemas: readonly [a: Schema, b: Schema];
  /** The keys of these rows by column family, in descending order. */
  readonly #open = { State: [] as Uint8Array[], Delta: [] as Uint8Array[], Generic: [] as Uint8Array[] };
  /** By key in hex, on each side: the full hash in a root, or an empty text for any other row that exists. */
  readonly #found = new Map<string, readonly [a: string | undefined, b: string | undefined]>();

  constructor(a: Schema, b: Schema) {
    this.#schemas = [a, b];
  }

  /** Notes the rows to find about a context. Call it before the first row is added. */
  expect(contextId: string, a: Said, b: Said): void {
    const id = fromHex(contextId);
    const roots = this.#schemas.map((schema) => rootKey(schema, id));
    for (const key of a.rootHash === b.rootHash ? [] : roots)
      if (key !== undefined) this.#open.State.push(key);
    this.#open.Generic.push(snapshotKey(id).bytes);
    if (roots.includes(undefined)) return;
    for (const head of [...onlyIn(a, b), ...onlyIn(b, a)]) this.#open.Delta.push(concat(id, fromHex(head)));
  }

  /** Begins, once all contexts are known. */
  start(): void {
    for (const keys of Object.values(this.#open)) keys.sort((a, b) => compareBytes(b, a));
  }

  /** Takes the rows of a key; the keys of each column family ascend. */
  add(column: string, a: SourceRow | undefined, b: SourceRow | undefined): void {
    if (column !== "State" && column !== "Delta" && column !== "Generic") return;
    const open = this.#open[column];
    const { key } = (a ?? b) as SourceRow;
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const order = compareBytes(next, key);
      if (order > 0) return;
      open.pop();
      if (order === 0)
        this.#found.set(toHex(key), [
          factIn(column, this.#schemas[0], a),
          factIn(column, this.#schemas[1], b),
        ]);
    }
  }

  /** Returns the sides whose row of a context is wrong. All rows have been added before. */
  untrue(contextId: string, a: Said, b: Said): Untrue {
    const id = fromHex(contextId);
    const isOther = (side: 0 | 1, { rootHash }: Said): boolean => {
      // The state is not complete yet.
      if (
        rootHash === null ||
        rootHash === NO_STATE ||
        this.#found.get(toHex(snapshotKey(id).bytes))?.[side] === ""
      )
        return false;
      const key = rootKey(this.#schemas[side], id);
      const hash = key && this.#found.get(toHex(key))?.[side];
      return hash !== undefined && hash !== rootHash;
    };
    const lacks = (side: 0 | 1, said: Said, other: Said): boolean =>
      onlyIn(said, other).some((head) => {
        // After a snapshot, core-0.10 stores the root hash as head if it knows no delta.
        const isFallback = said.dagHeads.length === 1 && head === said.rootHash;
        return !isFallback && this.#found.get(contextId + head)?.[side] === undefined;
      });
    if (this.#schemas.some((schema) => rootKey(schema, id) === undefined)) return TRUE;
    return {
      rootHash: [isOther(0, a), isOther(1, b)],
      heads: [lacks(0, a, b), lacks(1, b, a)],
    };
  }
}

/** The heads that one side lists and the other does not. */
function onlyIn({ dagHeads }: Said, other: Said): readonly string[] {
  return dagHeads.filter((head) => !other.dagHeads.includes(head));
}

/**
 * @internal True for a row of State since core-1.0 that does not decode. Before core-1.0, most rows hold data that only
 * the application decodes.
 */
export function isUndecodedState(schema: Schema, { key, value }: SourceRow): boolean {
  const state = stateOf(schema);
  if (value === undefined || state?.key.SIZE !== ONE_ROW_KEY || key.length !== ONE_ROW_KEY) return false;
  return state.alternativeAt(state.key.view(key))?.readWhole(value) instanceof ReadFailure;
}

function stateOf(schema: Schema): Schema["rows"][number] | undefined {
  return schema.rows.find(({ kind }) => kind === "ContextState");
}

/** The key of the row with the root of a context's state; undefined if the revision has no entities. */
function rootKey(schema: Schema, contextId: Uint8Array): Uint8Array | undefined {
  const state = stateOf(schema);
  if (state?.alternative === undefined) return undefined;
  return concat(contextId, state.key.SIZE === ONE_ROW_KEY ? entityKey(contextId) : indexStateKey(contextId));
}

/** The full hash of the root in a row of State; an empty text for any row of other column families; undefined for any other row of State. */
function factIn(column: string, schema: Schema, row: SourceRow | undefined): string | undefined {
  if (row === undefined || column !== "State") return row && "";
  if (row.value === undefined) return undefined;
  const state = stateOf(schema);
  // The other side may be of a revision with longer keys.
  if (state === undefined || state.key.SIZE !== row.key.length) return undefined;
  const found = state.alternativeAt(state.key.view(row.key))?.readWhole(row.value);
  if (found === undefined || found instanceof ReadFailure) return undefined;
  const { index, fullHash } = found as { readonly index?: Hashed | null } & Partial<Hashed>;
  const hash = fullHash ?? index?.fullHash;
  return hash && toHex(hash);
}

interface Hashed {
  readonly fullHash: Uint8Array;
}

/** @internal `the same state; 1 delta of B cannot be read`: the deltas that differ and do not decode. */
export function unreadText(unread: readonly number[], names: readonly string[]): string {
  return ["the same state", ...unreadSentences(unread, names)].join("; ");
}

/** @internal The sentences about the deltas of each side that do not decode. */
export function unreadSentences(unread: readonly number[], names: readonly string[]): string[] {
  const texts = names.flatMap((name, at) => (unread[at] ? `${counted(unread[at], "delta")} of ${name}` : []));
  return texts.length === 0 ? [] : [`${texts.join(" and ")} cannot be read`];
}

/** @internal The sentences about wrong rows of a context. */
export function untrueSentences({ rootHash, heads }: Untrue, names: readonly string[]): string[] {
  const of = (sides: readonly boolean[], what: string): string[] =>
    names.flatMap((name, at) => (sides[at] ? `${name}'s row of ContextMeta ${what}` : []));
  return [
    ...of(rootHash, "states another root hash than its rows of State give"),
    ...of(heads, "lists a head of which it has no delta"),
  ];
}
