import { b32, bytes, type Decoded, enumOf, named, u64, vec } from "../codec/index.js";
import { ChildInfo, ChildInfo010, Metadata, Metadata010 } from "./metadata.js";

/**
 * A change of one entity. `ancestors` run from the parent upwards; `Compare` is not expected in a stored delta.
 * From 33 bytes.
 */
export const Action010 = enumOf("Action", {
  Add: { id: b32, data: bytes, ancestors: vec(ChildInfo010), metadata: Metadata010 },
  Compare: { id: b32 },
  DeleteRef: { id: b32, deletedAt: u64, metadata: Metadata010 },
  Update: { id: b32, data: bytes, ancestors: vec(ChildInfo010), metadata: Metadata010 },
});
export type Action010 = Decoded<typeof Action010>;

/** In core-0.11 without `Compare`, whose tag 1 stays a hole. From 61 bytes. */
export const Action = enumOf(
  "Action",
  {
    Add: { id: b32, data: bytes, ancestors: vec(ChildInfo), metadata: Metadata },
    DeleteRef: { id: b32, deletedAt: u64, metadata: Metadata },
    Update: { id: b32, data: bytes, ancestors: vec(ChildInfo), metadata: Metadata },
  },
  [0, 2, 3],
);
export type Action = Decoded<typeof Action>;

/** The actions of a delta. From 4 bytes. */
export const ActionList010 = named("ActionList", vec(Action010));
/** The actions of a delta of core-0.11. From 4 bytes. */
export const ActionList = named("ActionList", vec(Action));
