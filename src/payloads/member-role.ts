import { type Decoded, names } from "../codec/index.js";

/** What a member may do. 1 byte. */
export const GroupMemberRole = names("GroupMemberRole", ["Admin", "Member", "ReadOnly", "ReadOnlyTee"]);
export type GroupMemberRole = Decoded<typeof GroupMemberRole>;

/** What a member may do in core-0.10 and in the document. 1 byte. */
export const GroupMemberRole010 = names("GroupMemberRole", ["Admin", "Member", "ReadOnly"]);
export type GroupMemberRole010 = Decoded<typeof GroupMemberRole010>;
