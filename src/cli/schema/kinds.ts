/** The purpose and the writer of each kind of row. */

/** The writers, each as a sentence. */
const WRITERS = {
  operation:
    "Every node of the group writes it when it applies a governance operation, so all nodes have the same.",
  log: "Every node writes it for each governance operation that it makes or receives.",
  delta: "Every node of the context writes it when it applies a delta, its own or one that it received.",
  key: "The node writes it when it makes the key, or gets it from another member.",
  sync: "The node writes it when it creates, joins or syncs the context.",
  local: "This node alone writes it, and sends it to no other node.",
  application: "The node writes it when an application is installed or upgraded.",
  person: "The node writes it when its user asks for it (merod or meroctl).",
} as const;

type WriterKind = keyof typeof WRITERS;

/** The purpose of a kind, in one sentence, and its writer. */
const KINDS: Readonly<Record<string, readonly [purpose: string, writer: WriterKind]>> = {
  AbsorbBufferKey: ["A delta that waits until this node has the newer application that made it.", "local"],
  Alias: ["A name that the user gave to a context, an identity or an application.", "person"],
  ApplicationMeta: ["An installed application: its package, version, size, source and blobs.", "application"],
  ApplicationPreviousBlob: ["The blob that an application ran before its upgrade.", "application"],
  BlobMeta: ["A blob, or one chunk of it: its size, hash and chunks.", "application"],
  BlobOwner: ["A context for which this node keeps a blob.", "local"],
  ContextActivatedBlob: ["The blob that a context has activated.", "local"],
  ContextActivatedStateVersion: ["The version of the state that a context has activated.", "local"],
  ContextAuthoredRemaining: ["How many authored entities of a context remain to be handled.", "local"],
  ContextBlob: ["A blob of a context.", "delta"],
  ContextConfig: ["The revision counters of a context's application and members.", "sync"],
  ContextDagDelta: ["A causal delta: the changes of one call, their parents and their time.", "delta"],
  ContextExecutingBlob: ["The blob that a context runs.", "local"],
  ContextGroupRef: ["The group that a context belongs to.", "operation"],
  ContextIdentity: ["An identity in a context; for this node's own with its private key.", "sync"],
  ContextLeftMarker: ["Marks a member who has left a context.", "local"],
  ContextMeta: [
    "A context: its application, the root hash of its state, and the heads of its deltas.",
    "delta",
  ],
  ContextMigrationFailed: ["Marks a context whose state failed to migrate.", "local"],
  ContextPrivateState: ["An entry of the state that an application keeps on this node only.", "local"],
  ContextResyncRequested: ["Marks a context that must sync again.", "local"],
  ContextServiceName: ["The service of the application that a context runs.", "operation"],
  ContextState: ["An entry of a context's shared state.", "delta"],
  ContextWarrantNonce: ["The nonces of warrants that an author's device used in a context.", "delta"],
  Generic: ["Data of the node without a column family of its own; the scope says what.", "local"],
  GroupAccountDevice: ["A device of an account in a namespace, with the account's proof.", "operation"],
  GroupAccountDeviceLabel: ["The name of a device of an account.", "operation"],
  GroupAccountDeviceRevocation: [
    "A device that its account revoked in a namespace, with the account's proof.",
    "operation",
  ],
  GroupAccountEndorser: ["Records that a member vouched for an account.", "operation"],
  GroupAccountKey: ["The current root key of an account.", "operation"],
  GroupAccountNamespace: ["A namespace in which an account takes part.", "operation"],
  GroupAlias: ["The name of a group.", "operation"],
  GroupChildIndex: ["A child of a group.", "operation"],
  GroupConsumedInvitation: ["Records a used invitation, so that nobody can use it again.", "operation"],
  GroupContextAlias: ["The name of a context in its group.", "operation"],
  GroupContextIndex: ["A context of a group.", "operation"],
  GroupContextLastMigration: ["The migration that a context of the group ran last.", "operation"],
  GroupContextMemberCap: ["What a member may do in one context, as a bit mask.", "operation"],
  GroupContextMetadata: ["Name and data of a context in its group.", "operation"],
  GroupDefaultCaps: ["What new members of a group may do, as a bit mask.", "operation"],
  GroupDefaultVis: ["Who sees new contexts of a group.", "operation"],
  GroupDeniedMember: ["An account that was removed from a group.", "operation"],
  GroupDeviceBinding: ["A device of a member's account, with its keys.", "operation"],
  GroupDeviceScopeFloor: ["The least epoch that the scope of a device may have.", "operation"],
  GroupFleetCompletion: ["When all nodes of a group had upgraded.", "operation"],
  GroupInheritedDeniedMember: ["An account that is denied in all groups below this one.", "operation"],
  GroupKeyEntry: ["A shared key that encrypts what the members of a group send each other.", "key"],
  GroupLocalGovNonce: ["The last nonce of a signer of governance operations.", "operation"],
  GroupLocalGovNonceWindow: ["The nonces of a signer of governance operations that were used.", "operation"],
  GroupMember: [
    "A member of a group and its role; for this node's own membership with its keys.",
    "operation",
  ],
  GroupMemberAlias: ["The name of a member in a group.", "operation"],
  GroupMemberByAccount: ["A member of a group, found by account.", "operation"],
  GroupMemberCapability: ["What a member may do in a group, as a bit mask.", "operation"],
  GroupMemberContext: ["The identity that a member has inside a context.", "operation"],
  GroupMemberIndexBackfilled: ["Marks that all members can be found by account.", "local"],
  GroupMemberMetadata: ["Name and data of a member in a group.", "operation"],
  GroupMeta: ["A group: its target application, owner, admin and settings.", "operation"],
  GroupMetadata: ["Name and data of a group.", "operation"],
  GroupOpHead: ["The last sequence number and the heads of a group's operations.", "log"],
  GroupOpLog: ["An operation of a group's log, signed, at its place in the log.", "log"],
  GroupOwnerOpCounter: ["How many operations the owner of a group authorized.", "operation"],
  GroupParentRef: ["The parent of a group.", "operation"],
  GroupPendingDeviceRotation: ["Marks a group key that must change because a device is gone.", "local"],
  GroupPendingKeyRotation: ["Marks a group key that must change because an account left.", "local"],
  GroupReentryBlock: ["An account that must not come back by itself, and why.", "operation"],
  GroupRevokedDevice: ["A device that was revoked.", "operation"],
  GroupRevokedSigner: ["A signing key that was revoked.", "operation"],
  GroupSignerAccount: ["The account of a signing key.", "operation"],
  GroupSignerDevice: ["The device of a signing key.", "operation"],
  GroupSigningKey: ["A key with which this node signs for a group.", "local"],
  GroupSubgroupVis: ["Who sees a subgroup.", "operation"],
  GroupUpgradeKey: ["The last or running upgrade of a group's application.", "operation"],
  GroupUpgradeLadder: ["The versions of the application that a group went through.", "operation"],
  NamespaceBootstrapInviter: ["Who invited this node into a namespace.", "local"],
  NamespaceGovHead: ["The last sequence number and the heads of a namespace's operations.", "log"],
  NamespaceGovOp: ["A governance operation of a namespace, as it was sent.", "log"],
  NamespaceIdentity: ["The keys of this node in a namespace.", "local"],
  NamespaceParticipation: ["Marks a namespace that this node takes part in.", "local"],
  NodeAccountDeviceCert: ["A device of this node's account, with its certificate.", "local"],
  NodeAccountNamespace: ["The namespace of this node's account.", "local"],
  NodeAccountRoot: ["The root key of this node's account.", "local"],
  NodeDeviceCertificate: ["The certificate of this node's device.", "local"],
  NodeDeviceIdentity: ["This node as a device of its account.", "local"],
  NodeIdentity: ["The key pair of this node.", "local"],
  NodeRevokedFrom: ["The account that revoked this node's device.", "local"],
  PendingSelfPurge: ["A namespace that this node left and must still forget.", "local"],
  ScopeUnifiedOp: ["An operation of a namespace or context, in the log that both share.", "log"],
  SearchDirty: ["Changed entities that the search index of a context does not have yet.", "local"],
  SearchDirtyCounter: ["The last sequence number in the queue of a context's search index.", "local"],
  SearchIndex: ["A chunk of a file of a context's search index.", "local"],
  SnapshotStage: ["An entry of a context's state from a snapshot that is not installed yet.", "sync"],
  SortedIndex: ["An entry of a sorted collection, in the collection's order.", "delta"],
  SortedIndexMeta: ["Marks a sorted collection whose index is built.", "delta"],
};

/** The purpose and the writer of a kind of row. */
export interface KindExplanation {
  readonly purpose: string;
  readonly writer: string;
}

/** Explains a kind. Undefined for a kind that no schema has. */
export function explainKind(kind: string): KindExplanation | undefined {
  if (!Object.hasOwn(KINDS, kind)) return undefined;
  const [purpose, writer] = KINDS[kind] as (typeof KINDS)[string];
  return { purpose, writer: WRITERS[writer] };
}
