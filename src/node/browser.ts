/** A node in a browser: everything except `openNode`, which opens folders. */

export type { OperationRevision } from "../payloads/index.js";
export { capabilityNames, contextCapabilityNames } from "./capabilities.js";
export type { ContextDetails, ContextFacts, ContextRows, ContextSummary } from "./contexts.js";
export type { Hit, Searched } from "./find.js";
export type { GroupDetails, GroupKeyFacts, LogFacts, UpgradeFacts } from "./group-details.js";
export type { GroupNode } from "./groups.js";
/** @internal */
export { hasAccounts } from "./has-accounts.js";
export { collectDescendantGroups, resolveNamespace } from "./hierarchy.js";
/** @internal */
export { withHistory } from "./histories.js";
export type { Delta, DeltaAction } from "./history/delta.js";
export type { DeltaEvent } from "./history/events.js";
export { type GraphOptions, graphId, type HistoryGraph, RowMark } from "./history/graph.js";
export { deltaToJson, operationFields, operationToJson, thingToJson } from "./history/json.js";
export type { HistoryOptions, Linked } from "./history/namespace-log.js";
export type { Operation, TimeBounds } from "./history/operation.js";
/** @internal */
export { NothingCalledSo } from "./ids.js";
export type { Joining, Origins, OriginsOptions } from "./joinings.js";
export type { Departure, Member, MemberList, Membership } from "./members.js";
/** @internal */
export { everMembers } from "./members.js";
export type { NamedReader } from "./named-reader.js";
export { type Named, type NameEntry, Names, type ThingKind } from "./names.js";
export { CalimeroNode } from "./node.js";
export { partialStore } from "./partial-engine.js";
export type { PendingWork } from "./pending-work.js";
export { type Action, type ActionName, actions, type Need } from "./permission/actions.js";
export type { Permission, PermissionQuestion, PermissionStep } from "./permission/answer.js";
export { permissionOf } from "./permission/permission.js";
export { type FoundPlace, placesIn } from "./places.js";
export type {
  HashFact,
  KeyFact,
  MemberChange,
  NotLoggedFact,
  OperationFact,
  OperationName,
  ReplayedFact,
  ReplayFact,
  RowFact,
  UnnamedGroupFact,
  UnreadableFact,
} from "./replay/index.js";
export { memberFacts, replayFacts, WRITERS, type WriterName } from "./replay/index.js";
export type { AnyGroupOp } from "./sentences/group.js";
export type { AnyRootOp } from "./sentences/root.js";
export { type Sentence, sentenceText, thingsIn } from "./sentences/sentence.js";
export { invitationInJson, type SignedThing, signedThing } from "./signed.js";
export type { LargeRow, SizeBy, SizeEntry, Sizes } from "./sizes.js";
export type { ApplicationRecord, BundleName, NamingOptions } from "./tables/applications.js";
export type { GroupRecord, GroupRecordMeta } from "./tables/groups.js";
export type { DeviceRecord } from "./tables/members.js";
export type { OwnNode } from "./tables/own.js";
export type { DamagedRange, Unread, UnreadRows } from "./tables/unread.js";
/** @internal */
export { noteUnreadState } from "./tables/unread-state.js";
export { hexRange, type IdRange, startsAsTyped, typedBytes, wholeId } from "./typed-id.js";
