/** Operations of namespaces and contexts in one form since core-1.0. */
import {
  b32,
  b64,
  type Codec,
  type EnumOf,
  enumOf,
  map,
  option,
  seconds,
  str,
  struct,
  type UntaggedOf,
  u8,
  u32,
  u64,
  untagged,
  vec,
} from "../codec/index.js";
import { accountChain, DeviceCert } from "./account.js";
import { HybridTimestamp } from "./hybrid-timestamp.js";
import { GroupMemberRole } from "./member-role.js";
import { Authorship, Op011, opPayloads011 } from "./unified-op-011.js";

const group = {
  /** The group's id, 32 bytes. */
  group: b32,
} as const;

const role = {
  /** The member's role. */
  role: GroupMemberRole,
} as const;

const writers = map(b32, u8);

/** Tags 0 to 21. */
const plain = {
  ...opPayloads011,
  /** Changes the writers of a shared entity. */
  SetWriters: {
    ...opPayloads011.SetWriters,
    /** The writers by account id, each with a mask of `WriterBit`. */
    writers,
  },
  /** Adds a member to a group. */
  MemberAdded: { ...opPayloads011.MemberAdded, ...role },
  /** Adds a member to a group, with a device of the member's account. */
  MemberJoinedWithDevice: { ...opPayloads011.MemberJoinedWithDevice, ...role },
  /** A device no longer acts for some applications. */
  DeviceDescoped: {
    /** The account's id, 32 bytes. */
    account: b32,
    /** The device's id, 32 bytes. */
    device: b32,
    /** Number of the scope: a higher one replaces the device's earlier ones. */
    scopeEpoch: u32,
  },
  /** Sets which machines may write. */
  TeeAuthoringPolicySet: {
    ...group,
    /** Allowed values of MRTD, in hex. */
    allowedMrtd: vec(str),
  },
  /** A machine proved that it may write. */
  TeeAuthorityEvidence: {
    ...group,
    /** The machine's account id, 32 bytes. */
    member: b32,
    /** The key that its quote is about: Ed25519 public key, 32 bytes. */
    attestedKey: b32,
    /** MRTD of the machine, in hex. */
    mrtd: str,
    /** When its quote was made, in Unix seconds. */
    attestedAt: seconds(u64),
  },
} as const;

const rotated = {
  /** The writers of an entity of a context change. */
  SharedWritersRotated: {
    /** The context's id, 32 bytes. */
    context: b32,
    /** The entity's id, 32 bytes. */
    cell: b32,
    /** The writers before, by account id, each with a mask of `WriterBit`. */
    priorWriters: writers,
    /** Number of the change. */
    nonce: u64,
    /** The writers from then on. */
    newWriters: writers,
  },
} as const;

function around<T>(carried: Codec<T>) {
  return {
    ...plain,
    /** An operation that seats a machine which acts for others. */
    RelaySeated: {
      /** The effect of the operation. */
      carried,
      ...group,
      /** The machine's account id, 32 bytes. */
      relay: b32,
      /** Bit mask of `Capability`. */
      capabilities: u32,
      /** The machine's device, or null. */
      device: option(
        struct("RelayDevice", {
          ...accountChain,
          /** The certificate of the device. */
          cert: DeviceCert,
        }),
      ),
      /** Id of the machine that it takes the role of, 32 bytes, or null. */
      teeRoleFrom: option(b32),
    },
    /** An operation that the owner's root key consented to. */
    RootGuarded: {
      /** The effect of the operation. */
      carried,
      ...group,
      /** The owner's account id, 32 bytes. */
      account: b32,
      /** Number of the consent. */
      counter: u64,
      ...accountChain,
    },
    ...rotated,
  } as const;
}

const UNWRAPPED = [...Array(22).keys(), 24];
const unwrappedOpPayload = { ...plain, ...rotated };
type UnwrappedOpPayload = EnumOf<typeof unwrappedOpPayload>;
const UnwrappedOpPayload: Codec<UnwrappedOpPayload> = enumOf(
  "UnwrappedOpPayload",
  unwrappedOpPayload,
  UNWRAPPED,
);

const carriedOpPayload = around(UnwrappedOpPayload);

/** The effect of an operation inside another one. From 1 byte. */
export const CarriedOpPayload: Codec<CarriedOpPayload> = enumOf("CarriedOpPayload", carriedOpPayload);
export type CarriedOpPayload = EnumOf<typeof carriedOpPayload>;

const opPayload = around(CarriedOpPayload);

/** The effect of an operation, which may carry another one, which may carry a third one. From 1 byte. */
export const OpPayload: Codec<OpPayload> = enumOf("OpPayload", opPayload);
export type OpPayload = EnumOf<typeof opPayload>;

const opLayouts = {
  /** A timestamp of 16 bytes. */
  today: struct("Op", {
    /** Id of the governance operation, or of the delta that changed the writers, 32 bytes. */
    id: b32,
    /** Id of the namespace, or of the context where writers change, 32 bytes. */
    scope: b32,
    /** Ids of the operations that it follows, 32 bytes each; none where writers change. */
    parents: vec(b32),
    /** The author. */
    authorship: Authorship,
    /** The operation's timestamp; time 0 and id 1 for governance. */
    hlc: HybridTimestamp,
    /** The effect of the operation. */
    payload: OpPayload,
    /** A hash of 32 bytes: zeros in the rows that nodes write. */
    expectedScopeRoot: b32,
    /** A signature of 64 bytes: zeros in the rows that nodes write. */
    signature: b64,
  }),
  /** A timestamp of 24 bytes. */
  "core-0.11": Op011,
};

/**
 * An operation of a namespace or a context, with a timestamp of 16 bytes as today, or of 24 bytes as in core-0.11. From 277
 * bytes.
 */
export const Op: Codec<Op> = untagged("Op", opLayouts);
export type Op = UntaggedOf<typeof opLayouts>;
