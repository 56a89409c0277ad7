/** The rows of all groups about members and their devices, read once: names, and the owners of keys. */

import { toHex } from "../../bytes/hex.js";
import { append } from "../../collections/lists.js";
import { allRowsOf, type NodeReader, type RowOrKey, rowsOf } from "./rows.js";

/** A device of an account, as a group knows it. Ids are 64 hex digits. */
export interface DeviceRecord {
  /** The device's id, 64 hex digits. */
  readonly id: string;
  /** The account that the device acts for, 64 hex digits. */
  readonly account: string;
  /** The Ed25519 public key that the device signs with. */
  readonly signKey: string;
  /** True if the device still acts for its account: it is not revoked, and its certificate is of the current root key. */
  readonly live: boolean;
}

/** Names of members: by group, and from any group. */
export interface MemberNames {
  /** The name of a member in a group, or in the first other group that names it. */
  nameOf(member: string, ...groups: readonly string[]): string | undefined;
  /** All members that have a name, with their names. */
  readonly all: ReadonlyMap<string, readonly string[]>;
}

/** Reads the names of members. */
export async function readMemberNames(reader: NodeReader): Promise<MemberNames> {
  const byGroup = new Map<string, string>();
  const all = new Map<string, string[]>();
  const add = (groupId: Uint8Array, memberId: Uint8Array, name: string | null): void => {
    if (!name) return;
    byGroup.set(toHex(groupId) + toHex(memberId), name);
    append(all, toHex(memberId), name);
  };
  for await (const rows of rowsOf(reader, "GroupMemberAlias"))
    for (const { key, value } of rows) add(key.groupId, key.member, value);
  for await (const rows of rowsOf(reader, "GroupMemberMetadata"))
    for (const { key, value } of rows) add(key.groupId, key.member, value.name);
  return {
    all,
    nameOf: (member, ...groups) => {
      for (const group of groups) {
        const name = byGroup.get(group + member);
        if (name !== undefined) return name;
      }
      return all.get(member)?.[0];
    },
  };
}

/** Reads the devices of a group; of all groups without one. */
export async function readDevices(
  reader: NodeReader,
  groupId?: Uint8Array,
): Promise<readonly DeviceRecord[]> {
  const of = groupId === undefined ? {} : { groupId };
  const epochs = new Map<string, number>();
  for await (const rows of rowsOf(reader, "GroupAccountKey", of))
    for (const { key, value } of rows) epochs.set(toHex(key.groupId) + toHex(key.accountId), value.epoch);
  const revoked = new Set<string>();
  for await (const rows of rowsOf(reader, "GroupRevokedDevice", of))
    for (const { key } of rows) revoked.add(toHex(key.groupId) + toHex(key.deviceId));
  const devices: DeviceRecord[] = [];
  for await (const rows of rowsOf(reader, "GroupDeviceBinding", of))
    for (const { key, value } of rows) {
      const group = toHex(key.groupId);
      const [id, account] = [toHex(key.deviceId), toHex(value.account)];
      const live = !revoked.has(group + id) && value.keyEpoch >= (epochs.get(group + account) ?? 0);
      devices.push({ id, account, signKey: toHex(value.signPk), live });
    }
  return devices;
}

/** The role of a member whose row does not decode. */
export const UNKNOWN_ROLE = "unknown";

/** The role that a row gives a member; `unknown` if it does not decode. */
export function roleOf({ value }: Pick<RowOrKey<"GroupMember">, "value">): string {
  if (value === undefined) return UNKNOWN_ROLE;
  return typeof value === "string" ? value : value.role;
}

/** The members of a group in short: their number, and the admins. Ids are 64 hex digits. */
export interface MemberCount {
  members: number;
  /** True if the row of a member does not decode: then the number is not known. */
  isUnsure: boolean;
  readonly admins: string[];
  /** This node as a member; undefined if it is not one. */
  own: { readonly id: string; readonly role: string } | undefined;
}

/** The number of members in each group, its admins, and this node among them. */
export async function countMembers(
  reader: NodeReader,
  isOwn: (member: string) => boolean,
): Promise<Map<string, MemberCount>> {
  const counts = new Map<string, MemberCount>();
  for await (const rows of allRowsOf(reader, "GroupMember"))
    for (const row of rows) {
      const { key } = row;
      const id = toHex("account" in key ? key.account : key.identity);
      countMember(counts, toHex(key.groupId), { id, role: roleOf(row) }, isOwn);
    }
  return counts;
}

/** Counts a member of a group. */
export function countMember(
  counts: Map<string, MemberCount>,
  group: string,
  { id, role }: { readonly id: string; readonly role: string },
  isOwn: (member: string) => boolean,
): void {
  const count: MemberCount = counts.get(group) ?? { members: 0, isUnsure: false, admins: [], own: undefined };
  counts.set(group, count);
  count.members++;
  if (role === UNKNOWN_ROLE) count.isUnsure = true;
  if (role === "Admin") count.admins.push(id);
  if (isOwn(id)) count.own = { id, role };
}

/** Reads the bit masks of a group's members that have a row of their own. */
export async function readCapabilities(
  reader: NodeReader,
  groupId: Uint8Array,
): Promise<ReadonlyMap<string, number>> {
  const masks = new Map<string, number>();
  for await (const rows of rowsOf(reader, "GroupMemberCapability", { groupId }))
    for (const { key, value } of rows)
      masks.set(toHex("account" in key ? key.account : key.identity), value.capabilities);
  return masks;
}
