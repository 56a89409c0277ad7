/** The accounts that may write an entity, and the signature that proves it. */
import {
  b32,
  b64,
  bool,
  Codec,
  checked,
  type Decoded,
  type EnumOf,
  enumOf,
  type Json,
  map,
  option,
  type Reader,
  struct,
  u8,
  u64,
  type Writer,
} from "../codec/index.js";

const signatureData = {
  /** Ed25519 signature by `signer` over the SHA-256 of the action, 64 bytes. */
  signature: b64,
  /** Guards against replay: equals `updatedAt` of an addition or update, `deletedAt` of a deletion. */
  nonce: u64,
  /** The device's Ed25519 public key, 32 bytes, or null. */
  signer: option(b32),
} as const;

/**
 * An Ed25519 signature over an action, its nonce, the key that signed, and the account that it is for. 74, 106 or 138
 * bytes.
 */
export const SignatureData = struct("SignatureData", {
  ...signatureData,
  /** The account for which another one wrote, 32 bytes, or null. */
  onBehalf: option(b32),
});
export type SignatureData = Decoded<typeof SignatureData>;

/** An Ed25519 signature over an action, its nonce and the key that signed, in core-0.11. 73 or 105 bytes. */
export const SignatureData011 = struct("SignatureData", signatureData);
export type SignatureData011 = Decoded<typeof SignatureData011>;

/** An Ed25519 signature over an action, and its nonce, in core-0.10. 72 bytes. */
export const SignatureData010 = struct("SignatureData", {
  /** Ed25519 signature by the owner over the SHA-256 of the action, 64 bytes; zeros in a genesis delta. */
  signature: b64,
  /** Guards against replay: equals `updatedAt` of an addition or update, `deletedAt` of a deletion. */
  nonce: u64,
});
export type SignatureData010 = Decoded<typeof SignatureData010>;

/** Bits of a writer's permissions. */
export const WriterBit = {
  /** Write the entity. Bit 0. */
  Write: 1,
  /** Delete the entity. Bit 1. */
  Delete: 2,
  /** Administer the entity. Bit 2. */
  Admin: 4,
  /** Write entries that nobody changes afterwards. Bit 3, since core-1.0. */
  WriteOnce: 8,
} as const;

/** Writers by account, each with a mask of {@link WriterBit}; other bits are an error. From 4 bytes. */
export const Writers = map(
  b32,
  checked(u8, "a mask of the bits 1, 2, 4 and 8", (mask) => mask <= 15),
);

/** Writers in core-0.11: masks have the bits 1, 2 and 4. From 4 bytes. */
export const Writers011 = map(
  b32,
  checked(u8, "a mask of the bits 1, 2 and 4", (mask) => mask <= 7),
);

/** Signature data without `onBehalf`. 73 or 105 bytes. */
class WithoutOnBehalf extends Codec<SignatureData> {
  readonly signature = SignatureData.signature;
  readonly size = SignatureData011.size;

  read(reader: Reader): SignatureData {
    return { ...SignatureData011.read(reader), onBehalf: null };
  }

  write(writer: Writer, { signature, nonce, signer }: SignatureData): void {
    SignatureData011.write(writer, { signature, nonce, signer });
  }

  show(value: SignatureData): Json {
    return SignatureData.show(value);
  }

  parse(json: Json): SignatureData {
    return SignatureData.parse(json);
  }
}

/** Rules for an owner's entry, beside the owner. 2 or 34 bytes. */
export const EntryRules = struct("EntryRules", {
  /** True if the entry is written once and never changes. */
  immutable: bool,
  /** The id of the entity whose writers may delete the entry, 32 bytes, or null. */
  moderators: option(b32),
});
export type EntryRules = Decoded<typeof EntryRules>;

function storageTypes<W, S>(writers: Codec<W>, signature: Codec<S>) {
  const signatureData = option(signature);
  return {
    /** Not guarded: it has no owner, and changes carry no signature. */
    Public: {},
    /** One account may write it. */
    User: {
      /** The owner's account id, 32 bytes. */
      owner: b32,
      /** The owner's signature, or null. */
      signatureData,
    },
    /** Nobody may change it: its key is the SHA-256 of its value. */
    Frozen: {},
    /** Several accounts may write it. */
    Shared: {
      /** The writers by account id, each with a mask of `WriterBit`. */
      writers,
      /** A writer's signature, or null. */
      signatureData,
    },
    /** The writers of another entity may write it. */
    SharedMember: {
      /** Id of the shared entity that names the writers, 32 bytes. */
      anchor: b32,
      /** A writer's signature, or null. */
      signatureData,
    },
  } as const;
}

function withRules(signature: Codec<SignatureData>) {
  const types = storageTypes(Writers, signature);
  return {
    ...types,
    /** One account may write it. */
    User: {
      ...types.User,
      /** Rules beside the owner. */
      rules: EntryRules,
    },
  } as const;
}

/** The accounts that may write an entity. Owners and writers are accounts. From 1 byte. */
export const StorageType: Codec<StorageType> = enumOf("StorageType", withRules(SignatureData));
export type StorageType = EnumOf<ReturnType<typeof withRules>>;

/** The accounts that may write an entity, from nodes before 0.11.0-rc.79: signatures lack `onBehalf`. From 1 byte. */
export const StorageTypeWithoutOnBehalf: Codec<StorageType> = enumOf(
  "StorageType",
  withRules(new WithoutOnBehalf()),
);

const storageType011 = storageTypes(Writers011, SignatureData011);

/** The accounts that may write an entity in core-0.11. Owners and writers are accounts. From 1 byte. */
export const StorageType011: Codec<StorageType011> = enumOf("StorageType", storageType011);
export type StorageType011 = EnumOf<typeof storageType011>;

const storageType010 = {
  /** Not guarded: it has no owner, and changes carry no signature. */
  Public: {},
  /** One identity may write it. */
  User: {
    /** The owner's Ed25519 public key, 32 bytes. */
    owner: b32,
    /** The owner's signature, or null. */
    signatureData: option(SignatureData010),
  },
  /** Nobody may change it: its key is the SHA-256 of its value. */
  Frozen: {},
};

/** The public keys that may write an entity in core-0.10. Owners are public keys. 1, 34 or 106 bytes. */
export const StorageType010: Codec<StorageType010> = enumOf("StorageType", storageType010);
export type StorageType010 = EnumOf<typeof storageType010>;
