/** Fields about trusted execution environments that operations of both revisions share. */
import { b32, bool, str, vec } from "../codec/index.js";

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
  /** Whether mock attestations are accepted. */
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
