/**
 * The actions of members, and the demands of each revision on the member (`governance/`, upstream's checks of each
 * operation).
 */
import type { OperationRevision } from "../../payloads/index.js";
import { Capability, Capability010 } from "../../values/index.js";

/** The demands of a revision on a member. */
export type Need =
  | {
      /** `writer`: a member whose role may write. `owner`: of the group. `leaver`: a member who is neither the owner nor the last admin. */
      readonly kind: "writer" | "owner" | "leaver";
    }
  | {
      /** An admin of the group, or of its namespace. */
      readonly kind: "admin";
      /** True if the namespace counts, in place of the group. */
      readonly inNamespace?: true;
    }
  | {
      /** A capability in the group; admins need none. */
      readonly kind: "capability";
      /** The bit of the capability. */
      readonly bit: number;
      /** True if the namespace counts, in place of the group. */
      readonly inNamespace?: true;
    }
  | {
      /** The owner of the group, or a member with a capability in its namespace. */
      readonly kind: "owner-or-capability";
      /** The bit of the capability. */
      readonly bit: number;
    };

/** The name of an action of a member. */
export type ActionName =
  | "write"
  | "invite"
  | "add-member"
  | "remove-member"
  | "add-admin"
  | "set-role"
  | "set-capabilities"
  | "grant"
  | "create-context"
  | "detach-context"
  | "create-group"
  | "delete-group"
  | "set-application"
  | "set-visibility"
  | "set-metadata"
  | "transfer-ownership"
  | "leave";

/** The action in words. */
export interface Action {
  /** The word. */
  readonly name: ActionName;
  /** The same in a sentence: `add members to`. */
  readonly says: string;
  /** The demands of each revision; undefined if it has no such operation. */
  readonly needs: Readonly<Partial<Record<OperationRevision, Need>>>;
}

const capability = (bit: number, inNamespace?: true): Need =>
  inNamespace === undefined ? { kind: "capability", bit } : { kind: "capability", bit, inNamespace };
const ADMIN: Need = { kind: "admin" };

function action(name: ActionName, says: string, before011: Need | undefined, since011: Need): Action {
  return {
    name,
    says,
    needs: { ...(before011 && { "core-0.10": before011 }), "core-0.11": since011 },
  };
}

function byBit(name: ActionName, says: string, bit: keyof typeof Capability010): Action {
  const since = bit === "CanJoinOpenContexts" ? "CanJoinOpenSubgroups" : bit;
  return action(name, says, capability(Capability010[bit]), capability(Capability[since]));
}

/** All that a member can be asked about. */
export const actions: readonly Action[] = [
  action("write", "write in", { kind: "writer" }, { kind: "writer" }),
  byBit("invite", "invite members to", "CanInviteMembers"),
  byBit("add-member", "add members to", "ManageMembers"),
  byBit("remove-member", "remove members from", "ManageMembers"),
  action("add-admin", "add admins to", ADMIN, ADMIN),
  action("set-role", "set roles in", ADMIN, ADMIN),
  action("set-capabilities", "set capabilities in", ADMIN, ADMIN),
  byBit("grant", "grant capabilities in contexts of", "ManageMembers"),
  byBit("create-context", "create contexts in", "CanCreateContext"),
  action("detach-context", "detach contexts from", ADMIN, ADMIN),
  action(
    "create-group",
    "create groups under",
    { kind: "admin", inNamespace: true },
    capability(Capability.CanCreateSubgroup, true),
  ),
  action(
    "delete-group",
    "delete",
    { kind: "admin", inNamespace: true },
    { kind: "owner-or-capability", bit: Capability.CanDeleteSubgroup },
  ),
  byBit("set-application", "set the application of", "ManageApplication"),
  action("set-visibility", "set the visibility of", ADMIN, capability(Capability.CanManageVisibility)),
  action("set-metadata", "set name and metadata of", ADMIN, capability(Capability.CanManageMetadata)),
  action("transfer-ownership", "transfer the ownership of", undefined, { kind: "owner" }),
  action("leave", "leave", undefined, { kind: "leaver" }),
];
