/** The values that the node sets by default. */
import type { GroupMemberRole011 } from "../../payloads/index.js";

/** The capabilities that a node gives to new members of the groups that it founds: to join open subgroups. */
export const FOUNDERS_DEFAULT = 4;

/** The role that an invitation gives by its number. */
export function invitedRole(number: number): Exclude<GroupMemberRole011, "ReadOnlyTee"> {
  return number === 0 ? "Admin" : number === 2 ? "ReadOnly" : "Member";
}
