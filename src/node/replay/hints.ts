/**
 * What no operation says and a replay has to know: which of several ways the node itself took. The stored rows tell, or
 * what the node was told when it joined.
 */
import { toHex } from "../../bytes/hex.js";
import type { NodeReader } from "../tables/rows.js";
import { FOUNDERS_DEFAULT } from "./defaults.js";
import type { Operations, ReplayOperation } from "./operations.js";
import { storedRows } from "./stored.js";

/** Answers for one namespace. Ids are 64 hex digits. */
export interface Hints {
  /** The application that this node was told when it joined; undefined if it was told none. */
  readonly application: { readonly appKey: Uint8Array; readonly targetApplicationId: Uint8Array } | undefined;
  /** The capabilities that new members of the namespace had when this node joined. */
  readonly defaultCapabilities: number;
  /** Whether this node keeps an invitation as used. It does not where it added the member itself. */
  hasConsumedInvitation(group: string, member: string, nonce: string): boolean;
  /** Whether a group has capabilities for new members. */
  hasDefaultCapabilities(group: string): boolean;
  /** Before core-0.11: whether this node founded the group, with all that belongs to it. */
  isFoundedHere(group: string): boolean;
  /** Before core-0.11: whether a key has a row as plain member. */
  isPlainMember(group: string, member: string): boolean;
}

/** Reads the hints for a namespace whose operations are in order. */
export async function readHints(
  reader: NodeReader,
  operations: Operations,
  {
    namespace,
    groups,
    order,
    isOwn,
  }: {
    readonly namespace: string;
    readonly groups: ReadonlySet<string>;
    readonly order: readonly ReplayOperation[];
    readonly isOwn: (signer: string) => boolean;
  },
): Promise<Hints> {
  const invitations = new Set<string>();
  for await (const { key } of storedRows(reader, "GroupConsumedInvitation", groups))
    invitations.add(toHex(key.groupId) + toHex(key.account) + toHex(key.invitationNonce));
  const defaults = new Set<string>();
  for await (const { key } of storedRows(reader, "GroupDefaultCaps", groups))
    defaults.add(toHex(key.groupId));
  const [founded, plain] = operations.accounts
    ? [new Set<string>(), new Set<string>()]
    : [await foundedGroups(reader, groups), await plainMembers(reader, groups)];
  return {
    ...(operations.accounts
      ? toldAtJoining(operations, namespace, order, isOwn)
      : { application: undefined, defaultCapabilities: FOUNDERS_DEFAULT }),
    hasConsumedInvitation: (group, member, nonce) => invitations.has(group + member + nonce),
    hasDefaultCapabilities: (group) => defaults.has(group),
    isFoundedHere: (group) => founded.has(group),
    isPlainMember: (group, member) => plain.has(group + member),
  };
}

async function foundedGroups(reader: NodeReader, groups: ReadonlySet<string>): Promise<Set<string>> {
  const withKey = new Set<string>();
  for await (const { key } of storedRows(reader, "GroupKeyEntry", groups)) withKey.add(toHex(key.groupId));
  const founded = new Set<string>();
  for await (const { key, value } of storedRows(reader, "GroupMeta", groups)) {
    const group = toHex(key.groupId);
    if (value.createdAt !== 0n && withKey.has(group)) founded.add(group);
  }
  return founded;
}

async function plainMembers(reader: NodeReader, groups: ReadonlySet<string>): Promise<Set<string>> {
  const plain = new Set<string>();
  for await (const { key, value } of storedRows(reader, "GroupMember", groups))
    if ("identity" in key && typeof value !== "string" && value.role === "Member")
      plain.add(toHex(key.groupId) + toHex(key.identity));
  return plain;
}

/** What the joining of this node says, or of anybody else: the application; and what new members could do by then. */
function toldAtJoining(
  operations: Operations,
  namespace: string,
  order: readonly ReplayOperation[],
  isOwn: (signer: string) => boolean,
): Pick<Hints, "application" | "defaultCapabilities"> {
  let application: Hints["application"];
  let ownJoining = false;
  let isUpgraded = false;
  let defaultCapabilities: number | undefined;
  let current: number | undefined;
  for (const operation of order) {
    if (operation.body === undefined) continue;
    if (operation.state !== "root") {
      if (operation.group !== namespace) continue;
      const op = operations.groupOp(operation);
      if (op.kind === "DefaultCapabilitiesSet") current = op.capabilities;
      if (op.kind === "TargetApplicationSet" || op.kind === "CascadeUpgrade") isUpgraded = true;
      continue;
    }
    const op = operations.rootOp(operation);
    if (op.kind !== "MemberJoined" && op.kind !== "MemberJoinedAt") continue;
    const { signedInvitation } = op;
    if (toHex(signedInvitation.invitation.groupId) !== namespace) continue;
    const own = isOwn(operation.signer);
    if (own) defaultCapabilities ??= current;
    if (!("applicationId" in signedInvitation) || (application !== undefined && (ownJoining || !own)))
      continue;
    // What others were told after an upgrade is not what the namespace was founded with.
    if (isUpgraded && !own) continue;
    const { applicationId, appKey } = signedInvitation;
    if (applicationId === null || appKey === null) continue;
    application = { targetApplicationId: applicationId, appKey };
    ownJoining = own;
  }
  return { application, defaultCapabilities: defaultCapabilities ?? FOUNDERS_DEFAULT };
}
