/** The members of a group: members with a row, and members through an open group's parent. */

import { fromHex, toHex } from "../bytes/hex.js";
import { append } from "../collections/lists.js";
import { groupStateHash } from "../digests/index.js";
import type { GroupMemberRole } from "../payloads/index.js";
import { Capability } from "../values/index.js";
import type { Operation } from "./history/operation.js";
import { type AnyMember, MemberIds } from "./member-list.js";
import type { Named, Names } from "./names.js";
import { type GroupRecord, namespaceOf } from "./tables/groups.js";
import { type DeviceRecord, readCapabilities, readDevices, roleOf, UNKNOWN_ROLE } from "./tables/members.js";
import { allRowsOf, type NodeReader, type RowOrKey, rowsOf } from "./tables/rows.js";

/** A member of a group. */
export interface Member {
  /** The account, before core-0.11 the public key, with its name if it has one. */
  readonly member: Named;
  /** `Admin`, `Member`, `ReadOnly` or `ReadOnlyTee`; `unknown` if the member's row does not decode. */
  readonly role: string;
  /** The group above that makes it a member of this open one; undefined for a member with a row of its own. */
  readonly through: Named | undefined;
  /** Bit mask of the member's own capabilities; undefined if no row gives it any. */
  readonly capabilities: number | undefined;
  /** The devices of the member's account, since core-0.11. */
  readonly devices: readonly DeviceRecord[];
  /** True if the member is this node. */
  readonly isOwn: boolean;
  /** True if the member is the group's owner, since core-0.11. */
  readonly isOwner: boolean;
}

/** A group in which somebody is a member. */
export interface Membership {
  /** The group. */
  readonly group: Named;
  /** `Admin`, `Member`, `ReadOnly` or `ReadOnlyTee`; `unknown` if the member's row does not decode. */
  readonly role: string;
}

/** The end of a membership. */
export interface Departure {
  /** The group. */
  readonly group: Named;
  /** The operation that ended it; undefined if it was never sent to other nodes. */
  readonly operation: Operation | undefined;
}

/** The groups in which an account is a member, open groups included. Before core-0.11, members are public keys. */
export async function membershipsOf(
  reader: NodeReader,
  groups: ReadonlyMap<string, GroupRecord>,
  names: Names,
  member: string,
): Promise<readonly Membership[]> {
  const found: Membership[] = [];
  const membersIn = memberReader(reader, groups);
  for (const { id, visibility } of groups.values()) {
    let row: RowOrKey<"GroupMember"> | undefined;
    for await (const rows of allRowsOf(reader, "GroupMember", memberKey(reader, id, member))) [row] = rows;
    if (row !== undefined) found.push({ group: names.group(id), role: roleOf(row) });
    else if (visibility === 0)
      for (const { id: other, role } of await membersIn(id))
        if (other === member) found.push({ group: names.group(id), role });
  }
  return found;
}

/** The parts of a member's key. The name of the second part depends on the revision. */
function memberKey(reader: NodeReader, group: string, member: string): Record<string, Uint8Array> {
  const parts = reader.schema.row("GroupMember").key.PARTS as readonly { readonly name: string }[];
  return { groupId: fromHex(group), [parts[1]?.name as string]: fromHex(member) };
}

/** The facts from which members are found. */
export interface MemberFacts {
  readonly reader: NodeReader;
  readonly groups: ReadonlyMap<string, GroupRecord>;
  readonly names: Names;
}

type MemberRow = Omit<AnyMember, "through">;

/**
 * The members of a group: admins first, then by name. They are made one by one: of a million, only ids, roles and names
 * are kept.
 */
export class MemberList implements Iterable<Member> {
  readonly #ids: MemberIds;
  readonly #toMember: (member: AnyMember) => Member;

  /** @internal */
  constructor(ids: MemberIds, toMember: (member: AnyMember) => Member) {
    this.#ids = ids;
    this.#toMember = toMember;
  }

  /** The number of members. */
  get length(): number {
    return this.#ids.length;
  }

  /** The members in their order. */
  *[Symbol.iterator](): Generator<Member, void, undefined> {
    for (const member of this.#ids.sorted()) yield this.#toMember(member);
  }
}

/** The members of a group. */
export async function membersOf(facts: MemberFacts, group: string): Promise<MemberList> {
  const { reader, groups, names } = facts;
  const capabilities = await readCapabilities(reader, fromHex(group));
  // Devices are bound to the namespace; those linked later to the group itself.
  const namespace = namespaceOf(groups, group);
  const devices = new Map<string, DeviceRecord>();
  for (const of of new Set([namespace, group]))
    for (const device of await readDevices(reader, fromHex(of))) devices.set(device.id, device);
  const byAccount = new Map<string, DeviceRecord[]>();
  for (const device of devices.values()) append(byAccount, device.account, device);
  const ids = new MemberIds();
  const nameOf = (id: string): string | undefined => names.member(id, group, namespace).name;
  if (groups.get(group)?.visibility === 0)
    for (const { id, ...rest } of await memberReader(reader, groups)(group))
      ids.add(fromHex(id), { ...rest, name: nameOf(id) });
  else
    for await (const rows of allRowsOf(reader, "GroupMember", { groupId: fromHex(group) }))
      for (const row of rows) ids.add(idOf(row), { role: roleOf(row), name: nameOf(toHex(idOf(row))) });
  await ids.sort();
  const owner = groups.get(group)?.meta?.owner;
  return new MemberList(ids, ({ id, role, through }) => ({
    member: names.member(id, group, namespace),
    role,
    through: through === undefined ? undefined : names.group(through),
    capabilities: capabilities.get(id),
    devices: byAccount.get(id) ?? [],
    isOwn: names.isOwn(id),
    isOwner: owner === id,
  }));
}

function idOf({ key }: RowOrKey<"GroupMember">): Uint8Array {
  return "account" in key ? key.account : key.identity;
}

/**
 * SHA-256 over a group's admin, owner, application and members, 64 hex digits: equal on nodes that agree about them. Undefined if one
 * of these is unknown.
 */
export async function stateHashOf(reader: NodeReader, record: GroupRecord): Promise<string | undefined> {
  const { id, meta } = record;
  if (meta === undefined) return undefined;
  const rows = await memberRows(reader, id);
  if (rows.some(({ role }) => role === UNKNOWN_ROLE)) return undefined;
  // Zeros stand for an admin or owner that is not known.
  const idOf = (known: string | undefined): Uint8Array =>
    known === undefined ? new Uint8Array(32) : fromHex(known);
  return toHex(
    groupStateHash({
      groupId: fromHex(id),
      admin: idOf(meta.admin),
      owner: meta.hasOwner ? idOf(meta.owner) : undefined,
      targetApplicationId: fromHex(meta.application),
      members: rows.map((row) => ({ id: fromHex(row.id), role: row.role as GroupMemberRole })),
    }),
  );
}

async function memberRows(reader: NodeReader, group: string): Promise<readonly MemberRow[]> {
  const members: MemberRow[] = [];
  for await (const rows of allRowsOf(reader, "GroupMember", { groupId: fromHex(group) }))
    for (const row of rows) members.push({ id: toHex(idOf(row)), role: roleOf(row) });
  return members;
}

/**
 * Reads the members of groups: those with a row and, since core-0.11, while a group is open, members of the groups above
 * who may join open subgroups, and their admins. The rows of a group above are read once.
 */
export function memberReader(
  reader: NodeReader,
  groups: ReadonlyMap<string, GroupRecord>,
): (group: string) => Promise<readonly AnyMember[]> {
  const rowsAbove = new Map<string, readonly RowAbove[]>();
  return async (group) => {
    const found: AnyMember[] = [...(await memberRows(reader, group))];
    if (groups.get(group)?.visibility !== 0) return found;
    const decided = new Set(found.map(({ id }) => id));
    const namespace = namespaceOf(groups, group);
    for (const id of await idsOf(reader, "GroupDeniedMember", group)) decided.add(id);
    for (const id of await idsOf(reader, "GroupInheritedDeniedMember", namespace)) decided.add(id);
    let below = groups.get(group);
    const passed = new Set([group]);
    while (below?.visibility === 0 && below.parent !== undefined && !passed.has(below.parent)) {
      const above = below.parent;
      passed.add(above);
      const rows = rowsAbove.get(above) ?? (await readAbove(reader, groups, above));
      rowsAbove.set(above, rows);
      for (const { id, role, joins } of rows) {
        if (decided.has(id)) continue;
        decided.add(id);
        if (joins) found.push({ id, role, through: above });
      }
      below = groups.get(above);
    }
    return found;
  };
}

/** A member of a group, and whether it is a member of the open groups below. */
interface RowAbove extends MemberRow {
  readonly joins: boolean;
}

async function readAbove(
  reader: NodeReader,
  groups: ReadonlyMap<string, GroupRecord>,
  group: string,
): Promise<readonly RowAbove[]> {
  const capabilities = await readCapabilities(reader, fromHex(group));
  const admin = groups.get(group)?.meta?.admin;
  return (await memberRows(reader, group)).map((row) => ({
    ...row,
    joins:
      ((capabilities.get(row.id) ?? 0) & Capability.CanJoinOpenSubgroups) !== 0 ||
      row.role === "Admin" ||
      row.role === UNKNOWN_ROLE ||
      row.id === admin,
  }));
}
async function idsOf(
  reader: NodeReader,
  kind: "GroupDeniedMember" | "GroupInheritedDeniedMember",
  group: string,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const rows of rowsOf(reader, kind, { groupId: fromHex(group) }))
    for (const { key } of rows) ids.push(toHex(key.account));
  return ids;
}

/** The lookups in a node. */
interface Groups {
  memberList(group: string): Promise<Iterable<{ readonly member: Named }>>;
  groupDetails(group: string): Promise<{ readonly gone: readonly { readonly member: Named }[] } | undefined>;
}

/**
 * @internal The members of a group, then its former members, by the names that the group gives them. Empty for a group
 * without a row.
 */
export async function everMembers(node: Groups, group: string): Promise<readonly Named[]> {
  const details = await node.groupDetails(group);
  if (details === undefined) return [];
  return [...(await node.memberList(group)), ...details.gone].map(({ member }) => member);
}
