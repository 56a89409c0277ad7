/** Devices of accounts and their scopes, since core-1.0. */
import {
  b32,
  bytes,
  type Codec,
  type Decoded,
  option,
  payload,
  str,
  struct,
  type UntaggedOf,
  u32,
  u64,
  untagged,
  vec,
} from "../../codec/index.js";
import { JoinAccountCredential } from "../../payloads/account.js";
import { SignedDeviceScope } from "../../payloads/account-statements.js";

/** The certificate of this node's device. From 4 bytes. */
export const NodeDeviceCertificateValue = struct("NodeDeviceCertificateValue", {
  /** The certificate with the proof of its account in Borsh, as it arrived, in a byte string. */
  proof: payload(bytes, JoinAccountCredential),
});
export type NodeDeviceCertificateValue = Decoded<typeof NodeDeviceCertificateValue>;

/** A device of this node's account and its applications. From 241 bytes. */
export const NodeAccountDeviceCertValue = struct("NodeAccountDeviceCertValue", {
  /** The certificate with the proof of its account. */
  certificate: JoinAccountCredential,
  /** Ids of the applications that the device acts for, 32 bytes each. */
  applications: vec(b32),
});
export type NodeAccountDeviceCertValue = Decoded<typeof NodeAccountDeviceCertValue>;
const groupAccountDeviceValue = {
  /** With a scope that the account signed. */
  Scope: struct("GroupAccountDeviceValue", {
    /** The certificate with the proof of its account. */
    certificate: JoinAccountCredential,
    /** The applications that the device acts for, signed by the account. */
    scope: SignedDeviceScope,
  }),
  /** Without one: the form of older nodes. */
  Applications: struct("GroupAccountDeviceValue", {
    /** The certificate with the proof of its account. */
    certificate: JoinAccountCredential,
    /** Ids of the applications that the device acts for, 32 bytes each. */
    applications: vec(b32),
    /** Number of the scope: a higher one replaces the device's earlier ones. */
    scopeEpoch: u32,
  }),
};

/** A device in a namespace: its certificate and its scope; in older rows its applications. From 245 bytes. */
export const GroupAccountDeviceValue: Codec<GroupAccountDeviceValue> = untagged(
  "GroupAccountDeviceValue",
  groupAccountDeviceValue,
);
export type GroupAccountDeviceValue = UntaggedOf<typeof groupAccountDeviceValue>;

/** The id of the application of an account in a namespace, or null. 1 or 33 bytes. */
export const GroupAccountNamespaceValue = option(b32);

/** The name of a device. From 8 bytes. */
export const GroupAccountDeviceLabelValue = struct("GroupAccountDeviceLabelValue", {
  /** The device's name. */
  label: str,
  /** Number of the name: a higher one replaces the device's earlier ones. */
  labelEpoch: u32,
});
export type GroupAccountDeviceLabelValue = Decoded<typeof GroupAccountDeviceLabelValue>;

/** The device of this node that its account revoked. 64 bytes. */
export const NodeRevokedFromValue = struct("NodeRevokedFromValue", {
  /** The account's id, 32 bytes. */
  account: b32,
  /** The device's id, 32 bytes. */
  device: b32,
});
export type NodeRevokedFromValue = Decoded<typeof NodeRevokedFromValue>;

/** The least epoch that a device's scope may have; 2^32 - 1 after the scope was withdrawn for good. 4 bytes. */
export const GroupDeviceScopeFloorValue = u32;

/** The number of operations that a group's owner authorized. 8 bytes. */
export const GroupOwnerOpCounterValue = u64;
