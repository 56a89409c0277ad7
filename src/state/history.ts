/** The deltas of a database as changes of the application's data. */
import { fromHex, toHex } from "../bytes/hex.js";
import type { IdTable } from "../bytes/id-table.js";
import { parentsOf } from "../node/tables/actions.js";
import { once } from "../node/tables/once.js";
import { type NodeReader, type RowOf, rowsAt, rowsOf } from "../node/tables/rows.js";
import { checkArgument, isReader } from "../options.js";
import { Pause } from "../pause.js";
import { type AnyAction, parentIn } from "../payloads/index.js";
import { findPrivateEntities, type Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";
import { isState } from "./arguments.js";
import { type StateChange, StateChanges, unchanged } from "./changes.js";
import { EarlierDeltas, readActions } from "./earlier-deltas.js";
import type { State } from "./state.js";
import { TextEdits, type TextRun } from "./text-edits.js";

/** The most deleted entities whose data is looked for in deltas. */
const MOST_DELETED = 100_000;

/** The deltas of a context as changes of its application's data, in any order. */
export class StateHistory {
  readonly #reader: NodeReader;
  readonly #contextId: Uint8Array;
  readonly #changes: StateChanges;
  readonly #deleted = once(() => this.#findDeleted());
  readonly #earlier: EarlierDeltas;
  readonly #texts: TextEdits;
  readonly #private: () => Promise<(row: RowOf<"ContextDagDelta">) => IdTable | undefined>;

  /** @param reader the store or snapshot that the state was read from */
  constructor(reader: StoreReader<Schema>, state: State) {
    checkArgument("StateHistory", reader, isReader);
    checkArgument("StateHistory", state, isState);
    this.#reader = reader as unknown as NodeReader;
    this.#contextId = state.contextId;
    this.#changes = new StateChanges(state);
    this.#earlier = new EarlierDeltas(this.#reader, state.contextId);
    this.#texts = new TextEdits(this.#reader, state.contextId, state.scope.rows.layout);
    const isShown = state.privateStructs.length > 0;
    this.#private = once(async () => {
      if (isShown) return () => undefined;
      const found = await findPrivateEntities(reader.raw, reader.schema);
      return ({ key, bytes }: RowOf<"ContextDagDelta">) => found.in("Delta", key.bytes, bytes)?.ids;
    });
  }

  /**
   * The changes by a delta, in the order of its actions; undefined without such a delta, or if its actions do not
   * decode. Fields and values that are equal to those at the delta's parents do not count as changed. Characters that
   * were typed or deleted together are one change, at their first character. The first call may read the collections
   * inside other collections; the first deletion, and the first change of a text, read all deltas. Changes of private
   * collections, which nodes of core-0.10 have in State, have neither path nor value, unless private structs were read.
   *
   * @param deltaId 64 hex digits
   */
  async changes(deltaId: string): Promise<readonly StateChange[] | undefined> {
    const key = { contextId: this.#contextId, deltaId: fromHex(deltaId) };
    const [row] = await rowsAt(this.#reader, "ContextDagDelta", [key]);
    const pause = new Pause();
    const actions = row && (await readActions(row, pause));
    if (row === undefined || actions === undefined) return undefined;
    const hidden = (await this.#private())(row);
    const shown = actions.filter((action) => !isHidden(action, hidden));
    await this.#nameDeleted(shown);
    const parents = parentsOf(row.value).map(toHex);
    const before = (entity: Uint8Array) => this.#earlier.dataBefore(parents, entity);
    const explained = await this.#changes.explain(shown, before);
    await pause.ifLong();
    const changes = await this.#withRuns(deltaId, explained);
    await pause.ifLong();
    let at = 0;
    // The changes of an action are adjacent. A hidden change keeps its place.
    return actions.flatMap((action) => {
      const entity = toHex(action.id);
      if (isHidden(action, hidden)) return [{ ...unchanged(entity), isSecret: true }];
      const start = at;
      while (at < changes.length && changes[at]?.entity === entity) at++;
      return changes.slice(start, at);
    });
  }

  /** Joins the characters that were typed into a text or deleted from it together. */
  async #withRuns(deltaId: string, changes: readonly StateChange[]): Promise<readonly StateChange[]> {
    const texts = new Set(changes.flatMap(({ text }) => text ?? []));
    if (texts.size === 0) return changes;
    const runs = new Map<string, TextRun | "in another">();
    const add = (run: TextRun): void => {
      const isIn = new Set(run.entities);
      const first = changes.find(({ entity }) => isIn.has(entity))?.entity;
      for (const entity of run.entities) runs.set(entity, entity === first ? run : "in another");
    };
    for (const text of texts) {
      const edit = await this.#texts.of(deltaId, text);
      for (const run of [...(edit?.inserted ?? []), ...(edit?.deleted ?? [])]) add(run);
    }
    return changes.map((change) => {
      const run = change.text === undefined ? undefined : runs.get(change.entity);
      if (run === undefined) return change;
      if (run === "in another") return { ...change, kind: "none", value: undefined };
      return { ...change, value: run.value, at: run.at };
    });
  }

  /** Explains the deleted entities, so that their deletions have paths. */
  async #nameDeleted(actions: readonly AnyAction[]): Promise<void> {
    if (!actions.some(({ kind }) => kind === "DeleteRef")) return;
    const deleted = await this.#deleted();
    const before = actions.flatMap(({ kind, id }) =>
      kind === "DeleteRef" ? (deleted.get(toHex(id)) ?? []) : [],
    );
    await this.#changes.explain(before);
  }

  /** Finds a write of each entity that a delta of the context deletes, one that names the parent if there is one. */
  async #findDeleted(): Promise<ReadonlyMap<string, AnyAction>> {
    const deleted = new Set<string>();
    for await (const action of this.#allActions())
      if (action.kind === "DeleteRef" && deleted.size < MOST_DELETED) deleted.add(toHex(action.id));
    const found = new Map<string, AnyAction>();
    for await (const action of this.#allActions())
      if ("data" in action && deleted.has(toHex(action.id))) {
        const isNamed = parentIn(action) !== undefined || !found.has(toHex(action.id));
        if (isNamed) found.set(toHex(action.id), action);
      }
    return found;
  }

  async *#allActions(): AsyncGenerator<AnyAction, void, undefined> {
    const pause = new Pause();
    for await (const rows of rowsOf(this.#reader, "ContextDagDelta", { contextId: this.#contextId })) {
      for (const row of rows) {
        await pause.ifLong();
        yield* (await readActions(row, pause)) ?? [];
      }
    }
  }
}

function isHidden(action: AnyAction, hidden: IdTable | undefined): boolean {
  if (hidden === undefined) return false;
  return hidden.has(action.id) || ("data" in action && hidden.isIn(action.data));
}
