/** The rows that answers lack: those that do not decode, and those where a table is damaged. */
import { toHex } from "../../bytes/hex.js";
import type { EngineReader } from "../../engine/engine.js";

/** Rows of a kind that do not decode. */
export interface UnreadRows {
  /** The kind: `GroupMember`. */
  readonly kind: string;
  /** The keys of the first 1,000, in hex. */
  readonly keys: ReadonlySet<string>;
  /** True if there are more of them. */
  readonly hasMore: boolean;
  /** True if each of them may be of a newer node: decoding stopped at a tag above those that are known. */
  readonly mayBeLater: boolean;
}

/** A range of keys in which rows cannot be read, because a table is damaged. */
export interface DamagedRange {
  /** The name of the column family. */
  readonly column: string;
  /** The last key before the damage, in hex; undefined if the range has no beginning. */
  readonly after: string | undefined;
  /** The end of the range, in hex; undefined if it has none. */
  readonly before: string | undefined;
  /** The reason, as a sentence without an end. */
  readonly message: string;
}

/** Keys of a kind, and damaged ranges, that are kept. */
const MOST = 1_000;

/** The rows that were not read from a database so far. */
export class Unread {
  readonly #kinds = new Map<string, { readonly keys: Set<string>; hasMore: boolean; mayBeLater: boolean }>();
  readonly #damaged: DamagedRange[] = [];

  /** The rows that do not decode, by kind. */
  get rows(): readonly UnreadRows[] {
    return [...this.#kinds].map(([kind, found]) => ({ kind, ...found }));
  }

  /** The ranges in which tables are damaged; the first one that was found comes first. */
  get damaged(): readonly DamagedRange[] {
    return this.#damaged;
  }

  /** True if everything was read. */
  get isEmpty(): boolean {
    return this.#kinds.size === 0 && this.#damaged.length === 0;
  }

  /** Adds a row that does not decode. */
  add(kind: string, key: Uint8Array, mayBeLater: boolean): void {
    const found = this.#kinds.get(kind) ?? { keys: new Set(), hasMore: false, mayBeLater: true };
    this.#kinds.set(kind, found);
    found.mayBeLater &&= mayBeLater;
    const text = toHex(key);
    if (found.keys.size < MOST) found.keys.add(text);
    else found.hasMore ||= !found.keys.has(text);
  }

  /** Adds a range in which rows cannot be read. */
  addDamaged(range: DamagedRange): void {
    const { column, after, before, message } = range;
    if (this.#damaged.some((one) => one.column === column && one.after === after && one.before === before))
      return;
    // Where there are so many, the rest of the column family counts as damaged.
    this.#damaged.push(
      this.#damaged.length < MOST ? range : { column, after: undefined, before: undefined, message },
    );
  }

  /** True if keys of a column family that begin with some bytes, in hex, are in a damaged range. */
  isDamaged(column: string, begin: string): boolean {
    return this.#damaged.some((one) => one.column === column && isIn(one, begin));
  }

  /** True if a row that was not read may belong to a context: its key begins with its id, 64 hex digits. */
  isOfContext(id: string): boolean {
    const isDamaged = this.#damaged.some((one) => one.column !== "Group" && isIn(one, id));
    return isDamaged || this.#hasKey((key) => key.startsWith(id));
  }

  /** True if a row that was not read may belong to a group, 64 hex digits. */
  isOfGroup(id: string): boolean {
    return (
      this.#damaged.some(({ column }) => column === "Group") ||
      this.#hasKey((key) => key.slice(2).startsWith(id))
    );
  }

  #hasKey(isOf: (key: string) => boolean): boolean {
    for (const { keys, hasMore } of this.#kinds.values()) if (hasMore || [...keys].some(isOf)) return true;
    return false;
  }
}

/** True if a key that begins so may be in a range. */
function isIn({ after, before }: DamagedRange, begin: string): boolean {
  // Hex digits come before g.
  return (after === undefined || after < `${begin}g`) && (before === undefined || before >= begin);
}

const all = new WeakMap<EngineReader, Unread>();

/** The rows that were not read so far from an engine, a snapshot or an overlay: one list for all that read it. */
export function unreadOf({ raw }: { readonly raw: EngineReader }): Unread {
  const found = all.get(raw) ?? new Unread();
  all.set(raw, found);
  return found;
}

/** Begins a new list for what is read from now on. */
export function forgetUnread({ raw }: { readonly raw: EngineReader }): void {
  all.delete(raw);
}
