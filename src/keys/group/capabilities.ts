/** Capabilities of members, and the visibility of groups. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { account, contextId, groupId, identity, member } from "../parts.js";

/** A member's capabilities in a group. `0x26 ‖ group_id (32) ‖ account (32)`, 65 bytes. */
export class GroupMemberCapability extends keyParts(
  "GroupMemberCapability",
  Column.Group,
  0x26,
  groupId,
  account,
) {}

/**
 * A member's capabilities in a group, in core-0.10 and in the document. `0x26 ‖ group_id (32) ‖ identity (32)`, 65
 * bytes.
 */
export class GroupMemberCapability010 extends keyParts(
  "GroupMemberCapability",
  Column.Group,
  0x26,
  groupId,
  identity,
) {}

/** Capabilities that new members get. `0x29 ‖ group_id (32)`, 33 bytes. */
export class GroupDefaultCaps extends keyParts("GroupDefaultCaps", Column.Group, 0x29, groupId) {}

/** Visibility that new contexts get. `0x2A ‖ group_id (32)`, 33 bytes. Not in the document. */
export class GroupDefaultVis extends keyParts("GroupDefaultVis", Column.Group, 0x2a, groupId) {}

/** A member's capabilities in one context. `0x33 ‖ group_id (32) ‖ context_id (32) ‖ member (32)`, 97 bytes. */
export class GroupContextMemberCap extends keyParts(
  "GroupContextMemberCap",
  Column.Group,
  0x33,
  groupId,
  contextId,
  member,
) {}

/** Visibility of a subgroup; the number of GroupDefaultVis. `0x2A ‖ group_id (32)`, 33 bytes. */
export class GroupSubgroupVis extends keyParts("GroupSubgroupVis", Column.Group, 0x2a, groupId) {}
