/** Accounts and devices as a group and the node know them, since core-0.11. */
import { b32, type Decoded, secret, struct, u32 } from "../../codec/index.js";

/** A device of an account, with its signing and encryption keys. 108 bytes. */
export const GroupDeviceBindingValue = struct("GroupDeviceBindingValue", {
  /** The account's id, 32 bytes. */
  account: b32,
  /** The key that the device signs with: Ed25519 public key, 32 bytes. */
  signPk: b32,
  /** The key that others encrypt to: X25519 public key, 32 bytes. */
  kemPk: b32,
  /** Number of the device's certificate: a higher one replaces earlier ones. */
  deviceEpoch: u32,
  /** Epoch of the root key that signed the certificate; the device lives while the account's epoch is not higher. */
  keyEpoch: u32,
  /** Number of the device's scope: a higher one replaces earlier ones. */
  scopeEpoch: u32,
});
export type GroupDeviceBindingValue = Decoded<typeof GroupDeviceBindingValue>;

/** A device of an account in core-0.11: without a scope. 104 bytes. */
export const GroupDeviceBindingValue011 = struct("GroupDeviceBindingValue", {
  /** The account's id, 32 bytes. */
  account: b32,
  /** The key that the device signs with: Ed25519 public key, 32 bytes. */
  signPk: b32,
  /** The key that others encrypt to: X25519 public key, 32 bytes. */
  kemPk: b32,
  /** Number of the device's certificate: a higher one replaces earlier ones. */
  deviceEpoch: u32,
  /** Epoch of the root key that signed the certificate; the device lives while the account's epoch is not higher. */
  keyEpoch: u32,
});
export type GroupDeviceBindingValue011 = Decoded<typeof GroupDeviceBindingValue011>;

/** An account's current root key. 36 bytes. */
export const GroupAccountKeyValue = struct("GroupAccountKeyValue", {
  /** Number of changes of the root key; the first key has epoch 0. */
  epoch: u32,
  /** The root key: Ed25519 public key, 32 bytes. */
  rootPk: b32,
});
export type GroupAccountKeyValue = Decoded<typeof GroupAccountKeyValue>;

/** This node as a device of its account. 96 bytes. */
export const NodeDeviceIdentityValue = struct("NodeDeviceIdentityValue", {
  /** The account's root key: Ed25519 public key, 32 bytes. */
  accountRootPk: b32,
  /** The device's id, 32 bytes. */
  deviceId: b32,
  /** Secret: X25519 private key, 32 bytes. */
  kemSecret: secret(b32),
});
export type NodeDeviceIdentityValue = Decoded<typeof NodeDeviceIdentityValue>;

/** The root key of this node's account. 32 bytes. */
export const NodeAccountRootValue = struct("NodeAccountRootValue", {
  /** Secret: Ed25519 seed, 32 bytes. */
  rootSecret: secret(b32),
});
export type NodeAccountRootValue = Decoded<typeof NodeAccountRootValue>;

/** This node's Ed25519 key pair. 64 bytes. */
export const NodeIdentityValue = struct("NodeIdentityValue", {
  /** Ed25519 public key, 32 bytes. */
  publicKey: b32,
  /** Secret: Ed25519 seed, 32 bytes. */
  privateKey: secret(b32),
});
export type NodeIdentityValue = Decoded<typeof NodeIdentityValue>;
