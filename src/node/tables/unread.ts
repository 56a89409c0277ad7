/** Unread rows, which answers lack: rows that do not decode, and rows in damaged parts of tables. */
import { toHex } from "../../bytes/hex.js";
import { originOf } from "../../engine/abortable.js";
import type { EngineReader } from "../../engine/engine.js";
import type { LeftOut } from "../../engine/left-out.js";
import type { AnyKey } from "../../keys/index.js";
import type { RowSelection } from "../../schemas/index.js";

/** Rows of a kind that do not decode. */
export interface UnreadRows {
  /** The kind: `GroupMember`. */
  readonly kind: string;
  /** The keys of the first 1,000, in hex. */
  readonly keys: ReadonlySet<string>;
  /** True if there are more of them. */
  readonly hasMore: boolean;
  /** True if each of them may come from a newer node: decoding stopped at a tag above the known ones. */
  readonly mayBeLater: boolean;
  /** The reasons why rows that decode are not taken into account, as sentences without an end, by their keys in hex. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** A range of keys in which rows cannot be read, because a table is damaged. */
export interface DamagedRange {
  /** The name of the column family. */
  readonly column: string;
  /** The last key before the damage, in hex; undefined if the range has no beginning. */
  readonly after: string | undefined;
  /** The end of the range, in hex; undefined if the range has no end. */
  readonly before: string | undefined;
  /** The reason, as a sentence without an end. */
  readonly message: string;
  /** True if no table is damaged: an export leaves out the rows. */
  readonly isLeftOut?: true;
}

/** Keys of a kind, and damaged ranges of a column family, that are kept. */
const MOST = 1_000;

/** The column families whose keys begin with the id of a context. */
const OF_CONTEXTS: ReadonlySet<string> = new Set([
  "Meta",
  "Config",
  "Identity",
  "State",
  "PrivateState",
  "Delta",
]);

/** The public part of the rows that identify this node. */
export interface OwnParts {
  /** Public keys with which it signs, 64 hex digits each. */
  readonly publicKeys: ReadonlySet<string>;
  /** The device since core-0.11. */
  readonly device: { readonly deviceId: Uint8Array; readonly accountRootPk: Uint8Array } | undefined;
}

/** The rows of a kind that do not decode. */
interface Kind {
  readonly column: string;
  readonly keys: Set<string>;
  readonly reasons: Map<string, string>;
  hasMore: boolean;
  mayBeLater: boolean;
}

/** The unread rows of a database that were found so far. */
export class Unread {
  readonly #kinds = new Map<string, Kind>();
  #damaged: readonly DamagedRange[] = [];
  /** A row with this node's own keys that an export leaves out, to be added by who needs them. */
  leftOutOwn: Parameters<Unread["add"]> | undefined;
  /** The public part of this node's own rows, if an export leaves out their secrets. */
  own: OwnParts | undefined;
  /** Tells which rows an export leaves out; undefined for a whole database. */
  leftOut: LeftOut | undefined;
  /**
   * The context, group or member that an export is limited to; undefined for an export of all rows, and for a database.
   */
  selection: RowSelection | undefined;

  /** The rows that do not decode, by kind. */
  get rows(): readonly UnreadRows[] {
    return [...this.#kinds].map(([kind, { keys, reasons, hasMore, mayBeLater }]) => ({
      ...{ kind, keys, reasons, hasMore, mayBeLater },
    }));
  }

  /** The ranges in which tables are damaged, in the order in which they were found. */
  get damaged(): readonly DamagedRange[] {
    return this.#damaged;
  }

  /** True if everything was read. */
  get isEmpty(): boolean {
    return this.#kinds.size === 0 && this.#damaged.length === 0;
  }

  /**
   * Adds a row that does not decode, or is not taken into account for another reason.
   *
   * @param reason the other reason, as a sentence without an end
   */
  add(
    kind: string,
    { COLUMN: column, bytes }: Pick<AnyKey, "COLUMN" | "bytes">,
    mayBeLater: boolean,
    reason?: string,
  ): void {
    const none = { column, keys: new Set<string>(), reasons: new Map(), hasMore: false, mayBeLater: true };
    const found = this.#kinds.get(kind) ?? none;
    this.#kinds.set(kind, found);
    found.mayBeLater &&= mayBeLater;
    const text = toHex(bytes);
    if (found.keys.size < MOST) found.keys.add(text);
    else found.hasMore ||= !found.keys.has(text);
    if (reason !== undefined && found.keys.has(text)) found.reasons.set(text, reason);
  }

  /** True if this node's own keys are left out; then they count as unread. */
  lacksOwn(): boolean {
    if (this.leftOutOwn !== undefined) this.add(...this.leftOutOwn);
    return this.leftOutOwn !== undefined;
  }

  /** Adds a range in which rows cannot be read. A column family that has too many of them counts as damaged as a whole. */
  addDamaged(range: DamagedRange): void {
    const { column, after, before, message } = range;
    const known = this.#damaged.filter((one) => one.column === column);
    if (known.some((one) => isWhole(one) || (one.after === after && one.before === before))) return;
    if (known.length < MOST) this.#damaged = [...this.#damaged, range];
    else
      this.#damaged = [
        ...this.#damaged.filter((one) => one.column !== column),
        { column, after: undefined, before: undefined, message },
      ];
  }

  /** True if keys of a column family that begin with some bytes, in hex, are in a damaged range. */
  isDamaged(column: string, begin: string): boolean {
    return this.#damaged.some((one) => one.column === column && isIn(one, begin));
  }

  /** True if an unread row may belong to a context: its key begins with its id, 64 hex digits. */
  isOfContext(id: string): boolean {
    const isDamaged = this.#damaged.some((one) => OF_CONTEXTS.has(one.column) && isIn(one, id));
    return isDamaged || this.#hasKey(OF_CONTEXTS.has.bind(OF_CONTEXTS), (key) => key.startsWith(id));
  }

  /**
   * The numbers of rows of a context, 64 hex digits, that do not decode, by kind; undefined if other rows may be
   * unread.
   */
  undecodedOf(id: string): ReadonlyMap<string, number> | undefined {
    const found = new Map<string, number>();
    if (this.#damaged.some((one) => OF_CONTEXTS.has(one.column) && isIn(one, id))) return undefined;
    for (const [kind, { column, keys, hasMore }] of this.#kinds) {
      if (!OF_CONTEXTS.has(column)) continue;
      if (hasMore) return undefined;
      const count = [...keys].filter((key) => key.startsWith(id)).length;
      if (count > 0) found.set(kind, count);
    }
    return found;
  }

  /** True if an unread row may belong to a group, 64 hex digits. */
  isOfGroup(id: string): boolean {
    return (
      this.#damaged.some(({ column }) => isGroup(column)) ||
      this.#hasKey(isGroup, (key) => key.startsWith(id, 2))
    );
  }

  /** True if an unread row belongs to no context and to no group. */
  get isOfRest(): boolean {
    const found = [...this.#damaged, ...this.#kinds.values()];
    return found.some(({ column }) => !OF_CONTEXTS.has(column) && !isGroup(column));
  }

  #hasKey(isIn: (column: string) => boolean, isOf: (key: string) => boolean): boolean {
    for (const { column, keys, hasMore } of this.#kinds.values())
      if (isIn(column) && (hasMore || [...keys].some(isOf))) return true;
    return false;
  }
}

function isGroup(column: string): boolean {
  return column === "Group";
}

function isWhole({ after, before }: DamagedRange): boolean {
  return after === undefined && before === undefined;
}

/** True if a key that begins so may be in a range. */
function isIn({ after, before }: DamagedRange, begin: string): boolean {
  // Hex digits come before g.
  return (after === undefined || after < `${begin}g`) && (before === undefined || before >= begin);
}

const all = new WeakMap<EngineReader, Unread>();

/** The unread rows of an engine, a snapshot or an overlay: one list for all that read it. */
export function unreadOf({ raw }: { readonly raw: EngineReader }): Unread {
  const reader = originOf(raw);
  const found = all.get(reader) ?? new Unread();
  all.set(reader, found);
  return found;
}

/** Shares the list of a reader with another reader that reads through it. */
export function shareUnread(
  { raw }: { readonly raw: EngineReader },
  base: { readonly raw: EngineReader },
): void {
  all.set(originOf(raw), unreadOf(base));
}

/** Tells a reader of the past which present rows an export leaves out. */
export function inheritLeftOut(
  past: { readonly raw: EngineReader },
  now: { readonly raw: EngineReader },
): void {
  const { leftOut, leftOutOwn, own } = unreadOf(now);
  Object.assign(unreadOf(past), { leftOut, leftOutOwn, own });
}

/** Begins a new list for later reads. */
export function forgetUnread({ raw }: { readonly raw: EngineReader }): void {
  all.delete(raw);
}
