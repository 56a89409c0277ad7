/** The deltas of a database as changes of the application's data. */
import { fromHex, toHex } from "../bytes/hex.js";
import type { IdTable } from "../bytes/id-table.js";
import { once } from "../node/tables/once.js";
import { type NodeReader, type RowOf, rowsAt, rowsOf } from "../node/tables/rows.js";
import { Pause } from "../pause.js";
import { findPrivateEntities, type Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";
import { type AnyAction, type StateChange, StateChanges, unchanged } from "./changes.js";
import type { State } from "./state.js";

/** Deleted entities whose data is looked for in deltas. */
const MOST_DELETED = 100_000;

/** The deltas of a context as changes of its application's data, in any order. */
export class StateHistory {
  readonly #reader: NodeReader;
  readonly #contextId: Uint8Array;
  readonly #changes: StateChanges;
  readonly #deleted = once(() => this.#findDeleted());
  readonly #private: () => Promise<(row: RowOf<"ContextDagDelta">) => IdTable | undefined>;

  /** @param reader the store or snapshot that the state was read from */
  constructor(reader: StoreReader<Schema>, state: State) {
    this.#reader = reader as unknown as NodeReader;
    this.#contextId = state.contextId;
    this.#changes = new StateChanges(state);
    const isShown = state.privateStructs.length > 0;
    this.#private = once(async () => {
      if (isShown) return () => undefined;
      const found = await findPrivateEntities(reader.raw, reader.schema);
      return ({ key, bytes }: RowOf<"ContextDagDelta">) => found.in("Delta", key.bytes, bytes)?.ids;
    });
  }

  /**
   * The changes by a delta, in the order of its actions; undefined where there is no such delta, or its actions do not
   * decode. The first call may read the collections that are inside of others; the first deletion reads all deltas.
   * Changes of private collections, which nodes of core-0.10 have in State, have neither path nor value, unless private
   * structs were read.
   *
   * @param deltaId 64 hex digits
   */
  async changes(deltaId: string): Promise<readonly StateChange[] | undefined> {
    const key = { contextId: this.#contextId, deltaId: fromHex(deltaId) };
    const [row] = await rowsAt(this.#reader, "ContextDagDelta", [key]);
    const actions = row && actionsOf(row);
    if (row === undefined || actions === undefined) return undefined;
    const hidden = (await this.#private())(row);
    const shown = actions.filter((action) => !isHidden(action, hidden));
    await this.#nameDeleted(shown);
    const changes = await this.#changes.explain(shown);
    let at = 0;
    // The changes of an action are beside each other: a hidden one stands where it was.
    return actions.flatMap((action) => {
      const entity = toHex(action.id);
      if (isHidden(action, hidden)) return [{ ...unchanged(entity), isSecret: true }];
      const start = at;
      while (at < changes.length && changes[at]?.entity === entity) at++;
      return changes.slice(start, at);
    });
  }

  /** Explains what was deleted, so that the deletion has a path. */
  async #nameDeleted(actions: readonly AnyAction[]): Promise<void> {
    if (!actions.some(({ kind }) => kind === "DeleteRef")) return;
    const deleted = await this.#deleted();
    const before = actions.flatMap(({ kind, id }) =>
      kind === "DeleteRef" ? (deleted.get(toHex(id)) ?? []) : [],
    );
    await this.#changes.explain(before);
  }

  /** Finds the last write of each entity that a delta of the context deletes. */
  async #findDeleted(): Promise<ReadonlyMap<string, AnyAction>> {
    const deleted = new Set<string>();
    for await (const action of this.#allActions())
      if (action.kind === "DeleteRef" && deleted.size < MOST_DELETED) deleted.add(toHex(action.id));
    const found = new Map<string, AnyAction>();
    for await (const action of this.#allActions())
      if ("data" in action && deleted.has(toHex(action.id))) found.set(toHex(action.id), action);
    return found;
  }

  async *#allActions(): AsyncGenerator<AnyAction, void, undefined> {
    const pause = new Pause();
    for await (const rows of rowsOf(this.#reader, "ContextDagDelta", { contextId: this.#contextId })) {
      await pause.ifLong();
      for (const row of rows) yield* actionsOf(row) ?? [];
    }
  }
}

function actionsOf({ value: { actions } }: RowOf<"ContextDagDelta">): readonly AnyAction[] | undefined {
  return "bytes" in actions ? actions.value : actions;
}

function isHidden(action: AnyAction, hidden: IdTable | undefined): boolean {
  if (hidden === undefined) return false;
  return hidden.has(action.id) || ("data" in action && hidden.isIn(action.data));
}
