/** Devices of accounts and their scopes, since core-1.0. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { id32 } from "../part.js";
import { account, deviceId, groupId, namespaceId, part } from "../parts.js";

const signer = part(id32("signer"));

/** The certificate of this node's device. `0x4B`, 1 byte: at most one row. */
export class NodeDeviceCertificate extends keyParts("NodeDeviceCertificate", Column.Group, 0x4b) {}

/** A device of this node's account. `0x4C ‖ device_id (32)`, 33 bytes. Only nodes of September 2026 wrote it. */
export class NodeAccountDeviceCert extends keyParts("NodeAccountDeviceCert", Column.Group, 0x4c, deviceId) {}

/** A device in a namespace, with the proof of its account. `0x4D ‖ namespace_id (32) ‖ device_id (32)`, 65 bytes. */
export class GroupAccountDevice extends keyParts(
  "GroupAccountDevice",
  Column.Group,
  0x4d,
  namespaceId,
  deviceId,
) {}

/** The namespace of this node's account. `0x4E`, 1 byte: at most one row. */
export class NodeAccountNamespace extends keyParts("NodeAccountNamespace", Column.Group, 0x4e) {}

/**
 * A namespace in which an account takes part. `0x51 ‖ account_namespace_id (32) ‖ namespace_id (32)`, 65 bytes.
 */
export class GroupAccountNamespace extends keyParts(
  "GroupAccountNamespace",
  Column.Group,
  0x51,
  part(id32("accountNamespaceId")),
  namespaceId,
) {}

/** The least epoch of a device's scope. `0x52 ‖ group_id (32) ‖ scope_hash (32)`, 65 bytes. */
export class GroupDeviceScopeFloor extends keyParts(
  "GroupDeviceScopeFloor",
  Column.Group,
  0x52,
  groupId,
  part(id32("scopeHash")),
) {}

/** The name of a device. `0x53 ‖ namespace_id (32) ‖ device_id (32)`, 65 bytes. */
export class GroupAccountDeviceLabel extends keyParts(
  "GroupAccountDeviceLabel",
  Column.Group,
  0x53,
  namespaceId,
  deviceId,
) {}

/** The account that revoked this node's device. `0x54`, 1 byte: at most one row. */
export class NodeRevokedFrom extends keyParts("NodeRevokedFrom", Column.Group, 0x54) {}

/** A signing key that was revoked. `0x55 ‖ group_id (32) ‖ signer (32)`, 65 bytes. */
export class GroupRevokedSigner extends keyParts("GroupRevokedSigner", Column.Group, 0x55, groupId, signer) {}

/** The account of a signing key. `0x56 ‖ group_id (32) ‖ signer (32) ‖ account (32)`, 97 bytes. */
export class GroupSignerAccount extends keyParts(
  "GroupSignerAccount",
  Column.Group,
  0x56,
  groupId,
  signer,
  account,
) {}

/** A count of the operations that a group's owner authorized. `0x57 ‖ group_id (32)`, 33 bytes. */
export class GroupOwnerOpCounter extends keyParts("GroupOwnerOpCounter", Column.Group, 0x57, groupId) {}

/** The device of a signing key. `0x58 ‖ group_id (32) ‖ signer (32) ‖ device_id (32)`, 97 bytes. */
export class GroupSignerDevice extends keyParts(
  "GroupSignerDevice",
  Column.Group,
  0x58,
  groupId,
  signer,
  deviceId,
) {}

/** A device that an account revoked. `0x59 ‖ namespace_id (32) ‖ account (32) ‖ device_id (32)`, 97 bytes. */
export class GroupAccountDeviceRevocation extends keyParts(
  "GroupAccountDeviceRevocation",
  Column.Group,
  0x59,
  namespaceId,
  account,
  deviceId,
) {}
