/** Counts a context's entities: the entities that the application's state reaches, and the others. */
import { toHex } from "../bytes/hex.js";
import { IdTable } from "../bytes/id-table.js";
import { applicationStateId } from "../digests/index.js";
import { checkArgument } from "../options.js";
import { Pause } from "../pause.js";
import { isState } from "./arguments.js";
import { StateCollection } from "./collections/collection.js";
import { collectionsIn } from "./collections/parts-of-value.js";
import { childCount } from "./collections/scope.js";
import { ProblemList, problem, StateError, type StateProblem } from "./problem.js";
import type { State } from "./state.js";

/** An entity that the state does not reach: a collection that lost its owner, or a remain of a merge. */
export interface UnreachableEntity {
  /** Its id, 64 hex digits. */
  readonly id: string;
  /** The parent that it names, 64 hex digits; undefined if it names none. */
  readonly parent: string | undefined;
  /** The stored name; undefined if it has none. */
  readonly name: string | undefined;
  /** The number of its children. */
  readonly children: number;
}

/** A count of the entities of a context. */
export interface StateSurvey {
  /** All entities: index rows in State. */
  readonly entities: number;
  /** Those that the state reaches and that decode. */
  readonly decoded: number;
  /** The deleted entities. Only their rows are left. */
  readonly tombstones: number;
  /** Those that the state reaches and that have a problem. */
  readonly undecoded: number;
  /** The entities that the state does not reach; at most 10,000 are listed. */
  readonly unreachable: readonly UnreachableEntity[];
  /** The number of all that the state does not reach. */
  readonly unreachableCount: number;
  /** All problems; at most 10,000 are listed. */
  readonly problems: readonly StateProblem[];
  /** The number of all problems. */
  readonly problemCount: number;
}

/** The most unreachable entities that a survey lists. */
const MOST_LISTED = 10_000;

/**
 * Reads the whole state, entry by entry, and counts the entities that it reaches. Private structs count if they were
 * read.
 */
export async function surveyState(state: State): Promise<StateSurvey> {
  checkArgument("surveyState", state, isState);
  const walk = new Walk(state.problems);
  walk.reach(state.contextId, true);
  walk.reach(applicationStateId(), !state.problems.some(({ path }) => path === "$"));
  for (const { value, entity, problem: wrong } of [
    ...state.fields,
    ...state.privateStructs.flatMap(({ fields }) => fields),
  ]) {
    if (entity !== undefined) walk.reach(entity, wrong === undefined);
    if (wrong === undefined) await walk.value(value);
    else if (value instanceof StateCollection) walk.reach(value.id, false);
  }
  return walk.finish(state);
}

class Walk {
  readonly #decoded = new IdTable();
  readonly #undecoded = new IdTable();
  readonly #problems: ProblemList;
  readonly #pause = new Pause();

  constructor(problems: readonly StateProblem[]) {
    this.#problems = new ProblemList(problems);
  }

  reach(id: Uint8Array, decodes: boolean): void {
    (decodes ? this.#decoded : this.#undecoded).add(id);
  }

  async value(value: unknown): Promise<void> {
    for (const collection of collectionsIn(value)) await this.#collection(collection);
  }

  async finish(state: State): Promise<StateSurvey> {
    const counts = { entities: 0, decoded: 0, tombstones: 0, undecoded: 0, unreachableCount: 0 };
    const unreachable: UnreachableEntity[] = [];
    for await (const rows of state.scope.rows.all()) {
      await this.#pause.ifLong();
      for (const row of rows) {
        const { id, parentId, metadata, deletedAt } = row;
        counts.entities++;
        if (deletedAt !== null) counts.tombstones++;
        else if (this.#undecoded.has(id)) counts.undecoded++;
        else if (this.#decoded.has(id)) counts.decoded++;
        else if (++counts.unreachableCount <= MOST_LISTED)
          unreachable.push({
            id: toHex(id),
            parent: parentId === null ? undefined : toHex(parentId),
            name: metadata.fieldName ?? undefined,
            children: await childCount(state.scope.rows, row),
          });
      }
    }
    return { ...counts, unreachable, problems: this.#problems.listed, problemCount: this.#problems.count };
  }

  async #collection(collection: StateCollection): Promise<void> {
    if (this.#decoded.has(collection.id)) {
      this.#problems.add(
        problem("CollectionReused", collection.path, "the collection is in another place of the state too"),
      );
      return;
    }
    this.reach(collection.id, true);
    try {
      for (const id of await collection.belongings()) this.reach(id, true);
      for await (const { id, value, problem: wrong } of collection.parts()) {
        await this.#pause.ifLong();
        this.reach(id, wrong === undefined);
        if (wrong === undefined) await this.value(value);
        else this.#problems.add(wrong);
      }
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      this.reach(collection.id, false);
      this.#problems.add(error.problem);
    }
  }
}
