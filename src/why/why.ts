/** The reason why two nodes differ in a context: one verdict, one sentence, and the cause of each row that differs. */
import { fromHex, toHex } from "../bytes/hex.js";
import { counted } from "../bytes/quantity.js";
import { diffRows, type RowDifference, rowsOfStore } from "../diff/browser.js";
import type { Contradiction, StateOptions } from "../state/index.js";
import { stateKeysOf } from "../state/index.js";
import { absenceOf } from "./absence.js";
import { coveredIn, readSide, type Side, type WhySource } from "./side.js";
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
  /** The number of rows that differ and have no cause. */
  readonly unexplained: number;
}

/**
 * Finds out why two nodes differ in a context: replays the deltas of both, and compares their rows once.
 *
 * @param contextId 32 bytes
 * @param options the application's manifest, if it is known
 * @throws MerostoreError `INVALID_ARGUMENT` for a revision whose deltas cannot be replayed
 * @example
 * const a = { name: "node-a", reader: storeA, node: new Node(storeA) };
 * const b = { name: "node-b", reader: storeB, node: new Node(storeB) };
 * console.log((await whyDiffer(a, b, contextId)).sentence);
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
  const isEqual = verdict === "equal" && sorter.unexplained > 0;
  return {
    context,
    verdict: isEqual ? "unexplained" : verdict,
    sentence: isEqual
      ? `${sentence}, but ${counted(sorter.unexplained, "row")} differ for no known cause`
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
    const some = counted(side.wrong.length, "entity", "entities");
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
  if (coveredOnly(a, b, coveredA) + coveredOnly(b, a, coveredB) > 0)
    cause(
      "snapshot",
      `${[...(coveredA.size > 0 ? [nameA] : []), ...(coveredB.size > 0 ? [nameB] : [])].join(" and ")} took over the older deltas with a snapshot`,
    );

  const wrongSide = [a, b].find(({ wrong }) => wrong.length > 0);
  if (wrongSide !== undefined) {
    const { wrong, source } = wrongSide;
    const [first] = wrong as [Contradiction];
    const isRepaired = wrong.every(({ how }) => how !== "damaged") && !isReplayed(wrongSide);
    const right = wrongSide === a ? b : a;
    const judge = right.wrong.length === 0 ? `; ${right.source.name} is right` : "";
    const what = first.delta === undefined ? "no delta wrote" : `delta ${first.delta.id.slice(0, 8)} wrote`;
    return {
      ...rest,
      causes,
      verdict: isRepaired ? "repaired" : "diverged",
      sentence: isRepaired
        ? `the state of ${source.name} has ${counted(wrong.length, "entity", "entities")} that no delta of it explains: it was written without deltas`
        : `the state of ${source.name} is not what its deltas lead to: ${what} entity ${first.entity.slice(0, 8)} otherwise${judge}`,
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

/** The deltas that one side has applied and the other lacks. */
function lacked(from: Side, by: Side, covered: ReadonlySet<string>): readonly string[] {
  return from.replay.graph.deltas.map(({ id }) => id).filter((id) => !by.applied.has(id) && !covered.has(id));
}

function coveredOnly(side: Side, other: Side, covered: ReadonlySet<string>): number {
  return [...covered].filter((id) => other.applied.has(id) && !side.applied.has(id)).length;
}

/** Returns true if the root hash that a side says is the one that its deltas lead to. */
function isReplayed({ replay, rootHash }: Side): boolean {
  replay.moveToFirst();
  const hash = replay.rootHash;
  return hash !== undefined && toHex(hash) === rootHash;
}

/** Returns true if rows of an entity differ in nothing that its hashes cover: nodes that merge may keep other times and kinds. */
function isUncovered({ kind, fields = [] }: RowDifference): boolean {
  const isPlain =
    fields.length > 0 && fields.every(({ path }) => /(?:^|\.)metadata\.|^deletedChildren/.test(path));
  return kind === "ContextState" && isPlain;
}

/** Gives each row that differs its cause. */
class Sorter {
  readonly #causes: readonly Omit<WhyCause, "rows">[];
  readonly #rows: WhyRow[][];
  readonly #expected: WhyRow[] = [];
  readonly #decided: Decided;
  /** Keys of rows of State → the place of their cause. */
  readonly #entities = new Map<string, number>();
  unexplained = 0;

  constructor(sides: readonly [Side, Side], decided: Decided) {
    this.#decided = decided;
    this.#causes = decided.causes;
    this.#rows = decided.causes.map(() => []);
    const [{ source, replay }] = sides;
    const add = (entity: string, place: number): void => {
      for (const { key } of stateKeysOf(source.reader.schema, replay.contextId, fromHex(entity)))
        this.#entities.set(toHex(key), place);
    };
    for (const [place, { rule, contradictions }] of this.#causes.entries())
      if (rule === "contradiction") for (const { entity } of contradictions) add(entity, place);
    const place = this.#causes.findIndex(({ rule }) => rule === "deltas");
    if (place < 0) return;
    for (const side of sides) {
      side.replay.moveToFirst();
      for (const id of side.replay.touched(decided.lacking)) add(id, place);
    }
  }

  add(row: RowDifference): void {
    const place = this.#placeOf(row);
    const { column, key } = row;
    if (place >= 0) this.#rows[place]?.push({ column, key });
    else if (row.benign === undefined && !isUncovered(row)) this.unexplained++;
    else this.#expected.push({ column, key });
  }

  causes(): readonly WhyCause[] {
    const found = this.#causes.map((cause, place) => ({ ...cause, rows: this.#rows[place] ?? [] }));
    if (this.#expected.length === 0) return found;
    const sentence = "expected of correct nodes: each has its own keys, clocks and counters";
    return [...found, { rule: "expected", sentence, rows: this.#expected, deltas: [], contradictions: [] }];
  }

  #placeOf({ kind, key }: { readonly kind: string | null; readonly key: string }): number {
    const { lacking, covered } = this.#decided;
    const of = (rule: string): number => this.#causes.findIndex((cause) => cause.rule === rule);
    if (kind === "ContextDagDelta") {
      const id = key.slice(-64);
      if (lacking.has(id)) return this.#causes.findIndex(({ deltas }) => deltas.includes(id));
      return covered.has(id) ? of("snapshot") : of("deltas");
    }
    if (kind === "ContextMeta") return Math.max(of("deltas"), of("contradiction"), of("snapshot"));
    return this.#entities.get(key) ?? -1;
  }
}
