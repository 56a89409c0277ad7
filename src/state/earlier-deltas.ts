/** The values of entities at the parents of a delta, from the deltas before it. */
import { fromHex, toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import { actionsOf, isCheckpoint, parentsOf } from "../node/tables/actions.js";
import { type NodeReader, type RowOf, rowsAt } from "../node/tables/rows.js";
import { Pause } from "../pause.js";
import type { AnyAction } from "../payloads/index.js";

/** Deltas that are looked through for one entity. */
const MOST_STEPS = 1_000;
/** The most deltas that are kept, and the most bytes of a delta's actions. */
const [KEPT, KEPT_BYTES] = [1_000, 16 * 1024];

/** A delta as far as its place and its actions go. */
export interface EarlierDelta {
  /** The ids of its parents, 64 hex digits each; empty for the first delta. */
  readonly parents: readonly string[];
  /** Undefined if they do not decode, and for a checkpoint, which does not list its content. */
  readonly actions: readonly AnyAction[] | undefined;
}

/** The actions of a delta's row; undefined if they do not decode. */
export async function readActions(
  { value: { actions } }: RowOf<"ContextDagDelta">,
  pause: Pause,
): Promise<readonly AnyAction[] | undefined> {
  const read = await actionsOf(actions, pause);
  return "count" in read ? undefined : read;
}

/** A row as a place among deltas. */
export async function earlierDelta(row: RowOf<"ContextDagDelta">, pause: Pause): Promise<EarlierDelta> {
  return {
    parents: parentsOf(row.value).map(toHex),
    actions: isCheckpoint(row.value) ? undefined : await readActions(row, pause),
  };
}

/** The deltas of a context, found by their ids. */
export class EarlierDeltas {
  readonly #reader: NodeReader;
  readonly #contextId: Uint8Array;
  /** The newest that were used, the last one last. */
  readonly #kept = new Map<string, EarlierDelta>();

  constructor(reader: NodeReader, contextId: Uint8Array) {
    this.#reader = reader;
    this.#contextId = contextId;
  }

  /**
   * The data from the last writes of an entity before a delta with these parents. Empty if nothing wrote it; several if
   * the parents differ; undefined if deltas are missing, or too many would have to be read.
   */
  async dataBefore(
    parents: readonly string[],
    entity: Uint8Array,
  ): Promise<readonly Uint8Array[] | undefined> {
    const found: Uint8Array[] = [];
    const seen = new Set<string>();
    let isWhole = true;
    for (let open = parents; open.length > 0; ) {
      for (const id of open) seen.add(id);
      if (seen.size > MOST_STEPS) return found.length === 0 ? undefined : found;
      const next = new Set<string>();
      for (const delta of await this.#get(open)) {
        if (delta?.actions === undefined) {
          isWhole = false;
          continue;
        }
        const write = delta.actions.findLast(({ id, kind }) => kind !== "Compare" && equalBytes(id, entity));
        if (write === undefined) for (const parent of delta.parents) next.add(parent);
        else if ("data" in write) found.push(write.data);
      }
      open = [...next].filter((id) => !seen.has(id));
    }
    return isWhole || found.length > 0 ? found : undefined;
  }

  async #get(ids: readonly string[]): Promise<readonly (EarlierDelta | undefined)[]> {
    const found = new Map<string, EarlierDelta | undefined>();
    const missing = ids.filter((id) => {
      const kept = this.#kept.get(id);
      if (kept !== undefined) found.set(id, kept);
      return kept === undefined;
    });
    const keys = missing.map((id) => ({ contextId: this.#contextId, deltaId: fromHex(id) }));
    const pause = new Pause();
    for (const [at, row] of (await rowsAt(this.#reader, "ContextDagDelta", keys)).entries())
      found.set(
        missing[at] as string,
        row && this.#keep(missing[at] as string, row, await earlierDelta(row, pause)),
      );
    return ids.map((id) => found.get(id));
  }

  #keep(id: string, row: RowOf<"ContextDagDelta">, delta: EarlierDelta): EarlierDelta {
    if (row.bytes.length > KEPT_BYTES) return delta;
    this.#kept.set(id, delta);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT) this.#kept.delete(oldest as string);
    return delta;
  }
}
