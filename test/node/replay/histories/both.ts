/** The parts of operations in both revisions, and their effect on rows. */
import { fromHex, toHex } from "../../../../src/bytes/hex.js";
import type { GroupOp010, GroupOp011 } from "../../../../src/payloads/index.js";
import type { Chance } from "./actors.js";
import type { HistoryRows } from "./rows.js";
import type { Site } from "./writer.js";

/** Operations with the same layout and effect in both revisions. */
type CommonOp = Extract<
  GroupOp011 | GroupOp010,
  { readonly kind: "MemberCapabilitySet" | "DefaultCapabilitiesSet" | "GroupMigrationSet" }
>;
type CapabilityOp = Extract<
  GroupOp011 | GroupOp010,
  { readonly kind: "ContextCapabilityGranted" | "ContextCapabilityRevoked" }
>;

/** The role that a number in an invitation stands for. */
export function invitedRole(number: number): "Admin" | "Member" | "ReadOnly" {
  return number === 0 ? "Admin" : number === 2 ? "ReadOnly" : "Member";
}

/** A row of a group, with fields other than those that a node writes when it knows only the admin. */
export function groupMeta(adminIdentity: Uint8Array, fields: object): object {
  return {
    appKey: new Uint8Array(32),
    targetApplicationId: new Uint8Array(32),
    createdAt: 0n,
    adminIdentity,
    migration: null,
    autoJoin: false,
    ...fields,
  };
}

/** A group of a node for its next operation, with a context of it, and with somebody who may be a member. */
export function pickSubject({ rows, history: { others, actors } }: Site, chance: Chance) {
  const groups = rows.of("GroupMeta").map(({ ids }) => ids[0] as string);
  const group = chance.pick(groups);
  const members = rows.of("GroupMember", group).map(({ ids }) => ids[1] as string);
  const anyone = chance.pick([...others, ...members.filter((one) => !actors.some(({ id }) => id === one))]);
  const member = members.length > 0 ? chance.pick(members) : anyone;
  const contexts = rows.of("GroupContextIndex", group).map(({ ids }) => ids[1] as string);
  const context = contexts.length > 0 ? fromHex(chance.pick(contexts)) : undefined;
  return { groups, group, members, anyone, member, context };
}

export function targetApplicationSet(chance: Chance) {
  return {
    kind: "TargetApplicationSet",
    appKey: chance.bytes(32),
    targetApplicationId: chance.bytes(32),
  } as const;
}

export function contextRegistered(chance: Chance) {
  return {
    kind: "ContextRegistered",
    contextId: chance.bytes(32),
    applicationId: chance.bytes(32),
    blobId: chance.bytes(32),
    source: "",
  } as const;
}

export function groupMigrationSet(chance: Chance) {
  return { kind: "GroupMigrationSet", migration: chance.is(0.3) ? null : chance.bytes(4) } as const;
}

/** Returns undefined without a context. */
export function contextCapabilityChanged(chance: Chance, contextId: Uint8Array | undefined, member: string) {
  const kind = chance.pick(["ContextCapabilityGranted", "ContextCapabilityRevoked"] as const);
  return contextId && { kind, contextId, member: fromHex(member), capability: 1 + chance.below(7) };
}

export function applyCommon(rows: HistoryRows, group: string, op: CommonOp): void {
  const { kind } = op;
  if (kind === "MemberCapabilitySet")
    rows.set("GroupMemberCapability", [group, toHex(op.member)], { capabilities: op.capabilities });
  else if (kind === "DefaultCapabilitiesSet")
    rows.set("GroupDefaultCaps", [group], { capabilities: op.capabilities });
  else rows.change("GroupMeta", [group], { migration: op.migration });
}

export function registerContext(rows: HistoryRows, group: string, context: Uint8Array): void {
  rows.set("GroupContextIndex", [group, toHex(context)], null);
  rows.set("ContextGroupRef", [toHex(context)], fromHex(group));
}

export function detachContext(rows: HistoryRows, group: string, context: Uint8Array): void {
  rows.delete("GroupContextIndex", group, toHex(context));
  rows.delete("ContextGroupRef", toHex(context));
}

/** The ids of the row of a member's capabilities in a context, and the capabilities after an operation. */
export function changedCapability(rows: HistoryRows, group: string, op: CapabilityOp) {
  const ids = [group, toHex(op.contextId), toHex(op.member)];
  const before = rows.get<number>("GroupContextMemberCap", ...ids) ?? 0;
  const isGranted = op.kind === "ContextCapabilityGranted";
  return { ids, after: isGranted ? before | op.capability : before & ~op.capability };
}

/** Gives a member who is not an admin the default capabilities of the group. */
export function giveDefaults(rows: HistoryRows, group: string, member: string, role: string): void {
  const defaults = rows.get<{ capabilities: number }>("GroupDefaultCaps", group);
  if (role !== "Admin" && defaults !== undefined && defaults.capabilities !== 0)
    rows.set("GroupMemberCapability", [group, member], defaults);
}
