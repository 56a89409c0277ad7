import { b32, bytes, type Decoded, enumOf, named, u64, vec } from "../codec/index.js";
import { ChildInfo, ChildInfo011, Metadata, Metadata011 } from "./metadata.js";

/**
 * A change of one entity. `ancestors` run from the parent upwards; `Compare` is not expected in a stored delta.
 * From 33 bytes.
 */
export const Action = enumOf("Action", {
  Add: { id: b32, data: bytes, ancestors: vec(ChildInfo), metadata: Metadata },
  Compare: { id: b32 },
  DeleteRef: { id: b32, deletedAt: u64, metadata: Metadata },
  Update: { id: b32, data: bytes, ancestors: vec(ChildInfo), metadata: Metadata },
});
export type Action = Decoded<typeof Action>;

/** In core-0.11 without `Compare`, whose tag 1 stays a hole. From 61 bytes. */
export const Action011 = enumOf(
  "Action",
  {
    Add: { id: b32, data: bytes, ancestors: vec(ChildInfo011), metadata: Metadata011 },
    DeleteRef: { id: b32, deletedAt: u64, metadata: Metadata011 },
    Update: { id: b32, data: bytes, ancestors: vec(ChildInfo011), metadata: Metadata011 },
  },
  [0, 2, 3],
);
export type Action011 = Decoded<typeof Action011>;

/** The actions of a delta. From 4 bytes. */
export const ActionList = named("ActionList", vec(Action));
/** The actions of a delta of core-0.11. From 4 bytes. */
export const ActionList011 = named("ActionList", vec(Action011));
