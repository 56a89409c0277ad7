/** Accounts and their devices, since core-0.11. An account outlives its keys; a device acts for it. */
import { b32, b64, type Decoded, struct, u8, u32, vec } from "../codec/index.js";

/** Where an account begins; its id is a hash of this. 33 bytes. */
export const AccountGenesis = struct("AccountGenesis", { version: u8, rootSignPk: b32 });
export type AccountGenesis = Decoded<typeof AccountGenesis>;

/** A change of an account's root key, signed by the outgoing one. 132 bytes. */
export const RootKeyHandoff = struct("RootKeyHandoff", {
  account: b32,
  fromEpoch: u32,
  newRootSignPk: b32,
  signature: b64,
});
export type RootKeyHandoff = Decoded<typeof RootKeyHandoff>;

/** A device of an account, signed by the root key of `keyEpoch`. 200 bytes. */
export const DeviceCert = struct("DeviceCert", {
  account: b32,
  device: b32,
  signPk: b32,
  kemPk: b32,
  keyEpoch: u32,
  deviceEpoch: u32,
  signature: b64,
});
export type DeviceCert = Decoded<typeof DeviceCert>;

/** The end of a device, signed by the root key. 132 bytes. */
export const DeviceRevocation = struct("DeviceRevocation", {
  account: b32,
  device: b32,
  keyEpoch: u32,
  signature: b64,
});
export type DeviceRevocation = Decoded<typeof DeviceRevocation>;

/** A member vouches for an account. 128 bytes. */
export const AccountMemberEndorsement = struct("AccountMemberEndorsement", {
  account: b32,
  member: b32,
  signature: b64,
});
export type AccountMemberEndorsement = Decoded<typeof AccountMemberEndorsement>;

/** What every proof of an account begins with: its genesis and the chain of its root keys. */
export const accountChain = { genesis: AccountGenesis, chain: vec(RootKeyHandoff) } as const;

/** A device with the proof of its account. From 237 bytes. */
export const JoinAccountCredential = struct("JoinAccountCredential", {
  ...accountChain,
  statement: DeviceCert,
});
export type JoinAccountCredential = Decoded<typeof JoinAccountCredential>;

/** A revocation with the proof of its account. From 169 bytes. */
export const SignedDeviceRevocation = struct("SignedDeviceRevocation", {
  ...accountChain,
  statement: DeviceRevocation,
});
export type SignedDeviceRevocation = Decoded<typeof SignedDeviceRevocation>;
