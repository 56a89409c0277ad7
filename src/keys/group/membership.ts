/** Groups, their members and their contexts. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { id32 } from "../part.js";
import { account, contextId, groupId, identity, member, part } from "../parts.js";

/** A group. `0x20 ‖ group_id (32)`, 33 bytes. */
export class GroupMeta extends keyParts("GroupMeta", Column.Group, 0x20, groupId) {}

/** A member of a group, by account. `0x21 ‖ group_id (32) ‖ account (32)`, 65 bytes. */
export class GroupMember extends keyParts("GroupMember", Column.Group, 0x21, groupId, account) {}

/**
 * A member of a group in core-0.10 and in the document, by identity. `0x21 ‖ group_id (32) ‖ identity (32)`, 65 bytes.
 */
export class GroupMember010 extends keyParts("GroupMember", Column.Group, 0x21, groupId, identity) {}

/** A context of a group. `0x22 ‖ group_id (32) ‖ context_id (32)`, 65 bytes. */
export class GroupContextIndex extends keyParts(
  "GroupContextIndex",
  Column.Group,
  0x22,
  groupId,
  contextId,
) {}

/** The group of a context: the inverse of GroupContextIndex. `0x23 ‖ context_id (32)`, 33 bytes. */
export class ContextGroupRef extends keyParts("ContextGroupRef", Column.Group, 0x23, contextId) {}

/** The member's identity inside a context. `0x32 ‖ group_id (32) ‖ member (32) ‖ context_id (32)`, 97 bytes. */
export class GroupMemberContext extends keyParts(
  "GroupMemberContext",
  Column.Group,
  0x32,
  groupId,
  member,
  contextId,
) {}

/** An account that must not rejoin without an invitation. `0x27 ‖ group_id (32) ‖ account (32)`, 65 bytes. */
export class GroupReentryBlock extends keyParts("GroupReentryBlock", Column.Group, 0x27, groupId, account) {}

/** An invitation that was used. `0x28 ‖ group_id (32) ‖ account (32) ‖ invitation_nonce (32)`, 97 bytes. */
export class GroupConsumedInvitation extends keyParts(
  "GroupConsumedInvitation",
  Column.Group,
  0x28,
  groupId,
  account,
  part(id32("invitationNonce")),
) {}

/** An account that was removed from a group. `0x3B ‖ group_id (32) ‖ account (32)`, 65 bytes. */
export class GroupDeniedMember extends keyParts("GroupDeniedMember", Column.Group, 0x3b, groupId, account) {}

/** An account denied in all groups below. `0x40 ‖ root group_id (32) ‖ account (32)`, 65 bytes. */
export class GroupInheritedDeniedMember extends keyParts(
  "GroupInheritedDeniedMember",
  Column.Group,
  0x40,
  groupId,
  account,
) {}

/** A mark that GroupMemberByAccount has all members. `0x4F ‖ 32 zero bytes`, 33 bytes: at most one row. */
export class GroupMemberIndexBackfilled extends keyParts(
  "GroupMemberIndexBackfilled",
  Column.Group,
  0x4f,
  part(id32("reserved")),
) {}

/** A member of a group, by account: the inverse of GroupMember. `0x50 ‖ account (32) ‖ group_id (32)`, 65 bytes. */
export class GroupMemberByAccount extends keyParts(
  "GroupMemberByAccount",
  Column.Group,
  0x50,
  account,
  groupId,
) {}
