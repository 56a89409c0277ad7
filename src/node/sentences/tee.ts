/** Sentences for operations about trusted machines. */
import type { GroupOp, GroupOp010, GroupOp011, GroupOpEarlier } from "../../payloads/index.js";

import { isoTime } from "../text.js";
import { plural, quote, type Sentence, type Speaker, say } from "./sentence.js";

type Of<K> = Extract<GroupOp | GroupOpEarlier | GroupOp011 | GroupOp010, { readonly kind: K }>;

function statusesText(statuses: readonly string[]): string {
  return statuses.length === 0 ? "" : `, TCB ${statuses.map(quote).join(", ")}`;
}

const mockText = (acceptMock: boolean): string => (acceptMock ? ", mock accepted" : "");
const modeText = (op: object): string => ("mode" in op ? ` as ${String(op.mode).toLowerCase()}` : "");
const seconds = (time: bigint): string => isoTime(time * 1000n);

type Admission = Of<"TeeAdmissionPolicySet" | "TeeAdmissionPolicySetV2">;

function admissionPolicy(op: Admission, { actor, group }: Speaker): Sentence {
  const { allowedMrtd, allowedRtmr0, allowedRtmr1, allowedRtmr2, allowedRtmr3, allowedTcbStatuses } = op;
  const lists = [allowedMrtd, allowedRtmr0, allowedRtmr1, allowedRtmr2, allowedRtmr3];
  const measurements = plural(
    lists.reduce((sum, { length }) => sum + length, 0),
    "measurement",
  );
  return say`${actor} set which TEE nodes ${group} admits${modeText(op)} (${measurements}${statusesText(allowedTcbStatuses)}${mockText(op.acceptMock)})`;
}

type Releases = Of<"TeeReleaseAdmissionPolicySet" | "TeeReleaseAdmissionPolicySetV2">;

function releasePolicy(op: Releases, { actor, group }: Speaker): Sentence {
  const profiles = op.allowedProfiles.length === 0 ? "none" : op.allowedProfiles.map(quote).join(", ");
  const release = op.minRelease === null ? "" : `, release ${quote(op.minRelease)} or later`;
  return say`${actor} set which releases of TEE nodes ${group} admits${modeText(op)} (profiles ${profiles}${release}${statusesText(op.allowedTcbStatuses)}${mockText(op.acceptMock)})`;
}

/** A sentence for each operation about trusted machines. */
export const teeSentences = {
  TeeAdmissionPolicySet: admissionPolicy,
  TeeAdmissionPolicySetV2: admissionPolicy,
  TeeReleaseAdmissionPolicySet: releasePolicy,
  TeeReleaseAdmissionPolicySetV2: releasePolicy,
  TeeAuthoringPolicySet: (
    { allowedMrtd }: Of<"TeeAuthoringPolicySet">,
    { actor, group }: Speaker,
  ): Sentence =>
    say`${actor} set which TEE nodes may write in ${group} (${plural(allowedMrtd.length, "measurement")})`,
  TeeAuthorityEvidence: (op: Of<"TeeAuthorityEvidence">, by: Speaker): Sentence =>
    say`${by.actor} proved that TEE node ${by.memberOf(op.member)} may write in ${by.group} with key ${by.signerOf(op.attestedKey)} (quote of ${plural(op.quote.length, "byte")}, made ${seconds(op.attestedAt)})`,
  TeeVaultKeyDelivered: (op: Of<"TeeVaultKeyDelivered">, by: Speaker): Sentence =>
    say`${by.actor} gave vault key ${by.blobOf(op.vaultKey)} of ${by.group} to key ${by.signerOf(op.recipientKey)}`,
  FoundingRelayAttested: (op: Of<"FoundingRelayAttested">, by: Speaker): Sentence =>
    say`${by.actor} let relay ${by.memberOf(op.credential.statement.account)} act in ${by.group} (release ${quote(op.releaseVersion)}, profile ${quote(op.profile)}, quote of ${plural(op.quote.length, "byte")}, made ${seconds(op.attestedAt)}${mockText(op.acceptMock)})`,
} as const;
