/**
 * The bytes that the signature of a delta covers, not hashed: since core-1.0 Borsh of a struct that begins with its
 * domain.
 */
import { concat } from "../bytes/concat.js";
import { b32, type Codec, type EnumOf, enumOf, option, str, struct, u8, u64 } from "../codec/index.js";
import { GovernanceParentEdge } from "../payloads/delta.js";
import { HybridTimestamp, HybridTimestamp011 } from "../payloads/hybrid-timestamp.js";
import { Warrant, WarrantB } from "../payloads/warrant.js";
import { utf8 } from "./domain-digest.js";

const teeTrigger = {
  /** An event of another delta. */
  Event: {
    /** Id of that delta, 32 bytes. */
    cause: b32,
    /** The method that ran. */
    method: str,
  },
  /** A timer. */
  Timer: {
    /** The method that ran. */
    method: str,
    /** Number of the run. */
    tick: u64,
    /** Seconds between runs. */
    everySecs: u64,
  },
};

/** The event that made a trusted machine write a delta. From 37 bytes. */
export const TeeTrigger: Codec<TeeTrigger> = enumOf("TeeTrigger", teeTrigger);
export type TeeTrigger = EnumOf<typeof teeTrigger>;

const start = { domain: u8, contextId: b32, deltaId: b32, authorId: b32 } as const;
const end = { governancePosition: option(GovernanceParentEdge), hlc: HybridTimestamp } as const;

const Own = struct("OwnDelta", { ...start, ...end });
const Tee = struct("TeeDelta", { ...start, trigger: TeeTrigger, ...end });
const delegated = <T>(warrant: Codec<T>) =>
  struct("DelegatedDelta", { ...start, executorKey: b32, warrant, ...end });
const Delegated = { C: delegated(Warrant), B: delegated(WarrantB) } as const;

/** The fields that the author of a delta signs. The delta's id covers the actions. */
export interface DeltaEnvelope {
  /** The context, 32 bytes. */
  readonly contextId: Uint8Array;
  /** The delta's id, 32 bytes: see `deltaId`. */
  readonly deltaId: Uint8Array;
  /** The author's Ed25519 public key, 32 bytes. */
  readonly authorId: Uint8Array;
  /** The group operations that the author knew; null in a context without a group. */
  readonly governancePosition: GovernanceParentEdge | null;
  /** When it was made. */
  readonly hlc: HybridTimestamp;
}

/** Domain 0: a delta that its author signs with `authorId`. From 114 bytes. */
export function deltaSigningBytes(envelope: DeltaEnvelope): Uint8Array {
  return Own.encode({ domain: 0, ...envelope });
}

/** The permission for another account to make a delta. */
export type DeltaWarrant =
  | {
      /** The layout of the warrant. */
      readonly kind: "C";
      /** The warrant. */
      readonly warrant: Warrant;
    }
  | {
      /** The layout of the warrant. */
      readonly kind: "B";
      /** The warrant. */
      readonly warrant: WarrantB;
    };

/** Domain 1: a delta that another account made and signed with `executorKey`. */
export function delegatedDeltaSigningBytes(
  envelope: DeltaEnvelope,
  executorKey: Uint8Array,
  leave: DeltaWarrant,
): Uint8Array {
  const fields = { domain: 1, ...envelope, executorKey };
  return leave.kind === "C"
    ? Delegated.C.encode({ ...fields, warrant: leave.warrant })
    : Delegated.B.encode({ ...fields, warrant: leave.warrant });
}

/** Domain 2: a delta that a trusted machine made, with its trigger. */
export function teeDeltaSigningBytes(envelope: DeltaEnvelope, trigger: TeeTrigger): Uint8Array {
  return Tee.encode({ domain: 2, ...envelope, trigger });
}

const fields = {
  contextId: b32,
  deltaId: b32,
  authorId: b32,
  governancePosition: option(GovernanceParentEdge),
} as const;
const Untimed = struct("DeltaEnvelope", fields);
const Envelope = struct("DeltaEnvelope", { ...fields, hlc: HybridTimestamp011 });
const ShortEnvelope = struct("DeltaEnvelope", { ...fields, hlc: HybridTimestamp });

/** {@link DeltaEnvelope} of core-0.11. */
export interface DeltaEnvelope011 extends Omit<DeltaEnvelope, "hlc"> {
  /** When it was made. */
  readonly hlc: HybridTimestamp011;
}

const DOMAIN = utf8("calimero/delta/2");
const FIRST_DOMAIN = utf8("calimero/delta/1");

/**
 * The bytes that the author of a delta signs in core-0.11, not hashed (schema 4.5): `"calimero/delta/2" ‖ context_id
 * b32 ‖ delta_id b32 ‖ author_id b32 ‖ GovernanceParentEdge? ‖ timestamp (24)`. From 137 bytes. The key is `authorId`.
 */
export function deltaSigningBytes011(envelope: DeltaEnvelope011): Uint8Array {
  return concat(DOMAIN, Envelope.encode(envelope));
}

/**
 * The bytes that authors signed before the struct of core-1.0, newest first: as in core-0.11, with the timestamp of the
 * row, and before that `"calimero/delta/1"` without a timestamp.
 *
 * @param isShort whether the timestamp has 16 bytes
 */
export function earlierDeltaSigningBytes(
  { hlc, ...envelope }: DeltaEnvelope011,
  isShort: boolean,
): readonly Uint8Array[] {
  const timed = (isShort ? ShortEnvelope : Envelope).encode({ ...envelope, hlc });
  return [concat(DOMAIN, timed), concat(FIRST_DOMAIN, Untimed.encode(envelope))];
}
