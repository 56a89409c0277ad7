/** What all collections of the application's data have in common. Nothing is read before it is asked for. */
import { copyBytes } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import type { IndexRow } from "../index-row.js";
import { problem, StateError, type StateProblem } from "../problem.js";
import { type Reading, readUnchecked, readValues } from "../types/read-value.js";
import { type CollectionType, holdsCollections, type Type } from "../types/type.js";
import type { Handle } from "../types/values.js";
import { findKey } from "./entry-key.js";
import { type Contents, contentsByRow, contentsOf, nestedName, plainName, storedName } from "./layout.js";
import { detailsOf, type EntityDetails, type Owners, type Scope, type StateEntry } from "./scope.js";

/** Entries that are read at a time. The first page is smaller: a caller may want a few. */
const PAGE = 256;
const FIRST_PAGE = 32;

/** Collections inside each other: no program nests more. */
const DEEPEST = 128;

/** Where a collection is. */
export interface Place {
  /** The path of the collection. */
  readonly path: string;
  /** The field of the state that it is; undefined inside other collections. */
  readonly field: string | undefined;
  /** The collections around it. */
  readonly owners: Owners;
  /** Whether it is what a counter subtracted. */
  readonly half?: "negative";
}

/** A collection that was found and checked. */
export interface Opened extends Contents {
  /** Its index row. */
  readonly row: IndexRow;
}

/** Which entries to read. */
export interface EntriesOptions {
  /** The first key, or the place where it would be: text, or bytes. Entries then come in the order of their keys. */
  readonly from?: string | Uint8Array | undefined;
  /** Only keys that begin with this text, or with these bytes. */
  readonly prefix?: string | Uint8Array | undefined;
  /** At most this many entries. */
  readonly limit?: number | undefined;
}

/** A collection of the application's data, whose entries are read when they are asked for. */
export abstract class StateCollection {
  /** What kind of collection it is. */
  abstract readonly kind: CollectionType["kind"];
  /** Where it is: `items`. */
  readonly path: string;
  /** Its entity's id, 32 bytes. */
  readonly id: Uint8Array;
  /** @internal Its type. */
  readonly type: CollectionType;
  /** @internal What is stored of it in the value that holds it. */
  readonly handle: Handle;
  /** @internal */
  protected readonly scope: Scope;
  /** @internal */
  protected readonly place: Place;
  #opened: Promise<Opened | StateProblem> | undefined;

  /** @internal */
  constructor(scope: Scope, handle: Handle, place: Place) {
    this.scope = scope;
    this.handle = handle;
    this.type = handle.type;
    this.place = place;
    this.path = place.path;
    this.id = copyBytes(handle.id);
  }

  /** The number of entries that live. @throws StateError if the collection cannot be opened */
  async size(): Promise<number> {
    return (await this.open()).row.children.size;
  }

  /** What the row of the collection's entity says; undefined where there is none. */
  async details(): Promise<EntityDetails | undefined> {
    const row = await this.scope.rows.index(this.id);
    return row && detailsOf(row);
  }

  /** What is wrong with the collection itself; undefined where nothing is. */
  async problem(): Promise<StateProblem | undefined> {
    const opened = await this.#open();
    return "row" in opened ? undefined : opened;
  }

  /** @internal The entities that belong to it apart from those that {@link parts} returns: ids of 32 bytes. */
  async belongings(): Promise<readonly Uint8Array[]> {
    return [this.id];
  }

  /** @internal Everything that it holds, each entity once, in stored order. */
  async *parts(): AsyncGenerator<StateEntry, void, undefined> {
    const opened = await this.open();
    yield* this.read(opened.row.children.ids(), opened);
  }

  /** @internal The collection's row and types. @throws StateError if they do not fit */
  protected async open(): Promise<Opened> {
    const opened = await this.#open();
    if (!("row" in opened)) throw new StateError(opened);
    return opened;
  }

  /** @internal Reads entries in pages, in the order of their ids. */
  protected async *read(
    ids: Iterable<Uint8Array>,
    opened: Opened,
    limit = Number.POSITIVE_INFINITY,
    first = 0,
  ): AsyncGenerator<StateEntry, void, undefined> {
    let page: Uint8Array[] = [];
    let left = limit;
    let index = first;
    let most = FIRST_PAGE;
    for (const id of ids) {
      if (left <= 0) break;
      page.push(id);
      left--;
      if (page.length < most) continue;
      yield* await this.entriesOf(page, opened, index);
      index += page.length;
      page = [];
      most = PAGE;
    }
    if (page.length > 0) yield* await this.entriesOf(page, opened, index);
  }

  /**
   * @internal Decodes an entry with data of another time, as an action has it. Collections in it may not exist any more,
   * and handles are left as they are.
   */
  async decodeAction(id: Uint8Array, data: Uint8Array): Promise<StateEntry> {
    const found = await this.#open();
    const opened = "row" in found ? found : { ...contentsOf(this.type) };
    const body = this.#body(id, data, opened, await this.placeOf(id));
    if (body.problem !== undefined) return entryOf(body);
    const type = this.itemType(opened);
    const [checked] = await readValues(type, [body.rest], (wanted) => this.#live(wanted));
    const reading = checked?.outcome === "none" ? readUnchecked(type, body.rest) : (checked as Reading);
    if (reading.outcome !== "value")
      return { ...entryOf(body), problem: problemOf(reading, body.path, body.rest) };
    return { ...entryOf(body), value: this.elementOf(reading.value, body), type: reading.type };
  }

  /** @internal The place of an entry that has no key; undefined where it is not among the entries. */
  protected async placeOf(_id: Uint8Array): Promise<number | undefined> {
    return undefined;
  }

  /** @internal Decodes entries, in the order of their ids. */
  async entriesOf(
    ids: readonly Uint8Array[],
    opened: Opened,
    firstIndex: number,
  ): Promise<readonly StateEntry[]> {
    const data = await this.scope.rows.entries(ids);
    const bodies = ids.map((id, at) => this.#body(id, data[at], opened, firstIndex + at));
    const waiting = [...bodies.keys()].filter((at) => bodies[at]?.problem === undefined);
    const readings = await readValues(
      this.itemType(opened),
      waiting.map((at) => (bodies[at] as Body).rest),
      (wanted) => this.#live(wanted),
    );
    const entries = bodies.map(entryOf);
    for (const [order, at] of waiting.entries()) {
      const body = bodies[at] as Body;
      const reading = readings[order] as Reading;
      entries[at] =
        reading.outcome === "value"
          ? {
              ...entryOf(body),
              value: this.#liveValue(this.elementOf(reading.value, body), body, reading.type),
              type: reading.type,
              problem: this.check(body),
            }
          : { ...entryOf(body), problem: problemOf(reading, body.path, body.rest) };
    }
    return entries;
  }

  /** @internal The value of an entry, from what is left of its data after its key. */
  protected elementOf(value: unknown, _body: Body): unknown {
    return value;
  }

  /** @internal The type of what is left of an entry's data after its key. */
  protected itemType(opened: Contents): Type {
    return opened.item;
  }

  /** @internal A further check of an entry whose value decodes. */
  protected check(_body: Body): StateProblem | undefined {
    return undefined;
  }

  /** @internal Splits the data of an entry, without the id at its end, into key and value. */
  protected abstract split(
    data: Uint8Array,
    id: Uint8Array,
    opened: Contents,
    index: number | undefined,
  ): Split | "no key";

  #liveValue(value: unknown, { path }: Body, type: Type): unknown {
    if (!holdsCollections(type)) return value;
    return this.scope.live(value, path, [...this.place.owners, toHex(this.id)]);
  }

  #body(id: Uint8Array, data: Uint8Array | undefined, opened: Contents, index: number | undefined): Body {
    const unnamed = `${this.path}[#${toHex(id)}]`;
    const broken = (raw: Uint8Array | undefined, of: StateProblem): Body => ({
      id,
      path: unnamed,
      key: undefined,
      raw,
      rest: new Uint8Array(0),
      problem: of,
    });
    if (data === undefined)
      return broken(undefined, problem("EntryMissing", unnamed, "the entry has no data"));
    const raw = data.subarray(0, Math.max(0, data.length - 32));
    if (!equalBytes(data.subarray(raw.length), id)) {
      const message = "the entry's data does not end with the entry's id";
      return broken(data, problem("ElementIdMismatch", unnamed, message, data));
    }
    const split = this.split(raw, id, opened, index);
    if (split === "no key")
      return broken(raw, problem("KeyMismatch", unnamed, "no key in the data has the entry's id", raw));
    return { id, raw, problem: undefined, ...split };
  }

  async #live(ids: readonly Uint8Array[]) {
    const rows = await this.scope.rows.indexes(ids);
    return rows.map((row) =>
      row === undefined || row.deletedAt !== null
        ? undefined
        : { name: row.metadata.fieldName, crdtType: row.metadata.crdtType },
    );
  }

  #open(): Promise<Opened | StateProblem> {
    this.#opened ??= this.#find();
    return this.#opened;
  }

  async #find(): Promise<Opened | StateProblem> {
    const { path, field, owners } = this.place;
    if (owners.length >= DEEPEST)
      return problem("NestedTooDeeply", path, `it is inside ${DEEPEST} other collections`);
    if (owners.includes(toHex(this.id)))
      return problem("EntityCycle", path, "the collection is inside itself");
    const row = await this.scope.rows.index(this.id);
    if (row === undefined || row.deletedAt !== null)
      return problem(
        "CollectionMissing",
        path,
        `the collection ${toHex(this.id)} ${row === undefined ? "is not there" : "was deleted"}`,
      );
    const wrongName = this.#checkName(row, field);
    if (wrongName !== undefined) return problem("CollectionIdMismatch", path, wrongName);
    const contents = contentsByRow(this.type, row, this.scope.types, path);
    return "message" in contents ? contents : { row, ...contents };
  }

  #checkName({ metadata }: IndexRow, field: string | undefined): string | undefined {
    const stored = metadata.fieldName;
    if (stored === null || this.place.half !== undefined) return undefined;
    const expected = field === undefined ? nestedName(this.type) : storedName(this.type, field);
    if (expected === undefined || stored === expected) return undefined;
    if (field === undefined)
      return stored.startsWith("__") ? `the collection is stored as ${plainName(stored)}` : undefined;
    return `the collection is not that of the field ${field}, but of ${plainName(stored)}`;
  }
}

/** An entry whose key is known and whose value is not decoded yet. */
export interface Body extends Split {
  /** The entity's id. */
  readonly id: Uint8Array;
  /** The data without the id at its end. */
  readonly raw: Uint8Array | undefined;
  /** Why there is no value. */
  readonly problem: StateProblem | undefined;
}

/** The parts of an entry's data. */
export interface Split {
  /** Where the entry is. */
  readonly path: string;
  /** Its key; undefined for entries without one. */
  readonly key: string | Uint8Array | undefined;
  /** The bytes of the value. */
  readonly rest: Uint8Array;
}

function entryOf({ id, path, key, raw, problem: wrong }: Body): StateEntry {
  return { id, path, key, raw, problem: wrong, value: undefined, type: undefined };
}

type NoReading = Exclude<Reading, { outcome: "value" }>;

/** The problem of a value that has no reading, or several. */
export function problemOf(reading: NoReading, path: string, raw: Uint8Array): StateProblem {
  if (reading.outcome === "none")
    return problem(reading.unknown === undefined ? "ValueDecode" : "TypeUnknown", path, reading.message, raw);
  const { count } = reading;
  const message = `the bytes have ${count ?? "too many"} readings; hints can settle which is right`;
  return problem("Ambiguous", path, message, raw, count);
}

/** The key of an entry and the rest of its data, for collections with keys. */
export function splitKey(
  collection: Uint8Array,
  id: Uint8Array,
  data: Uint8Array,
  type: Type | undefined,
): { readonly key: string | Uint8Array; readonly rest: Uint8Array } | undefined {
  const found = findKey(collection, id, data, type);
  return found && { key: found.key, rest: data.subarray(found.end) };
}
