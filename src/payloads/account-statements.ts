/** Statements that the root key of an account signs about its devices and its groups, since core-1.0. */
import { b32, b64, type Decoded, names, str, struct, u32, u64, vec } from "../codec/index.js";
import { accountChain } from "./account.js";

/** The applications that a device of an account acts for. From 140 bytes. */
export const DeviceScope = struct("DeviceScope", {
  /** The account's id, 32 bytes. */
  account: b32,
  /** The device's id, 32 bytes. */
  device: b32,
  /** Ids of the applications, 32 bytes each. */
  applications: vec(b32),
  /** Number of the scope: a higher one replaces the device's earlier ones. */
  scopeEpoch: u32,
  /** Epoch of the root key that signed; the first key has epoch 0. */
  keyEpoch: u32,
  /** Ed25519 signature by the root key, 64 bytes. */
  signature: b64,
});
export type DeviceScope = Decoded<typeof DeviceScope>;

/** The name of a device of an account. From 140 bytes. */
export const DeviceLabel = struct("DeviceLabel", {
  /** The account's id, 32 bytes. */
  account: b32,
  /** The device's id, 32 bytes. */
  device: b32,
  /** The device's name. */
  label: str,
  /** Number of the name: a higher one replaces the device's earlier ones. */
  labelEpoch: u32,
  /** Epoch of the root key that signed; the first key has epoch 0. */
  keyEpoch: u32,
  /** Ed25519 signature by the root key, 64 bytes. */
  signature: b64,
});
export type DeviceLabel = Decoded<typeof DeviceLabel>;

/** Consent of an owner's root key to one operation. 205 bytes. */
export const OwnerOpAuthorization = struct("OwnerOpAuthorization", {
  /** The owner's account id, 32 bytes. */
  account: b32,
  /** The namespace's id, 32 bytes. */
  namespace: b32,
  /** The group's id, 32 bytes. */
  group: b32,
  /** The operation that the owner consents to. */
  kind: names("OwnerOpKind", [
    "TransferOwnership",
    "AdminChanged",
    "GroupDelete",
    "TeeAdmissionPolicy",
    "TeeAuthoringPolicy",
    "TeeReleaseAdmissionPolicy",
  ]),
  /** Digest of the operation, 32 bytes. */
  opDigest: b32,
  /** Counts the consents of the owner in the group: each is used once. */
  counter: u64,
  /** Epoch of the root key that signed; the first key has epoch 0. */
  keyEpoch: u32,
  /** Ed25519 signature by the root key over a digest of the fields before it, 64 bytes. */
  signature: b64,
});
export type OwnerOpAuthorization = Decoded<typeof OwnerOpAuthorization>;

/** The applications of a device, with the proof of its account. From 177 bytes. */
export const SignedDeviceScope = struct("SignedDeviceScope", {
  ...accountChain,
  /** The applications of the device. */
  statement: DeviceScope,
});
export type SignedDeviceScope = Decoded<typeof SignedDeviceScope>;

/** The name of a device, with the proof of its account. From 177 bytes. */
export const SignedDeviceLabel = struct("SignedDeviceLabel", {
  ...accountChain,
  /** The name of the device. */
  statement: DeviceLabel,
});
export type SignedDeviceLabel = Decoded<typeof SignedDeviceLabel>;

/** Consent of an owner, with the proof of the account. From 242 bytes. */
export const SignedOwnerOpAuthorization = struct("SignedOwnerOpAuthorization", {
  ...accountChain,
  /** The consent. */
  statement: OwnerOpAuthorization,
});
export type SignedOwnerOpAuthorization = Decoded<typeof SignedOwnerOpAuthorization>;
