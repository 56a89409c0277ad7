/** Accounts and their devices, since core-0.11. An account outlives its keys; a device acts for it. */
import { b32, b64, type Decoded, struct, u8, u32, vec } from "../codec/index.js";

/** The genesis of an account; its id is a hash of this. 33 bytes. */
export const AccountGenesis = struct("AccountGenesis", {
  /** 2 in the rows that nodes write. */
  version: u8,
  /** The account's first root key: Ed25519 public key, 32 bytes. */
  rootSignPk: b32,
});
export type AccountGenesis = Decoded<typeof AccountGenesis>;

/** A change of an account's root key, signed by the outgoing one. 132 bytes. */
export const RootKeyHandoff = struct("RootKeyHandoff", {
  /** The account's id, 32 bytes. */
  account: b32,
  /** Epoch of the outgoing root key; the first key has epoch 0. */
  fromEpoch: u32,
  /** The new root key: Ed25519 public key, 32 bytes. */
  newRootSignPk: b32,
  /** Ed25519 signature by the outgoing root key over a SHA-256 of the fields before it, 64 bytes. */
  signature: b64,
});
export type RootKeyHandoff = Decoded<typeof RootKeyHandoff>;

/** A device of an account, signed by the root key of `keyEpoch`. 200 bytes. */
export const DeviceCert = struct("DeviceCert", {
  /** The account's id, 32 bytes. */
  account: b32,
  /** The device's id, 32 bytes: SHA-256 of the account and a nonce that is not stored. */
  device: b32,
  /** The key that the device signs with: Ed25519 public key, 32 bytes. */
  signPk: b32,
  /** The key that others encrypt to: X25519 public key, 32 bytes. */
  kemPk: b32,
  /** Epoch of the root key that signed; the first key has epoch 0. */
  keyEpoch: u32,
  /** Number of the certificate: a higher one replaces the device's earlier ones. */
  deviceEpoch: u32,
  /** Ed25519 signature by the root key over a SHA-256 of the fields before it, 64 bytes. */
  signature: b64,
});
export type DeviceCert = Decoded<typeof DeviceCert>;

/** The end of a device, signed by the root key. 132 bytes. */
export const DeviceRevocation = struct("DeviceRevocation", {
  /** The account's id, 32 bytes. */
  account: b32,
  /** The device's id, 32 bytes. */
  device: b32,
  /** Epoch of the root key that signed; the first key has epoch 0. */
  keyEpoch: u32,
  /** Ed25519 signature by the root key over a SHA-256 of the fields before it, 64 bytes. */
  signature: b64,
});
export type DeviceRevocation = Decoded<typeof DeviceRevocation>;

/** A member vouches for an account. 128 bytes. */
export const AccountMemberEndorsement = struct("AccountMemberEndorsement", {
  /** The account's id, 32 bytes. */
  account: b32,
  /** The member who vouches: Ed25519 public key, 32 bytes. */
  member: b32,
  /** Ed25519 signature by the member over a SHA-256 of the fields before it, 64 bytes. */
  signature: b64,
});
export type AccountMemberEndorsement = Decoded<typeof AccountMemberEndorsement>;

/** The fields that every proof of an account begins with: its genesis and the chain of its root keys. */
export const accountChain = {
  /** The genesis of the account. */
  genesis: AccountGenesis,
  /** Every change of the root key since, from epoch 0 on. */
  chain: vec(RootKeyHandoff),
} as const;

/** A device with the proof of its account. From 237 bytes. */
export const JoinAccountCredential = struct("JoinAccountCredential", {
  ...accountChain,
  /** The certificate of the device. */
  statement: DeviceCert,
});
export type JoinAccountCredential = Decoded<typeof JoinAccountCredential>;

/** A revocation with the proof of its account. From 169 bytes. */
export const SignedDeviceRevocation = struct("SignedDeviceRevocation", {
  ...accountChain,
  /** The revocation of the device. */
  statement: DeviceRevocation,
});
export type SignedDeviceRevocation = Decoded<typeof SignedDeviceRevocation>;
