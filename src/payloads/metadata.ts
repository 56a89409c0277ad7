/** What the storage library keeps about each entity of a context's state. */
import { b32, b64, type Decoded, enumOf, option, str, struct, u64 } from "../codec/index.js";

/** An Ed25519 signature over an action, and the nonce that guards it against replay. 72 bytes. */
export const SignatureData = struct("SignatureData", { signature: b64, nonce: u64 });
export type SignatureData = Decoded<typeof SignatureData>;

/** Who may write an entity. 1, 34 or 106 bytes. */
export const StorageType = enumOf("StorageType", {
  Public: {},
  User: { owner: b32, signatureData: option(SignatureData) },
  Frozen: {},
});
export type StorageType = Decoded<typeof StorageType>;

/** How concurrent changes of an entity merge. The strings are Rust type names. From 1 byte. */
export const CrdtType = enumOf("CrdtType", {
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
export type CrdtType = Decoded<typeof CrdtType>;

/** Times (nanoseconds of the host's clock), owner and kind of an entity. From 19 bytes. */
export const Metadata = struct("Metadata", {
  createdAt: u64,
  updatedAt: u64,
  storageType: StorageType,
  crdtType: option(CrdtType),
  fieldName: option(str),
});
export type Metadata = Decoded<typeof Metadata>;

/** An entity as its parent knows it. From 83 bytes. */
export const ChildInfo = struct("ChildInfo", { id: b32, merkleHash: b32, metadata: Metadata });
export type ChildInfo = Decoded<typeof ChildInfo>;
