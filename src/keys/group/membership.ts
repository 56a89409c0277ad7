/** Groups, their members and their contexts. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { contextId, groupId, identity, member } from "../parts.js";

/** A group. `0x20 ‖ group_id (32)`, 33 bytes. */
export class GroupMeta extends keyParts("GroupMeta", Column.Group, 0x20, groupId) {}

/** A member's role in a group. `0x21 ‖ group_id (32) ‖ identity (32)`, 65 bytes. */
export class GroupMember extends keyParts("GroupMember", Column.Group, 0x21, groupId, identity) {}

/** A context of a group. `0x22 ‖ group_id (32) ‖ context_id (32)`, 65 bytes. */
export class GroupContextIndex extends keyParts(
  "GroupContextIndex",
  Column.Group,
  0x22,
  groupId,
  contextId,
) {}

/** The group of a context: the way back from GroupContextIndex. `0x23 ‖ context_id (32)`, 33 bytes. */
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
