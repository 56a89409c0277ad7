/** Upgrades of a group's application. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { contextId, groupId } from "../parts.js";

/** A group's last or running upgrade. `0x24 ‖ group_id (32)`, 33 bytes. */
export class GroupUpgradeKey extends keyParts("GroupUpgradeKey", Column.Group, 0x24, groupId) {}

/** The migration that a context ran last. `0x2B ‖ group_id (32) ‖ context_id (32)`, 65 bytes. */
export class GroupContextLastMigration extends keyParts(
  "GroupContextLastMigration",
  Column.Group,
  0x2b,
  groupId,
  contextId,
) {}

/** The versions that a group went through. `0x3E ‖ group_id (32)`, 33 bytes. */
export class GroupUpgradeLadder extends keyParts("GroupUpgradeLadder", Column.Group, 0x3e, groupId) {}

/** The time at which all nodes of a group had upgraded (Unix time). `0x4A ‖ group_id (32)`, 33 bytes. */
export class GroupFleetCompletion extends keyParts("GroupFleetCompletion", Column.Group, 0x4a, groupId) {}
