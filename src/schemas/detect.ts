/**
 * Which revision wrote a database. Nothing in the files says it, so a bounded sample of every family of rows is decoded
 * under each revision, and the rows that only one of them can read decide.
 */
import type { ByteRange, EngineReader } from "../engine/engine.js";
import { MerostoreError } from "../errors.js";
import { core010 } from "./core-0.10.js";
import { documented } from "./documented.js";
import type { RowsOf, Schema } from "./schema.js";

/** The revisions that are known here, oldest first. */
export const revisions = [documented, core010] as const;

/** Rows of any known revision. */
export type KnownRows = RowsOf<(typeof revisions)[number]>;

/** The revision of a name. @throws MerostoreError `UNKNOWN_NAME` */
export function revisionOf(name: string): Schema<KnownRows> {
  const found = revisions.find((revision) => revision.name === name);
  if (found !== undefined) return found as Schema<KnownRows>;
  const known = revisions.map((revision) => revision.name).join(", ");
  throw new MerostoreError("UNKNOWN_NAME", `there is no revision "${name}"; known are ${known}`);
}

/** What the sample of one family of rows shows. */
export interface Evidence {
  readonly column: string;
  /** The first byte of the keys, in Group. */
  readonly prefix: number | undefined;
  /** Rows looked at. */
  readonly sampled: number;
  /** Rows that a revision can read, by the revision's name. */
  readonly readable: Readonly<Record<string, number>>;
  /** Rows that exactly one revision can read: these decide. */
  readonly decisive: Readonly<Record<string, number>>;
  /** Rows of a kind that some revision has, but whose value none can read. */
  readonly unreadable: number;
}

export type Verdict =
  | { readonly revision: Schema<KnownRows>; readonly reason: string }
  | {
      readonly revision: undefined;
      readonly code: "REVISION_UNKNOWN" | "REVISION_AMBIGUOUS" | "REVISION_MIXED";
      readonly reason: string;
    };

export type Detection = Verdict & { readonly evidence: readonly Evidence[] };

/** Rows looked at in each family. */
const SAMPLE = 16;

/** Column families that later nodes have. */
const LATER = [
  "ContextLocal",
  "SortedIndex",
  "SortedIndexMeta",
  "AbsorbBuffer",
  "ContextMigrationFailed",
  "ContextExecutingBlob",
  "ContextActivatedBlob",
  "ContextActivatedStateVersion",
  "ApplicationPreviousBlob",
  "ContextResyncRequested",
  "UnifiedOp",
];

/** Looks at a bounded sample of the rows and says which revision they show. Never guesses. */
export async function detectRevision(reader: EngineReader): Promise<Detection> {
  const present = families().filter(({ column }) => reader.columns.includes(column));
  const samples = await Promise.all(present.map(({ column, prefix }) => sample(reader, column, prefix)));
  const evidence = samples.filter(({ sampled }) => sampled > 0);
  return { ...judge(reader.columns, evidence), evidence };
}

/** The error for a detection that found no revision. */
export function undetected(detection: Exclude<Detection, { revision: Schema<KnownRows> }>): MerostoreError {
  return new MerostoreError(
    detection.code,
    `${detection.reason}. Name the revision to read it all the same: ${revisions.map(({ name }) => name).join(" or ")}`,
  );
}

/** Every family of rows that some revision has: a column family, or one prefix of Group. */
function families(): readonly { readonly column: string; readonly prefix: number | undefined }[] {
  const found = new Map<string, { column: string; prefix: number | undefined }>();
  for (const { rows } of revisions) {
    for (const { column, key } of rows) found.set(`${column} ${key.PREFIX}`, { column, prefix: key.PREFIX });
  }
  return [...found.values()];
}

async function sample(reader: EngineReader, column: string, prefix: number | undefined): Promise<Evidence> {
  const readable: Record<string, number> = {};
  const decisive: Record<string, number> = {};
  let sampled = 0;
  let unreadable = 0;
  const range: ByteRange =
    prefix === undefined ? {} : { from: Uint8Array.of(prefix), to: Uint8Array.of(prefix + 1) };
  for await (const { key, value } of reader.scan(column, range, { limit: SAMPLE })) {
    sampled++;
    const of = revisions.filter((revision) => revision.identify(column, key) !== undefined);
    const readers = of.filter((revision) => decodes(revision, column, key, value)).map(({ name }) => name);
    for (const name of readers) readable[name] = (readable[name] ?? 0) + 1;
    if (readers.length === 1) decisive[readers[0] as string] = (decisive[readers[0] as string] ?? 0) + 1;
    if (readers.length === 0 && of.length > 0) unreadable++;
  }
  return { column, prefix, sampled, readable, decisive, unreadable };
}

function decodes(schema: Schema, column: string, key: Uint8Array, value: Uint8Array): boolean {
  try {
    schema.identify(column, key)?.value.decode(value);
    return true;
  } catch {
    return false;
  }
}

function judge(columns: readonly string[], evidence: readonly Evidence[]): Verdict {
  const later = columns.filter((column) => LATER.includes(column));
  if (later.length > 0) {
    return {
      revision: undefined,
      code: "REVISION_UNKNOWN",
      reason: `a later node than ${revisions.at(-1)?.name} opened this database: it has the column families ${later.join(", ")}`,
    };
  }
  const unreadable = evidence.reduce((sum, family) => sum + family.unreadable, 0);
  const votes = revisions
    .map((revision) => ({
      revision,
      rows: evidence.reduce((sum, family) => sum + (family.decisive[revision.name] ?? 0), 0),
    }))
    .filter(({ rows }) => rows > 0);
  const [winner, rival] = votes;
  if (rival !== undefined) {
    const counts = votes.map(({ revision, rows }) => `${rows} rows only of ${revision.name}`).join(", ");
    return {
      revision: undefined,
      code: "REVISION_MIXED",
      reason: `rows of several revisions lie here: ${counts}`,
    };
  }
  if (winner === undefined || unreadable > winner.rows) {
    const none = evidence.length === 0 ? "the database has no rows" : "no row tells the revisions apart";
    return unreadable > 0
      ? {
          revision: undefined,
          code: "REVISION_UNKNOWN",
          reason: `${unreadable} of the rows looked at are of no known revision`,
        }
      : { revision: undefined, code: "REVISION_AMBIGUOUS", reason: none };
  }
  const deciding = evidence
    .filter(({ decisive }) => decisive[winner.revision.name] !== undefined)
    .map(familyName);
  return {
    revision: winner.revision as Schema<KnownRows>,
    reason: `${winner.rows} of the rows looked at can be read only so (${deciding.join(", ")})`,
  };
}

/** `Meta`, `Group 0x21`. */
function familyName({ column, prefix }: Evidence): string {
  return prefix === undefined ? column : `${column} 0x${prefix.toString(16)}`;
}
