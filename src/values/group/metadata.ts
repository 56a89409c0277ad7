import { b32, type Decoded, map, milliseconds, option, str, struct, u64 } from "../../codec/index.js";

/** Name and free data of a group, member or context, since core-0.11. From 45 bytes. */
export const MetadataRecord = struct("MetadataRecord", {
  /** The name, or null. */
  name: option(str),
  /** Free data: texts by their keys. */
  data: map(str, str),
  /** When this node took it over, in milliseconds since 1970 by its own clock. */
  updatedAt: milliseconds(u64),
  /** Ed25519 public key of the member who set it, 32 bytes. */
  updatedBy: b32,
});
export type MetadataRecord = Decoded<typeof MetadataRecord>;
