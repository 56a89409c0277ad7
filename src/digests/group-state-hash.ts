import { concatAll } from "../bytes/concat.js";
import { compareBytes } from "../bytes/order.js";
import { sha256 } from "../crypto/index.js";
import { GroupMemberRole } from "../payloads/index.js";

/** The facts that the hash of a group's state covers. Ids are 32 bytes each. */
export interface GroupState {
  /** The group's id, 32 bytes. */
  readonly groupId: Uint8Array;
  /** Account of the admin; before core-0.11 its public key. */
  readonly admin: Uint8Array;
  /** Account of the owner; absent before core-0.11. */
  readonly owner?: Uint8Array | undefined;
  /** Id of the application that the group runs, 32 bytes. */
  readonly targetApplicationId: Uint8Array;
  /** The members that have a row in the group, in any order. */
  readonly members: readonly {
    /** The member's account; before core-0.11 its public key. 32 bytes. */
    readonly id: Uint8Array;
    /** The role of the member. */
    readonly role: GroupMemberRole;
  }[];
}

/**
 * The hash of a group's state (schema 4.7): SHA-256(group_id ‖ admin ‖ owner, since core-0.11 ‖ target_application_id ‖
 * for each member, sorted by id: id ‖ role u8). 32 bytes. A removal names the hash after it.
 */
export function groupStateHash(state: GroupState): Uint8Array {
  const { groupId, admin, owner, targetApplicationId, members } = state;
  const sorted = members.toSorted((a, b) => compareBytes(a.id, b.id));
  return sha256(
    concatAll([
      groupId,
      admin,
      ...(owner === undefined ? [] : [owner]),
      targetApplicationId,
      ...sorted.flatMap(({ id, role }) => [id, GroupMemberRole.encode(role)]),
    ]),
  );
}
