/** A sentence for each operation on a group, of both revisions. A kind without one does not compile. */
import type { GroupOp010, GroupOp011, UpgradePolicy } from "../../payloads/index.js";
import { capabilityNames, contextCapabilityNames } from "../capabilities.js";
import { utf8Text } from "../text.js";
import { plural, quote, type Sentence, type Speaker, say } from "./sentence.js";

/** An operation on a group of either revision. */
export type AnyGroupOp = GroupOp011 | GroupOp010;

type Sentences = {
  readonly [K in AnyGroupOp["kind"]]: (
    op: Extract<AnyGroupOp, { readonly kind: K }>,
    by: Speaker,
  ) => Sentence;
};

const sentences: Sentences = {
  Noop: (_, { actor, group }) => say`${actor} made an empty operation in ${group}`,
  MemberAdded: ({ member, role }, by) =>
    say`${by.actor} added ${by.memberOf(member)} to ${by.group} as ${role}`,
  MemberRemoved: ({ member }, by) => say`${by.actor} removed ${by.memberOf(member)} from ${by.group}`,
  MemberLeft: ({ member }, by) => say`${by.memberOf(member)} left ${by.group}`,
  MemberRoleSet: ({ member, role }, by) =>
    say`${by.actor} made ${by.memberOf(member)} ${role} in ${by.group}`,
  MemberCapabilitySet: ({ member, capabilities }, by) =>
    say`${by.actor} set the capabilities of ${by.memberOf(member)} in ${by.group} to ${capabilityNames(capabilities, by.accounts)}`,
  DefaultCapabilitiesSet: ({ capabilities }, by) =>
    say`${by.actor} set the default capabilities of ${by.group} to ${capabilityNames(capabilities, by.accounts)}`,
  UpgradePolicySet: ({ policy }, { actor, group }) =>
    say`${actor} set the upgrade policy of ${group} to ${policyText(policy)}`,
  TargetApplicationSet: ({ appKey, targetApplicationId }, by) =>
    say`${by.actor} set the application of ${by.group} to ${by.applicationOf(targetApplicationId)} (code ${by.blobOf(appKey)})`,
  ContextRegistered: (op, by) => {
    const service =
      "serviceName" in op && op.serviceName !== null ? `, service ${quote(op.serviceName)}` : "";
    const source = op.source === "" ? "" : `, from ${quote(op.source)}`;
    return say`${by.actor} created context ${by.contextOf(op.contextId)} in ${by.group} with application ${by.applicationOf(op.applicationId)} (code ${by.blobOf(op.blobId)})${service}${source}`;
  },
  ContextDetached: ({ contextId }, by) =>
    say`${by.actor} took context ${by.contextOf(contextId)} out of ${by.group}`,
  DefaultVisibilitySet: ({ mode }, { actor, group }) =>
    say`${actor} made contexts of ${group} ${visibilityText(mode)} by default`,
  SubgroupVisibilitySet: ({ mode }, { actor, group }) => say`${actor} made ${group} ${mode.toLowerCase()}`,
  ContextAliasSet: ({ contextId, alias }, by) =>
    say`${by.actor} named context ${by.contextOf(contextId)} ${quote(alias)} in ${by.group}`,
  MemberAliasSet: ({ member, alias }, by) =>
    say`${by.actor} named member ${by.memberOf(member)} ${quote(alias)} in ${by.group}`,
  GroupAliasSet: ({ alias }, { actor, group }) => say`${actor} named group ${group} ${quote(alias)}`,
  GroupMetadataSet: (op, { actor, group }) => named(say`${actor}`, say`group ${group}`, op),
  MemberMetadataSet: (op, by) =>
    named(say`${by.actor}`, say`member ${by.memberOf(op.member)}`, op, say` in ${by.group}`),
  ContextMetadataSet: (op, by) =>
    named(say`${by.actor}`, say`context ${by.contextOf(op.contextId)}`, op, say` in ${by.group}`),
  GroupDelete: (_, { actor, group }) => say`${actor} deleted group ${group}`,
  GroupMigrationSet: ({ migration }, { actor, group }) =>
    migration === null
      ? say`${actor} cancelled the migration of ${group}`
      : say`${actor} set the migration of ${group} to ${quote(utf8Text(migration))}`,
  ContextCapabilityGranted: ({ member, contextId, capability }, by) =>
    say`${by.actor} gave ${by.memberOf(member)} ${contextCapabilityNames(capability)} in context ${by.contextOf(contextId)} of ${by.group}`,
  ContextCapabilityRevoked: ({ member, contextId, capability }, by) =>
    say`${by.actor} took ${contextCapabilityNames(capability)} in context ${by.contextOf(contextId)} of ${by.group} from ${by.memberOf(member)}`,
  TeeAdmissionPolicySet: (op, { actor, group }) => {
    const { allowedMrtd, allowedRtmr0, allowedRtmr1, allowedRtmr2, allowedRtmr3, allowedTcbStatuses } = op;
    const lists = [allowedMrtd, allowedRtmr0, allowedRtmr1, allowedRtmr2, allowedRtmr3];
    const measurements = plural(
      lists.reduce((sum, { length }) => sum + length, 0),
      "measurement",
    );
    const statuses =
      allowedTcbStatuses.length === 0 ? "" : `, TCB ${allowedTcbStatuses.map(quote).join(", ")}`;
    const mock = op.acceptMock ? ", mock accepted" : "";
    return say`${actor} set which TEE nodes ${group} admits (${measurements}${statuses}${mock})`;
  },
  MemberJoinedViaTeeAttestation: ({ member, quoteHash, role }, by) =>
    say`${by.actor} admitted TEE node ${by.memberOf(member)} to ${by.group} as ${role} (quote ${by.blobOf(quoteHash)})`,
  MemberSetAutoFollow: ({ target, autoFollowContexts, autoFollowSubgroups }, by) => {
    const followed = [
      ...(autoFollowContexts ? ["contexts"] : []),
      ...(autoFollowSubgroups ? ["subgroups"] : []),
    ];
    const what = followed.length === 0 ? "nothing automatically" : followed.join(" and ");
    return say`${by.actor} set ${by.memberOf(target)} in ${by.group} to follow ${what}`;
  },
  TransferOwnership: ({ newOwner }, by) =>
    say`${by.actor} made ${by.memberOf(newOwner)} the owner of ${by.group}`,
  CascadeUpgrade: (op, by) => {
    const migration = op.migration === null ? "" : `, migration ${quote(utf8Text(op.migration))}`;
    return say`${by.actor} upgraded ${by.group} and its subgroups from code ${by.blobOf(op.fromAppKey)} to ${by.applicationOf(op.targetApplicationId)} (code ${by.blobOf(op.appKey)}, state version ${op.toStateVersion}${migration})`;
  },
  GroupKeyRotated: ({ departed }, by) =>
    say`${by.actor} changed the key of ${by.group} after ${by.memberOf(departed)} left`,
  GroupKeyRotatedForDevice: ({ device }, by) =>
    say`${by.actor} changed the key of ${by.group} after device ${by.deviceOf(device)} was revoked`,
  AccountDeviceLinked: ({ cert, endorsement }, by) =>
    say`${by.memberOf(cert.account)} linked device ${by.deviceOf(cert.device)} in ${by.group}, endorsed by ${by.signerOf(endorsement.member)}`,
  AccountDeviceUnlinked: ({ account, device, proof }, by) =>
    say`${by.actor} revoked device ${by.deviceOf(device)} of ${by.memberOf(account)} in ${by.group}${proof === null ? "" : " with the account's proof"}`,
  AccountKeysRotated: ({ handoff }, by) =>
    say`${by.memberOf(handoff.account)} changed the root key of the account (epoch ${handoff.fromEpoch + 1})`,
};

/** The effect of an operation on a group, in words. */
export function groupSentence(op: AnyGroupOp, by: Speaker): Sentence {
  return (sentences[op.kind] as (op: AnyGroupOp, by: Speaker) => Sentence)(op, by);
}

/** The kinds of operations on a group that have a sentence: all of both revisions. */
export const groupOperationKinds = Object.keys(sentences);

function named(
  actor: Sentence,
  thing: Sentence,
  { name, data }: { readonly name: string | null; readonly data: ReadonlyMap<string, string> },
  where: Sentence = [],
): Sentence {
  const fields =
    data.size === 0 ? "" : ` with ${plural(data.size, "field")} (${[...data.keys()].map(quote).join(", ")})`;
  return name === null
    ? say`${actor} removed the name of ${thing}${where}${fields}`
    : say`${actor} named ${thing} ${quote(name)}${where}${fields}`;
}

function policyText(policy: UpgradePolicy): string {
  if (policy.kind !== "Coordinated" || policy.deadline === null) return policy.kind;
  const { secs, nanos } = policy.deadline;
  return `Coordinated within ${secs}${nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`} s`;
}

function visibilityText(mode: number): string {
  return mode === 0 ? "open" : mode === 1 ? "restricted" : `of visibility ${mode}`;
}
