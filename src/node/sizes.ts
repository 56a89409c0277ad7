/** The use of space: rows and bytes by column family, kind, group and context. */
import { copyBytes } from "../bytes/bytes.js";
import { toHex } from "../bytes/hex.js";
import { abortable } from "../engine/abortable.js";
import { checkOptions } from "../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import type { ContextRecord } from "./tables/contexts.js";
import type { GroupRecord } from "./tables/groups.js";
import type { NodeReader } from "./tables/rows.js";

/** The grouping of sizes. */
export type SizeBy = "family" | "kind" | "group" | "context";

/** Rows that belong together. */
export interface SizeEntry {
  /**
   * The name of the family or kind; the id of the group or context; empty for rows that belong to no group or context.
   */
  readonly of: string;
  /** Number of rows. */
  rows: number;
  /** Bytes of keys and values. */
  bytes: number;
}

/** A large row. */
export interface LargeRow {
  /** Name of the column family. */
  readonly column: string;
  /** The key as it is stored. */
  readonly key: Uint8Array;
  /** Bytes of key and value. */
  readonly bytes: number;
}

/** Sizes, largest first. */
export interface Sizes {
  /** One for each family, kind, group or context. */
  readonly entries: readonly SizeEntry[];
  /** Rows of all entries together. */
  readonly rows: number;
  /** Bytes of keys and values of all entries together. */
  readonly bytes: number;
  /** The largest rows, largest first. */
  readonly largest: readonly LargeRow[];
}

/** Largest rows that are kept. */
const LARGEST = 10;
/** Parts of keys that hold the id of a context or a group. */
const CONTEXT = /^contextId$/;
const GROUP = /^(?:groupId|parentGroupId|childGroupId|namespaceId)$/;
/** The part of aliases and operations with the id of either. */
const EITHER = /^scope$/;

/** The contexts and groups by their ids. The rows of a context belong to its group. */
interface Known {
  readonly contexts: ReadonlyMap<string, ContextRecord>;
  readonly groups: ReadonlyMap<string, GroupRecord>;
}

/** Reads every row once, and adds up its size. */
export async function readSizes(
  reader: NodeReader,
  by: SizeBy,
  known: Known,
  options: ProgressOptions,
): Promise<Sizes> {
  checkOptions("sizes", options, progressOptions);
  const follower = new Follower(options);
  const entries = new Map<string, SizeEntry>();
  const largest: LargeRow[] = [];
  let [rows, bytes] = [0, 0];
  const owner = ownerOf(reader, by, known);
  for (const column of reader.columns)
    for await (const chunk of abortable(reader.raw, options.signal).scan(column).chunks()) {
      for (const { key, value } of chunk) {
        const of = owner(column, key);
        const size = key.length + value.length;
        const entry = entries.get(of) ?? { of, rows: 0, bytes: 0 };
        entries.set(of, entry);
        entry.rows++;
        entry.bytes += size;
        bytes += size;
        if (largest.length < LARGEST || size > (largest.at(-1)?.bytes ?? 0)) {
          largest.push({ column, key: copyBytes(key), bytes: size });
          largest.sort((a, b) => b.bytes - a.bytes);
          if (largest.length > LARGEST) largest.pop();
        }
      }
      rows += chunk.length;
      follower.add(chunk.length);
    }
  follower.end();
  const sorted = [...entries.values()].sort((a, b) => b.bytes - a.bytes || (a.of < b.of ? -1 : 1));
  return { entries: sorted, rows, bytes, largest };
}

/** Returns a function that gives the name or id under which a row is counted. */
function ownerOf(
  { schema }: NodeReader,
  by: SizeBy,
  { contexts, groups }: Known,
): (column: string, key: Uint8Array) => string {
  if (by === "family") return (column) => column;
  if (by === "kind") return (column, key) => schema.identify(column, key)?.kind ?? "";
  // The part with the id is looked up once for each kind.
  const places = new Map<unknown, IdPlace | undefined>();
  return (column, key) => {
    const row = schema.identify(column, key);
    if (row === undefined) return "";
    if (!places.has(row)) places.set(row, placeIn(row.key.FIELDS, by));
    const place = places.get(row);
    if (place === undefined) return "";
    const id = toHex(key.subarray(place.offset, place.offset + 32));
    const isContext = place.of === "either" ? contexts.has(id) : place.of === "context";
    if (place.of === "either" && !isContext) return by === "group" && groups.has(id) ? id : "";
    return isContext && by === "group" ? (contexts.get(id)?.group ?? "") : id;
  };
}

interface IdPlace {
  readonly offset: number;
  readonly of: "context" | "group" | "either";
}

function placeIn(
  fields: readonly { readonly name: string; readonly offset: number; readonly size: number | undefined }[],
  by: SizeBy,
): IdPlace | undefined {
  const place = (names: RegExp, of: IdPlace["of"]): IdPlace | undefined => {
    const found = fields.find(({ name, size }) => names.test(name) && size === 32);
    return found && { offset: found.offset, of };
  };
  const group = by === "group" ? place(GROUP, "group") : undefined;
  return group ?? place(CONTEXT, "context") ?? place(EITHER, "either");
}
