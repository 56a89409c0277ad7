/** The application's data around a delta, as the delta's author saw it: before the delta, and after it. */
import { digitsOf, type IdLike, idBytes } from "../bytes/id.js";
import type { Json } from "../codec/index.js";
import { orUndefined } from "../errors.js";
import { checkArgument, isText } from "../options.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";
import { isState } from "./arguments.js";
import { fieldsJson, valueJson } from "./json.js";
import { layoutOf } from "./layouts/layout-of.js";
import { StateError, type StateProblem } from "./problem.js";
import { readerAt } from "./replay/as-of.js";
import type { ReplayPosition } from "./replay/certainty.js";
import { type ReplayOptions, readReplay } from "./replay/read-replay.js";
import type { ContextReplay } from "./replay/replay.js";
import { type State, type StateOptions, stateOf } from "./state.js";

/** The data that was at a path. */
export type PastValue =
  | {
      /** Nothing was there. */
      readonly kind: "nothing";
    }
  | {
      /** Something was there. */
      readonly kind: "value";
      /** The value, as `valueJson` writes it. */
      readonly json: Json;
    }
  | {
      /** Something was there, and cannot be shown. */
      readonly kind: "problem";
      /** The reason. */
      readonly problem: StateProblem;
    };

/** The data before and after a delta, as its author saw it. */
export interface DeltaViews {
  /** The place of the delta, with the certainty of both states. */
  readonly position: ReplayPosition;
  /** The data without the delta. */
  readonly before: State;
  /** The data with it. */
  readonly after: State;
}

/** The data around the deltas of a context. */
export class AuthorViews {
  /** The replay, which these views move. */
  readonly replay: ContextReplay;
  readonly #reader: StoreReader<Schema>;
  readonly #contextId: Uint8Array;
  readonly #options: StateOptions;

  private constructor(
    reader: StoreReader<Schema>,
    contextId: Uint8Array,
    options: StateOptions,
    replay: ContextReplay,
  ) {
    this.#reader = reader;
    this.#contextId = contextId;
    this.#options = options;
    this.replay = replay;
  }

  /** Returns whether the deltas of a database can be replayed. */
  static areOf({ schema }: StoreReader<Schema>): boolean {
    return orUndefined(() => layoutOf(schema)) !== undefined;
  }

  /**
   * Reads the deltas of a context.
   *
   * @param reader a store or a snapshot
   * @param context its id
   * @throws MerostoreError `INVALID_ARGUMENT` for a revision whose deltas cannot be replayed
   */
  static async of(
    reader: StoreReader<Schema>,
    context: IdLike,
    { record, signal, onProgress, ...options }: StateOptions & ReplayOptions = {},
  ): Promise<AuthorViews> {
    const contextId = idBytes(context);
    const replay = await readReplay(reader, contextId, { ...options, record, signal, onProgress });
    return new AuthorViews(reader, contextId, options, replay);
  }

  /**
   * The data around a delta; undefined for one that is not replayed: it is pending, or a checkpoint.
   */
  async around(id: IdLike): Promise<DeltaViews | undefined> {
    const delta = digitsOf(id);
    if (this.replay.graph.numberOf(delta) === undefined) return undefined;
    const position = await this.replay.position(delta);
    await this.replay.moveToBefore(delta);
    const before = await this.#here();
    await this.replay.moveTo(delta);
    return { position, before, after: await this.#here() };
  }

  /** The present data, from the rows. */
  async now(): Promise<State> {
    return stateOf(this.#reader, this.#contextId, this.#options);
  }

  async #here(): Promise<State> {
    return stateOf(await readerAt(this.#reader, this.replay), this.#contextId, this.#options);
  }
}

/**
 * Returns the value at a path of a state. The path need not exist in this state.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a text that is not a path
 */
export async function pastValueAt(state: State, path: string): Promise<PastValue> {
  checkArgument("pastValueAt", state, isState);
  checkArgument("pastValueAt", path, isText);
  // The state begins with the first delta.
  if (state.fields.length === 0 && state.problems.every(({ name }) => name === "RootMissing"))
    return { kind: "nothing" };
  try {
    const found = await state.get(path);
    if (found === undefined) return { kind: "nothing" };
    const { json, problems } = await (found === state.fields ? fieldsJson(state) : valueJson(found));
    return problems[0] === undefined ? { kind: "value", json } : { kind: "problem", problem: problems[0] };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return { kind: "problem", problem: error.problem };
  }
}
