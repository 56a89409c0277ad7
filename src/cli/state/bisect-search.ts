/** The search for the first delta after which a condition holds. */
import { toJsonLine } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument, orUndefined } from "../../errors.js";
import {
  type Certainty,
  type PastValue,
  parsePath,
  pastValueAt,
  type ReplayPosition,
  type StateOptions,
  stateOf,
} from "../../state/index.js";
import type { Terminal } from "../output/terminal.js";
import { isProven, type Moments } from "./replayed.js";

/** A condition on the application's data. */
export interface Condition {
  readonly path: string;
  holds(value: PastValue): boolean;
}

/** @throws MerostoreError INVALID_ARGUMENT */
export function conditionOf(condition: string | undefined, entry: string | undefined): Condition {
  if (entry !== undefined && condition === undefined)
    return { path: entry, holds: ({ kind }) => kind !== "nothing" };
  if (entry !== undefined) throw invalidArgument("give a condition or --entry, not both");
  if (condition === undefined)
    throw invalidArgument('give a condition, as items["a7"] = "x", or --entry with a path');
  for (let at = condition.indexOf("="); at >= 0; at = condition.indexOf("=", at + 1)) {
    const [path, typed] = [condition.slice(0, at).trim(), condition.slice(at + 1).trim()];
    const value = orUndefined(() => ({ path: parsePath(path), json: JSON.parse(typed) as Json }));
    if (value === undefined || path === "") continue;
    const wanted = toJsonLine(value.json);
    // Counters and wide integers are text in JSON.
    const asText = typeof value.json === "number" ? toJsonLine(String(value.json)) : wanted;
    const holds = (found: PastValue): boolean =>
      found.kind === "value" && [wanted, asText].includes(toJsonLine(found.json));
    return { path, holds };
  }
  throw invalidArgument(
    'a condition is a path, = and a value in JSON, as items["a7"] = "x", with its quotes',
  );
}

/** The states that a search compared. */
export interface Compared {
  readonly states: number;
  readonly proven: number;
  readonly agreeing: number;
}

/** A moment of the search, with the value and whether the state is proven. */
export interface SearchedMoment {
  readonly value: PastValue;
  readonly certainty: Certainty;
}

/** The first delta after which a condition holds. */
export interface FirstDelta {
  readonly position: ReplayPosition;
  readonly before: SearchedMoment;
  readonly after: SearchedMoment;
  /** Its lost ancestors. */
  readonly lost: readonly string[];
  readonly compared: Compared;
}

/** A binary search over the deltas. */
export class Search {
  readonly #terminal: Terminal;
  readonly #moments: Moments;
  readonly #wanted: Condition;
  readonly #contextId: Uint8Array;
  readonly #how: StateOptions;
  /** The compared states, by number of deltas. */
  readonly #certainties = new Map<number, Certainty>();

  constructor(
    terminal: Terminal,
    moments: Moments,
    wanted: Condition,
    contextId: Uint8Array,
    how: StateOptions,
  ) {
    this.#terminal = terminal;
    this.#moments = moments;
    this.#wanted = wanted;
    this.#contextId = contextId;
    this.#how = how;
  }

  /** The value after so many deltas. */
  async valueAfter(count: number): Promise<PastValue> {
    const state = await stateOf(await this.#moments.afterFirst(count), this.#contextId, this.#how);
    const value = await pastValueAt(state, this.#wanted.path);
    // The first deltas make the fields one after another.
    const isBegun = count >= 2 || this.#moments.replay.isJoined;
    return value.kind === "problem" && !isBegun ? { kind: "nothing" } : value;
  }

  /** Returns whether the condition holds after the first deltas. */
  async holds(count: number): Promise<boolean> {
    this.#terminal.check();
    const value = await this.valueAfter(count);
    this.#certainties.set(count, await this.#moments.replay.certaintyOfFirst(count));
    return this.#wanted.holds(value);
  }

  /** Searches between the empty state, where the condition does not hold, and the state after all deltas. */
  async run(): Promise<FirstDelta> {
    const { replay } = this.#moments;
    let [low, high] = [0, replay.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (await this.holds(middle)) high = middle;
      else low = middle;
    }
    const [before, after] = [await this.#momentAfter(low), await this.#momentAfter(high)];
    const position = await replay.position(high);
    const all = [...this.#certainties.values()];
    const agreeing = all.filter(({ verdict }) => verdict === "agrees").length;
    const compared = { states: all.length, proven: all.filter(isProven).length, agreeing };
    return { position, before, after, lost: replay.lostBefore(high), compared };
  }

  async #momentAfter(count: number): Promise<SearchedMoment> {
    const value = await this.valueAfter(count);
    return { value, certainty: this.#certainties.get(count) as Certainty };
  }
}
