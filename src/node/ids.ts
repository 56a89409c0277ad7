/** Ids as people type them: whole, by their first digits, or by a name; and as short as they can be shown. */
import { fromHex, toHex } from "../bytes/hex.js";
import { asPrinted } from "../bytes/id.js";
import { nearest } from "../bytes/nearest.js";
import { oneOf } from "../bytes/quantity.js";
import { isMerostoreError, MerostoreError } from "../errors.js";
import type { AnyKeyClass } from "../keys/index.js";
import { type Known, KnownIds, type SortedIds } from "./known-ids.js";
import type { Named, ThingKind } from "./names.js";
import { once } from "./tables/once.js";
import { hasKind, type KindName, keysOf, type NodeReader, rowsOf } from "./tables/rows.js";
import type { Tables } from "./tables/tables.js";
import {
  base58Ranges,
  DIGITS,
  hexRange,
  type IdRange,
  LEAST_TYPED,
  startsAsTyped,
  wholeId,
} from "./typed-id.js";

/** Digits of a short id at least. */
const LEAST_SHOWN = 8;
/** Contexts and namespaces below which operations and deltas are looked up for short ids. */
const FEW_PARENTS = 200;
/** Things that are found in a range at most. */
const MOST_FOUND = 100;
/** Candidates that a message lists. */
const LISTED = 10;
/** Kinds of things that `member@group` can mean. */
const MEMBERS: readonly ThingKind[] = ["member", "key", "device"];

/** Kinds with too many ids to keep. These ids are looked up in the keys of their rows. */
const LOOKED_UP: Readonly<Partial<Record<ThingKind, KindName>>> = {
  delta: "ContextDagDelta",
  operation: "NamespaceGovOp",
};
/** Kinds that are looked up if nothing else is meant. */
const LOOKED_UP_LAST: typeof LOOKED_UP = { "state entry": "ContextState" };

/** The ids of a database. */
export class Ids {
  readonly #reader: NodeReader;
  readonly #known: SortedIds;
  /** The ids of members, devices and keys. They can be millions, and are read on request. */
  readonly #people: () => Promise<SortedIds>;
  readonly #contexts: readonly string[];
  readonly #namespaces: readonly string[];

  private constructor(
    tables: Tables,
    known: SortedIds,
    contexts: readonly string[],
    namespaces: readonly string[],
  ) {
    this.#reader = tables.reader;
    this.#known = known;
    this.#people = once(() => readPeople(tables));
    this.#contexts = contexts;
    this.#namespaces = namespaces;
  }

  /** Reads the ids of groups, contexts, applications, blobs and group keys. */
  static async read(tables: Tables): Promise<Ids> {
    const { reader } = tables;
    const known = new KnownIds();
    const add = (kind: Parameters<typeof known.add>[0], id: string): void => known.add(kind, fromHex(id));
    const groups = await tables.groups();
    for (const { id, parent } of groups.values()) add(parent === undefined ? "namespace" : "group", id);
    const contexts = [...(await tables.contexts()).keys()];
    for (const id of contexts) add("context", id);
    for (const id of (await tables.applications()).keys()) add("application", id);
    for await (const keys of keysOf(reader, "BlobMeta"))
      for (const key of keys) known.add("blob", key.blobId);
    // Code that a group or an application names may not be here yet.
    for (const { meta } of groups.values()) if (meta !== undefined) add("blob", meta.appKey);
    for (const { blob } of (await tables.applications()).values()) add("blob", blob);
    for await (const keys of keysOf(reader, "GroupKeyEntry"))
      for (const key of keys) known.add("group key", key.keyId);
    const namespaces = [...groups.values()].flatMap(({ id, parent }) => (parent === undefined ? [id] : []));
    return new Ids(tables, known.sorted(), contexts, namespaces);
  }

  /** The things with ids in a range: of these kinds, or of all kinds if none are given. At most a hundred. */
  async within({ from, last }: IdRange, kinds?: readonly ThingKind[]): Promise<readonly Known[]> {
    const found: Known[] = [];
    const arePeople = kinds === undefined || kinds.some((kind) => MEMBERS.includes(kind));
    for (const known of [this.#known, ...(arePeople ? [await this.#people()] : [])])
      for (const one of known.within(from, last)) {
        if (found.length >= MOST_FOUND) break;
        if (kinds === undefined || kinds.includes(one.kind)) found.push(one);
      }
    for (const lookedUp of [LOOKED_UP, LOOKED_UP_LAST]) {
      if (lookedUp === LOOKED_UP_LAST && found.length > 0) break;
      for (const [kind, row] of Object.entries(lookedUp) as [ThingKind, KindName][])
        if (kinds === undefined || kinds.includes(kind))
          for (const id of await this.#lookUp(row, { from, last }))
            if (found.length < MOST_FOUND) found.push({ kind, id });
    }
    return found;
  }

  /**
   * The number of digits of an id to show: at least eight, and enough that no other id of the database begins with
   * them. In a database of many contexts or namespaces, operations and deltas are not compared, and at least sixteen
   * digits are shown.
   */
  async digitsFor(id: string): Promise<number> {
    let most = 0;
    const count = (other: string | undefined): void => {
      if (other !== undefined && other !== id) most = Math.max(most, commonDigits(id, other));
    };
    // The ids that have most digits in common lie next to it.
    for (const known of [this.#known, await this.#people()]) {
      const place = known.placeOf(id);
      for (const near of [place - 1, place, place + 1]) count(known.id(near));
    }
    if (this.#contexts.length + this.#namespaces.length > FEW_PARENTS)
      return Math.max(2 * LEAST_SHOWN, most + 1);
    for (const row of Object.values(LOOKED_UP)) for (const other of await this.#nextTo(row, id)) count(other);
    return Math.max(LEAST_SHOWN, most + 1);
  }

  /** Ids in a range that are the second part of keys, below every id that can be the first. */
  async #lookUp(kind: KindName, { from, last }: IdRange): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const { column, prefix } of this.#placesOf(kind)) {
      const range = between(prefix + from, prefix + last);
      for await (const key of this.#reader.raw.scan(column, range, { limit: LISTED }).keys())
        if (key.length === range.gte.length) found.add(toHex(key.subarray(-32)));
    }
    return [...found];
  }

  /** The ids of a kind before and after an id, below every id that can be the first part of their keys. */
  async #nextTo(kind: KindName, id: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { column, prefix } of this.#placesOf(kind)) {
      const scans = [
        this.#reader.raw.scan(column, between(prefix + id, prefix + "f".repeat(DIGITS)), { limit: 2 }),
        this.#reader.raw.scan(
          column,
          { gte: fromHex(prefix + "0".repeat(DIGITS)), lt: fromHex(prefix + id) },
          { limit: 1, reverse: true },
        ),
      ];
      for (const scan of scans)
        for await (const key of scan.keys())
          if (2 * key.length === prefix.length + DIGITS) found.push(toHex(key.subarray(-32)));
    }
    return found;
  }

  /** The beginnings of the keys of a kind, in hex: one for each id that can be the first part. */
  #placesOf(kind: KindName): readonly { readonly column: string; readonly prefix: string }[] {
    if (!hasKind(this.#reader, kind)) return [];
    const { COLUMN: column, PREFIX } = this.#reader.schema.row(kind).key as AnyKeyClass;
    const first = PREFIX === undefined ? "" : PREFIX.toString(16).padStart(2, "0");
    const parents = kind === "NamespaceGovOp" ? this.#namespaces : this.#contexts;
    return parents.map((parent) => ({ column, prefix: first + parent }));
  }
}

/** Reads the ids of members, their devices, and this node's keys. */
async function readPeople(tables: Tables): Promise<SortedIds> {
  const people = new KnownIds();
  for await (const keys of keysOf(tables.reader, "GroupMember"))
    for (const key of keys) people.add("member", "account" in key ? key.account : key.identity);
  for (const { id, account } of (await tables.signers()).values()) {
    people.add("device", fromHex(id));
    people.add("member", fromHex(account));
  }
  for (const id of (await tables.memberNames()).all.keys()) people.add("member", fromHex(id));
  for (const id of (await tables.aliases()).identities.keys()) people.add("member", fromHex(id));
  for (const key of (await tables.own()).publicKeys) people.add("key", fromHex(key));
  return people.sorted();
}

/** The range of keys between two, both included, in hex. */
function between(from: string, last: string): { readonly gte: Uint8Array; readonly lt: Uint8Array } {
  return { gte: fromHex(from), lt: Uint8Array.of(...fromHex(last), 0) };
}

/** The lookups of a search for a thing. */
export interface Resolver {
  readonly ids: Ids;
  /** All names. */
  readonly entries: () => Iterable<Named>;
  /** The name of a thing. */
  readonly nameOf: (thing: Known) => Named;
  /** Things that only operations of logs name, with the last name that one gave them. */
  readonly said: () => Promise<Iterable<Named>>;
  /** Those who are or were in a group. */
  readonly membersOf: (group: string) => Promise<readonly Named[]>;
  readonly reader: NodeReader;
}

/**
 * The thing that a text names: by a whole id in hex or base58, by at least the first four digits of an id, or by a
 * name.
 *
 * @throws MerostoreError `UNKNOWN_NAME` if nothing matches; `AMBIGUOUS_NAME`, with the candidates, if several do
 */
export async function resolve(
  resolver: Resolver,
  typed: string,
  kinds?: readonly ThingKind[],
): Promise<Named> {
  const [first, ...others] = await candidatesFor(resolver, typed, kinds);
  if (first === undefined) {
    // The thing may be of another kind.
    const other = kinds && (await resolve(resolver, typed).catch(() => undefined));
    const named = [...resolver.entries(), ...(await resolver.said())];
    const names = named.filter(({ kind }) => kinds === undefined || kinds.includes(kind));
    throw new NothingCalledSo(typed, kinds, other, [...new Set(names.flatMap(({ name }) => name ?? []))]);
  }
  if (others.length === 0) return first;
  // A namespace is also a group, and a device key may be a member's key: an id stands for one thing.
  if (others.every(({ id }) => id === first.id)) return first;
  throw ambiguous(typed, [first, ...others]);
}

/** All things that a text can mean, as it is typed or as it is printed somewhere. */
export async function candidatesFor(
  resolver: Resolver,
  typed: string,
  kinds?: readonly ThingKind[],
): Promise<readonly Named[]> {
  const found = await candidatesOf(resolver, typed, kinds);
  if (found.length > 0) return found;
  const plain = asPrinted(typed);
  const meant = plain === typed || plain === "" ? [] : await candidatesOf(resolver, plain, kinds);
  return meant.length > 0 ? meant : membersOf(resolver, plain, kinds);
}

/** Those who are or were in a group that `member@group` can mean: by the name that the group gives, by another name, or by id. */
async function membersOf(
  resolver: Resolver,
  typed: string,
  kinds: readonly ThingKind[] = MEMBERS,
): Promise<readonly Named[]> {
  const at = typed.lastIndexOf("@");
  const wanted = kinds.filter((kind) => MEMBERS.includes(kind));
  if (at < 1 || wanted.length === 0) return [];
  const [group] = await candidatesFor(resolver, typed.slice(at + 1), ["namespace", "group"]);
  if (group === undefined) return [];
  const name = typed.slice(0, at);
  const members = await resolver.membersOf(group.id);
  const called = wanted.includes("member") ? members.filter((member) => member.name === name) : [];
  if (called.length > 0) return called;
  const ids = new Set(members.map(({ id }) => id));
  const found = await candidatesOf(resolver, name, wanted);
  return found.filter(({ kind, id }) => kind !== "member" || ids.has(id));
}

async function candidatesOf(
  { ids, entries, nameOf, said, reader }: Resolver,
  typed: string,
  kinds: readonly ThingKind[] | undefined,
): Promise<readonly Named[]> {
  const wanted = ({ kind }: Known): boolean => kinds === undefined || kinds.includes(kind);
  const found = new Map<string, Named>();
  const add = (thing: Known): void => {
    if (wanted(thing)) found.set(thing.kind + thing.id, nameOf(thing));
  };
  let isName = false;
  // A whole id means itself, whatever is called so.
  const whole = wholeId(typed);
  if (whole !== undefined) {
    for (const thing of await ids.within({ from: whole, last: whole }, kinds)) add(thing);
    // The public key of a device stands for the member.
    if (found.size === 0 && (kinds === undefined || kinds.includes("member")))
      for await (const rows of rowsOf(reader, "GroupDeviceBinding"))
        for (const { value } of rows)
          if (toHex(value.signPk) === whole) add({ kind: "member", id: toHex(value.account) });
  }
  const isCalled = ({ name }: Named): boolean => name?.toLowerCase() === typed.toLowerCase();
  if (found.size === 0) {
    for (const entry of entries()) if (entry.name === typed) add(entry);
    if (found.size === 0) for (const entry of entries()) if (isCalled(entry)) add(entry);
    const cut = /^(.{2,})(?:…|\.\.\.)$/u.exec(typed)?.[1];
    if (found.size === 0 && cut !== undefined)
      for (const entry of entries()) if (entry.name?.startsWith(cut)) add(entry);
    isName = found.size > 0;
    const range = hexRange(typed);
    if (range !== undefined) for (const thing of await ids.within(range, kinds)) add(thing);
  }
  // A few characters can begin one id in hex and another id in base58.
  const isShort = typed.length < LEAST_SHOWN && !isName;
  if ((found.size === 0 || isShort) && whole === undefined)
    for (const range of base58Ranges(typed)) for (const thing of await ids.within(range, kinds)) add(thing);
  if (found.size === 0)
    for (const thing of await said())
      if (wanted(thing) && (isCalled(thing) || thing.id === whole || startsAsTyped(thing.id, typed)))
        found.set(thing.kind + thing.id, thing);
  return [...found.values()];
}

/** @internal Thrown if nothing has a name or id. */
export class NothingCalledSo extends MerostoreError {
  readonly #facts: ConstructorParameters<typeof NothingCalledSo>;

  /**
   * @param other a thing of another kind with this name or id
   * @param names the names of the things of these kinds
   */
  constructor(
    text: string,
    kinds: readonly ThingKind[] | undefined,
    other: Named | undefined,
    names: readonly string[],
  ) {
    super("UNKNOWN_NAME", sentenceOf(text, kinds, other, names));
    this.#facts = [text, kinds, other, names];
  }

  /** Combines this error with the error from a second database. */
  and(second: NothingCalledSo): NothingCalledSo {
    const [, , other, more] = second.#facts;
    const [text, kinds, first, names] = this.#facts;
    return new NothingCalledSo(text, kinds, first ?? other, [...new Set([...names, ...more])]);
  }
}

function sentenceOf(...[text, kinds, other, names]: ConstructorParameters<typeof NothingCalledSo>): string {
  const what = kinds === undefined ? "nothing" : `no ${oneOf(kinds)}`;
  const shown = JSON.stringify(text.slice(0, 80));
  if (other !== undefined)
    return `${shown} is ${other.kind === "application" ? "an" : "a"} ${other.kind}: ${what} has this name or id`;
  const near = nearest(text, names);
  const known = names.slice(0, LISTED).map((name) => JSON.stringify(name.slice(0, 80)));
  const others = names.length > LISTED ? ` and ${names.length - LISTED} more` : "";
  const list = known.length === 0 ? "" : `; names are ${known.join(", ")}${others}`;
  const advice =
    near.length === 0
      ? `an id can be given by its first ${LEAST_TYPED} characters or more${list}`
      : `did you mean ${near.map((name) => JSON.stringify(name.slice(0, 80))).join(" or ")}?`;
  return `${what} in the database has the name or id ${shown}; ${advice}`;
}

function ambiguous(text: string, things: readonly Named[]): MerostoreError {
  const list = things
    .slice(0, LISTED)
    .map(({ kind, id, name }) => `${kind} ${name === undefined ? id : `${JSON.stringify(name)} ${id}`}`);
  const more = things.length > LISTED ? [`and ${things.length - LISTED} more`] : [];
  return new MerostoreError(
    "AMBIGUOUS_NAME",
    `${JSON.stringify(text.slice(0, 80))} can mean ${[...list, ...more].join(", ")}`,
  );
}

function commonDigits(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** The id of a thing; undefined if nothing has the name or id. */
export async function unlessUnknown(id: Promise<string>): Promise<string | undefined> {
  try {
    return await id;
  } catch (error) {
    if (isMerostoreError(error, "UNKNOWN_NAME")) return undefined;
    throw error;
  }
}
