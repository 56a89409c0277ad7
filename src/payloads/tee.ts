/** Fields about trusted execution environments that operations of both revisions share. */
import { b32, bool, str, vec } from "../codec/index.js";

/** What a machine must attest to become a member: lists of allowed measurements, as hex texts. */
export const teePolicy = {
  allowedMrtd: vec(str),
  allowedRtmr0: vec(str),
  allowedRtmr1: vec(str),
  allowedRtmr2: vec(str),
  allowedRtmr3: vec(str),
  allowedTcbStatuses: vec(str),
  acceptMock: bool,
} as const;

/** What a machine attested. */
export const teeQuote = {
  quoteHash: b32,
  mrtd: str,
  rtmr0: str,
  rtmr1: str,
  rtmr2: str,
  rtmr3: str,
  tcbStatus: str,
} as const;
