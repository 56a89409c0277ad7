/** Rows whose values are keys. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { id32 } from "../part.js";
import { groupId, keyId, part, publicKey } from "../parts.js";

/** A signing key of this node for a group. `0x25 ‖ group_id (32) ‖ public_key (32)`, 65 bytes. */
export class GroupSigningKey extends keyParts("GroupSigningKey", Column.Group, 0x25, groupId, publicKey) {}

/** The same with the document's name for the second part. `0x25 ‖ group_id (32) ‖ key_id (32)`, 65 bytes. */
export class GroupSigningKeyDocumented extends keyParts(
  "GroupSigningKey",
  Column.Group,
  0x25,
  groupId,
  keyId,
) {}

/** A group's shared encryption key. `0x3A ‖ group_id (32) ‖ key_id (32)`, 65 bytes; key_id = SHA-256 of the key. */
export class GroupKeyEntry extends keyParts("GroupKeyEntry", Column.Group, 0x3a, groupId, keyId) {}

/** A group key that must change because an account left. `0x3F ‖ group_id (32) ‖ departed (32)`, 65 bytes. */
export class GroupPendingKeyRotation extends keyParts(
  "GroupPendingKeyRotation",
  Column.Group,
  0x3f,
  groupId,
  part(id32("departed")),
) {}

/** A group key that must change because a device is gone. `0x49 ‖ group_id (32) ‖ device (32)`, 65 bytes. */
export class GroupPendingDeviceRotation extends keyParts(
  "GroupPendingDeviceRotation",
  Column.Group,
  0x49,
  groupId,
  part(id32("device")),
) {}
