/** Accounts and their devices, since core-0.11. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { accountId, deviceId, groupId, member } from "../parts.js";

/** A device of a member's account. `0x41 ‖ group_id (32) ‖ device_id (32)`, 65 bytes. */
export class GroupDeviceBinding extends keyParts(
  "GroupDeviceBinding",
  Column.Group,
  0x41,
  groupId,
  deviceId,
) {}

/** A device that was revoked. `0x42 ‖ group_id (32) ‖ device_id (32)`, 65 bytes. */
export class GroupRevokedDevice extends keyParts(
  "GroupRevokedDevice",
  Column.Group,
  0x42,
  groupId,
  deviceId,
) {}

/** The current root key of an account. `0x43 ‖ group_id (32) ‖ account_id (32)`, 65 bytes. */
export class GroupAccountKey extends keyParts("GroupAccountKey", Column.Group, 0x43, groupId, accountId) {}

/** A member who vouched for an account. `0x46 ‖ group_id (32) ‖ account_id (32) ‖ member (32)`, 97 bytes. */
export class GroupAccountEndorser extends keyParts(
  "GroupAccountEndorser",
  Column.Group,
  0x46,
  groupId,
  accountId,
  member,
) {}

/** This node as a device of its account. `0x44`, 1 byte: at most one row. */
export class NodeDeviceIdentity extends keyParts("NodeDeviceIdentity", Column.Group, 0x44) {}

/** The root key of this node's account. `0x45`, 1 byte: at most one row. */
export class NodeAccountRoot extends keyParts("NodeAccountRoot", Column.Group, 0x45) {}

/** This node's key pair. `0x48`, 1 byte: at most one row. */
export class NodeIdentity extends keyParts("NodeIdentity", Column.Group, 0x48) {}
