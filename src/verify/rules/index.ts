/** All rules, in the order of the relations that they check. */
import { UnknownWord } from "../../errors.js";
import type { Reference } from "../reference.js";
import type { Rule } from "../rule.js";
import { accountRules } from "./accounts.js";
import { actionNonce } from "./action-nonces.js";
import { activatedCode } from "./activated-code.js";
import { applicationRules } from "./applications.js";
import { blobRules } from "./blobs.js";
import { contextRules } from "./contexts.js";
import { createdGroupKey } from "./created-groups.js";
import { deltaGovernance } from "./delta-governance.js";
import { deltaHeads } from "./delta-heads.js";
import { deltaIdRule } from "./delta-ids.js";
import { deltaSignatureRules } from "./delta-signatures.js";
import { deltaRules } from "./deltas.js";
import { encryptedOperation } from "./encrypted-operations.js";
import { governanceRules } from "./governance.js";
import { groupLogRules } from "./group-log.js";
import { logOrder } from "./group-log-order.js";
import { groupStructureRules } from "./group-structure.js";
import { groupRules } from "./groups.js";
import { identityDevice } from "./identity-devices.js";
import { sameId } from "./ids.js";
import { keyRules } from "./keys.js";
import { namespaceRules } from "./namespaces.js";
import { nonceRules } from "./nonces.js";
import { operationKey } from "./operation-keys.js";
import { ownIdentity } from "./own-identities.js";
import { privateRows } from "./private-rows.js";
import { proofRules } from "./proofs.js";
import { contextThere, leftBehind } from "./references/contexts.js";
import { memberCapability, memberIndex, removedMember, usedInvitation } from "./references/members.js";
import { replayedStateRules } from "./replayed-states.js";
import { sortedIndexRules } from "./sorted-index.js";
import { stateRules } from "./state.js";
import { stateLayouts } from "./state-layouts.js";
import { structureRules } from "./structure.js";
import { unifiedOperationRules } from "./unified-operations.js";

/** Every rule. */
export const allRules: readonly Rule[] = [
  ...structureRules,
  sameId,
  ...blobRules,
  ...applicationRules,
  activatedCode,
  ...contextRules,
  ownIdentity,
  leftBehind,
  contextThere,
  deltaIdRule,
  ...deltaRules,
  deltaHeads,
  deltaGovernance,
  ...deltaSignatureRules,
  actionNonce,
  ...stateRules(stateLayouts),
  privateRows,
  ...sortedIndexRules,
  ...replayedStateRules,
  ...groupStructureRules,
  ...groupRules,
  identityDevice,
  memberCapability,
  memberIndex,
  usedInvitation,
  removedMember,
  ...keyRules,
  ...groupLogRules,
  logOrder,
  ...nonceRules,
  ...namespaceRules,
  ...proofRules,
  ...unifiedOperationRules,
  encryptedOperation,
  operationKey,
  createdGroupKey,
  ...accountRules,
  ...governanceRules,
];

/** A reference, with the name of the rule that checks it. */
export interface CheckedReference extends Reference {
  /** The name of the rule. */
  readonly rule: string;
}

/** All references that rules declare: the fields that name other rows. */
export const references: readonly CheckedReference[] = allRules.flatMap(({ name, references = [] }) =>
  references.map((reference) => ({ ...reference, rule: name })),
);

/** Returns the rule with a name. @throws MerostoreError `UNKNOWN_NAME` */
export function ruleOf(name: string): Rule {
  const found = allRules.find((rule) => rule.name === name);
  if (found !== undefined) return found;
  throw new UnknownWord(`there is no rule "${name}"; "verify --list" shows them all`);
}
