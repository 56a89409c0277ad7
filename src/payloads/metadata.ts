/** Metadata that the storage library keeps for each entity of a context's state. */
import {
  b32,
  type Codec,
  type Decoded,
  type EnumOf,
  enumOf,
  nanoseconds,
  option,
  str,
  struct,
  u32,
  u64,
} from "../codec/index.js";
import { StorageType010, StorageType011 } from "./storage-type.js";

const pairs = {
  /** Rust type of the keys. */
  keyType: str,
  /** Rust type of the values. */
  valueType: str,
} as const;

const elements = {
  /** Rust type of the elements. */
  elementType: str,
} as const;

const custom = {
  /** Its name. */
  value: str,
} as const;

/** The types with the same tags in both revisions. */
const crdtTypes = {
  /** A register: the last write wins. */
  LwwRegister: {
    /** Rust type of the value. */
    innerType: str,
  },
  /** A counter that only grows. */
  GCounter: {},
  /** A counter that grows and shrinks. */
  PnCounter: {},
  /** A text: replicated growable array. */
  Rga: {},
  /** A map without order. */
  UnorderedMap: pairs,
} as const;

const crdtType011 = {
  ...crdtTypes,
  /** A map in the order of its keys. */
  SortedMap: pairs,
  /** A set without order. */
  UnorderedSet: elements,
  /** A set in the order of its elements. */
  SortedSet: elements,
  /** A list. */
  Vector: elements,
  /** One value for each account, which only its owner writes. */
  UserStorage: {},
  /** Values that nobody changes, by their hash. */
  FrozenStorage: {},
  /** A value that several accounts write. */
  SharedStorage: {},
  /** A type of the application. */
  Custom: custom,
  /** The log of changes of a shared entity's writers. */
  RotationLog: {},
} as const;

/** The merge rule for concurrent changes of an entity. The strings are Rust type names. From 1 byte. */
export const CrdtType011: Codec<CrdtType011> = enumOf("CrdtType", crdtType011);
export type CrdtType011 = EnumOf<typeof crdtType011>;

const crdtType010 = {
  ...crdtTypes,
  /** A set without order. */
  UnorderedSet: elements,
  /** A list. */
  Vector: elements,
  /** One value for each identity, which only its owner writes. */
  UserStorage: {},
  /** Values that nobody changes, by their hash. */
  FrozenStorage: {},
  /** A type of the application. */
  Custom: custom,
} as const;

/**
 * The merge rule for concurrent changes in core-0.10, where tags from 5 on mean other types than in core-0.11. From 1
 * byte.
 */
export const CrdtType010: Codec<CrdtType010> = enumOf("CrdtType", crdtType010);
export type CrdtType010 = EnumOf<typeof crdtType010>;

/** Times, owner and kind of an entity. From 20 bytes. */
export const Metadata011 = struct("Metadata", {
  /** When the entity was made, in nanoseconds since 1970; 0 in the update that changes its writers. */
  createdAt: nanoseconds(u64),
  /** When the entity was changed last, in nanoseconds since 1970. */
  updatedAt: nanoseconds(u64),
  /** The accounts that may write the entity. */
  storageType: StorageType011,
  /** The merge rule for concurrent changes, or null: entries of a collection have none. */
  crdtType: option(CrdtType011),
  /** The field of the application's state, as the storage library names it, or null. */
  fieldName: option(str),
  /** Version of the application's schema, or null. */
  schemaVersion: option(u32),
});
export type Metadata011 = Decoded<typeof Metadata011>;

/** Times, owner and kind of an entity in core-0.10. From 19 bytes. */
export const Metadata010 = struct("Metadata", {
  /** When the entity was made, in nanoseconds since 1970. */
  createdAt: nanoseconds(u64),
  /** When the entity was changed last, in nanoseconds since 1970. */
  updatedAt: nanoseconds(u64),
  /** The accounts that may write the entity. */
  storageType: StorageType010,
  /** The merge rule for concurrent changes, or null: entries of a collection have none. */
  crdtType: option(CrdtType010),
  /** The field of the application's state, as the storage library names it, or null. */
  fieldName: option(str),
});
export type Metadata010 = Decoded<typeof Metadata010>;

/** An entity as its parent knows it. From 84 bytes. */
export const ChildInfo = struct("ChildInfo", {
  /** The entity's id, 32 bytes. */
  id: b32,
  /** The entity's full hash: SHA-256, 32 bytes. */
  merkleHash: b32,
  /** Times, owner and kind of the entity. */
  metadata: Metadata011,
});
export type ChildInfo = Decoded<typeof ChildInfo>;

/** An entity as its parent knows it, in core-0.10. From 83 bytes. */
export const ChildInfo010 = struct("ChildInfo", {
  /** The entity's id, 32 bytes. */
  id: b32,
  /** The entity's full hash: SHA-256, 32 bytes. */
  merkleHash: b32,
  /** Times, owner and kind of the entity, as they were when it became a child. */
  metadata: Metadata010,
});
export type ChildInfo010 = Decoded<typeof ChildInfo010>;
