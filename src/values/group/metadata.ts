import { b32, type Decoded, map, option, str, struct, u64 } from "../../codec/index.js";

/** Name and free data of a group, member or context, since core-0.11. `updatedAt` in milliseconds. From 45 bytes. */
export const MetadataRecord = struct("MetadataRecord", {
  name: option(str),
  data: map(str, str),
  updatedAt: u64,
  updatedBy: b32,
});
export type MetadataRecord = Decoded<typeof MetadataRecord>;
