/** The names of the things of a node. */
import { digitsOf, type IdLike } from "../bytes/id.js";
import type { AliasRecords } from "./tables/aliases.js";
import { type ApplicationRecord, isPending } from "./tables/applications.js";
import type { ContextRecord } from "./tables/contexts.js";
import type { GroupRecord } from "./tables/groups.js";
import type { DeviceRecord, MemberNames } from "./tables/members.js";
import type { OwnNode } from "./tables/own.js";
import type { Tables } from "./tables/tables.js";

/**
 * The kinds of things that an id can stand for. A `member` is an account, before core-0.11 a public key; a `key` is a
 * public key of nobody known; a `group key` encrypts operations; a `state entry` is a row of a context's state, by its
 * state key.
 */
export type ThingKind =
  | "namespace"
  | "group"
  | "context"
  | "member"
  | "application"
  | "device"
  | "key"
  | "blob"
  | "operation"
  | "delta"
  | "group key"
  | "state entry";

/** An id with the name that people use for it. */
export interface Named {
  /** The kind of the thing. */
  readonly kind: ThingKind;
  /** 64 hex digits. */
  readonly id: string;
  /** The name, never empty; undefined if nobody gave one. Foreign text: escape it before you show it. */
  readonly name: string | undefined;
}

/** A name and the id that it stands for. A thing may have several. */
export interface NameEntry extends Named {
  /** The name. Foreign text: escape it before you show it. */
  readonly name: string;
}

/** The name of this node if nobody gave its account or key another name. */
export const THIS_NODE = "this node";

/** The names of everything in a database. Read once: later changes are not in it. */
export class Names {
  readonly #tables: Loaded;
  /** The aliases that this node's user gave to devices of accounts, or to their keys, by account. */
  readonly #byDevice = new Map<string, string>();

  /** @internal */
  constructor(tables: Loaded) {
    this.#tables = tables;
    const { identities } = tables.aliases;
    for (const [key, { id, account }] of tables.signers) {
      const [alias] = identities.get(key) ?? identities.get(id) ?? [];
      if (alias !== undefined && !this.#byDevice.has(account)) this.#byDevice.set(account, alias);
    }
  }

  /** The name of an id of any kind; undefined for an id that no table has. */
  of(given: IdLike): Named | undefined {
    const id = digitsOf(given);
    const { groups, contexts, applications, signers, aliases, memberNames } = this.#tables;
    if (contexts.has(id)) return this.context(id);
    if (groups.has(id)) return this.group(id);
    if (applications.has(id)) return this.application(id);
    if (signers.has(id)) return this.signer(id);
    const known = memberNames.all.has(id) || aliases.identities.has(id);
    if (known || this.isOwn(id)) return this.member(id);
    return undefined;
  }

  /** An id that is known to be of a kind, with its name. */
  as(kind: ThingKind, given: IdLike): Named {
    const id = digitsOf(given);
    if (kind === "context") return this.context(id);
    if (kind === "group" || kind === "namespace") return this.group(id);
    if (kind === "application") return this.application(id);
    return kind === "member" || kind === "key" ? { ...this.member(id), kind } : { kind, id, name: undefined };
  }

  /** A context: the user's alias, or the name that the group gives. Several contexts may run one service. */
  context(given: IdLike): Named {
    const id = digitsOf(given);
    const { contexts, aliases } = this.#tables;
    const record = contexts.get(id);
    const [alias] = aliases.contexts.get(id) ?? [];
    return { kind: "context", id, name: alias || record?.name || undefined };
  }

  /** @internal True if a row belongs to a group or names it. */
  hasGroup(id: string): boolean {
    return this.#tables.groups.has(id);
  }

  /** A group or namespace. One without rows is called a group: a namespace has some as long as this node is in it. */
  group(given: IdLike): Named {
    const id = digitsOf(given);
    const record = this.#tables.groups.get(id);
    const kind = record === undefined || record.parent !== undefined ? "group" : "namespace";
    return { kind, id, name: record?.name || undefined };
  }

  /**
   * A member: the name that one of the groups gives it, in their order, or any other; the user's alias for it, or for one of its
   * devices; or this node.
   */
  member(given: IdLike, ...groups: readonly string[]): Named {
    const id = digitsOf(given);
    const { memberNames, aliases } = this.#tables;
    const isOwn = this.isOwn(id);
    const alias = aliases.identities.get(id)?.[0] ?? this.#byDevice.get(id);
    const named = memberNames.nameOf(id, ...groups) ?? alias;
    // Nobody else can call itself so.
    const own = named !== undefined && isThisNode(named) ? undefined : named;
    return { kind: "member", id, name: own || (isOwn ? THIS_NODE : undefined) };
  }

  /** Returns whether an account or a key belongs to this node. */
  isOwn(given: IdLike): boolean {
    const id = digitsOf(given);
    const { own } = this.#tables;
    return own.account === id || own.publicKeys.has(id);
  }

  /** The member that signs with a key: the account that the key is bound to; before core-0.11 the key itself. */
  signer(publicKey: IdLike, ...groups: readonly string[]): Named {
    const device = this.#tables.signers.get(digitsOf(publicKey));
    return device === undefined ? this.member(publicKey, ...groups) : this.member(device.account, ...groups);
  }

  /** The author of a delta of a context, by the name that its group gives. */
  authorIn(context: IdLike, publicKey: IdLike): Named {
    const group = this.#tables.contexts.get(digitsOf(context))?.group;
    return this.signer(publicKey, ...(group === undefined ? [] : [group]));
  }

  /** The account of a device; undefined if no group binds the device. */
  ownerOf(device: IdLike): string | undefined {
    const digits = digitsOf(device);
    for (const { id, account } of this.#tables.signers.values()) if (id === digits) return account;
    return undefined;
  }

  /**
   * An application: the user's alias, package and version, or the last part of its source.
   *
   * @param code blob id of its code, 64 hex digits; if the installed version has other code, the name has no version
   */
  application(given: IdLike, code?: string): Named {
    const id = digitsOf(given);
    const { applications, aliases } = this.#tables;
    const [alias] = aliases.applications.get(id) ?? [];
    const record = applications.get(id);
    const isOther = record !== undefined && code !== undefined && !hasCode(record, code);
    const shown = isOther ? { ...record, version: undefined } : record;
    const name = alias ?? (shown === undefined ? undefined : packageName(shown));
    return { kind: "application", id, name };
  }

  /** All names of an id, each once: aliases of this node's user, and the names that groups give it. */
  allOf(given: IdLike): readonly string[] {
    const id = digitsOf(given);
    const { groups, contexts, applications, aliases, memberNames } = this.#tables;
    const record = applications.get(id);
    const names = [
      ...[aliases.contexts, aliases.identities, aliases.applications].flatMap((list) => list.get(id) ?? []),
      ...(memberNames.all.get(id) ?? []),
      ...[groups.get(id)?.name, contexts.get(id)?.name],
      record && packageName(record),
    ];
    return [...new Set(names.filter((name) => name !== undefined && name !== ""))] as string[];
  }

  /** Every name of groups, contexts, members and applications, aliases included. */
  *entries(): Generator<NameEntry, void, undefined> {
    const { groups, contexts, applications, aliases, memberNames, own } = this.#tables;
    const lists: readonly (readonly [ThingKind, ReadonlyMap<string, readonly string[]>])[] = [
      ["context", aliases.contexts],
      ["member", aliases.identities],
      ["application", aliases.applications],
      ["member", memberNames.all],
    ];
    for (const { id, name, parent } of groups.values())
      if (name) yield { kind: parent === undefined ? "namespace" : "group", id, name };
    for (const { id, name } of contexts.values()) if (name !== undefined) yield { kind: "context", id, name };
    for (const record of applications.values()) {
      const name = packageName(record);
      if (name !== undefined) yield { kind: "application", id: record.id, name };
    }
    for (const [kind, list] of lists)
      for (const [id, names] of list)
        for (const name of names) if (name !== "" && !isThisNode(name)) yield { kind, id, name };
    if (own.account !== undefined) yield { kind: "member", id: own.account, name: THIS_NODE };
    else for (const id of own.publicKeys) yield { kind: "member", id, name: THIS_NODE };
  }
}

/** The tables that names come from. */
interface Loaded {
  readonly own: OwnNode;
  readonly aliases: AliasRecords;
  readonly applications: ReadonlyMap<string, ApplicationRecord>;
  readonly contexts: ReadonlyMap<string, ContextRecord>;
  readonly groups: ReadonlyMap<string, GroupRecord>;
  readonly memberNames: MemberNames;
  readonly signers: ReadonlyMap<string, DeviceRecord>;
}

/** Reads all names. */
export async function readNames(tables: Tables): Promise<Names> {
  return new Names({
    own: await tables.own(),
    aliases: await tables.aliases(),
    applications: await tables.applications(),
    contexts: await tables.contexts(),
    groups: await tables.groups(),
    memberNames: await tables.memberNames(),
    signers: await tables.signers(),
  });
}

export function isThisNode(name: string): boolean {
  return name.trim().toLowerCase() === THIS_NODE;
}

/** True if the code of an application may be in this blob. Zeros stand for code that is not known. */
function hasCode({ blob, services }: ApplicationRecord, code: string): boolean {
  return [blob, code].some(isZero) || blob === code || services.some((service) => service.blob === code);
}

function isZero(id: string): boolean {
  return /^0*$/.test(id);
}

function packageName(record: ApplicationRecord): string | undefined {
  if (record.package !== undefined) return [record.package, record.version].filter(Boolean).join(" ");
  if (isPending(record)) return undefined;
  return record.source.split(/[/\\]/).findLast((part) => part !== "");
}
