import { type Decoded, names } from "../codec/index.js";

/** A member's role. 1 byte. */
export const GroupMemberRole = names("GroupMemberRole", [
  "Admin",
  "Member",
  "ReadOnly",
  "ReadOnlyTee",
  "RelayTee",
]);
export type GroupMemberRole = Decoded<typeof GroupMemberRole>;

/** A member's role in core-0.11. 1 byte. */
export const GroupMemberRole011 = names("GroupMemberRole", ["Admin", "Member", "ReadOnly", "ReadOnlyTee"]);
export type GroupMemberRole011 = Decoded<typeof GroupMemberRole011>;

/** A member's role in core-0.10 and in the document. 1 byte. */
export const GroupMemberRole010 = names("GroupMemberRole", ["Admin", "Member", "ReadOnly"]);
export type GroupMemberRole010 = Decoded<typeof GroupMemberRole010>;
