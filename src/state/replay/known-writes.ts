/** The writes of known deltas. They separate the present rows from the rows of the base. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { mapEntryId, rotationLogId } from "../../digests/index.js";
import { Pause } from "../../pause.js";
import type { AnyAction } from "../../payloads/index.js";
import type { ReplayedDelta } from "./packed-deltas.js";

/** The changes that known deltas make to an entity. */
export interface Touch {
  /** The least and the greatest time of creation with which they add the entity; undefined if they only change it. */
  added: { readonly first: bigint; readonly last: bigint } | undefined;
  /** The data that they write; undefined if they write none, `various` if it is not always the same. */
  data: Uint8Array | "various" | undefined;
  /** The latest time at which they write or delete the entity. */
  latest: bigint;
  /** The entity's time before they delete it; undefined if they do not. */
  deletedFrom: bigint | undefined;
}

/** The writes of all known deltas. Ids are 64 hex digits. */
export class KnownWrites {
  /** The changes of each entity. */
  readonly touches = new Map<string, Touch>();
  /** The entries that deltas may have added to logs of writers. */
  readonly logged = new Set<string>();
  /**
   * The times of deletions. An entity below a deleted entity has the time of that deletion. They are texts, because
   * authors choose the times, and the hashes of numbers in a map are predictable.
   */
  readonly #deletions = new Set<string>();

  private constructor() {}

  static async of(deltas: readonly ReplayedDelta[]): Promise<KnownWrites> {
    const writes = new KnownWrites();
    const pause = new Pause();
    for (const delta of deltas) {
      const id = fromHex(delta.id);
      const newest = await firstCreation(delta, pause);
      for (const action of delta.actions ?? []) {
        if (pause.isLong) await pause.ifLong();
        writes.#add(id, action, newest);
      }
    }
    return writes;
  }

  /** Returns whether a known delta deleted something at a time. */
  hasDeletionAt(time: bigint): boolean {
    return this.#deletions.has(`at ${time}`);
  }

  #add(delta: Uint8Array, action: AnyAction, newest: bigint | undefined): void {
    if (action.kind === "Compare") return;
    if (action.metadata.storageType.kind === "Shared")
      this.logged.add(toHex(mapEntryId(rotationLogId(action.id), delta)));
    const id = toHex(action.id);
    const touch = this.touches.get(id) ?? {
      added: undefined,
      data: undefined,
      latest: 0n,
      deletedFrom: undefined,
    };
    this.touches.set(id, touch);
    const { createdAt, updatedAt } = action.metadata;
    const time = action.kind === "DeleteRef" ? action.deletedAt : updatedAt;
    if (time > touch.latest) touch.latest = time;
    if (action.kind === "DeleteRef") {
      this.#deletions.add(`at ${action.deletedAt}`);
      touch.deletedFrom = least(touch.deletedFrom, updatedAt);
      return;
    }
    // A collection that gets its name within the delta is updated before it is there.
    const isNew = action.kind === "Add" || (newest !== undefined && createdAt >= newest);
    if (isNew) {
      const { first, last } = touch.added ?? { first: createdAt, last: createdAt };
      touch.added = { first: least(first, createdAt), last: createdAt > last ? createdAt : last };
    }
    if (touch.data === undefined) touch.data = action.data;
    else if (touch.data !== "various" && !equalBytes(touch.data, action.data)) touch.data = "various";
  }
}

/** The least time of creation among the entities that a delta adds. */
async function firstCreation({ actions }: ReplayedDelta, pause: Pause): Promise<bigint | undefined> {
  let first: bigint | undefined;
  for (const action of actions ?? []) {
    if (pause.isLong) await pause.ifLong();
    if (action.kind === "Add") first = least(first, action.metadata.createdAt);
  }
  return first;
}

function least(one: bigint | undefined, other: bigint): bigint {
  return one === undefined || other < one ? other : one;
}
