import { b32, bytes, type Decoded, enumOf, u64, vec } from "../codec/index.js";
import { ChildInfo, Metadata } from "./metadata.js";

/** A change of one entity. `ancestors` run from the parent upwards; `Compare` is not expected in a stored delta. */
export const Action = enumOf("Action", {
  Add: { id: b32, data: bytes, ancestors: vec(ChildInfo), metadata: Metadata },
  Compare: { id: b32 },
  DeleteRef: { id: b32, deletedAt: u64, metadata: Metadata },
  Update: { id: b32, data: bytes, ancestors: vec(ChildInfo), metadata: Metadata },
});
export type Action = Decoded<typeof Action>;
