/** Fields about trusted execution environments that operations share. */
import { b32, bool, bytes, names, option, seconds, str, u64, vec } from "../codec/index.js";
import { JoinAccountCredential } from "./account.js";

/** The attestation that a machine needs to become a member: lists of allowed measurements, as hex texts. */
export const teePolicy = {
  /** Allowed values of MRTD, in hex. */
  allowedMrtd: vec(str),
  /** Allowed values of RTMR 0, in hex. */
  allowedRtmr0: vec(str),
  /** Allowed values of RTMR 1, in hex. */
  allowedRtmr1: vec(str),
  /** Allowed values of RTMR 2, in hex. */
  allowedRtmr2: vec(str),
  /** Allowed values of RTMR 3, in hex. */
  allowedRtmr3: vec(str),
  /** Allowed TCB statuses. */
  allowedTcbStatuses: vec(str),
  /** True if mock attestations are accepted. */
  acceptMock: bool,
} as const;

/** The attestation of a machine. */
export const teeQuote = {
  /** Hash of the quote, 32 bytes. */
  quoteHash: b32,
  /** MRTD of the machine, in hex. */
  mrtd: str,
  /** RTMR 0 of the machine, in hex. */
  rtmr0: str,
  /** RTMR 1 of the machine, in hex. */
  rtmr1: str,
  /** RTMR 2 of the machine, in hex. */
  rtmr2: str,
  /** RTMR 3 of the machine, in hex. */
  rtmr3: str,
  /** TCB status of the machine. */
  tcbStatus: str,
} as const;

/** The member that a machine becomes: a copy of the group, or one that acts for others. */
const mode = names("TeeMode", ["Replica", "Relay"]);

/** The evidence of a machine: a quote that others can check. */
const evidence = {
  /** The quote of the machine. */
  quote: bytes,
  /** The data that is needed to check the quote, or null. */
  collateral: option(bytes),
  /** When it was made, in Unix seconds. */
  attestedAt: seconds(u64),
} as const;

const releasePolicy = {
  /** Names of the allowed profiles of images. */
  allowedProfiles: vec(str),
  /** The oldest release that is allowed, or null. */
  minRelease: option(str),
  /** Allowed TCB statuses. */
  allowedTcbStatuses: vec(str),
  /** True if mock attestations are accepted. */
  acceptMock: bool,
} as const;

/** An admin sets which machines may write. */
const authoringPolicy = {
  /** Allowed values of MRTD, in hex. */
  allowedMrtd: vec(str),
} as const;

/** The operations on a group about machines since core-1.0: tags 33 to 38. Their last field depends on the layout. */
export const teeOps = {
  /** An admin sets which machines may write. */
  TeeAuthoringPolicySet: authoringPolicy,
  /** A machine proves that it may write. */
  TeeAuthorityEvidence: {
    /** The machine's account id, 32 bytes. */
    member: b32,
    /** The key that the quote is about: Ed25519 public key, 32 bytes. */
    attestedKey: b32,
    ...evidence,
    /** The certificate of the machine's key, with the proof of its account. */
    credential: JoinAccountCredential,
  },
  /** An admin sets which releases of machines may join. */
  TeeReleaseAdmissionPolicySet: releasePolicy,
  /** A machine gets the key of the vault. */
  TeeVaultKeyDelivered: {
    /** Id of the vault's key, 32 bytes. */
    vaultKey: b32,
    /** The machine's public key, 32 bytes. */
    recipientKey: b32,
    /** The vault's key for the machine. */
    envelope: bytes,
  },
  /** An admin sets which machines may join, and the mode of the member. */
  TeeAdmissionPolicySetV2: {
    ...teePolicy,
    /** The new mode of the machine. */
    mode,
  },
  /** An admin sets which releases of machines may join, and the mode of the member. */
  TeeReleaseAdmissionPolicySetV2: {
    ...releasePolicy,
    /** The new mode of the machine. */
    mode,
  },
} as const;

/** The fields of {@link teeOps}.TeeAuthorityEvidence before group schema 16. */
export const earlierEvidence = {
  /** The machine's account id, 32 bytes. */
  member: b32,
  /** The key that the quote is about: Ed25519 public key, 32 bytes. */
  attestedKey: b32,
  ...evidence,
} as const;

/** The founder of a group lets a machine act for others: tag 41. */
export const foundingRelay = {
  /** The certificate of the machine's key, with the proof of its account. */
  credential: JoinAccountCredential,
  ...evidence,
  /** Version of the machine's release. */
  releaseVersion: str,
  /** Name of the profile of its image. */
  profile: str,
  /** True if the attestation is a mock. */
  acceptMock: bool,
} as const;
