import { b32, bytes, type Decoded, str, struct, u32, u64, vec } from "../codec/index.js";

/** One service of a bundle of several: the blob ids of its code. From 68 bytes. */
export const ServiceMeta = struct("ServiceMeta", { name: str, bytecode: b32, compiled: b32 });
export type ServiceMeta = Decoded<typeof ServiceMeta>;

/**
 * An application. `bytecode` and `compiled` are blob ids; `compiled` is zeros until the node has compiled the module.
 * `signerId` is empty for applications that are no bundle. From 96 bytes.
 */
export const ApplicationMetaValue010 = struct("ApplicationMeta", {
  bytecode: b32,
  size: u64,
  source: str,
  metadata: bytes,
  compiled: b32,
  package: str,
  version: str,
  signerId: str,
  services: vec(ServiceMeta),
});
export type ApplicationMetaValue010 = Decoded<typeof ApplicationMetaValue010>;

/** An application in core-0.11, with the version of its state. From 100 bytes. */
export const ApplicationMetaValue = struct("ApplicationMeta", {
  bytecode: b32,
  size: u64,
  source: str,
  metadata: bytes,
  compiled: b32,
  package: str,
  version: str,
  signerId: str,
  services: vec(ServiceMeta),
  stateVersion: u32,
});
export type ApplicationMetaValue = Decoded<typeof ApplicationMetaValue>;

/** The blob that an application ran before its upgrade. 32 bytes. */
export const ApplicationPreviousBlobValue = struct("ApplicationPreviousBlob", { bytecode: b32 });
export type ApplicationPreviousBlobValue = Decoded<typeof ApplicationPreviousBlobValue>;
