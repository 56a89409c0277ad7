/**
 * Detects the revision of a database. The files do not name it, so rows of every family are decoded in each revision,
 * and rows that only some revisions can read decide. A database that nodes of several versions wrote is read family by
 * family.
 */
import { counted } from "../bytes/quantity.js";
import type { EngineReader } from "../engine/engine.js";
import { invalidArgument, MerostoreError, UnknownWord } from "../errors.js";
import { checkOptions, isFlag, isList } from "../options.js";
import { readAlike } from "./alike.js";
import { type Core010, core010 } from "./core-0.10.js";
import { type Core011, core011 } from "./core-0.11.js";
import { type Core10, core10 } from "./core-1.0.js";
import { type Documented, documented } from "./documented.js";
import { type Evidence, familyName, gatherEvidence } from "./evidence.js";
import { MIXED, mixedSchema, nameOfFamily, revisionsByFamily } from "./mixed.js";
import { findNewer, type NewerNode, newerText } from "./newer.js";
import type { AnyRow, ClassesOf, RowsOf, Schema } from "./schema.js";

/** The known revisions, oldest first. */
export const revisions = [documented, core010, core011, core10] as const;

/** The name of the newest revision that has a key class. */
export type RevisionOf<C> =
  C extends ClassesOf<Core10>
    ? "core-1.0"
    : C extends ClassesOf<Core011>
      ? "core-0.11"
      : C extends ClassesOf<Core010>
        ? "core-0.10"
        : C extends ClassesOf<Documented>
          ? "documented"
          : "another schema";

/** A known revision, or several revisions in one database. */
export interface KnownSchema extends Schema<RowsOf<Documented | Core010 | Core011 | Core10>> {}

const all = revisions as readonly Schema<AnyRow>[];

/** Returns the revision with a name. @throws MerostoreError `UNKNOWN_NAME` */
export function revisionOf(name: string): KnownSchema {
  const found = revisions.find((revision) => revision.name === name);
  if (found !== undefined) return found as KnownSchema;
  const known = revisions.map((revision) => revision.name).join(", ");
  throw new UnknownWord(`unknown revision "${name}"; the known revisions are ${known}`);
}

/** The identification of a schema in text: its name, and for several revisions the revision of each family of rows. */
export interface SchemaName {
  /** The name of the revision: `core-0.11`; `mixed` for several. */
  readonly revision: string;
  /** Only for `mixed`: the revision of each family by the name of the family, such as `Meta` or `Group 0x21`. */
  readonly families?: Readonly<Record<string, string>>;
}

/** Returns the identification of a schema for {@link schemaNamed}. */
export function nameOfSchema(schema: Schema): SchemaName {
  const { name: revision } = schema;
  return revision === MIXED ? { revision, families: revisionsByFamily(schema, all) } : { revision };
}

/** Returns the schema of an identification; undefined if it contains an unknown revision. */
export function schemaNamed({ revision, families = {} }: SchemaName): Schema | undefined {
  if (revision !== MIXED) return all.find(({ name }) => name === revision);
  const names = Object.values(families);
  if (names.length === 0 || names.some((name) => !all.some((one) => one.name === name))) return undefined;
  return mixedSchema(all, (row) => families[nameOfFamily(row)]);
}

/** A revision and the reason for it, or the reason for no revision. */
export type Verdict =
  | {
      /** A known revision, or `mixed` for a database of several: each family has the revision that its rows show. */
      readonly revision: KnownSchema;
      /** The reason, in a sentence. */
      readonly reason: string;
      /**
       * True if several revisions read every row alike, so that no row decides. The revision is then the newest of
       * them. Such a database is opened for writing only in a given revision.
       */
      readonly assumed?: true;
    }
  | {
      /** Undefined: no revision was found. */
      readonly revision: undefined;
      /** Undefined: only a found revision has it. */
      readonly assumed?: undefined;
      /**
       * `REVISION_UNKNOWN` if no revision fits, `REVISION_AMBIGUOUS` if several fit equally, `DATABASE_ENCRYPTED` if
       * all or most values look encrypted.
       */
      readonly code: "REVISION_UNKNOWN" | "REVISION_AMBIGUOUS" | "DATABASE_ENCRYPTED";
      /** The reason, in a sentence. */
      readonly reason: string;
    };

/** A verdict with its evidence. */
export type Detection = Verdict & {
  /** The parts of the database that a node newer than the newest revision wrote; undefined without such parts. */
  readonly newer: NewerNode | undefined;
  /** The findings in the sample of each family of rows. */
  readonly evidence: readonly Evidence[];
};

/** Options of {@link detectRevision}. */
export interface DetectOptions {
  /** Examine every row instead of the first rows of each family. */
  readonly thorough?: boolean | undefined;
}

/** Rows examined in each family. */
const SAMPLE = 16;

/**
 * Examines rows of every family and returns the revision that they show. If they fit several revisions, the result is
 * the one that the creator of the database named, if the engine stores it. Otherwise it reads every row: if the
 * revisions read all rows alike, the result is the newest of them, and `assumed`. It never guesses.
 */
export async function detectRevision(reader: EngineReader, options?: DetectOptions): Promise<Detection>;
/**
 * Returns the only one of your own schemas whose column families the database has, and that reads all sampled rows;
 * undefined if no schema fits, or several fit.
 */
export async function detectRevision<S extends Schema>(
  reader: EngineReader,
  options: DetectOptions & { readonly among: readonly S[] },
): Promise<S | undefined>;
export async function detectRevision(
  reader: EngineReader,
  options: DetectOptions & { readonly among?: readonly Schema[] } = {},
): Promise<Detection | Schema | undefined> {
  checkOptions("detectRevision", options, { thorough: isFlag, among: isList });
  if (!Array.isArray((reader as Partial<EngineReader> | undefined)?.columns))
    throw invalidArgument("detectRevision takes an engine, such as `raw` of a store");
  const { thorough, among } = options;
  if (among !== undefined) return detectAmong(reader, among, thorough ? undefined : SAMPLE);
  const evidence = await gatherEvidence(reader, all, thorough ? undefined : SAMPLE);
  const newer = await findNewer(reader, all, evidence);
  const verdict = judge(reader, evidence, newer);
  const ambiguous = verdict.revision === undefined && verdict.code === "REVISION_AMBIGUOUS";
  const readable = evidence.filter(({ shows }) => shows.length > 0);
  if (!ambiguous || readable.length === 0) return { ...verdict, newer, evidence };
  if (!thorough) return detectRevision(reader, { thorough: true });
  const { candidates } = candidatesIn(reader.columns, evidence);
  const fitting = candidates.filter(({ name }) => readable.every(({ shows }) => shows.includes(name)));
  const newest = fitting.at(-1) as Schema<AnyRow>;
  const names = fitting.map(({ name }) => name).join(", ");
  if (!(await readAlike(reader, fitting, new Set(readable.map(({ column }) => column))))) {
    const reason = `every row fits several revisions, which read them differently (${names})`;
    return { revision: undefined, code: "REVISION_AMBIGUOUS", reason, newer, evidence };
  }
  const reason = `no row decides between ${names}, which read all of them alike: the newest is taken${undecodedIn(evidence)}`;
  return { ...found(newest, reason), assumed: true, newer, evidence };
}

async function detectAmong(
  reader: EngineReader,
  schemas: readonly Schema[],
  limit: number | undefined,
): Promise<Schema | undefined> {
  const evidence = await gatherEvidence(reader, schemas, limit);
  const fitting = schemas.filter(
    ({ name, columns }) =>
      columns.every((column) => reader.columns.includes(column)) &&
      evidence.every(({ readable, sampled }) => readable[name] === sampled),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Creates the error for a detection that found no revision. */
export function undetected({ code, reason }: Extract<Verdict, { revision: undefined }>): MerostoreError {
  if (code === "DATABASE_ENCRYPTED")
    return new MerostoreError(code, `${reason}: give the master key of its node`);
  const names = revisions.map(({ name }) => name);
  const choice = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  return new MerostoreError(code, `${reason}. To read it anyway, name the revision: ${choice}`);
}

/** The reason for a revision although some column families of its node are missing. */
const WITHOUT_FAMILIES =
  "no other revision has its column families and reads its rows; column families without rows are missing";

function judge(
  { columns, revision: named }: Pick<EngineReader, "columns" | "revision">,
  evidence: readonly Evidence[],
  newer: NewerNode | undefined,
): Verdict {
  const { candidates, areAllThere } = candidatesIn(columns, evidence);
  const newest = candidates.at(-1) as Schema<AnyRow>;
  const possible = candidates.map(({ name }) => name);
  const telling = evidence
    .map((family) => ({ ...family, shows: narrow(family.shows, possible) }))
    .filter(({ shows }) => shows.length > 0);
  const sampled = sum(evidence, ({ sampled }) => sampled);
  const unreadable = sum(evidence, ({ unreadable }) => unreadable);
  const encrypted = sum(evidence, ({ maybeEncrypted }) => maybeEncrypted);
  const refused = (which: string): Verdict => ({
    revision: undefined,
    code: "DATABASE_ENCRYPTED",
    reason: `${which} values look encrypted at rest`,
  });
  if (sampled > 2 && encrypted === sampled && unreadable > 0 && layoutsOf(evidence) === "")
    return refused("all");
  if (newer !== undefined && telling.every(({ shows }) => shows.includes(newest.name)))
    return found(newest, newerText(newer));
  if (unreadable > sampled / 2) {
    if (sum(evidence, ({ undecrypted }) => undecrypted) > sampled / 2) return refused("many");
    const reason = `${unreadable} of ${sampled} examined rows fit no known revision${layoutsOf(evidence)}`;
    return { revision: undefined, code: "REVISION_UNKNOWN", reason };
  }

  const fitting = candidates.filter(({ name }) => telling.every(({ shows }) => shows.includes(name)));
  const [only, rival] = fitting;
  const notes = undecodedIn(evidence);
  if (only !== undefined && rival === undefined)
    return found(only, (areAllThere ? reasonFor(only, candidates, telling) : WITHOUT_FAMILIES) + notes);
  const created = fitting.find(({ name }) => name === named);
  if (created !== undefined)
    return found(
      created,
      `it was created as ${created.name}, and no row belongs to another revision${notes}`,
    );
  if (
    fitting.length > 1 &&
    areAllThere &&
    fitting.includes(newest) &&
    newest.columns.length > (all[0]?.columns.length ?? 0)
  ) {
    return found(
      newest,
      `its column families are those of ${newest.name}, and no row belongs to another revision`,
    );
  }
  if (fitting.length > 1) {
    const rows =
      sampled === 0 ? "the database has no rows of a known kind" : "every row fits several revisions";
    return { revision: undefined, code: "REVISION_AMBIGUOUS", reason: rows };
  }
  const counts = all
    .map(({ name }) => ({
      name,
      rows: sum(telling, ({ shows, sampled }) => (shows.includes(name) ? sampled : 0)),
    }))
    .filter(({ name }) => telling.some(({ shows }) => shows.length === 1 && shows[0] === name));
  const reason = counts.map(({ name, rows }) => `${rows} rows fit ${name}`).join(", ");
  return found(mixed(telling, newest), `it contains rows of several revisions: ${reason}${notes}`);
}

/** The revisions that may have opened a database. */
interface Candidates {
  /** The revisions, oldest first. */
  readonly candidates: readonly Schema<AnyRow>[];
  /** False if column families of the node are missing, as in a database that was recovered without its MANIFEST. */
  readonly areAllThere: boolean;
}

/**
 * The revisions that may have opened a database with these column families: a node adds missing ones when it opens a
 * database. A family of a newer revision, or a row that only newer revisions read, proves that families are missing.
 * Then the absence of a family proves nothing, and the rows decide among the revisions that have all present families.
 */
function candidatesIn(columns: readonly string[], evidence: readonly Evidence[]): Candidates {
  const opened = all.filter((revision) => revision.columns.every((column) => columns.includes(column)));
  const known = columns.filter((column) => all.some((revision) => revision.columns.includes(column)));
  const isOf = (revision: Schema<AnyRow> | undefined): boolean =>
    known.every((column) => revision?.columns.includes(column));
  const isReadBy = (some: readonly Schema<AnyRow>[], { shows }: Evidence): boolean =>
    shows.length === 0 || some.some(({ name }) => shows.includes(name));
  if (opened.length > 0 && isOf(opened.at(-1)) && evidence.every((family) => isReadBy(opened, family)))
    return { candidates: opened, areAllThere: true };
  const having = all.filter(isOf);
  const deciding = evidence.filter((family) => isReadBy(having, family));
  const fitting = having.filter((revision) => deciding.every((family) => isReadBy([revision], family)));
  return { candidates: fitting.length > 0 ? fitting : having, areAllThere: false };
}

/** `; 32 rows do not decode; the keys of 96 are of no known kind`. */
function undecodedIn(evidence: readonly Evidence[]): string {
  const unreadable = sum(evidence, ({ unreadable }) => unreadable);
  const unknown = sum(evidence, ({ unknown }) => unknown);
  return [
    unreadable === 0
      ? ""
      : `; ${counted(unreadable, "row does", "rows do")} not decode${layoutsOf(evidence)}`,
    unknown === 0 ? "" : `; the keys of ${unknown} are of no known kind`,
  ].join("");
}

/**
 * The schema with the rows of each family in the revision that it shows; families without rows use the newest possible
 * revision.
 */
function mixed(evidence: readonly Evidence[], newest: Schema<AnyRow>): Schema<AnyRow> {
  return mixedSchema(all, ({ column, key }) => {
    const family = evidence.find((one) => one.column === column && one.prefix === key.PREFIX);
    if (family === undefined) return newest.name;
    return all.findLast(({ name }) => family.shows.includes(name))?.name;
  });
}

function reasonFor(
  revision: Schema<AnyRow>,
  candidates: readonly Schema<AnyRow>[],
  telling: readonly Evidence[],
): string {
  const others = candidates.filter((other) => other !== revision);
  const deciding = telling.filter(({ shows }) => others.some(({ name }) => !shows.includes(name)));
  if (deciding.length === 0) return `its column families are those of ${revision.name}`;
  const rows = sum(deciding, ({ sampled }) => sampled);
  return `${rows} rows decode only in this revision (${listOf(deciding.map(familyName))})`;
}

/** The possible ones of the revisions that a family shows; if none is possible, all of them. */
function narrow(shows: readonly string[], possible: readonly string[]): readonly string[] {
  const narrowed = shows.filter((name) => possible.includes(name));
  return narrowed.length > 0 ? narrowed : shows;
}

/** ` (16 × delta with …)`: the recognised layouts of versions between the revisions. */
function layoutsOf(evidence: readonly Evidence[]): string {
  const layouts = evidence.flatMap(({ otherLayouts }) => Object.entries(otherLayouts));
  return layouts.length === 0 ? "" : ` (${layouts.map(([name, rows]) => `${rows} × ${name}`).join("; ")})`;
}

function found(revision: Schema<AnyRow>, reason: string): Extract<Verdict, { revision: KnownSchema }> {
  return { revision: revision as KnownSchema, reason };
}

function listOf(names: readonly string[]): string {
  if (names.length <= 7) return names.join(", ");
  return `${names.slice(0, 6).join(", ")} and ${names.length - 6} more families`;
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
