/** The deltas of a context, newest first. */

import { fromHex, toHex } from "../../bytes/hex.js";
import { millisOfNtp64 } from "../../bytes/ntp64.js";
import { slices } from "../../collections/lists.js";
import { signalOf } from "../../engine/abortable.js";
import { Pause } from "../../pause.js";
import type { AnyAction } from "../../payloads/index.js";
import { findPrivateEntities, type PrivateEntities, type Schema } from "../../schemas/index.js";
import type { Named, Names } from "../names.js";
import { actionsOf, isCheckpoint, isWithout, noteUnread, parentsOf } from "../tables/actions.js";
import { once } from "../tables/once.js";
import { firstValue, type NodeReader, type RowOf, rowsAt, rowsOf } from "../tables/rows.js";
import { type DeltaEvent, eventOf, parseEvents } from "./events.js";
import { GraphBuilder, type HistoryGraph, RowMark } from "./graph.js";
import type { HistoryOptions } from "./namespace-log.js";
import { CausalOrder, newestOf, type Placed } from "./order.js";
import { hexes } from "./stored.js";

/** A change of a context's state. Ids are 64 hex digits. */
export interface Delta {
  /** The delta's id, 64 hex digits. */
  readonly id: string;
  /** The context that it changes. */
  readonly context: Named;
  /** The author of the delta; undefined if the row does not name it, as before core-0.11. */
  readonly author: Named | undefined;
  /** When it was made, in milliseconds since 1970 by the author's clock; undefined for a checkpoint. */
  readonly time: number | undefined;
  /** Ids of its parents; empty for the first delta. */
  readonly parents: readonly string[];
  /** The parents that are not in the database: then the delta cannot be applied. */
  readonly missing: readonly string[];
  /** The changes of the delta, one for each entity; undefined if it does not decode. */
  readonly actions: readonly DeltaAction[] | undefined;
  /** Bytes of the actions; undefined in the document's revision. */
  readonly size: number | undefined;
  /** False while the delta is pending. */
  readonly applied: boolean;
  /** True if it is a checkpoint: a state that the node took over whole. */
  readonly checkpoint: boolean;
  /**
   * The events that the application emitted; nodes keep them in deltas of others only. `private` if the delta changes
   * private data, and `unreadable` if they do not decode.
   */
  readonly events: readonly DeltaEvent[] | "private" | "unreadable";
}

/** A change of one entity. */
export interface DeltaAction {
  /** The change of the entity; `Compare` only names it. */
  readonly kind: "Add" | "Update" | "DeleteRef" | "Compare";
  /** The entity's id. */
  readonly entity: string;
  /** The name of the field of the application's state that the entity is; undefined for entries of collections. */
  readonly field: string | undefined;
  /** Bytes of the entity's new content; 0 for a deletion. */
  readonly size: number;
}

/** Deltas that are read at a time. */
const BATCH = 64;

interface StoredDelta extends Placed {
  readonly row: RowOf<"ContextDagDelta">;
}

/** The deltas of contexts. */
export class Deltas {
  readonly #reader: NodeReader;
  readonly #names: Names;
  /** Names by id that only operations have: of accounts that left, for example. */
  readonly #said: () => Promise<ReadonlyMap<string, string | undefined>>;
  readonly #private: () => Promise<PrivateEntities>;

  /** @param said things that only operations name */
  constructor(reader: NodeReader, names: Names, said: () => Promise<readonly Named[]>) {
    this.#reader = reader;
    this.#names = names;
    this.#said = once(async () => {
      const named = (await said()).filter(({ name }) => name !== undefined);
      return new Map(named.map(({ id, name }) => [id, name]));
    });
    this.#private = once(() => findPrivateEntities(reader.raw, reader.schema as unknown as Schema));
  }

  /**
   * The deltas of a context, newest first. If the limit is much smaller than their number, the deltas are found from
   * the heads alone. Pending deltas, which no head reaches, are then left out.
   */
  async *history(context: string, { limit }: HistoryOptions = {}): AsyncGenerator<Delta, void, undefined> {
    let left = limit ?? Number.POSITIVE_INFINITY;
    if (left === 0) return;
    const rows = limit === undefined ? this.#all(context) : this.#newest(context, limit);
    for await (const stored of rows) {
      yield await this.#delta(context, stored);
      if (--left === 0) return;
    }
  }

  /** The delta of an id; undefined if the context does not have it. */
  async delta(context: string, id: string): Promise<Delta | undefined> {
    return (await this.deltas(context, [id]))[0];
  }

  /** The deltas with these ids, in the order of the ids; undefined for a delta that the context does not have. */
  async deltas(context: string, ids: readonly string[]): Promise<readonly (Delta | undefined)[]> {
    const found = await this.#byId(fromHex(context), ids.map(fromHex));
    return Promise.all(found.map(async (stored) => stored && this.#delta(context, stored)));
  }

  /** The graph of all deltas of a context. */
  async graph(context: string): Promise<HistoryGraph> {
    const contextId = fromHex(context);
    const builder = new GraphBuilder();
    for await (const rows of rowsOf(this.#reader, "ContextDagDelta", { contextId }))
      for (const { key, value } of rows) {
        const { time } = value.hlc;
        const millis = time === 0n ? undefined : millisOfNtp64(time);
        builder.add({
          id: key.deltaId,
          rank: time,
          parents: parentsOf(value),
          author: authorOf(value),
          after: millis,
          before: millis,
          marks: (value.applied ? 0 : RowMark.PENDING) | (isCheckpoint(value) ? RowMark.CHECKPOINT : 0),
        });
      }
    const meta = await firstValue(this.#reader, "ContextMeta", { contextId });
    const heads = hexes(meta?.dagHeads ?? []);
    const people = new Map<string, Named>();
    for (const author of builder.people) people.set(author, await this.#author(context, author));
    // Names are read without the signal.
    signalOf(this.#reader.raw)?.throwIfAborted();
    return builder.build(this.#names.context(context), heads, (author) => people.get(author) as Named);
  }

  async *#newest(context: string, limit: number): AsyncGenerator<StoredDelta, void, undefined> {
    const contextId = fromHex(context);
    const meta = await firstValue(this.#reader, "ContextMeta", { contextId });
    const get = (ids: readonly Uint8Array[]): Promise<readonly (StoredDelta | undefined)[]> =>
      this.#byId(contextId, ids);
    yield* newestOf({ heads: meta?.dagHeads ?? [], get }, limit, () => this.#all(context));
  }

  async *#all(context: string): AsyncGenerator<StoredDelta, void, undefined> {
    const contextId = fromHex(context);
    const order = new CausalOrder();
    for await (const rows of rowsOf(this.#reader, "ContextDagDelta", { contextId }))
      for (const row of rows) order.add(placed(row));
    const pause = new Pause();
    for (const ids of slices(order.newestFirst(), BATCH)) {
      await pause.ifLong();
      for (const stored of await this.#byId(contextId, ids)) if (stored !== undefined) yield stored;
    }
  }

  async #byId(
    contextId: Uint8Array,
    ids: readonly Uint8Array[],
  ): Promise<readonly (StoredDelta | undefined)[]> {
    const rows = await rowsAt(
      this.#reader,
      "ContextDagDelta",
      ids.map((deltaId) => ({ contextId, deltaId })),
    );
    return rows.map((row) => row && placed(row));
  }

  async #delta(context: string, { id, row }: StoredDelta): Promise<Delta> {
    const { value } = row;
    const known = parentsOf(value);
    const found = value.applied ? [] : await this.#byId(fromHex(context), known);
    const { actions } = value;
    const author = authorOf(value);
    return {
      id: toHex(id),
      context: this.#names.context(context),
      author: author === undefined ? undefined : await this.#author(context, author),
      time: value.hlc.time === 0n ? undefined : millisOfNtp64(value.hlc.time),
      parents: hexes(known),
      missing: hexes(value.applied ? [] : known.filter((_, at) => found[at] === undefined)),
      actions: await this.#actions(row),
      size: "bytes" in actions ? actions.bytes.length : undefined,
      applied: value.applied,
      checkpoint: isCheckpoint(value),
      events: await this.#events(row),
    };
  }

  /** The actions of a delta; undefined if they cannot be read, and for a checkpoint without actions. */
  async #actions(row: RowOf<"ContextDagDelta">): Promise<Delta["actions"]> {
    const {
      key,
      value: { actions },
    } = row;
    const pause = new Pause();
    const found = isWithout(actions) ? undefined : await actionsOf(actions, pause);
    if (found === undefined || "count" in found) {
      if (found !== undefined) noteUnread(this.#reader, key, found);
      return undefined;
    }
    const all: DeltaAction[] = [];
    for (const action of found) {
      if (pause.isLong) await pause.ifLong();
      all.push(shown(action));
    }
    // The names of private fields are private.
    const isHidden = all.some(({ field }) => field !== undefined) && (await this.#isPrivate(row));
    return isHidden ? all.map((action) => ({ ...action, field: undefined })) : all;
  }

  /** Returns whether a delta changes private data. */
  async #isPrivate({ key, bytes }: RowOf<"ContextDagDelta">): Promise<boolean> {
    return (await this.#private()).in("Delta", key.bytes, bytes) !== undefined;
  }

  async #author(context: string, publicKey: string): Promise<Named> {
    const author = this.#names.authorIn(context, publicKey);
    return author.name === undefined ? { ...author, name: (await this.#said()).get(author.id) } : author;
  }

  async #events(row: RowOf<"ContextDagDelta">): Promise<Delta["events"]> {
    const { events } = row.value;
    if (events === null || events.length === 0) return [];
    if (await this.#isPrivate(row)) return "private";
    return events instanceof Uint8Array ? (parseEvents(events) ?? "unreadable") : events.map(eventOf);
  }
}

function authorOf(value: RowOf<"ContextDagDelta">["value"]): string | undefined {
  return "authorId" in value && value.authorId !== null ? toHex(value.authorId) : undefined;
}

function placed(row: RowOf<"ContextDagDelta">): StoredDelta {
  const { key, value } = row;
  return { id: key.deltaId, rank: value.hlc.time, parents: value.parents, row };
}

function shown(action: AnyAction): DeltaAction {
  const { kind } = action;
  const name = "metadata" in action && "fieldName" in action.metadata ? action.metadata.fieldName : null;
  return {
    kind,
    entity: toHex(action.id),
    field: name === null ? undefined : plainFieldName(name),
    size: "data" in action ? action.data.length : 0,
  };
}

/** The storage library puts a prefix before the names of fields that hold collections of some kinds. */
function plainFieldName(name: string): string {
  return name.replace(/^__(?:user_storage|frozen_storage|authored_map|counter_internal)_/, "");
}
