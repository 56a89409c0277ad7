/** A sentence for each operation on a namespace, of all revisions. A kind without one does not compile. */
import { toHex } from "../../bytes/hex.js";
import type {
  RootOp,
  RootOp010,
  RootOp011,
  RootOpWithoutQuote,
  RootOpWithoutSalt,
} from "../../payloads/index.js";
import type { Named } from "../names.js";
import { isoTime } from "../text.js";
import { plural, type Sentence, type Speaker, say } from "./sentence.js";

/** An operation on a namespace of any revision. */
export type AnyRootOp = RootOp | RootOpWithoutQuote | RootOpWithoutSalt | RootOp011 | RootOp010;

type Sentences = {
  readonly [K in AnyRootOp["kind"]]: (op: Extract<AnyRootOp, { readonly kind: K }>, by: Speaker) => Sentence;
};

const sentences: Sentences = {
  NamespaceCreated: ({ founder }, by) => say`${by.memberOf(founder)} founded namespace ${by.group}`,
  NamespaceCreatedV2: ({ founder }, by) => say`${by.memberOf(founder)} founded namespace ${by.group}`,
  GroupCreated: (op, by) => {
    const group = by.groupOf(op.groupId);
    if ("parentId" in op) {
      const visibility = op.restricted ? "restricted" : "open";
      return say`${by.actor} created group ${group} under ${by.groupOf(op.parentId)} (${visibility}), admin ${by.memberOf(op.admin)}`;
    }
    return group.id === by.group.id
      ? say`${by.actor} founded namespace ${group}`
      : say`${by.actor} created group ${group}`;
  },
  GroupReparented: ({ childGroupId, newParentId }, by) =>
    say`${by.actor} moved group ${by.groupOf(childGroupId)} under ${by.groupOf(newParentId)}`,
  GroupNested: ({ childGroupId, parentGroupId }, by) =>
    say`${by.actor} put group ${by.groupOf(childGroupId)} under ${by.groupOf(parentGroupId)}`,
  GroupUnnested: ({ childGroupId, parentGroupId }, by) =>
    say`${by.actor} took group ${by.groupOf(childGroupId)} out of ${by.groupOf(parentGroupId)}`,
  GroupDeleted: (op, by) => {
    if ("groupId" in op) return say`${by.actor} deleted group ${by.groupOf(op.groupId)}`;
    const below = [
      ...(op.cascadeGroupIds.length === 0 ? [] : [plural(op.cascadeGroupIds.length, "subgroup")]),
      ...(op.cascadeContextIds.length === 0 ? [] : [plural(op.cascadeContextIds.length, "context")]),
    ];
    const rest = below.length === 0 ? "" : ` with ${below.join(" and ")}`;
    return say`${by.actor} deleted group ${by.groupOf(op.rootGroupId)}${rest}`;
  },
  AdminChanged: ({ newAdmin }, by) => say`${by.actor} made ${by.memberOf(newAdmin)} the admin of ${by.group}`,
  PolicyUpdated: ({ policyBytes }, { actor, group }) =>
    say`${actor} published a policy of ${plural(policyBytes.length, "byte")} for ${group} (no effect on rows)`,
  MemberJoined: ({ member, signedInvitation }, by) => joined(member, signedInvitation, by),
  MemberJoinedAt: ({ member, signedInvitation, joinedAt }, by) =>
    say`${joined(member, signedInvitation, by)}, at ${isoTime(joinedAt * 1000n)}`,
  MemberJoinedOpen: ({ member, groupId }, by) =>
    say`${by.memberOf(member)} joined open group ${by.groupOf(groupId)}`,
  KeyDelivery: ({ groupId, envelope }, by) =>
    say`${by.actor} gave the key of ${by.groupOf(groupId)} to ${recipientOf(envelope.recipient, by)}`,
  MemberJoinedViaTeeAttestation: ({ groupId, member, quoteHash, role }, by) =>
    say`${by.actor} admitted TEE node ${by.memberOf(member)} to ${by.groupOf(groupId)} as ${role} (quote ${by.blobOf(quoteHash)})`,
  OnBehalf: ({ op, delegation: { warrant } }, by) =>
    say`${rootSentence(op, { ...by, actor: by.memberOf(warrant.authorAccount) })} (signed by ${by.actor} on behalf)`,
  RootGuarded: ({ op, proof }, by) =>
    say`${rootSentence(op, by)} (with the consent of the root key of ${by.memberOf(proof.statement.account)})`,
};

/** The effect of an operation on a namespace, in words. */
export function rootSentence(op: AnyRootOp, by: Speaker): Sentence {
  return (sentences[op.kind] as (op: AnyRootOp, by: Speaker) => Sentence)(op, by);
}

/** The kinds of operations on a namespace that have a sentence: all of all revisions. */
export const rootOperationKinds = Object.keys(sentences);

type Invitation = Extract<AnyRootOp, { readonly kind: "MemberJoined" }>["signedInvitation"];

function joined(member: Uint8Array, signed: Invitation, by: Speaker): Sentence {
  const { groupId, inviterIdentity, invitedRole } = signed.invitation;
  const inviter =
    "inviterAccount" in signed && signed.inviterAccount !== null
      ? by.memberOf(signed.inviterAccount)
      : by.signerOf(inviterIdentity);
  return say`${by.memberOf(member)} joined ${by.groupOf(groupId)} as ${invitedRoleName(invitedRole)}, invited by ${inviter}`;
}

/** The role that the number in an invitation stands for. */
export function invitedRoleName(role: number): string {
  return role === 0 ? "Admin" : role === 2 ? "ReadOnly" : "Member";
}

type Recipient = Extract<RootOp011, { readonly kind: "KeyDelivery" }>["envelope"]["recipient"] | Uint8Array;

function recipientOf(recipient: Recipient, by: Speaker): Named {
  if (recipient instanceof Uint8Array) return by.memberOf(recipient);
  return recipient.kind === "Device" ? by.ownerOf(recipient.device) : by.signerOf(recipient.identity);
}

/** The groups that an operation on a namespace names; empty if it concerns the namespace as a whole. */
export function groupsOf(op: AnyRootOp): readonly string[] {
  switch (op.kind) {
    case "GroupCreated":
    case "KeyDelivery":
    case "MemberJoinedOpen":
    case "MemberJoinedViaTeeAttestation":
      return [toHex(op.groupId), ...("parentId" in op ? [toHex(op.parentId)] : [])];
    case "GroupDeleted":
      return "groupId" in op ? [toHex(op.groupId)] : [op.rootGroupId, ...op.cascadeGroupIds].map(toHex);
    case "GroupReparented":
      return [toHex(op.childGroupId), toHex(op.newParentId)];
    case "GroupNested":
    case "GroupUnnested":
      return [toHex(op.childGroupId), toHex(op.parentGroupId)];
    case "MemberJoined":
    case "MemberJoinedAt":
      return [toHex(op.signedInvitation.invitation.groupId)];
    case "OnBehalf":
    case "RootGuarded":
      return groupsOf(op.op);
    default:
      return [];
  }
}
