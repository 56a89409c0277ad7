/** The effect of each operation on the rows of a namespace (governance G.4). */
import { isZeros } from "../../../bytes/bytes.js";
import { fromHex, toHex } from "../../../bytes/hex.js";
import type { RootOp, RootOp011, RootOpWithoutQuote, RootOpWithoutSalt } from "../../../payloads/index.js";
import { FOUNDERS_DEFAULT, invitedRole } from "../defaults.js";
import { UNKNOWN } from "../rows.js";
import { linkJoiner } from "./devices.js";
import { addMember } from "./members.js";
import { apply, changeMeta, nothing, type Step, type Transitions } from "./step.js";
import { descendants, parentOf } from "./tree.js";
import { wipe } from "./wipe.js";

/** An operation on a namespace since core-0.11 that has no other one inside. */
export type AccountRootOp = Exclude<
  RootOp | RootOpWithoutQuote | RootOpWithoutSalt | RootOp011,
  { readonly kind: "OnBehalf" | "RootGuarded" }
>;

const transitions: Transitions<AccountRootOp> = {
  PolicyUpdated: nothing,
  // Delivered keys have no epoch. Rows of these keys also come in other ways.
  KeyDelivery: nothing,
  NamespaceCreated: found,
  NamespaceCreatedV2: found,
  GroupCreated: ({ groupId, parentId, restricted, admin }, step) => {
    const { rows, isMadeHere, hints } = step;
    const [id, parent] = [toHex(groupId), toHex(parentId)];
    const above = rows.get("GroupMeta", parent);
    if (!rows.has("GroupMeta", id))
      rows.set("GroupMeta", [id], {
        appKey: above?.appKey ?? UNKNOWN,
        targetApplicationId: above?.targetApplicationId ?? UNKNOWN,
        createdAt: isMadeHere ? UNKNOWN : 0n,
        adminIdentity: admin,
        ownerIdentity: admin,
        migration: null,
        autoJoin: isMadeHere ? UNKNOWN : false,
      });
    putUnder(step, id, parent);
    addMember(step, id, toHex(admin), "Admin");
    if (!rows.has("GroupSubgroupVis", id)) rows.set("GroupSubgroupVis", [id], { mode: restricted ? 1 : 0 });
    // Only one of the node's two interfaces sets them.
    if (!isMadeHere || !hints.hasDefaultCapabilities(id)) return;
    rows.by("founding", () => {
      rows.set("GroupDefaultCaps", [id], { capabilities: FOUNDERS_DEFAULT });
    });
  },
  GroupReparented: ({ childGroupId, newParentId }, step) => {
    const [id, parent] = [toHex(childGroupId), toHex(newParentId)];
    const before = parentOf(step.rows, id);
    if (before === parent) return;
    if (before !== undefined) step.rows.remove("GroupChildIndex", before, id);
    putUnder(step, id, parent);
  },
  GroupDeleted: ({ rootGroupId }, step) => {
    const { rows } = step;
    const id = toHex(rootGroupId);
    for (const group of [...descendants(rows, id), id]) {
      for (const { ids } of rows.of("GroupContextIndex", group)) {
        rows.remove("GroupContextIndex", ...ids);
        rows.remove("ContextGroupRef", ids[1] as string);
      }
      wipe(step, group);
      const parent = parentOf(rows, group);
      rows.remove("GroupParentRef", group);
      if (parent !== undefined) rows.remove("GroupChildIndex", parent, group);
    }
  },
  AdminChanged: ({ newAdmin }, step) => {
    const { rows, namespace } = step;
    changeMeta(step, namespace, { adminIdentity: newAdmin });
    const row = rows.get("GroupMember", namespace, toHex(newAdmin));
    if (row !== undefined) rows.set("GroupMember", [namespace, toHex(newAdmin)], { ...row, role: "Admin" });
  },
  MemberJoined: (op, step) => join(op, step),
  MemberJoinedAt: (op, step) => join(op, step),
  MemberJoinedOpen: ({ member, groupId, account }, step) => {
    step.rows.remove("GroupDeniedMember", toHex(groupId), toHex(member));
    linkJoiner(step, toHex(member), account);
  },
  MemberJoinedViaTeeAttestation: ({ groupId, role, account }, step) => {
    const [group, member] = [toHex(groupId), toHex(account.statement.account)];
    if (!step.rows.has("GroupMember", group, member)) addMember(step, group, member, role);
    step.rows.remove("GroupDeniedMember", group, member);
    linkJoiner(step, member, account);
  },
};

/** Applies an operation on a namespace. */
export function applyRootOp(op: AccountRootOp, step: Step): void {
  apply(transitions, op, step);
}

type Founding = Extract<AccountRootOp, { readonly kind: "NamespaceCreated" | "NamespaceCreatedV2" }>;

/** The founder creates the namespace. */
function found({ founder, account }: Founding, step: Step): void {
  const { rows, namespace, isOwn, isMadeHere, hints } = step;
  const meta = rows.get("GroupMeta", namespace);
  if (meta !== undefined && !isZeros(meta.adminIdentity)) return;
  const id = toHex(founder);
  rows.set("GroupMeta", [namespace], {
    ...(hints.application ?? { appKey: UNKNOWN, targetApplicationId: UNKNOWN }),
    createdAt: isMadeHere ? UNKNOWN : 0n,
    adminIdentity: founder,
    ownerIdentity: founder,
    migration: null,
    autoJoin: true,
  });
  addMember(step, namespace, id, "Admin");
  linkJoiner(step, id, account);
  const capabilities = isOwn ? FOUNDERS_DEFAULT : hints.defaultCapabilities;
  rows.set("GroupDefaultCaps", [namespace], { capabilities });
}

function putUnder({ rows }: Step, group: string, parent: string): void {
  rows.set("GroupParentRef", [group], fromHex(parent));
  rows.set("GroupChildIndex", [parent, group], null);
}

type Joining = Extract<AccountRootOp, { readonly kind: "MemberJoined" | "MemberJoinedAt" }>;

function join({ member, signedInvitation, account }: Joining, step: Step): void {
  const { rows, isOwn, hints } = step;
  const { invitation } = signedInvitation;
  const [group, id] = [toHex(invitation.groupId), toHex(member)];
  if (!rows.has("GroupMember", group, id)) {
    const nonce = toHex(invitation.invitationNonce);
    if (hints.hasConsumedInvitation(group, id, nonce)) {
      addMember(step, group, id, invitedRole(invitation.invitedRole));
      rows.set("GroupConsumedInvitation", [group, id, nonce], null);
      rows.remove("GroupReentryBlock", group, id);
    } else {
      // The row was there before the operation came: the joiner made it, or the node that answered, as a plain Member.
      addMember(step, group, id, isOwn ? invitedRole(invitation.invitedRole) : "Member");
    }
  }
  rows.remove("GroupDeniedMember", group, id);
  linkJoiner(step, id, account);
}
