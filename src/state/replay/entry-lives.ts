/** The lives of the entries of an application's data: which delta wrote or removed each of them, in causal order. */
import { toHex } from "../../bytes/hex.js";
import { digitsOf, type IdLike } from "../../bytes/id.js";
import { toJsonLine } from "../../bytes/visible.js";
import { NumberColumn } from "../../collections/columns.js";
import { GroupedNumbers } from "../../collections/grouped-numbers.js";
import { applicationStateId } from "../../digests/index.js";
import { checkOptions } from "../../options.js";
import { Pause } from "../../pause.js";
import type { AnyAction } from "../../payloads/index.js";
import { Follower, type ProgressOptions, progressOptions } from "../../progress.js";
import { type StateChange, StateChanges } from "../changes.js";
import { ROOT_PATH } from "../path.js";
import type { State } from "../state.js";
import { madeAt } from "./moment.js";
import type { ReplayedDelta } from "./packed-deltas.js";
import type { ContextReplay } from "./replay.js";

/** Characters of a value that are kept. */
const MOST = 200;
/** Entities of the base that are explained at a time. */
const BATCH = 256;

/**
 * The outcome for an entry: its value as JSON, or the beginning of it; null for a text, which the state at that moment
 * has; undefined if the entry was removed.
 */
export type EntryValue = string | null | undefined;

/** A change of one entry by one delta. */
export interface EntryEvent {
  /** The number of the entry. */
  readonly entry: number;
  /** The position of the delta; 0 for the state before the first delta. */
  readonly position: number;
  /** The value of the entry from then on. */
  readonly value: EntryValue;
}

/** A delta among the lives of entries. */
export interface LivesDelta {
  /** 64 hex digits. */
  readonly id: string;
  /** The author's Ed25519 public key, 64 hex digits; undefined if the row has none. */
  readonly author: string | undefined;
  /** The ids of the deltas that it follows. */
  readonly parents: readonly string[];
  /** The time when it was made, in milliseconds since 1970 by the author's clock; undefined if the row has no time. */
  readonly time: number | undefined;
  /** True if several deltas follow it. */
  readonly isFork: boolean;
  /** True if it follows a delta that is not there. */
  readonly lacksParents: boolean;
}

/**
 * The entries of a context's data after any number of its first deltas in causal order: the state of a node that has
 * these deltas. Events are numbered in causal order; events at position 0 belong to the state before the first delta.
 */
export class EntryLives {
  /** The deltas of the context. */
  readonly length: number;
  #since: number | undefined;
  readonly #replay: ContextReplay;
  readonly #paths: string[] = [];
  /** The entry of an entity, plus 1. */
  readonly #ofEntity = new NumberColumn();
  readonly #ofPath = new Map<string, number>();
  readonly #entries = new NumberColumn();
  readonly #positions = new NumberColumn();
  readonly #values: EntryValue[] = [];
  /** The number of events before each position. */
  readonly #starts: Uint32Array;
  readonly #counts: Uint32Array;
  readonly #sizes: Uint32Array;
  /** The last event of each entry. */
  readonly #last: number[] = [];
  /** The amounts that identities added to a counter, by the slot. */
  readonly #slots = new Map<number, bigint>();
  readonly #sums = new Map<number, bigint>();
  #events: GroupedNumbers | undefined;

  private constructor(replay: ContextReplay) {
    const { length } = replay;
    this.#replay = replay;
    this.length = length;
    this.#starts = new Uint32Array(length + 2);
    this.#counts = new Uint32Array(length + 1);
    this.#sizes = new Uint32Array(length + 1);
  }

  /**
   * Replays all deltas, and records all changes of each entry. The replay must not be moved meanwhile.
   *
   * @param state the present state, which names collections and types
   */
  static async of(replay: ContextReplay, state: State, options: ProgressOptions = {}): Promise<EntryLives> {
    checkOptions("EntryLives.of", options, progressOptions);
    const lives = new EntryLives(replay);
    const changes = new StateChanges(state);
    const follower = new Follower(options);
    const pause = new Pause(options.signal);
    let position = 0;
    for await (const entities of replay.steps()) {
      if (pause.isLong) {
        await pause.ifLong();
        follower.tell();
      }
      const before = position === 0 ? 0 : (lives.#counts[position - 1] as number);
      lives.#counts[position] = before;
      for (let at = 0; at < entities.length; at += BATCH) {
        await lives.#note(replay, changes, entities.slice(at, at + BATCH), position);
        if (pause.isLong) await pause.ifLong();
      }
      lives.#sizes[position] = lives.size;
      lives.#starts[++position] = lives.#values.length;
      if (position > 1) follower.count(0);
    }
    const { length } = lives.#values;
    lives.#events = await GroupedNumbers.of(lives.#paths.length, async (add) => {
      for (let event = 0; event < length; event++) add(lives.#entries.get(event), event);
    });
    lives.#slots.clear();
    follower.end();
    return lives;
  }

  /** When the oldest data before the first delta was made, in milliseconds since 1970; undefined without any. */
  get since(): number | undefined {
    return this.#since;
  }

  /** The delta at a position from 1 on. */
  deltaAt(position: number): LivesDelta {
    const { graph } = this.#replay;
    const { id, author, parents } = graph.deltas[position - 1] as ReplayedDelta;
    const time = madeAt(graph, position - 1);
    return {
      ...{ id, author, parents, time: Number.isFinite(time) ? time : undefined },
      isFork: graph.children(position - 1).length > 1,
      lacksParents: graph.lacksParents(position - 1),
    };
  }

  /** The position of a delta, by its id; undefined if it is not there. */
  positionOf(id: IdLike): number | undefined {
    const number = this.#replay.graph.numberOf(digitsOf(id));
    return number === undefined ? undefined : number + 1;
  }

  /** The number of deltas at a position that no other delta follows. */
  async headsAt(position: number): Promise<number> {
    return (await this.#replay.graph.headsWhere((number) => number < position)).length;
  }

  /** The entries that ever were. */
  get size(): number {
    return this.#paths.length;
  }

  /** The number of entries at a position. */
  countAt(position: number): number {
    return this.#counts[position] as number;
  }

  /** The number of entries that ever existed until a position, removed entries included. */
  everUntil(position: number): number {
    return this.#sizes[position] as number;
  }

  /** The path of an entry; `#` and the id of its entity if its collection is not known. */
  pathOf(entry: number): string {
    return this.#paths[entry] as string;
  }

  /** An event by its number. */
  event(event: number): EntryEvent {
    const value = this.#values[event];
    return { entry: this.#entries.get(event), position: this.#positions.get(event), value };
  }

  /** The events of an entry, the oldest first. */
  eventsOf(entry: number): Uint32Array {
    return (this.#events as GroupedNumbers).of(entry);
  }

  /** The last event of each entry at a position, the newest first, removed entries included. */
  *newest(position: number): Generator<number, void, undefined> {
    const seen = new Uint8Array(this.size);
    for (let event = (this.#starts[position + 1] as number) - 1; event >= 0; event--) {
      const entry = this.#entries.get(event);
      if (seen[entry] === 1) continue;
      seen[entry] = 1;
      yield event;
    }
  }

  /**
   * For each entry that deltas between two positions touched, its last event at each position, the newest first;
   * undefined without an event.
   */
  *between(
    from: number,
    to: number,
  ): Generator<readonly [before: number | undefined, after: number], void, undefined> {
    const start = this.#starts[from + 1] as number;
    for (const after of this.newest(to)) {
      if (after < start) return;
      const events = this.eventsOf(this.#entries.get(after));
      yield [events.findLast((event) => event < start), after];
    }
  }

  async #note(
    { tree: { byNumber: tree } }: ContextReplay,
    changes: StateChanges,
    entities: readonly number[],
    position: number,
  ): Promise<void> {
    const written: number[] = [];
    const actions: AnyAction[] = [];
    for (const id of entities) {
      const entity = tree.get(id);
      const data = entity?.deletedAt === undefined ? entity?.data : undefined;
      if (position === 0 && entity !== undefined) {
        const made = Number(entity.metadata.createdAt / 1_000_000n);
        if (made > 0) this.#since = Math.min(this.#since ?? made, made);
      }
      if (entity === undefined || data === undefined) {
        this.#remove(id, position);
        continue;
      }
      const ancestors = entity.parent === undefined ? [] : [tree.idOf(entity.parent)];
      written.push(id);
      actions.push({
        kind: "Add",
        id: tree.idOf(id),
        data,
        ancestors,
        metadata: entity.metadata,
      } as AnyAction);
    }
    const names = new Map(written.map((id) => [tree.nameOf(id), id]));
    for (const change of await changes.explain(actions)) {
      const id = names.get(change.entity) as number;
      this.#write(id, change, position, tree.writerOf(id) === position - 1);
    }
  }

  #write(
    id: number,
    { kind, entity, path, value, whole, problem, isSecret }: StateChange,
    position: number,
    isNew: boolean,
  ): void {
    const isNamed = path !== undefined && path !== ROOT_PATH;
    if (isSecret || kind === "create" || kind === "none" || !(isNamed || problem !== undefined)) return;
    const isField = entity === ROOT;
    const entry = this.#entryOf(id, whole ?? path ?? `#${entity}`, isField || whole !== undefined);
    const now = problem === undefined ? this.#valueOf(id, entry, kind, whole, value) : `! ${problem.message}`;
    const last = this.#last[entry];
    const isSame = last !== undefined && this.#values[last] === now;
    if (!isSame || (isNew && !isField)) this.#add(entry, position, now);
  }

  #valueOf(
    id: number,
    entry: number,
    kind: StateChange["kind"],
    whole: string | undefined,
    value: StateChange["value"],
  ): EntryValue {
    if (kind === "insert") return null;
    if (whole === undefined) return cut(toJsonLine(value ?? null));
    const amount = BigInt(String(value ?? 0));
    const sum = (this.#sums.get(entry) ?? 0n) + amount - (this.#slots.get(id) ?? 0n);
    this.#slots.set(id, amount);
    this.#sums.set(entry, sum);
    return String(sum);
  }

  #entryOf(id: number, path: string, isOfPath: boolean): number {
    const known = isOfPath ? this.#ofPath.get(path) : this.#ofEntity.get(id) - 1;
    const entry = known === undefined || known < 0 ? this.#paths.length : known;
    if (isOfPath) this.#ofPath.set(path, entry);
    this.#ofEntity.set(id, entry + 1);
    this.#paths[entry] = path;
    return entry;
  }

  #remove(id: number, position: number): void {
    const entry = this.#ofEntity.get(id) - 1;
    const last = this.#last[entry];
    const value = last === undefined ? undefined : this.#values[last];
    // The loss of a character changes a text.
    if (value !== undefined) this.#add(entry, position, value === null ? null : undefined);
  }

  /** Notes an event; of several of an entry by one delta, the last. */
  #add(entry: number, position: number, value: EntryValue): void {
    const last = this.#last[entry];
    const was = last === undefined ? undefined : this.#values[last];
    const before = this.#counts[position] as number;
    this.#counts[position] = before + Number(value !== undefined) - Number(was !== undefined);
    if (last !== undefined && this.#positions.get(last) === position) {
      this.#values[last] = value;
      return;
    }
    const event = this.#values.push(value) - 1;
    this.#entries.set(event, entry);
    this.#positions.set(event, position);
    this.#last[entry] = event;
  }
}

const ROOT = toHex(applicationStateId());

function cut(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST)}…`;
}
