/** How the members of a group became members: the last operation of each that made it one. */
import { toHex } from "../bytes/hex.js";
import type { Operation } from "./history/operation.js";
import type { Named, Names } from "./names.js";

/** How somebody became a member. */
export interface Joining {
  /** The operation that did it. */
  readonly operation: Operation;
  /** Whoever added or invited the member; undefined for a founder, and for one who joined an open group. */
  readonly by: Named | undefined;
}

/** How a group and its members came to be. */
export interface Origins {
  /** The operation that made the group; undefined if no log has it. */
  readonly founding: Operation | undefined;
  /** How members became members, by their ids. */
  readonly members: ReadonlyMap<string, Joining>;
}

/**
 * How a group and its members came to be.
 *
 * @param history operations of the group's namespace, newest first
 */
export async function originsOf(
  history: AsyncIterable<Operation>,
  names: Names,
  group: string,
): Promise<Origins> {
  let founding: Operation | undefined;
  const members = new Map<string, Joining>();
  for await (const operation of history) {
    if (operation.group.id !== group) continue;
    const joined = joinedBy(operation, names);
    if (joined !== undefined && !members.has(joined.member))
      members.set(joined.member, { operation, by: joined.by });
    if (operation.kind === "NamespaceCreated" || operation.kind === "GroupCreated") founding = operation;
  }
  return { founding, members };
}

function joinedBy(
  { op, actor, group, signer }: Operation,
  names: Names,
): { readonly member: string; readonly by: Named | undefined } | undefined {
  switch (op?.kind) {
    case "MemberAdded":
    case "MemberJoinedViaTeeAttestation":
      return { member: toHex(op.member), by: actor };
    case "MemberJoined":
    case "MemberJoinedAt": {
      const { signedInvitation } = op;
      const account = "inviterAccount" in signedInvitation ? signedInvitation.inviterAccount : null;
      const by =
        account === null
          ? names.signer(toHex(signedInvitation.invitation.inviterIdentity), group.id)
          : names.member(toHex(account), group.id);
      return { member: toHex(op.member), by };
    }
    case "MemberJoinedOpen":
      return { member: toHex(op.member), by: undefined };
    case "NamespaceCreated":
      return { member: toHex(op.founder), by: undefined };
    case "GroupCreated":
      return { member: "admin" in op ? toHex(op.admin) : signer, by: undefined };
    default:
      return undefined;
  }
}
