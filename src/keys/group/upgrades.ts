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
