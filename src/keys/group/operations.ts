/** A group's operation log, its head and the nonces that guard it. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { id32 } from "../part.js";
import { groupId, part, sequence } from "../parts.js";

/** The last nonce of a signer. `0x2C ‖ group_id (32) ‖ signer (32)`, 65 bytes. */
export class GroupLocalGovNonce extends keyParts(
  "GroupLocalGovNonce",
  Column.Group,
  0x2c,
  groupId,
  part(id32("signer")),
) {}

/** A logged operation. `0x30 ‖ group_id (32) ‖ sequence (8, big-endian)`, 41 bytes, in the order of the log. */
export class GroupOpLog extends keyParts("GroupOpLog", Column.Group, 0x30, groupId, sequence) {}

/** Last sequence and heads of a group's operations. `0x31 ‖ group_id (32)`, 33 bytes. */
export class GroupOpHead extends keyParts("GroupOpHead", Column.Group, 0x31, groupId) {}

/** The nonces of a signer that were used. `0x3C ‖ group_id (32) ‖ signer (32)`, 65 bytes. */
export class GroupLocalGovNonceWindow extends keyParts(
  "GroupLocalGovNonceWindow",
  Column.Group,
  0x3c,
  groupId,
  part(id32("signer")),
) {}
