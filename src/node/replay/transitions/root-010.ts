/** The effect of each operation of core-0.10 on the rows of a namespace (governance G.4). */
import { fromHex, toHex } from "../../../bytes/hex.js";
import type { RootOp010 } from "../../../payloads/index.js";
import { FOUNDERS_DEFAULT, invitedRole } from "../defaults.js";
import { UNKNOWN } from "../rows.js";
import { addMember010 } from "./members.js";
import { apply, changeMeta, nothing, type Step, type Transitions } from "./step.js";

const zeros = new Uint8Array(32);

const transitions: Transitions<RootOp010> = {
  PolicyUpdated: nothing,
  GroupCreated: ({ groupId }, step) => {
    const { rows, isOwn, hints, signer } = step;
    const id = toHex(groupId);
    if (rows.has("GroupMeta", id)) return;
    const isFounded = isOwn && hints.isFoundedHere(id);
    rows.set("GroupMeta", [id], {
      ...(isFounded
        ? { appKey: UNKNOWN, targetApplicationId: UNKNOWN, upgradePolicy: UNKNOWN, createdAt: UNKNOWN }
        : { ...noApplication, createdAt: 0n }),
      adminIdentity: fromHex(signer),
      migration: null,
      autoJoin: isFounded,
    });
    if (!isFounded) return;
    addMember010(step, id, signer, "Admin");
    rows.set("GroupDefaultCaps", [id], { capabilities: FOUNDERS_DEFAULT });
  },
  GroupDeleted: ({ groupId }, { rows }) => rows.remove("GroupMeta", toHex(groupId)),
  AdminChanged: ({ newAdmin }, step) => changeMeta(step, step.namespace, { adminIdentity: newAdmin }),
  GroupNested: ({ parentGroupId, childGroupId }, { rows }) => {
    const [parent, child] = [toHex(parentGroupId), toHex(childGroupId)];
    if (rows.has("GroupParentRef", child)) return;
    rows.set("GroupParentRef", [child], parentGroupId);
    rows.set("GroupChildIndex", [parent, child], null);
  },
  GroupUnnested: ({ parentGroupId, childGroupId }, { rows }) => {
    rows.remove("GroupParentRef", toHex(childGroupId));
    rows.remove("GroupChildIndex", toHex(parentGroupId), toHex(childGroupId));
  },
  MemberJoined: ({ member, signedInvitation: { invitation } }, step) => {
    const [group, id] = [toHex(invitation.groupId), toHex(member)];
    const { rows } = step;
    if (!rows.has("GroupMember", group, id))
      addMember010(step, group, id, invitedRole(invitation.invitedRole));
  },
  KeyDelivery: ({ groupId, envelope }, step) => {
    const { rows, isOwn, hints } = step;
    const [group, member] = [toHex(groupId), toHex(envelope.recipient)];
    // This node answered a request to join: it wrote the member's row before it sent the key.
    if (!isOwn || rows.has("GroupMember", group, member) || !hints.isPlainMember(group, member)) return;
    rows.by("pre-registration", () => {
      addMember010(step, group, member, "Member");
    });
  },
};

const noApplication = {
  appKey: zeros,
  targetApplicationId: zeros,
  upgradePolicy: { kind: "LazyOnAccess" },
} as const;

type Joining = Extract<RootOp010, { readonly kind: "MemberJoined" }>;

/** Makes the rows that a node writes when it asks to join. */
export function joinFirst({ member, signedInvitation: { invitation } }: Joining, step: Step): void {
  const group = toHex(invitation.groupId);
  step.rows.set("GroupMeta", [group], {
    ...noApplication,
    createdAt: 0n,
    adminIdentity: invitation.inviterIdentity,
    migration: null,
    autoJoin: true,
  });
  addMember010(step, group, toHex(member), invitedRole(invitation.invitedRole));
}

/** Applies an operation of core-0.10 on a namespace. */
export function applyRootOp010(op: RootOp010, step: Step): void {
  apply(transitions, op, step);
}
