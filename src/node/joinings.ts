/** The ways in which members joined a group: for each member, the last operation that made it a member. */
import { toHex } from "../bytes/hex.js";
import { isFlag, type OptionChecks } from "../options.js";
import { type SignalOption, signalOption } from "../progress.js";
import type { Operation } from "./history/operation.js";
import type { Named, Names } from "./names.js";

/** Options of `origins`. */
export interface OriginsOptions extends SignalOption {
  /** Find out when operations were made, which reads all deltas. Default true. */
  readonly times?: boolean | undefined;
}

/** The checks of {@link OriginsOptions}. */
export const originsOptions: OptionChecks<OriginsOptions> = { ...signalOption, times: isFlag };

/** The way in which somebody became a member. */
export interface Joining {
  /** The operation that did it. */
  readonly operation: Operation;
  /** The member that added or invited this one; undefined for a founder, and for one who joined an open group. */
  readonly by: Named | undefined;
}

/** The origins of a group and its members. */
export interface Origins {
  /** The operation that made the group; undefined if no log has it. */
  readonly founding: Operation | undefined;
  /** The ways in which members became members, by their ids. */
  readonly members: ReadonlyMap<string, Joining>;
}

/**
 * The origins of a group and its members.
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
