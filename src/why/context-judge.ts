/** Finds the cause of each differing row of a context. */
import { fromHex, toHex } from "../bytes/hex.js";
import type { RowDifference } from "../diff/browser.js";
import { once } from "../node/tables/once.js";
import { Pause } from "../pause.js";
import { stateKeysOf } from "../state/index.js";
import { touchedBy } from "../state/replay/touched.js";
import { trieRowsAbove } from "../state/replay/trie-rows.js";
import type { Decision, Judge, WhyDifference, Words } from "./causes.js";
import { ChangedHistory, provenBeside } from "./changed-history.js";
import { ChangedRows, isUncovered } from "./changed-rows.js";
import { type DecidedContext, decideContext, type JudgedContext, sidesOf } from "./context.js";
import { LostRows } from "./lost-rows.js";
import { RowsOfGroups } from "./row-faults.js";
import type { Side } from "./side.js";
import { sameVerdicts } from "./verdict.js";

/** Kinds of rows with the version of the application that a node runs. */
const OF_APPLICATION: readonly string[] = [
  "ContextActivatedBlob",
  "ContextActivatedStateVersion",
  "ContextExecutingBlob",
  "ContextMigrationFailed",
];

/** Column families with the entities of a state. */
const OF_STATE: readonly string[] = ["State", "SortedIndex", "SortedIndexMeta"];

/** The longest path of entities that is followed. */
const DEEPEST = 1_000;

/** Judges a context that both nodes have joined. */
export async function contextJudge(judged: JudgedContext): Promise<Judge> {
  const { sides, ...decided } = await decideContext(judged);
  const judge = new ContextJudge(judged, decided, sides);
  await judge.know(sides);
  return judge;
}

/** An entity with rows that may differ. */
interface Known {
  /** The place of the cause. */
  readonly place: number;
  /** The entry of a field that it belongs to, 64 hex digits. */
  readonly entry: string;
  /** True for an ancestor of a wrong entity: only its hash differs. */
  readonly isAbove: boolean;
}

/** Drops the replays of its context while it waits for rows: the replays of many contexts would not fit into memory. */
class ContextJudge implements Judge {
  readonly #id: string;
  readonly #judged: JudgedContext;
  readonly #decided: Omit<DecidedContext, "sides">;
  readonly #hasSameRoot: boolean;
  /** Deltas that both sides applied; empty if the schema has no `ScopeUnifiedOp`. */
  readonly #applied: ReadonlySet<string>;
  readonly #changed: ChangedHistory;
  readonly #changedRows = new ChangedRows();
  readonly #lost: LostRows;
  readonly #ofGroups = new RowsOfGroups();
  /** Keys of rows of State in hex → the entity of the row. */
  readonly #entities = new Map<string, Known>();
  /** Ids of deltas that a side lacks → the place of their cause. */
  readonly #deltas = new Map<string, number>();
  /** Place of a cause → the entities that it explains, 64 hex digits each. */
  readonly #ofCauses = new Map<number, Set<string>>();
  /** Keys of rows in tries of children, in hex → the place of their cause. */
  readonly #tries = new Map<string, number>();
  readonly #entries = new Set<string>();
  #isKnown = true;
  #hasSameState = true;

  constructor(judged: JudgedContext, decided: Omit<DecidedContext, "sides">, [a, b]: readonly [Side, Side]) {
    this.#id = toHex(judged.contextId);
    this.#judged = judged;
    this.#decided = decided;
    this.#hasSameRoot = a.rootHash === b.rootHash;
    const { rows } = a.source.reader.schema;
    const isNeeded = rows.some(({ kind }) => kind === "ScopeUnifiedOp");
    this.#applied = new Set(isNeeded ? [...a.applied].filter((id) => b.applied.has(id)) : []);
    this.#changed = new ChangedHistory("delta", decided.causes.noRows());
    this.#lost = new LostRows(decided.causes);
  }

  /** Collects the entities that the causes explain, and the rows of tries of children that change with them. */
  async know(sides: readonly [Side, Side]): Promise<void> {
    const { causes } = this.#decided;
    const pause = new Pause();
    for (const [place, { contradictions = [] }] of causes.withPlaces("contradiction"))
      for (const { entity } of contradictions) {
        if (pause.isLong) await pause.ifLong();
        this.#know(sides, entity, place);
      }
    for (const [place, { deltas = [] }] of causes.withPlaces("lost", "deltas", "checkpoint")) {
      for (const delta of deltas) this.#deltas.set(delta, place);
      for (const { replay } of sides)
        for (const entity of await touchedBy(replay, deltas)) {
          if (pause.isLong) await pause.ifLong();
          this.#know(sides, entity, place);
        }
    }
    for (const [place, { deltas = [] }] of causes.withPlaces("pending"))
      for (const delta of deltas) this.#deltas.set(delta, place);
    for (const [place, { contradictions = [] }] of causes.withPlaces("contradiction"))
      for (const { entity } of contradictions) {
        if (pause.isLong) await pause.ifLong();
        for (const id of entitiesAbove(sides, entity)) this.#know(sides, id, place, true);
      }
    await this.#knowTries(sides);
  }

  async #knowTries(sides: readonly [Side, Side]): Promise<void> {
    const { schema } = sides[0].source.reader;
    const replays = [sides[0].replay, sides[1].replay] as const;
    for (const [place, entities] of this.#ofCauses)
      for await (const key of trieRowsAbove(schema, replays, entities)) {
        const text = toHex(key);
        if (!this.#tries.has(text)) this.#tries.set(text, place);
      }
  }

  take(row: RowDifference): void {
    const { causes } = this.#decided;
    const known = row.column === "State" ? this.#entities.get(row.key) : undefined;
    const isExpected = row.benign !== undefined || isUncovered(row) || isOfHeads(row);
    if (known !== undefined) this.#entries.add(known.entry);
    if (row.column === "State" && !isExpected) this.#hasSameState = false;
    const place =
      known?.isAbove && isExpected ? -1 : (known?.place ?? this.#tries.get(row.key) ?? this.#placeOf(row));
    if (row.column === "State" && known === undefined && causes.of("incomplete").length > 0)
      this.#isKnown = false;
    if (place >= 0) causes.take(row, place);
    else if (isExpected) causes.take(row, "expected");
    else if (isChangedDelta(row)) this.#changed.take(row);
    else if (!this.#takeLost(row) && !this.#ofGroups.take(row)) {
      if (row.column === "State") this.#isKnown = false;
      if (row.column !== "State" || !this.#changedRows.take(row)) causes.take(row, "unexplained");
    }
  }

  #takeLost(row: RowDifference): boolean {
    if (row.kind === "ContextConfig") return this.#lost.take(row, "context");
    const id = row.key.slice(-64);
    return row.kind === "ScopeUnifiedOp" && this.#applied.has(id) && this.#lost.take(row, "delta");
  }

  async decide(): Promise<WhyDifference> {
    const { causes } = this.#decided;
    const sides = once(() => sidesOf(this.#judged));
    const rows = await this.#changedRows.addTo(causes, sides);
    const deltas = await this.#changed.addTo(causes, async (id) => provenBeside(await sides(), id));
    const others = [...this.#lost.add(), ...(await this.#ofGroups.addTo(causes, this.#judged.peers))];
    // In the order of the deltas.
    const entries = [...this.#entities.values()].flatMap(({ entry }) =>
      this.#entries.has(entry) ? entry : [],
    );
    const known = this.#isKnown ? new Set(entries) : undefined;
    return causes.difference(
      { of: "context", id: this.#id },
      this.#verdict(rows, [deltas ?? [], others].flat()),
      known,
    );
  }

  /** Combines the verdict on the states with the words on wrong rows and on other differing rows. */
  #verdict(rows: Words | undefined, others: readonly Words[]): Decision {
    const { causes, verdict, sentence, about } = this.#decided;
    const isSame = sameVerdicts.includes(verdict);
    const words = [rows ?? [], others].flat();
    const said = words.map((one) => one.sentence).join("; ");
    const isWrong = rows !== undefined;
    if (isSame && !isWrong && causes.unexplained.unexplainedCount > 0)
      return { verdict: "unexplained", sentence: causes.unexplainedText("the root hashes are equal"), about };
    if (words.length === 0) return { verdict, sentence, about };
    // The replay of a changed delta gives another state than the original delta.
    const isSameState = this.#hasSameState && this.#hasSameRoot;
    if (isSame || (isSameState && !isWrong)) {
      const names = [...new Set(words.flatMap((one) => one.about))];
      const same = isWrong ? "both have the same data" : "both have the same state";
      return { verdict: "diverged", sentence: `${same}, but ${said}`, about: names };
    }
    return {
      verdict: isWrong ? "diverged" : verdict,
      sentence: `${sentence}; ${said}`,
      about: [...new Set([...about, ...words.flatMap((one) => one.about)])],
    };
  }

  #know(sides: readonly [Side, Side], entity: string, place: number, isAbove = false): void {
    this.#ofCauses.set(place, (this.#ofCauses.get(place) ?? new Set()).add(entity));
    const known = { place, entry: entryOf(sides, entity, this.#id), isAbove };
    for (const { key } of stateKeysOf(sides[0].source.reader.schema, this.#id, fromHex(entity))) {
      const text = toHex(key);
      if (!this.#entities.has(text)) this.#entities.set(text, known);
    }
  }

  #placeOf({ column, kind, key, difference }: RowDifference): number {
    const { causes, lacking, covered, isUnseen } = this.#decided;
    if (kind === "ContextDagDelta" || kind === "ScopeUnifiedOp") {
      const id = key.slice(-64);
      if (lacking.has(id) || this.#deltas.has(id)) return this.#deltas.get(id) ?? -1;
      if (covered.has(id)) return causes.placeOf("snapshot");
      return difference === "different" ? -1 : causes.placeOf("deltas", "lost");
    }
    if (kind !== null && OF_APPLICATION.includes(kind)) return causes.placeOf("application");
    if (kind === "ContextMeta")
      return causes.placeOf(
        ...(["stated", "heads", "contradiction", "deltas", "lost", "incomplete"] as const),
        ...(isUnseen ? (["checkpoint"] as const) : []),
        "snapshot",
      );
    if (!OF_STATE.includes(column)) return -1;
    return isUnseen ? causes.placeOf("checkpoint") : causes.placeOf("incomplete");
  }
}

/** The ancestors of an entity, whose hashes cover it, in the states of both sides. */
function entitiesAbove(sides: readonly [Side, Side], entity: string): Set<string> {
  const above = new Set<string>();
  // Forged entities can be below themselves.
  for (const { replay } of sides)
    for (
      let at = replay.tree.parentOf(entity);
      at !== undefined && !above.has(at);
      at = replay.tree.parentOf(at)
    )
      above.add(at);
  return above;
}

/**
 * The entry that an entity belongs to: the entity or its ancestor directly below a field's collection or below the
 * state.
 */
function entryOf(sides: readonly [Side, Side], entity: string, context: string): string {
  const tree = sides.map(({ replay }) => replay.tree).find((one) => one.get(entity) !== undefined);
  const path = [entity];
  for (let at = tree?.parentOf(entity); at !== undefined && at !== context; at = tree?.parentOf(at)) {
    // Forged entities can be below themselves.
    if (path.length > DEEPEST) return entity;
    path.push(at);
  }
  return path.at(-2) ?? entity;
}

/** True if both nodes have a delta with different rows. */
function isChangedDelta({ kind, difference, undecoded }: RowDifference): boolean {
  return kind === "ContextDagDelta" && difference === "different" && undecoded === undefined;
}

/** True if the rows of a context differ only in their heads. A node need not list an applied delta. */
function isOfHeads({ kind, fields = [], moreFields }: RowDifference): boolean {
  return (
    kind === "ContextMeta" &&
    moreFields === undefined &&
    fields.length > 0 &&
    fields.every(({ path }) => path.startsWith("dagHeads"))
  );
}
