/** Accounts and devices as a group and the node know them, since core-0.11. */
import { b32, type Decoded, secret, struct, u32 } from "../../codec/index.js";

/** A device of an account, with its signing and encryption keys. 104 bytes. */
export const GroupDeviceBindingValue = struct("GroupDeviceBindingValue", {
  account: b32,
  signPk: b32,
  kemPk: b32,
  deviceEpoch: u32,
  keyEpoch: u32,
});
export type GroupDeviceBindingValue = Decoded<typeof GroupDeviceBindingValue>;

/** An account's current root key. 36 bytes. */
export const GroupAccountKeyValue = struct("GroupAccountKeyValue", { epoch: u32, rootPk: b32 });
export type GroupAccountKeyValue = Decoded<typeof GroupAccountKeyValue>;

/** This node as a device of its account. 96 bytes. */
export const NodeDeviceIdentityValue = struct("NodeDeviceIdentityValue", {
  accountRootPk: b32,
  deviceId: b32,
  kemSecret: secret(b32),
});
export type NodeDeviceIdentityValue = Decoded<typeof NodeDeviceIdentityValue>;

/** The root key of this node's account: an Ed25519 seed. 32 bytes. */
export const NodeAccountRootValue = struct("NodeAccountRootValue", { rootSecret: secret(b32) });
export type NodeAccountRootValue = Decoded<typeof NodeAccountRootValue>;

/** This node's Ed25519 key pair. 64 bytes. */
export const NodeIdentityValue = struct("NodeIdentityValue", { publicKey: b32, privateKey: secret(b32) });
export type NodeIdentityValue = Decoded<typeof NodeIdentityValue>;
