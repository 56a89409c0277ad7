/** The rows that verification cannot see: it reports no error and no warning when they are deleted, for a reason. */
export interface Unnoticed {
  /** The reason why no other row shows the deletion. */
  readonly why: string;
  /** Set if only one form of deletion goes unnoticed: of one row alone, or of all such rows together. */
  readonly only?: "one" | "all";
}

type Kinds = Readonly<Record<string, Unnoticed>>;

const byOperations = "replay cannot prove the row: no readable operation sets it";
const local = "the node keeps it for itself, and no other row refers to it";
const named = "a person gave the name, and may take it back";
const waiting = "it waits to be dealt with, and is deleted then";
const appData = "it is the application's own data, and no other row refers to it";

const tombstone = {
  why: "a node deletes what is left of a deleted entity a day later; since core-0.11 an info may tell",
};

const both: Kinds = {
  Alias: { why: named },
  "ApplicationMeta of no context": { why: "who installed the application may uninstall it" },
  "BlobMeta that no other blob, application or context names": {
    why: "who added the blob may delete it; an info names the chunks that it leaves",
  },
  "ContextDagDelta that is not a head, and that no applied delta follows": {
    why: "it waits for its parents, or its context was deleted",
  },
  "ContextIdentity of another node, or in a context without data": {
    why: "a node need not have a row for each member of a context",
  },
  "ContextIdentity of this node, one of several in the context": {
    why: "one identity of the node in a context is enough",
    only: "one",
  },
  "ContextPrivateState, data of no entity": { why: appData },
  "ContextState of a context whose state is being fetched": { why: "not all of the state is there yet" },
  "ContextState, data of no entity": { why: appData },
  "ContextState, index of what is deleted": tombstone,
  Generic: { why: local },
  "GroupKeyEntry that no operation names which this node made or applied": {
    why: "a key that encrypted nothing, or one for operations that the node has not applied, need not be there",
  },
  GroupMemberCapability: { why: byOperations },
  GroupMemberContext: { why: "no node writes such rows" },
  GroupUpgradeKey: { why: local },
};

export const unnoticed: Readonly<Record<string, Kinds>> = {
  "core-0.10": {
    ...both,
    GroupAlias: { why: named },
    GroupContextLastMigration: { why: local },
    GroupDefaultVis: { why: byOperations },
    "GroupMember who is not this node, or has a signing key": {
      why: `${byOperations}; an info tells of an administrator`,
    },
    GroupSigningKey: { why: local },
    "NamespaceIdentity without operations": { why: local },
  },
  "core-0.11": {
    ...both,
    AbsorbBufferKey: { why: waiting },
    "ApplicationPreviousBlob that no context runs": { why: local },
    "ContextActivatedBlob of a context in which the node made no change": {
      why: "without it the context runs the code that its group names",
    },
    ContextActivatedStateVersion: { why: local },
    ContextAuthoredRemaining: { why: local },
    ContextExecutingBlob: { why: "no node reads it" },
    ContextLeftMarker: { why: local },
    ContextMigrationFailed: { why: local },
    "ContextPrivateState, index": {
      why: "the entities of private state prove each other, and nothing else refers to them",
      only: "all",
    },
    "ContextPrivateState, index of what is deleted": tombstone,
    ContextResyncRequested: { why: waiting },
    ContextServiceName: { why: byOperations },
    GroupConsumedInvitation: { why: "who answers a join does not note the invitation" },
    GroupContextMemberCap: { why: byOperations },
    GroupContextMetadata: { why: byOperations },
    "GroupDefaultCaps of a subgroup": { why: byOperations },
    "GroupDeviceBinding of a device that made no operation": { why: byOperations },
    GroupFleetCompletion: { why: local },
    "GroupInheritedDeniedMember of a subgroup, or of a namespace without operations": { why: byOperations },
    "GroupLocalGovNonceWindow of a signer without logged operations": { why: byOperations },
    GroupMemberMetadata: { why: byOperations },
    GroupMetadata: { why: byOperations },
    GroupPendingDeviceRotation: { why: waiting },
    GroupPendingKeyRotation: { why: waiting },
    "GroupSubgroupVis of a group without a parent": { why: byOperations },
    GroupUpgradeLadder: { why: byOperations },
    NamespaceBootstrapInviter: { why: local },
    "NodeAccountRoot of an account that may have another device": {
      why: "a paired device has none; an info tells",
    },
    "PendingSelfPurge of no namespace that the node is in, or of one that is there": { why: waiting },
    "ScopeUnifiedOp of a context": { why: "a node that fetched a snapshot of the context has none" },
    "SortedIndex of a collection whose order is not marked as current": {
      why: "a node makes the order again when it is read",
    },
    SortedIndexMeta: { why: "a received change deletes the mark" },
  },
  "core-1.0": {
    "GroupDefaultCaps of a subgroup": { why: byOperations },
    GroupMemberIndexBackfilled: { why: local },
    GroupSignerAccount: { why: "an older node wrote none; an info tells" },
    GroupSignerDevice: { why: "an older node wrote none; an info tells" },
  },
};

/** Returns the entry of a kind; undefined if each deletion is noticed. */
export function unnoticedEntry(revision: string, kind: string): Unnoticed | undefined {
  return unnoticed[revision]?.[kind];
}

/** Returns all kinds of the list. */
export function allUnnoticed(): readonly { readonly revision: string; readonly kind: string }[] {
  return Object.entries(unnoticed).flatMap(([revision, kinds]) =>
    Object.keys(kinds).map((kind) => ({ revision, kind })),
  );
}

const HOW_MANY = { one: "one", all: "all at once" } as const;

/** Returns the list as lines of a document. */
export function unnoticedLines(): readonly string[] {
  const revisions = Object.keys(unnoticed);
  const kinds = [...new Set(allUnnoticed().map(({ kind }) => kind))].sort();
  const rows = kinds.map((kind) => {
    const of = revisions.filter((revision) => unnoticedEntry(revision, kind) !== undefined);
    const { why, only } = unnoticedEntry(of[0] as string, kind) as Unnoticed;
    return `| ${kind} | ${of.join(", ")} | ${only === undefined ? "one, or all at once" : HOW_MANY[only]} | ${why} |`;
  });
  return [
    "## Rows that may be missing",
    "",
    "Rows whose deletion leaves neither an error nor a warning, because no other row proves that they exist.",
    "`npm run test:faults -- deletions` deletes each row of the fixtures in turn, and then all rows of each kind at once, and",
    "fails when a kind that is not listed goes unnoticed, or one that is listed is noticed. The deletion of any other row, and",
    "of all rows of any other kind, is reported.",
    "",
    "| row | revision | deleted | why |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ];
}
