/** What the storage library keeps about each entity of a context's state. */
import {
  b32,
  b64,
  checked,
  type Decoded,
  enumOf,
  map,
  option,
  str,
  struct,
  u8,
  u32,
  u64,
} from "../codec/index.js";

/** An Ed25519 signature over an action, and the nonce that guards it against replay. 72 bytes. */
export const SignatureData010 = struct("SignatureData", { signature: b64, nonce: u64 });
export type SignatureData010 = Decoded<typeof SignatureData010>;

/** In core-0.11 it names the device key that signed. 73 or 105 bytes. */
export const SignatureData = struct("SignatureData", { signature: b64, nonce: u64, signer: option(b32) });
export type SignatureData = Decoded<typeof SignatureData>;

/** Who may write an entity. 1, 34 or 106 bytes. */
export const StorageType010 = enumOf("StorageType", {
  Public: {},
  User: { owner: b32, signatureData: option(SignatureData010) },
  Frozen: {},
});
export type StorageType010 = Decoded<typeof StorageType010>;

/** Bits of what a writer may do. */
export const WriterBit = { Write: 1, Delete: 2, Admin: 4 } as const;

/** Writers by account, each with a mask of {@link WriterBit}; other bits are an error. From 4 bytes. */
export const Writers = map(
  b32,
  checked(u8, "a mask of the bits 1, 2 and 4", (mask) => mask <= 7),
);

/** In core-0.11 owners are accounts, and entities may be shared by several writers. From 1 byte. */
export const StorageType = enumOf("StorageType", {
  Public: {},
  User: { owner: b32, signatureData: option(SignatureData) },
  Frozen: {},
  Shared: { writers: Writers, signatureData: option(SignatureData) },
  SharedMember: { anchor: b32, signatureData: option(SignatureData) },
});
export type StorageType = Decoded<typeof StorageType>;

/** How concurrent changes of an entity merge. The strings are Rust type names. From 1 byte. */
export const CrdtType010 = enumOf("CrdtType", {
  LwwRegister: { innerType: str },
  GCounter: {},
  PnCounter: {},
  Rga: {},
  UnorderedMap: { keyType: str, valueType: str },
  UnorderedSet: { elementType: str },
  Vector: { elementType: str },
  UserStorage: {},
  FrozenStorage: {},
  Custom: { value: str },
});
export type CrdtType010 = Decoded<typeof CrdtType010>;

/** In core-0.11 the numbers from 5 on are others: the same byte means another type. From 1 byte. */
export const CrdtType = enumOf("CrdtType", {
  LwwRegister: { innerType: str },
  GCounter: {},
  PnCounter: {},
  Rga: {},
  UnorderedMap: { keyType: str, valueType: str },
  SortedMap: { keyType: str, valueType: str },
  UnorderedSet: { elementType: str },
  SortedSet: { elementType: str },
  Vector: { elementType: str },
  UserStorage: {},
  FrozenStorage: {},
  SharedStorage: {},
  Custom: { value: str },
  RotationLog: {},
});
export type CrdtType = Decoded<typeof CrdtType>;

/** Times (nanoseconds of the host's clock), owner and kind of an entity. From 19 bytes. */
export const Metadata010 = struct("Metadata", {
  createdAt: u64,
  updatedAt: u64,
  storageType: StorageType010,
  crdtType: option(CrdtType010),
  fieldName: option(str),
});
export type Metadata010 = Decoded<typeof Metadata010>;

/** In core-0.11 with the version of the application's schema. From 20 bytes. */
export const Metadata = struct("Metadata", {
  createdAt: u64,
  updatedAt: u64,
  storageType: StorageType,
  crdtType: option(CrdtType),
  fieldName: option(str),
  schemaVersion: option(u32),
});
export type Metadata = Decoded<typeof Metadata>;

/** An entity as its parent knows it. From 83 bytes. */
export const ChildInfo010 = struct("ChildInfo", { id: b32, merkleHash: b32, metadata: Metadata010 });
export type ChildInfo010 = Decoded<typeof ChildInfo010>;

/** The same with the metadata of core-0.11. From 84 bytes. */
export const ChildInfo = struct("ChildInfo", { id: b32, merkleHash: b32, metadata: Metadata });
export type ChildInfo = Decoded<typeof ChildInfo>;
