import { b32, byteCount, bytes, type Decoded, str, struct, textual, u32, u64, vec } from "../codec/index.js";

/** One service of a bundle of several: the blob ids of its code. From 68 bytes. */
export const ServiceMeta = struct("ServiceMeta", {
  /** The service's name. */
  name: str,
  /** Blob id of the service's module, 32 bytes. */
  bytecode: b32,
  /** Blob id of the compiled module, 32 bytes; zeros in the rows that nodes write. */
  compiled: b32,
});
export type ServiceMeta = Decoded<typeof ServiceMeta>;

const application010 = {
  /** Blob id of the module, or of the whole bundle, 32 bytes. */
  bytecode: b32,
  /** Bytes of that blob; 0 until the node has it. */
  size: byteCount(u64),
  /** The source of the application: a URL or a path. */
  source: str,
  /** Data that came with the installation. */
  metadata: textual(bytes),
  /** Blob id of the compiled module, 32 bytes; zeros until there is one, `bytecode` until the node has the blob. */
  compiled: b32,
  /** Name of the package; empty until the node has the blob. */
  package: str,
  /** Version of the package; empty until the node has the blob. */
  version: str,
  /** The bundle's signer, `did:key:…`; empty for an application that is not a bundle. */
  signerId: str,
  /** The services of a bundle of several. */
  services: vec(ServiceMeta),
} as const;

/** An application in core-0.10 and in the document. From 96 bytes. */
export const ApplicationMetaValue010 = struct("ApplicationMeta", application010);
export type ApplicationMetaValue010 = Decoded<typeof ApplicationMetaValue010>;

/** An application. From 100 bytes. */
export const ApplicationMetaValue = struct("ApplicationMeta", {
  ...application010,
  /** 32 zeros: the node compiles in memory. A copy of `bytecode` until the node has the blob. */
  compiled: b32,
  /** Version of the application's state. */
  stateVersion: u32,
});
export type ApplicationMetaValue = Decoded<typeof ApplicationMetaValue>;

/** The blob that an application ran before its upgrade. 32 bytes. */
export const ApplicationPreviousBlobValue = struct("ApplicationPreviousBlob", {
  /** Blob id of the earlier code, 32 bytes. */
  bytecode: b32,
});
export type ApplicationPreviousBlobValue = Decoded<typeof ApplicationPreviousBlobValue>;
