import { b32, bytes, type Codec, type EnumOf, enumOf, named, nanoseconds, u64, vec } from "../codec/index.js";
import { ChildInfo, ChildInfo010, Metadata010, Metadata011 } from "./metadata.js";

/** The most actions of a delta that decode. Nodes write a few; a delta with more would take unbounded memory. */
export const MOST_ACTIONS = 100_000;

/** The variants of a change of one entity. */
export function changesOf<A, M>(ancestors: Codec<A>, metadata: Codec<M>) {
  const change = {
    /** The entity's id, 32 bytes. */
    id: b32,
    /** The entity's data: up to core-0.11 the bytes of its entry row. */
    data: bytes,
    /**
     * The entities above it, from the parent upwards; since core-1.0 their ids, 32 bytes each, without the context's
     * root.
     */
    ancestors,
    /** Times, owner and kind of the entity. */
    metadata,
  } as const;
  return {
    /** Makes an entity. */
    Add: change,
    /** Deletes an entity. */
    DeleteRef: {
      /** The entity's id, 32 bytes. */
      id: b32,
      /** When it was deleted, in nanoseconds since 1970. */
      deletedAt: nanoseconds(u64),
      /** Times, owner and kind of the entity; its `updatedAt` is the one before the deletion. */
      metadata,
    },
    /** Changes an entity. */
    Update: change,
  } as const;
}

const action011 = changesOf(vec(ChildInfo), Metadata011);

/** A change of one entity. The tag 1 is not used. From 61 bytes. */
export const Action011: Codec<Action011> = enumOf("Action", action011, [0, 2, 3]);
export type Action011 = EnumOf<typeof action011>;

const { Add, DeleteRef, Update } = changesOf(vec(ChildInfo010), Metadata010);

const action010 = {
  Add,
  /** Names an entity to compare. Not expected in a stored delta. */
  Compare: {
    /** The entity's id, 32 bytes. */
    id: b32,
  },
  DeleteRef,
  Update,
} as const;

/** A change of one entity in core-0.10 and in the document. From 33 bytes. */
export const Action010: Codec<Action010> = enumOf("Action", action010);
export type Action010 = EnumOf<typeof action010>;

/** The actions of a delta. From 4 bytes. */
export const ActionList011 = named("ActionList", vec(Action011, MOST_ACTIONS));
/** The actions of a delta in core-0.10. From 4 bytes. */
export const ActionList010 = named("ActionList", vec(Action010, MOST_ACTIONS));
