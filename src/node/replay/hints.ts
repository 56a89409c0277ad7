/**
 * Facts that a replay needs and no operation has, such as choices of the node itself. They come from the stored rows,
 * or from the data that the node got when it joined.
 */
import { toHex } from "../../bytes/hex.js";
import type { OwnNode } from "../tables/own.js";
import type { NodeReader } from "../tables/rows.js";
import { FOUNDERS_DEFAULT } from "./defaults.js";
import type { Operations, ReplayOperation } from "./operations.js";
import type { Sources } from "./sources.js";
import { storedRows } from "./stored.js";

/** The hints in the stored rows of a namespace's groups. Ids are 64 hex digits. */
export interface StoredHints {
  /** Returns whether this node keeps an invitation as used. It does not if it added the member itself. */
  hasConsumedInvitation(group: string, member: string, nonce: string): boolean;
  /** Returns whether a group has capabilities for new members. */
  hasDefaultCapabilities(group: string): boolean;
  /** Before core-0.11: whether this node founded the group, with all that belongs to it. */
  isFoundedHere(group: string): boolean;
  /** Before core-0.11: whether a key has a row as plain member. */
  isPlainMember(group: string, member: string): boolean;
  /** Before core-0.11: the last nonce of a signer, or 0. An operation beyond it was not applied. */
  lastNonce(group: string, signer: string): bigint;
}

/** The facts from this node's joining, or from another member's. */
export interface JoiningHints {
  /** The application that this node got when it joined; undefined if it got none. */
  readonly application: { readonly appKey: Uint8Array; readonly targetApplicationId: Uint8Array } | undefined;
  /** The capabilities that new members of the namespace had when this node joined. */
  readonly defaultCapabilities: number;
  /** Further values that they may have had, if they were set more than once at the same time. */
  readonly otherDefaults: readonly number[];
}

/** Answers for one namespace. */
export type Hints = StoredHints & JoiningHints;

/** Reads the facts in the stored rows. */
export async function readStoredHints(
  { reader, accounts }: Sources,
  groups: ReadonlySet<string>,
): Promise<StoredHints> {
  const invitations = new Set<string>();
  for await (const rows of storedRows(reader, "GroupConsumedInvitation", groups))
    for (const { key } of rows)
      invitations.add(toHex(key.groupId) + toHex(key.account) + toHex(key.invitationNonce));
  const defaults = new Set<string>();
  for await (const rows of storedRows(reader, "GroupDefaultCaps", groups))
    for (const { key } of rows) defaults.add(toHex(key.groupId));
  const founded = accounts ? new Set<string>() : await foundedGroups(reader, groups);
  const plain = accounts ? new Set<string>() : await plainMembers(reader, groups);
  const nonces = new Map<string, bigint>();
  for await (const rows of storedRows(reader, "GroupLocalGovNonce", groups))
    for (const { key, value } of rows) nonces.set(toHex(key.groupId) + toHex(key.signer), value);
  return {
    hasConsumedInvitation: (group, member, nonce) => invitations.has(group + member + nonce),
    hasDefaultCapabilities: (group) => defaults.has(group),
    isFoundedHere: (group) => founded.has(group),
    isPlainMember: (group, member) => plain.has(group + member),
    lastNonce: (group, signer) => nonces.get(group + signer) ?? 0n,
  };
}

async function foundedGroups(reader: NodeReader, groups: ReadonlySet<string>): Promise<Set<string>> {
  const withKey = new Set<string>();
  for await (const rows of storedRows(reader, "GroupKeyEntry", groups))
    for (const { key } of rows) withKey.add(toHex(key.groupId));
  const founded = new Set<string>();
  for await (const rows of storedRows(reader, "GroupMeta", groups))
    for (const { key, value } of rows) {
      const group = toHex(key.groupId);
      if (value.createdAt !== 0n && withKey.has(group)) founded.add(group);
    }
  return founded;
}

async function plainMembers(reader: NodeReader, groups: ReadonlySet<string>): Promise<Set<string>> {
  const plain = new Set<string>();
  for await (const rows of storedRows(reader, "GroupMember", groups))
    for (const { key, value } of rows)
      if ("identity" in key && typeof value !== "string" && value.role === "Member")
        plain.add(toHex(key.groupId) + toHex(key.identity));
  return plain;
}

/** The kinds of operations with facts about the joining of this node. */
const JOINING = new Set([
  "DefaultCapabilitiesSet",
  "TargetApplicationSet",
  "CascadeUpgrade",
  "MemberJoined",
  "MemberJoinedAt",
]);

/**
 * The hints from this node's joining, or from another member's: the application, and the capabilities of new members at
 * that time.
 */
export function joiningHints(
  {
    operations,
    namespace,
    own,
  }: { readonly operations: Operations; readonly namespace: string; readonly own: OwnNode },
  order: readonly ReplayOperation[],
): JoiningHints {
  let application: JoiningHints["application"];
  let ownJoining = false;
  let isUpgraded = false;
  let defaultCapabilities: number | undefined;
  let current: number | undefined;
  const set: { readonly operation: ReplayOperation; readonly capabilities: number }[] = [];
  let known: typeof set = [];
  // Before core-0.11, invitations do not name the application.
  for (const operation of operations.accounts ? order : []) {
    if (operation.kind === undefined || !JOINING.has(operation.kind)) continue;
    if (operation.state !== "root") {
      if (operation.group !== namespace) continue;
      const op = operations.groupOp(operation);
      if (op.kind === "DefaultCapabilitiesSet") {
        current = op.capabilities;
        set.push({ operation, capabilities: current });
      } else isUpgraded = true;
      continue;
    }
    const op = operations.rootOp(operation);
    if (op.kind !== "MemberJoined" && op.kind !== "MemberJoinedAt") continue;
    const { signedInvitation } = op;
    if (toHex(signedInvitation.invitation.groupId) !== namespace) continue;
    const isOwn = own.publicKeys.has(operation.signer);
    if (isOwn && defaultCapabilities === undefined) {
      defaultCapabilities = current;
      known = [...set];
    }
    if (!("applicationId" in signedInvitation) || (application !== undefined && (ownJoining || !isOwn)))
      continue;
    // After an upgrade, others get other facts than the founding facts of the namespace.
    if (isUpgraded && !isOwn) continue;
    const { applicationId, appKey } = signedInvitation;
    if (applicationId === null || appKey === null) continue;
    application = { targetApplicationId: applicationId, appKey };
    ownJoining = isOwn;
  }
  const last = lastOf(
    operations,
    order,
    known.map(({ operation }) => operation),
  );
  const otherDefaults = known.filter(({ operation }) => last.has(operation.number));
  return {
    application,
    defaultCapabilities: defaultCapabilities ?? FOUNDERS_DEFAULT,
    otherDefaults: [...new Set(otherDefaults.map(({ capabilities }) => capabilities))].filter(
      (capabilities) => capabilities !== defaultCapabilities,
    ),
  };
}

/** Returns the numbers of the operations that no other operation in the list follows. */
function lastOf(
  operations: Operations,
  order: readonly ReplayOperation[],
  some: readonly ReplayOperation[],
): ReadonlySet<number> {
  const last = new Set(some.map(({ number }) => number));
  if (last.size < 2) return last;
  const wanted = new Set(last);
  const followed = new Uint8Array(operations.list.length);
  for (const operation of order.toReversed()) {
    const { number } = operation;
    if (followed[number] === 1) last.delete(number);
    if (followed[number] === 1 || wanted.has(number))
      for (const parent of operations.parentsOf(operation)) followed[parent] = 1;
  }
  return last;
}
