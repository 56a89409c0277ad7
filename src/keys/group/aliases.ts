/** Names for people. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { contextId, groupId, member } from "../parts.js";

/** A member's name. `0x2D ‖ group_id (32) ‖ member (32)`, 65 bytes. */
export class GroupMemberAlias extends keyParts("GroupMemberAlias", Column.Group, 0x2d, groupId, member) {}

/** A group's name. `0x2E ‖ group_id (32)`, 33 bytes. */
export class GroupAlias extends keyParts("GroupAlias", Column.Group, 0x2e, groupId) {}

/** A context's name in its group. `0x2F ‖ group_id (32) ‖ context_id (32)`, 65 bytes. */
export class GroupContextAlias extends keyParts(
  "GroupContextAlias",
  Column.Group,
  0x2f,
  groupId,
  contextId,
) {}

/** Name and data of a member; the number of GroupMemberAlias. `0x2D ‖ group_id (32) ‖ member (32)`, 65 bytes. */
export class GroupMemberMetadata extends keyParts(
  "GroupMemberMetadata",
  Column.Group,
  0x2d,
  groupId,
  member,
) {}

/** Name and data of a group; the number of GroupAlias. `0x2E ‖ group_id (32)`, 33 bytes. */
export class GroupMetadata extends keyParts("GroupMetadata", Column.Group, 0x2e, groupId) {}

/** Name and data of a context; the number of GroupContextAlias. `0x2F ‖ group_id (32) ‖ context_id (32)`, 65 bytes. */
export class GroupContextMetadata extends keyParts(
  "GroupContextMetadata",
  Column.Group,
  0x2f,
  groupId,
  contextId,
) {}
