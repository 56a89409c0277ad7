/** A sentence for each operation on a group, of all revisions. A kind without one does not compile. */
import { fromHex } from "../../bytes/hex.js";
import type { GroupOp, GroupOp010, GroupOp011, GroupOpEarlier, UpgradePolicy } from "../../payloads/index.js";
import { capabilityNames, contextCapabilityNames } from "../capabilities.js";
import type { Named } from "../names.js";
import { utf8Text } from "../text.js";
import { plural, quote, type Sentence, type Speaker, say } from "./sentence.js";
import { teeSentences } from "./tee.js";

/** An operation on a group of any revision. */
export type AnyGroupOp = GroupOp | GroupOpEarlier | GroupOp011 | GroupOp010;

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
  TargetApplicationSet: (op, by) =>
    say`${by.actor} set the application of ${by.group} to ${by.applicationOf(op.targetApplicationId, op.appKey)}${releaseText(op)} (code ${by.blobOf(op.appKey)})`,
  ContextRegistered: (op, by) => contextRegistered(op, by.actor, by),
  ContextRegisteredOnBehalf: (op, by) => {
    const { authorAccount } = op.delegation.warrant;
    const name = op.name === null ? "" : `, named ${quote(op.name)}`;
    return say`${contextRegistered(op, by.memberOf(authorAccount), by)}${name} (signed by ${by.actor} on behalf)`;
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
  ...teeSentences,
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
    return say`${by.actor} upgraded ${by.group} and its subgroups from code ${by.blobOf(op.fromAppKey)} to ${by.applicationOf(op.targetApplicationId, op.appKey)}${releaseText(op)} (code ${by.blobOf(op.appKey)}, state version ${op.toStateVersion}${migration})`;
  },
  GroupKeyRotated: ({ departed }, by) =>
    say`${by.actor} changed the key of ${by.group} after ${by.memberOf(departed)} left`,
  GroupKeyRotatedForDevice: ({ device }, by) =>
    say`${by.actor} changed the key of ${by.group} after device ${by.deviceOf(device)} was revoked`,
  AccountDeviceLinked: (op, by) => {
    const scope = "scope" in op ? scopeText(op.scope.statement.applications, by) : [];
    return say`${by.memberOf(op.cert.account)} linked device ${by.deviceOf(op.cert.device)} in ${by.group}${scope}, endorsed by ${by.signerOf(op.endorsement.member)}`;
  },
  AccountDeviceUnlinked: ({ account, device, proof }, by) =>
    say`${by.actor} revoked device ${by.deviceOf(device)} of ${by.memberOf(account)} in ${by.group}${proof === null ? "" : " with the account's proof"}`,
  AccountKeysRotated: ({ handoff }, by) =>
    say`${by.memberOf(handoff.account)} changed the root key of the account (epoch ${handoff.fromEpoch + 1})`,
  AccountDeviceCertified: ({ credential, scope }, by) => {
    const { account, device } = credential.statement;
    return say`${by.memberOf(account)} announced device ${by.deviceOf(device)} in ${by.group}${scopeText(scope.statement.applications, by)}`;
  },
  AccountNamespaceGained: ({ namespace, application }, by) =>
    say`${by.actor} noted in ${by.group} that the account is in namespace ${by.groupOf(namespace)}${application === null ? [] : say` for ${by.applicationOf(application)}`}`,
  AccountNamespaceLeft: ({ namespace }, by) =>
    say`${by.actor} noted in ${by.group} that the account left namespace ${by.groupOf(namespace)}`,
  AccountDeviceDescoped: (op, by) => {
    const { account, device, scope } = op;
    const withdrawn =
      "application" in op && op.application !== null ? say` from ${by.applicationOf(op.application)}` : [];
    return say`${by.actor} withdrew device ${by.deviceOf(device)} of ${by.memberOf(account)}${withdrawn} in ${by.group}${scopeText(scope.statement.applications, by)}`;
  },
  AccountDeviceLabelled: ({ account, device, label, labelEpoch, rootProof }, by) =>
    say`${by.actor} named device ${by.deviceOf(device)} of ${by.memberOf(account)} ${quote(label)} in ${by.group} (name ${labelEpoch}${rootProof === null ? "" : ", with the account's proof"})`,
  OnBehalf: ({ op, delegation: { warrant } }, by) =>
    say`${groupSentence(op, { ...by, actor: by.memberOf(warrant.authorAccount) })} (signed by ${by.actor} on behalf)`,
  RootGuarded: ({ op, proof }, by) =>
    say`${groupSentence(op, by)} (with the consent of the root key of ${by.memberOf(proof.statement.account)})`,
  SharedWritersRotated: ({ context, cell, priorWriters, newWriters, nonce }, by) =>
    say`${by.actor} changed the writers of entity ${by.blobOf(cell)} of context ${by.contextOf(context)} in ${by.group} from ${writersText(priorWriters, by)} to ${writersText(newWriters, by)} (change ${String(nonce)})`,
};

/** The effect of an operation on a group, in words. */
export function groupSentence(op: AnyGroupOp, by: Speaker): Sentence {
  return (sentences[op.kind] as (op: AnyGroupOp, by: Speaker) => Sentence)(op, by);
}

/** The kinds of operations on a group that have a sentence: all of all revisions. */
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

type Registered = Extract<AnyGroupOp, { readonly kind: "ContextRegistered" | "ContextRegisteredOnBehalf" }>;

function contextRegistered(op: Registered, actor: Named, by: Speaker): Sentence {
  const service = "serviceName" in op && op.serviceName !== null ? `, service ${quote(op.serviceName)}` : "";
  const source = op.source === "" ? "" : `, from ${quote(op.source)}`;
  return say`${actor} created context ${by.contextOf(op.contextId)} in ${by.group} with application ${by.applicationOf(op.applicationId, op.blobId)}${releaseText(op)} (code ${by.blobOf(op.blobId)})${service}${source}`;
}

/** The release that an operation names, since core-1.0. */
function releaseText(op: object): string {
  if (!("packageName" in op && "version" in op)) return "";
  return `, ${quote(String(op.packageName))} ${quote(String(op.version))}`;
}

/** The applications that a device acts for. */
function scopeText(applications: readonly Uint8Array[], by: Speaker): Sentence {
  if (applications.length === 0) return say` for no application`;
  return applications.flatMap((id, at) => say`${at === 0 ? " for " : " and "}${by.applicationOf(id)}`);
}

function writersText(writers: ReadonlyMap<string, number>, by: Speaker): Sentence {
  if (writers.size === 0) return ["nobody"];
  return [...writers].flatMap(
    ([id, mask], at) => say`${at === 0 ? "" : ", "}${by.memberOf(fromHex(id))} (mask ${mask})`,
  );
}
