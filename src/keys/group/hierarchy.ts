/** The hierarchy of groups. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { id32 } from "../part.js";
import { part } from "../parts.js";

const childGroupId = part(id32("childGroupId"));

/** The parent of a group. `0x34 ‖ child_group_id (32)`, 33 bytes. */
export class GroupParentRef extends keyParts("GroupParentRef", Column.Group, 0x34, childGroupId) {}

/** The same under the document's number. `0x36 ‖ child_group_id (32)`, 33 bytes. */
export class GroupParentRefDocumented extends keyParts("GroupParentRef", Column.Group, 0x36, childGroupId) {}

/** A child of a group. `0x35 ‖ parent_group_id (32) ‖ child_group_id (32)`, 65 bytes. */
export class GroupChildIndex extends keyParts(
  "GroupChildIndex",
  Column.Group,
  0x35,
  part(id32("parentGroupId")),
  childGroupId,
) {}
