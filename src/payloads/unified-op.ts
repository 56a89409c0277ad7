/** Operations of namespaces and contexts in one form since core-1.0. */
import {
  b32,
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
import { rotated } from "./group-operation.js";
import { HybridTimestamp, HybridTimestamp011 } from "./hybrid-timestamp.js";
import { GroupMemberRole } from "./member-role.js";
import { Op011, op, opPayloads011 } from "./unified-op-011.js";

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
      /** Id of the machine whose role it takes, 32 bytes, or null. */
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

/** The effect of an operation. It may carry another effect, which may carry a third one. From 1 byte. */
export const OpPayload: Codec<OpPayload> = enumOf("OpPayload", opPayload);
export type OpPayload = EnumOf<typeof opPayload>;

const opLayouts = {
  /** A timestamp of 16 bytes. */
  today: op(HybridTimestamp, OpPayload),
  /** A timestamp of 24 bytes. */
  "core-0.11": Op011,
  /** A timestamp of 24 bytes, and an effect of today. */
  "earlier-24": op(HybridTimestamp011, OpPayload),
};

/**
 * An operation of a namespace or a context, with a timestamp of 16 bytes as today, or of 24 bytes as in core-0.11 and
 * later. From 277 bytes.
 */
export const Op: Codec<Op> = untagged("Op", opLayouts);
export type Op = UntaggedOf<typeof opLayouts>;
