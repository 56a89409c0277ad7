/** The base of all collections of the application's data. A collection reads rows only when a caller asks for them. */
import { copyBytes, isBytes } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { some } from "../../collections/lists.js";
import { isWholeNumber, type OptionCheck, type OptionChecks } from "../../options.js";
import { type Children, Damage, type EntityData } from "../layouts/layout.js";
import { entityPath, keyPath } from "../path.js";
import { type ProblemName, problem, StateError, type StateProblem } from "../problem.js";
import { type Reading, readUnchecked } from "../types/read-value.js";
import { type CollectionType, holdsCollections, type Type } from "../types/type.js";
import { type Handle, keyName } from "../types/values.js";
import { entriesInAnyOrder } from "./all-entries.js";
import {
  areBoth,
  type Body,
  entryOf,
  problemOf,
  type Split,
  settled,
  splitKeys,
  type Unsplit,
  type Way,
  waysOf,
} from "./entry-body.js";
import { tailOf } from "./last-key.js";
import { type Contents, contentsOf } from "./layout.js";
import { type CollectionPlace, type Opened, openCollection } from "./open-collection.js";
import { readSettled } from "./read-settled.js";
import { detailsOf, type EntityDetails, type Scope, type StateEntry } from "./scope.js";

/** Entries that are read at a time. The first page is smaller: a caller may want a few. */
const PAGE = 256;
const FIRST_PAGE = 32;
/** The entries of a large collection. From there on, reading all rows of its context is quicker than lookups. */
const LARGE = 8192;

/** The most entries that are read to find the form of keys. */
const MOST_OF_FORM = 64;

/** The children of a collection that was never written. */
const NO_CHILDREN: Children = { size: 0, ids: () => [], inOrder: async () => [] };

/** Some entries of a collection. */
export interface EntrySample {
  /** The type of their values. */
  readonly type: Type;
  /** The bytes of the values that can be told from their keys. */
  readonly values: readonly Uint8Array[];
  /** The entries. */
  readonly entries: readonly StateEntry[];
}

/** The entries to read. */
export interface EntriesOptions {
  /** The first key, or the place where it would be: text, or bytes. Entries then come in the order of their keys. */
  readonly from?: string | Uint8Array | undefined;
  /** Only keys that begin with this text, or with these bytes. */
  readonly prefix?: string | Uint8Array | undefined;
  /** At most this many entries. */
  readonly limit?: number | undefined;
}

const isTextOrBytes: OptionCheck = (value) =>
  typeof value === "string" || isBytes(value) ? undefined : "text or bytes";

/** @internal The checks of {@link EntriesOptions}. */
export const entriesOptions: OptionChecks<EntriesOptions> = {
  from: isTextOrBytes,
  prefix: isTextOrBytes,
  limit: isWholeNumber(0),
};

/** A collection of the application's data. Its entries are read on request. */
export abstract class StateCollection {
  /** The kind of the collection. */
  abstract readonly kind: CollectionType["kind"];
  /** The path: `items`. */
  readonly path: string;
  /** Its entity's id, 32 bytes. */
  readonly id: Uint8Array;
  /** @internal Its type. */
  readonly type: CollectionType;
  /** @internal The bytes that the value around it stores. */
  readonly handle: Handle;
  /** @internal */
  protected readonly scope: Scope;
  /** @internal */
  protected readonly place: CollectionPlace;
  #opened: Promise<Opened | StateProblem> | undefined;
  #children: Promise<Children | Damage> | undefined;
  #hasLength: Promise<boolean | undefined> | undefined;
  /** Its children, once they were read. */
  #known: Children | undefined;

  /** @internal */
  constructor(scope: Scope, handle: Handle, place: CollectionPlace) {
    this.scope = scope;
    this.handle = handle;
    this.type = handle.type;
    this.place = place;
    this.path = place.path;
    this.id = copyBytes(handle.id);
  }

  /** The number of entries that are not deleted. @throws StateError if the collection cannot be opened */
  async size(): Promise<number> {
    await this.open();
    return (await this.children()).size;
  }

  /**
   * Some entries: of a list in its order, of others in the same order each time; up to core-0.11 always in the order in
   * which they were made. Reads only the rows of these entries, but all rows of a list of core-1.0.
   *
   * @param from the place of the first, from 0
   * @param count at most this many
   * @throws StateError if the collection cannot be opened
   */
  async page(from: number, count: number): Promise<readonly StateEntry[]> {
    const opened = await this.open();
    return this.entriesOf(some(await this.ids(), count, from), opened, from);
  }

  /** Returns the entry that is an entity; undefined if the entity is not a child of the collection. Reads two rows. */
  async entryOf(id: Uint8Array): Promise<StateEntry | undefined> {
    const opened = await this.open();
    const row = await this.scope.rows.index(id);
    if (row === undefined || row.deletedAt !== null || row.parentId === null) return undefined;
    if (!equalBytes(row.parentId, this.id)) return undefined;
    const [entry] = await this.entriesOf([id], opened, (await this.placeOf(id)) ?? 0);
    return entry;
  }

  /** Returns the details of the collection's entity; undefined if it has no row. */
  async details(): Promise<EntityDetails | undefined> {
    const row = await this.scope.rows.index(this.id);
    return row && detailsOf(this.scope.rows, row);
  }

  /** Returns the problem of the collection itself; undefined if there is none. */
  async problem(): Promise<StateProblem | undefined> {
    const opened = await this.#open();
    return "row" in opened ? undefined : opened;
  }

  /** @internal The entities of the collection that {@link parts} does not return: ids of 32 bytes. */
  async belongings(): Promise<readonly Uint8Array[]> {
    return [this.id];
  }

  /** @internal Everything that it holds, each entity once, in stored order. */
  async *parts(): AsyncGenerator<StateEntry, void, undefined> {
    const opened = await this.open();
    for await (const page of this.read(await this.ids(), opened)) yield* page;
  }

  /** @internal The collection's row and types. @throws StateError if they do not fit */
  protected async open(): Promise<Opened> {
    const opened = await this.#open();
    if (!("row" in opened)) throw new StateError(opened);
    return opened;
  }

  /** @internal Its children. @throws StateError if they contradict the rows above */
  protected async children(): Promise<Children> {
    const { row } = await this.open();
    this.#children ??= row === undefined ? Promise.resolve(NO_CHILDREN) : this.scope.rows.children(row);
    this.#known = this.#sound(await this.#children);
    return this.#known;
  }

  /** @internal The ids of its entries in their order, if they have one. */
  protected async ids(): Promise<Iterable<Uint8Array>> {
    return (await this.children()).ids();
  }

  /** @internal Something that was read of the tree. @throws StateError for damage */
  #sound<T>(read: T | Damage): T {
    if (read instanceof Damage)
      throw new StateError(problem("TreeMismatch", this.path, read.message, read.raw));
    return read;
  }

  /** @internal The ids of its entries in the order in which they were made. */
  protected async idsInOrder(): Promise<Iterable<Uint8Array>> {
    return this.#sound(await (await this.children()).inOrder());
  }

  /** @internal Reads entries in pages, in the order of their ids. */
  protected async *read(
    ids: Iterable<Uint8Array>,
    opened: Opened,
    limit = Number.POSITIVE_INFINITY,
    first = 0,
  ): AsyncGenerator<readonly StateEntry[], void, undefined> {
    let page: Uint8Array[] = [];
    let left = limit;
    let index = first;
    let most = FIRST_PAGE;
    for (const id of ids) {
      if (left <= 0) break;
      page.push(id);
      left--;
      if (page.length < most) continue;
      yield await this.entriesOf(page, opened, index);
      index += page.length;
      page = [];
      most = PAGE;
    }
    if (page.length > 0) yield await this.entriesOf(page, opened, index);
  }

  /** @internal Reads all entries in pages. The order of a large collection is arbitrary. */
  protected async *readAll(opened: Opened): AsyncGenerator<readonly StateEntry[], void, undefined> {
    const children = await this.children();
    if (children.size < LARGE) yield* this.read(children.ids(), opened);
    else
      for await (const { ids, data } of entriesInAnyOrder(this.scope.rows, { row: opened.row, children }))
        yield await this.#decode(ids, data, opened, 0);
  }

  /**
   * @internal Decodes an entry with data of another time, as an action has it. Collections in it may no longer exist,
   * so handles are left as they are.
   */
  async decodeAction(id: Uint8Array, data: Uint8Array): Promise<StateEntry> {
    const found = await this.#open();
    const opened = "row" in found ? found : { ...contentsOf(this.type) };
    const body = this.#body(id, data, opened, await this.placeOf(id));
    if (body.problem !== undefined) return entryOf(body);
    const type = this.itemType(opened);
    const readings = await readSettled(
      this.scope,
      type,
      waysOf(body).map(({ rest }) => rest),
    );
    const ways = waysOf(body).map((way, at): Way => {
      const checked = readings[at] as Reading;
      return [way, checked.outcome === "none" ? readUnchecked(type, way.rest) : checked];
    });
    const [chosen, reading] = settled(ways, areBoth(ways) ? await this.#keysHaveLength() : undefined);
    if (reading.outcome !== "value")
      return { ...entryOf(chosen), problem: problemOf(reading, chosen.path, chosen.rest) };
    return { ...entryOf(chosen), value: this.elementOf(reading.value, chosen), type: reading.type };
  }

  /** @internal The place of an entry that has no key; undefined if it is not among the entries. */
  protected async placeOf(_id: Uint8Array): Promise<number | undefined> {
    return undefined;
  }

  /** @internal Decodes entries, in the order of their ids. */
  async entriesOf(
    ids: readonly Uint8Array[],
    opened: Opened,
    firstIndex: number,
  ): Promise<readonly StateEntry[]> {
    return this.#decode(ids, await this.#data(ids, opened), opened, firstIndex);
  }

  /** @internal The first entries, with the bytes and the type of their values. */
  async sample(most: number): Promise<EntrySample> {
    const opened = await this.open();
    const ids = await this.sampledIds(most);
    const data = await this.#data(ids, opened);
    const bodies = ids.map((id, at) => this.#body(id, data[at], opened, at));
    return {
      type: this.itemType(opened),
      values: bodies.flatMap(({ problem: wrong, rest }) => (wrong === undefined ? [rest] : [])),
      entries: await this.#decode(ids, data, opened, 0),
    };
  }

  /** @internal The entities of the first entries. */
  protected async sampledIds(most: number): Promise<readonly Uint8Array[]> {
    return some((await this.children()).ids(), most);
  }

  #data(ids: readonly Uint8Array[], { row }: Opened): Promise<readonly EntityData[]> {
    return this.scope.rows.data({ row, children: this.#known }, ids);
  }

  async #decode(
    ids: readonly Uint8Array[],
    data: readonly EntityData[],
    opened: Opened,
    firstIndex: number,
  ): Promise<readonly StateEntry[]> {
    const bodies = ids.map((id, at) => this.#body(id, data[at], opened, firstIndex + at));
    const splits = bodies.flatMap(waysOf);
    const readings = await readSettled(
      this.scope,
      this.itemType(opened),
      splits.map(({ rest }) => rest),
    );
    let order = 0;
    const ways = bodies.map((body) => waysOf(body).map((way): Way => [way, readings[order++] as Reading]));
    const hasLength = ways.some(areBoth) ? await this.#keysHaveLength() : undefined;
    return bodies.map((body, at) =>
      body.problem === undefined
        ? this.#entry(...settled(ways[at] as readonly Way[], hasLength))
        : entryOf(body),
    );
  }

  /**
   * Returns true if keys begin with their length, as keys that are texts do; undefined if the entries leave it open.
   */
  async #keysHaveLength(): Promise<boolean | undefined> {
    this.#hasLength ??= this.#findKeyForm().catch((error) => {
      if (error instanceof StateError) return undefined;
      throw error;
    });
    return this.#hasLength;
  }

  async #findKeyForm(): Promise<boolean | undefined> {
    const opened = await this.open();
    const ids = some((await this.children()).ids(), MOST_OF_FORM);
    const data = await this.#data(ids, opened);
    const sizes = new Set<number>();
    for (const [at, id] of ids.entries()) {
      const { raw, rest, other, problem: wrong } = this.#body(id, data[at], opened, at);
      if (wrong !== undefined || raw === undefined) continue;
      // All keys have one type: if one key has no length, no key has.
      if (other === undefined) return false;
      sizes.add(raw.length - rest.length);
    }
    // Keys without their length have a fixed size.
    return sizes.size > 1 ? true : undefined;
  }

  #entry(body: Body, reading: Reading): StateEntry {
    const { id, path, key, raw } = body;
    if (reading.outcome !== "value")
      return { ...entryOf(body), problem: problemOf(reading, path, body.rest) };
    const { type } = reading;
    const value = this.#liveValue(this.elementOf(reading.value, body), body, type);
    return { id, path, key, raw, value, type, problem: this.check(body) };
  }

  /** @internal The value of an entry, from the rest of its data after the key. */
  protected elementOf(value: unknown, _body: Body): unknown {
    return value;
  }

  /** @internal The type of the rest of an entry's data after the key. */
  protected itemType(opened: Contents): Type {
    return opened.item;
  }

  /** @internal A further check of an entry whose value decodes. */
  protected check(_body: Body): StateProblem | undefined {
    return undefined;
  }

  /**
   * @internal Splits the data of an entry into key and value, in all possible ways; empty if no key has its id.
   *
   * @param _index the place of an entry without a key; undefined if it is unknown
   */
  protected split(unsplit: Unsplit, opened: Contents, _index: number | undefined): readonly Split[] {
    const found = splitKeys(this.id, unsplit, opened.key);
    return found.map((one) => ({ ...one, path: keyPath(this.path, keyName(one.key)) }));
  }

  #liveValue(value: unknown, { path }: Body, type: Type): unknown {
    if (!holdsCollections(type)) return value;
    return this.scope.live(value, path, [...this.place.owners, toHex(this.id)]);
  }

  #body(id: Uint8Array, data: EntityData, opened: Contents, index: number | undefined): Body {
    const broken = (name: ProblemName, message: string, raw?: Uint8Array): Body => {
      const path = entityPath(this.path, id);
      const wrong = problem(name, path, message, raw);
      return { id, path, key: undefined, raw, rest: new Uint8Array(0), problem: wrong };
    };
    if (data === undefined) return broken("EntryMissing", "the entry has no data");
    if (data instanceof Damage) return broken("TreeMismatch", data.message, data.raw);
    const tail = tailOf(data, id);
    if (tail === undefined)
      return broken("ElementIdMismatch", "the entry's data does not end with the entry's id", data);
    const { isValueFirst } = this.scope.types.forms;
    const [split, other] = this.split({ ...tail, id, isValueFirst }, opened, index);
    if (split === undefined) return broken("KeyMismatch", "no key in the data has the entry's id", tail.body);
    return { id, raw: tail.body, problem: undefined, ...split, other };
  }

  #open(): Promise<Opened | StateProblem> {
    this.#opened ??= openCollection(this.scope, this.id, this.handle, this.place);
    return this.#opened;
  }
}
