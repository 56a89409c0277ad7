/** The reason why two nodes differ in a context: one verdict, one sentence, and the cause of each row that differs. */
import { fromHex, toHex } from "../bytes/hex.js";
import { counted } from "../bytes/quantity.js";
import { diffRows, type RowDifference, rowsOfStore } from "../diff/browser.js";
import type { Contradiction, StateOptions } from "../state/index.js";
import { stateKeysOf } from "../state/index.js";
import { absenceOf } from "./absence.js";
import { coveredIn, MOST_WRONG, readSide, type Side, type WhySource } from "./side.js";
import type { WhyVerdict } from "./verdict.js";

/** A cause, with the rows that differ by it. */
export interface WhyCause {
  /** The kind of cause: `deltas`, `account`, `key`, `parent`, `snapshot`, `contradiction`, `expected`. */
  readonly rule: string;
  /** A sentence, without an end. */
  readonly sentence: string;
  /** The rows that differ by it. */
  readonly rows: readonly WhyRow[];
  /** The deltas that it is about, 64 hex digits each. */
  readonly deltas: readonly string[];
  /** The entities that are not what the deltas lead to. */
  readonly contradictions: readonly Contradiction[];
}

/** A row that differs. */
export interface WhyRow {
  /** Name of the column family. */
  readonly column: string;
  /** In hex. */
  readonly key: string;
}

/** Why two nodes differ in a context. */
export interface WhyContext {
  /** The context's id, 64 hex digits. */
  readonly context: string;
  /** The verdict. */
  readonly verdict: WhyVerdict;
  /** The verdict as a sentence, without an end. */
  readonly sentence: string;
  /** The causes, the first one first. */
  readonly causes: readonly WhyCause[];
  /** The rows that differ and have no cause. */
  readonly unexplained: readonly WhyRow[];
}

/**
 * Finds out why two nodes differ in a context: replays the deltas of both, and compares their rows once.
 *
 * @param contextId 32 bytes
 * @param options the application's manifest, if it is known
 * @throws MerostoreError `INVALID_ARGUMENT` for a revision whose deltas cannot be replayed
 * @example
 * const left = { name: "node-a", reader: a, node: new Node(a) };
 * const right = { name: "node-b", reader: b, node: new Node(b) };
 * console.log((await whyDiffer(left, right, contextId)).sentence);
 */
export async function whyDiffer(
  a: WhySource,
  b: WhySource,
  contextId: Uint8Array,
  options: StateOptions = {},
): Promise<WhyContext> {
  const sides = [await readSide(a, contextId, options), await readSide(b, contextId, options)] as const;
  const decided = await decide(...sides);
  const sorter = new Sorter(sides, decided);
  for await (const row of diffRows(rowsOfStore(a.reader), rowsOfStore(b.reader), { contextId }))
    sorter.add(row);
  const context = toHex(contextId);
  const { verdict, sentence } = decided;
  const isEqual = (verdict === "equal" || verdict === "snapshot") && sorter.unexplained.length > 0;
  return {
    context,
    verdict: isEqual ? "unexplained" : verdict,
    sentence: isEqual
      ? `the root hashes are equal, but ${counted(sorter.unexplained.length, "row")} differ for no known cause`
      : sentence,
    causes: sorter.causes(),
    unexplained: sorter.unexplained,
  };
}

interface Decided {
  readonly verdict: WhyVerdict;
  readonly sentence: string;
  readonly causes: readonly Omit<WhyCause, "rows">[];
  /** Deltas that one side lacks, without those that it has by a snapshot. */
  readonly lacking: ReadonlySet<string>;
  readonly covered: ReadonlySet<string>;
}

async function decide(a: Side, b: Side): Promise<Decided> {
  const [coveredA, coveredB] = [coveredIn(a, b), coveredIn(b, a)];
  const lackedByA = lacked(b, a, coveredA);
  const lackedByB = lacked(a, b, coveredB);
  const covered = new Set([...coveredA, ...coveredB]);
  const lacking = new Set([...lackedByA, ...lackedByB]);
  const rest = { lacking, covered };
  const [nameA, nameB] = [a.source.name, b.source.name];
  const causes: Omit<WhyCause, "rows">[] = [];
  const cause = (
    rule: string,
    sentence: string,
    deltas: readonly string[] = [],
    of: readonly Contradiction[] = [],
  ) => void causes.push({ rule, sentence, deltas, contradictions: of });

  for (const side of [a, b]) {
    if (side.wrong.length === 0) continue;
    const some = countText(side.wrong.length);
    cause(
      "contradiction",
      `${some} of ${side.source.name} ${side.wrong.length === 1 ? "is" : "are"} not what its deltas lead to`,
      [],
      side.wrong,
    );
  }
  for (const [side, other, missing] of [
    [a, b, lackedByA],
    [b, a, lackedByB],
  ] as const)
    if (missing.length > 0)
      cause(
        "deltas",
        `${side.source.name} lacks ${counted(missing.length, "delta")} of ${other.source.name}`,
        missing,
      );
  if ((await applicationOf(a)) !== (await applicationOf(b)))
    cause("application", `${nameA} and ${nameB} do not run the same version of the application`);
  if (coveredOnly(a, b, coveredA) + coveredOnly(b, a, coveredB) > 0)
    cause(
      "snapshot",
      `${[...(coveredA.size > 0 ? [nameA] : []), ...(coveredB.size > 0 ? [nameB] : [])].join(" and ")} took over the older deltas with a snapshot`,
    );

  const wrongSide = [a, b].find(({ wrong }) => wrong.length > 0);
  if (wrongSide !== undefined) {
    const { wrong, source } = wrongSide;
    const [first] = wrong as [Contradiction];
    const isRepaired = wrong.every(({ how }) => how !== "damaged") && !(await isReplayed(wrongSide));
    const other = wrongSide === a ? b : a;
    const judge = isRight(other, first) ? `; ${other.source.name} is right` : "";
    return {
      ...rest,
      causes,
      verdict: isRepaired ? "repaired" : "diverged",
      sentence: isRepaired
        ? `the state of ${source.name} has ${countText(wrong.length)} that no delta of it explains: it was written without deltas`
        : `the state of ${source.name} is not what its deltas lead to: ${contradictionText(first)}${judge}`,
    };
  }
  if (lacking.size === 0) {
    const isEqual = a.rootHash === b.rootHash;
    if (!isEqual)
      return {
        ...rest,
        causes,
        verdict: "unexplained",
        sentence: "both have the same deltas, and different states",
      };
    return {
      ...rest,
      causes,
      verdict: covered.size > 0 && causes.length > 0 ? "snapshot" : "equal",
      sentence:
        covered.size > 0 && causes.length > 0
          ? `both have the same state; ${causes[0]?.sentence}`
          : "both have the same state and the same deltas",
    };
  }
  if (lackedByA.length > 0 && lackedByB.length > 0)
    return {
      ...rest,
      causes,
      verdict: "both",
      sentence: `${nameA} lacks ${counted(lackedByA.length, "delta")} of ${nameB}, and ${nameB} ${counted(lackedByB.length, "delta")} of ${nameA}`,
    };
  const [behind, ahead, missing] =
    lackedByA.length > 0 ? ([a, b, lackedByA] as const) : ([b, a, lackedByB] as const);
  const plain = `${behind.source.name} lacks the last ${counted(missing.length, "delta")} of ${ahead.source.name}`;
  const absence = await absenceOf(behind, ahead);
  if (absence === undefined)
    return { ...rest, causes, verdict: behind === a ? "behind" : "ahead", sentence: plain };
  causes.unshift({
    rule: absence.rule,
    sentence: absence.sentence,
    deltas: absence.deltas,
    contradictions: [],
  });
  return { ...rest, causes, verdict: absence.verdict, sentence: `${absence.sentence}: ${plain}` };
}

/** Kinds of rows that say which version of the application a node runs. */
const OF_APPLICATION: readonly string[] = [
  "ContextActivatedBlob",
  "ContextActivatedStateVersion",
  "ContextExecutingBlob",
  "ContextMigrationFailed",
];

/** Causes by which the summary of a context's state differs, the first one first. */
const OF_STATE: readonly string[] = ["contradiction", "deltas", "snapshot"];

/** The marks of a side about the version of the application, as one text. */
async function applicationOf({ source, replay }: Side): Promise<string> {
  const details = await source.node.context(replay.contextId);
  return JSON.stringify(details?.markers ?? []);
}

/** A number of entities that differ; more than that are not counted. */
function countText(count: number): string {
  return `${count === MOST_WRONG ? "at least " : ""}${counted(count, "entity", "entities")}`;
}

/** The difference of one entity in words. */
function contradictionText({ entity, how, delta }: Contradiction): string {
  const name = `entity ${entity.slice(0, 8)}`;
  const by = delta === undefined ? "its deltas" : `delta ${delta.id.slice(0, 8)}`;
  switch (how) {
    case "damaged":
      return `the data of ${name} does not have the hash in its row`;
    case "absent":
      return `${name} of ${by} is not there`;
    case "deleted by a delta":
      return `${name} is there, and ${by} deleted it`;
    case "not written by any delta":
      return `no delta wrote ${name}`;
    case "other data":
      return `${name} has other data than ${by} gave it`;
  }
}

/** Returns true if a side has an entity as the deltas of the other lead to it, by its own deltas. */
function isRight({ wrong, replay }: Side, { entity, wanted }: Contradiction): boolean {
  const theirs = replay.tree.get(entity);
  // From before the first delta there is nothing but the row itself.
  if (wrong.length > 0 || (theirs !== undefined && theirs.writer === undefined)) return false;
  const hash = theirs?.deletedAt === undefined ? theirs?.ownHash : undefined;
  return (hash && toHex(hash)) === wanted;
}

/** The deltas that one side has applied and the other lacks. */
function lacked(from: Side, by: Side, covered: ReadonlySet<string>): readonly string[] {
  return from.replay.graph.deltas.map(({ id }) => id).filter((id) => !by.applied.has(id) && !covered.has(id));
}

function coveredOnly(side: Side, other: Side, covered: ReadonlySet<string>): number {
  return [...covered].filter((id) => other.applied.has(id) && !side.applied.has(id)).length;
}

/** Returns true if the root hash that a side says is the one that its deltas lead to. */
async function isReplayed({ replay, rootHash }: Side): Promise<boolean> {
  await replay.moveToFirst();
  const hash = replay.rootHash;
  return hash !== undefined && toHex(hash) === rootHash;
}

/** Fields of an entity that its hashes do not cover, and that no rule of who may write depends on. */
const UNCOVERED = /(?:^|\.)metadata\.(?:createdAt|updatedAt|schemaVersion|crdtType)\b|^deletedChildren/;

/** Returns true if rows of an entity differ in nothing that its hashes cover: nodes that merge may keep other times and kinds. */
function isUncovered({ kind, fields = [], moreFields }: RowDifference): boolean {
  const isPlain = ({ path }: { readonly path: string }): boolean => UNCOVERED.test(path);
  return kind === "ContextState" && moreFields === undefined && fields.length > 0 && fields.every(isPlain);
}

/** Gives each row that differs its cause. */
class Sorter {
  readonly #causes: readonly Omit<WhyCause, "rows">[];
  readonly #rows: WhyRow[][];
  readonly #expected: WhyRow[] = [];
  /** Ids of deltas that a side lacks → the place of their cause. */
  readonly #deltas = new Map<string, number>();
  readonly #decided: Decided;
  /** Keys of rows of State → the place of their cause. */
  readonly #entities = new Map<string, number>();
  readonly unexplained: WhyRow[] = [];

  constructor(sides: readonly [Side, Side], decided: Decided) {
    this.#decided = decided;
    this.#causes = decided.causes;
    this.#rows = decided.causes.map(() => []);
    for (const [place, { deltas }] of this.#causes.entries())
      for (const id of deltas) if (!this.#deltas.has(id)) this.#deltas.set(id, place);
    const [{ source, replay }] = sides;
    const add = (entity: string, place: number): void => {
      for (const { key } of stateKeysOf(source.reader.schema, replay.contextId, fromHex(entity)))
        this.#entities.set(toHex(key), place);
    };
    for (const [place, { rule, contradictions }] of this.#causes.entries())
      if (rule === "contradiction") for (const { entity } of contradictions) add(entity, place);
    const place = this.#causes.findIndex(({ rule }) => rule === "deltas");
    if (place < 0) return;
    for (const side of sides) for (const id of side.replay.touched(decided.lacking)) add(id, place);
  }

  add(row: RowDifference): void {
    const place = this.#placeOf(row);
    const { column, key } = row;
    if (place >= 0) this.#rows[place]?.push({ column, key });
    else if (row.benign === undefined && !isUncovered(row)) this.unexplained.push({ column, key });
    else this.#expected.push({ column, key });
  }

  causes(): readonly WhyCause[] {
    const found = this.#causes.map((cause, place) => ({ ...cause, rows: this.#rows[place] ?? [] }));
    if (this.#expected.length === 0) return found;
    const sentence = "expected of correct nodes: each has its own keys, clocks and counters";
    return [...found, { rule: "expected", sentence, rows: this.#expected, deltas: [], contradictions: [] }];
  }

  #placeOf({ kind, key, difference }: RowDifference): number {
    const { lacking, covered } = this.#decided;
    const of = (rule: string): number => this.#causes.findIndex((cause) => cause.rule === rule);
    if (kind === "ContextDagDelta") {
      const id = key.slice(-64);
      if (lacking.has(id)) return this.#deltas.get(id) ?? -1;
      if (covered.has(id)) return of("snapshot");
      return difference === "different" ? -1 : of("deltas");
    }
    if (kind !== null && OF_APPLICATION.includes(kind)) return of("application");
    if (kind === "ContextMeta") return this.#causes.findIndex(({ rule }) => OF_STATE.includes(rule));
    return this.#entities.get(key) ?? -1;
  }
}
