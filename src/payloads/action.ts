import { b32, bytes, type Codec, type EnumOf, enumOf, named, nanoseconds, u64, vec } from "../codec/index.js";
import { ChildInfo, ChildInfo010, Metadata010, Metadata011 } from "./metadata.js";

const action011 = {
  /** Makes an entity. */
  Add: {
    /** The entity's id, 32 bytes. */
    id: b32,
    /** The bytes of the entity's entry row. */
    data: bytes,
    /** The entities above it, from the parent upwards. */
    ancestors: vec(ChildInfo),
    /** Times, owner and kind of the entity. */
    metadata: Metadata011,
  },
  /** Deletes an entity. */
  DeleteRef: {
    /** The entity's id, 32 bytes. */
    id: b32,
    /** When it was deleted, in nanoseconds since 1970. */
    deletedAt: nanoseconds(u64),
    /** Times, owner and kind of the entity; its `updatedAt` is the one before the deletion. */
    metadata: Metadata011,
  },
  /** Changes an entity. */
  Update: {
    /** The entity's id, 32 bytes. */
    id: b32,
    /** The bytes of the entity's entry row. */
    data: bytes,
    /** The entities above it, from the parent upwards. */
    ancestors: vec(ChildInfo),
    /** Times, owner and kind of the entity. */
    metadata: Metadata011,
  },
};

/** A change of one entity. The tag 1 is not used. From 61 bytes. */
export const Action011: Codec<Action011> = enumOf("Action", action011, [0, 2, 3]);
export type Action011 = EnumOf<typeof action011>;
const action010 = {
  /** Makes an entity. */
  Add: {
    /** The entity's id, 32 bytes. */
    id: b32,
    /** The bytes of the entity's entry row. */
    data: bytes,
    /** The entities above it, from the parent upwards. */
    ancestors: vec(ChildInfo010),
    /** Times, owner and kind of the entity. */
    metadata: Metadata010,
  },
  /** Names an entity to compare. Not expected in a stored delta. */
  Compare: {
    /** The entity's id, 32 bytes. */
    id: b32,
  },
  /** Deletes an entity. */
  DeleteRef: {
    /** The entity's id, 32 bytes. */
    id: b32,
    /** When it was deleted, in nanoseconds since 1970. */
    deletedAt: nanoseconds(u64),
    /** Times, owner and kind of the entity; its `updatedAt` is the one before the deletion. */
    metadata: Metadata010,
  },
  /** Changes an entity. */
  Update: {
    /** The entity's id, 32 bytes. */
    id: b32,
    /** The bytes of the entity's entry row. */
    data: bytes,
    /** The entities above it, from the parent upwards. */
    ancestors: vec(ChildInfo010),
    /** Times, owner and kind of the entity. */
    metadata: Metadata010,
  },
};

/** A change of one entity in core-0.10 and in the document. From 33 bytes. */
export const Action010: Codec<Action010> = enumOf("Action", action010);
export type Action010 = EnumOf<typeof action010>;

/** The actions of a delta. From 4 bytes. */
export const ActionList011 = named("ActionList", vec(Action011));
/** The actions of a delta in core-0.10. From 4 bytes. */
export const ActionList010 = named("ActionList", vec(Action010));
