/** Problems of parts of the application's data. The other parts are shown all the same. */
import { MerostoreError } from "../errors.js";

/** The name of a problem. */
export type ProblemName =
  /** The state has no root entity, as while a snapshot is being taken over. */
  | "RootMissing"
  /** The manifest does not name the type of the state. */
  | "AbiNoStateRoot"
  /** The bytes are not a value of the type. */
  | "ValueDecode"
  /** The bytes are several values of the type; hints can settle which. */
  | "Ambiguous"
  /** Nothing describes the type. */
  | "TypeUnknown"
  /** The rows have no such field. */
  | "FieldNotFound"
  /** The collection belongs to another field. */
  | "CollectionIdMismatch"
  /** The collection has no index row. */
  | "CollectionMissing"
  /** The row's type contradicts the manifest's. */
  | "CrdtTypeMismatch"
  /** An entry has no data. */
  | "EntryMissing"
  /** The data of an entry ends with another id. */
  | "ElementIdMismatch"
  /** The key of an entry does not have the entry's id. */
  | "KeyMismatch"
  /** The key of frozen data is not the hash of the data. */
  | "FrozenKeyMismatch"
  /** The hashes of the tree contradict the entity, or entities below it. */
  | "TreeMismatch"
  /** A collection holds itself. */
  | "EntityCycle"
  /** A collection is in two places. */
  | "CollectionReused"
  /** Values and collections are inside each other in more levels than are read. */
  | "NestedTooDeeply";

/** A problem and its place. It never contains a value, apart from `raw`. */
export interface StateProblem {
  /** Its name. */
  readonly name: ProblemName;
  /** The path of the part: `items["alice"]`; `$` for the state itself. */
  readonly path: string;
  /** A sentence that explains the problem. */
  readonly message: string;
  /** The bytes that were not understood; undefined without such bytes. Secret if the part is. */
  readonly raw: Uint8Array | undefined;
  /** For `Ambiguous`, the number of readings; undefined if there are too many to count. */
  readonly readings: number | undefined;
}

/** Creates a problem. */
export function problem(
  name: ProblemName,
  path: string,
  message: string,
  raw?: Uint8Array,
  readings?: number,
): StateProblem {
  return { name, path, message, raw, readings };
}

/** Problems that are kept. */
const MOST_KEPT = 10_000;

/** Problems of a whole state: the first 10,000 are kept, all are counted. */
export class ProblemList {
  readonly #listed: StateProblem[] = [];
  #count = 0;

  constructor(problems: readonly StateProblem[] = []) {
    for (const one of problems) this.add(one);
  }

  /** The first 10,000. */
  get listed(): readonly StateProblem[] {
    return this.#listed;
  }

  /** The number of all. */
  get count(): number {
    return this.#count;
  }

  /** Adds a problem. */
  add(one: StateProblem): void {
    this.#count++;
    if (this.#listed.length < MOST_KEPT) this.#listed.push(one);
  }
}

/** Thrown when a part that was asked for cannot be shown. */
export class StateError extends MerostoreError {
  /** The problem. */
  readonly problem: StateProblem;

  constructor(of: StateProblem) {
    super("STATE_UNREADABLE", `${of.path}: ${of.name}: ${of.message}`);
    this.name = "StateError";
    this.problem = of;
  }
}
