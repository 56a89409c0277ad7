/**
 * Signs of a node that is newer than every known revision: unknown column families and kinds of rows, beside all column
 * families of the newest revision. The known rows of such a database are read, and it is never called damaged.
 */
import { counted } from "../bytes/quantity.js";
import type { EngineReader } from "../engine/engine.js";
import { type Evidence, gatherEvidence, type KeyFamily } from "./evidence.js";
import type { AnyRow, Schema } from "./schema.js";

/** The column family that RocksDB always has and that no node uses. */
const DEFAULT = "default";

/** A kind with at least this many rows, none of which decodes, has another layout. Fewer rows may be damaged. */
const SHOWS_LAYOUT = 3;

/** Parts of a database that a node newer than the newest known revision wrote. */
export interface NewerNode {
  /** The newest version of a node whose rows are known: `1.0.0-rc.8`. */
  readonly release: string;
  /** Names of the column families that the revision does not have. */
  readonly columns: readonly string[];
  /**
   * Kinds of rows that the revision does not have, or has in another layout: by column family, and in Group by prefix
   * byte.
   */
  readonly kinds: readonly KeyFamily[];
  /** Number of column families of the database. */
  readonly allColumns: number;
  /** Number of kinds of rows of the database. */
  readonly allKinds: number;
}

/**
 * Returns the parts of a database that no known revision has; undefined without such parts, or if the database lacks
 * column families of the newest revision.
 *
 * @param revisions the known revisions, oldest first
 * @param evidence the rows of families of the revisions, if already examined
 */
export async function findNewer(
  reader: EngineReader,
  revisions: readonly Schema<AnyRow>[],
  evidence?: readonly Evidence[],
): Promise<NewerNode | undefined> {
  const newest = revisions.at(-1);
  const release = newest?.release;
  if (release === undefined || newest?.columns.some((column) => !reader.columns.includes(column)))
    return undefined;
  const present = reader.columns.filter((column) => column !== DEFAULT);
  const columns = present.filter((column) => !newest?.columns.includes(column));
  const sampled = evidence ?? (await gatherEvidence(reader, revisions, SHOWS_LAYOUT));
  const unreadable = sampled
    .filter((family) => isOtherLayout(family))
    .map(({ column, prefix }) => ({ column, prefix }));
  const unknown: KeyFamily[] = [];
  const prefixed = revisions.flatMap(({ rows }) => rows).filter(({ key }) => key.PREFIX !== undefined);
  for (const column of new Set(prefixed.map((row) => row.column)))
    if (present.includes(column)) unknown.push(...(await unknownPrefixes(reader, prefixed, column)));
  if (columns.length + unreadable.length + unknown.length === 0) return undefined;
  return {
    release,
    columns,
    kinds: [...unreadable, ...unknown],
    allColumns: present.length,
    allKinds: sampled.length + unknown.length,
  };
}

/** `written by a node newer than 1.0.0-rc.8: 3 of 31 column families and 2 of 48 kinds of rows are unknown`. */
export function newerText({ release, columns, kinds, allColumns, allKinds }: NewerNode): string {
  const parts = [
    `${columns.length} of ${counted(allColumns, "column family", "column families")}`,
    `${kinds.length} of ${counted(allKinds, "kind of rows", "kinds of rows")}`,
  ];
  return `written by ${newerWriter({ release })}: ${parts.join(" and ")} are unknown`;
}

/** `a node newer than 1.0.0-rc.8`. */
export function newerWriter({ release }: Pick<NewerNode, "release">): string {
  return `a node newer than ${release}`;
}

/** Returns whether the column family or the key's prefix shows that a newer node wrote a row. */
export function isOfNewer({ columns, kinds }: NewerNode, column: string, key: Uint8Array): boolean {
  return (
    columns.includes(column) ||
    kinds.some((kind) => kind.column === column && (kind.prefix === undefined || kind.prefix === key[0]))
  );
}

function isOtherLayout({ sampled, unreadable, undecrypted, otherLayouts }: Evidence): boolean {
  return (
    sampled >= SHOWS_LAYOUT &&
    unreadable === sampled &&
    undecrypted === 0 &&
    Object.keys(otherLayouts).length === 0
  );
}

/**
 * Finds the prefixes of a column family's keys that no kind of row has, with one read for each prefix and for each gap
 * between known ones.
 */
async function unknownPrefixes(
  reader: EngineReader,
  rows: readonly AnyRow[],
  column: string,
): Promise<readonly KeyFamily[]> {
  const known = new Set(rows.filter((row) => row.column === column).map(({ key }) => key.PREFIX));
  const found: KeyFamily[] = [];
  for (let prefix = 0; prefix < 256; prefix++) {
    if (known.has(prefix)) continue;
    const next = await firstKey(reader, column, prefix);
    if (next === undefined) break;
    if (!known.has(next)) found.push({ column, prefix: next });
    prefix = next;
  }
  return found;
}

/** The first byte of the first key from a prefix on. */
async function firstKey(reader: EngineReader, column: string, from: number): Promise<number | undefined> {
  for await (const [row] of reader.scan(column, { gte: Uint8Array.of(from) }, { limit: 1 }).chunks())
    return row?.key[0];
  return undefined;
}
