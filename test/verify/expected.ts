/** The findings of verification in the fixtures, by rule and severity. Rows of real nodes have no errors. */

type Counts = Readonly<Record<string, number>>;

/** A program wrote these rows by the document: ids inside deltas are made up, a Meta row is not a context. */
const documented: Counts = { "other-version infos": 1, "same-id errors": 12 };

/**
 * The node's crates wrote this: two applications known by registration only, a context without its application, a
 * deleted context and a deleted group, administrators without a member row, identities in namespaces without signing
 * keys, and one in a context that is not a member's; by hand, planted rows that no operation makes, or makes otherwise,
 * and a removed name.
 */
const core010: Counts = {
  "application-blobs infos": 2,
  "context-application warnings": 1,
  "left-behind infos": 2,
  "group-there infos": 4,
  "group-admin infos": 3,
  "row-without-operation errors": 5,
  "row-without-operation warnings": 2,
  "operation-without-row errors": 1,
  "row-differs-from-operation errors": 1,
  "operation-not-replayed infos": 7,
  "identity-device infos": 1,
  "identity-member infos": 2,
  // An application that an operation registered without a source.
  "value-accepted errors": 1,
};

/**
 * Likewise; also group keys as older candidates wrote them, a collection inside another, a deleted group that is still
 * below its parent, contexts that were not joined, and work to do. Rows planted by hand: a group with an owner who is
 * not a member, numbers of operations without a log, names and rights for contexts of other groups, an account that an
 * unknown one vouched for, and a device that waits for a new key although nobody revoked it; a context whose code is
 * not a blob, and a namespace to which an account of zeros invited the node.
 */
const core011: Counts = {
  "row-canonical infos": 2,
  "application-blobs infos": 2,
  "context-code warnings": 1,
  "context-application warnings": 1,
  "left-behind infos": 6,
  "deleted-children infos": 1,
  // A context whose state has not come.
  "state-from-deltas infos": 1,
  "group-chain warnings": 1,
  "group-there infos": 3,
  "group-admin infos": 1,
  "group-admin warnings": 1,
  "context-joined infos": 2,
  "context-member infos": 2,
  "context-metadata warnings": 1,
  "nonce-log warnings": 2,
  "revoked-device warnings": 1,
  "endorsed-account warnings": 1,
  "namespace-inviter warnings": 1,
  "work-to-do infos": 8,
  "row-without-operation errors": 2,
  "row-without-operation warnings": 1,
  "row-differs-from-operation errors": 4,
  "operation-not-replayed infos": 8,
};

/** Values filled at random, with no relation between rows. */
const everyKind: Counts = {
  "row-decodes errors": 3,
  "row-canonical infos": 5,
  "same-id errors": 33,
  "chunk-id errors": 4,
  "blob-id errors": 3,
  "blob-chunks errors": 7,
  "chunk-used infos": 2,
  "blob-refs infos": 1,
  "application-blobs warnings": 34,
  "context-code warnings": 5,
  "context-code infos": 6,
  "bundle-id errors": 5,
  "module-id infos": 1,
  "context-application warnings": 5,
  "context-config errors": 11,
  "context-id infos": 2,
  "root-hash errors": 5,
  "left-behind infos": 68,
  "context-there errors": 6,
  "context-there warnings": 5,
  "delta-id errors": 4,
  "delta-parents errors": 1,
  "delta-parent-there warnings": 10,
  "delta-heads errors": 4,
  "delta-signature errors": 3,
  "action-signature warnings": 3,
  "sorted-key errors": 6,
  "context-group errors": 12,
  "group-parent errors": 12,
  "group-chain warnings": 12,
  "group-there errors": 81,
  "group-there warnings": 5,
  "group-there infos": 42,
  "group-admin errors": 9,
  "group-admin infos": 1,
  "member-capability errors": 6,
  "used-invitation errors": 6,
  "removed-member errors": 5,
  "removed-member warnings": 11,
  "member-context infos": 12,
  "context-member infos": 12,
  "context-metadata warnings": 1,
  "context-joined infos": 5,
  "identity-key errors": 3,
  "group-key-id errors": 6,
  "group-log-sequence errors": 12,
  "group-operation-version errors": 6,
  "group-operation-signature warnings": 6,
  "signer-nonce errors": 6,
  "nonce-window errors": 2,
  "nonce-log errors": 5,
  "namespace-part errors": 9,
  "part-there warnings": 5,
  "namespace-inviter warnings": 12,
  "namespace-operation-id errors": 2,
  "namespace-operation-version errors": 2,
  "namespace-operation-signature errors": 2,
  "namespace-heads errors": 12,
  "namespace-parents warnings": 9,
  "namespace-sequence warnings": 4,
  "unified-operation errors": 2,
  "node-key errors": 1,
  "node-account errors": 2,
  "device-account errors": 6,
  "account-endorser errors": 6,
  "account-root errors": 1,
  "work-to-do infos": 18,
  "value-accepted errors": 6,
  "row-without-operation errors": 35,
  "row-without-operation warnings": 96,
  "row-without-operation infos": 18,
  "operation-without-row errors": 9,
  "row-differs-from-operation errors": 1,
  "operation-not-replayed infos": 5,
};

/** Nodes that joined the lobby by a snapshot, and kept no checkpoint of it. */
const joined011: Counts = {
  "delta-parent-applied warnings": 3,
  "deleted-children infos": 2,
  "delta-names-what-it-saw warnings": 3,
  "base-hash infos": 1,
};

export const findings: Readonly<Record<string, Counts>> = {
  "documented/log-and-tables": documented,
  "documented/tables": documented,
  "core-0.10/log-and-tables": core010,
  "core-0.10/tables": core010,
  // Groups made by an operation on the namespace have an administrator without a member row.
  "core-0.10/node-a": { "group-admin infos": 2, "delta-names-what-it-saw warnings": 35 },
  // The module was fetched from the other node.
  "core-0.10/node-b": {
    "module-id infos": 1,
    "group-admin infos": 3,
    "delta-names-what-it-saw warnings": 35,
  },
  "core-0.11/log": core011,
  "core-0.11/log-and-tables": core011,
  "core-0.11/tables": core011,
  "core-0.11/every-kind-log": everyKind,
  "core-0.11/every-kind-tables": everyKind,
  // Collections inside others, or deleted with the entry around them.
  "core-0.11/node-a": { "deleted-children infos": 20, "delta-names-what-it-saw warnings": 3 },
  "core-0.11/node-a-live": { "deleted-children infos": 20, "delta-names-what-it-saw warnings": 3 },
  // Three deltas were applied although a parent still waits.
  "core-0.11/node-b": joined011,
  "core-0.11/node-c": joined011,
};

const never = ["empty-blob", "bundle-id", "member-context", "context-member"];
/** The rule that has nothing to check if a node took over no state. */
const noBase = "base-hash";
const never010 = [...never, "group-parent", "group-tree", "group-chain", "upgrade-counts", "member-key"];
const never011 = [...never, "identity-key", "revoked-device", "work-to-do"];
const noSignedActions = ["action-signature", "action-nonce"];

const neverOfJoined = [
  ...never011,
  "identity-device",
  ...noSignedActions,
  "module-id",
  "sorted-index",
  "sorted-key",
  "created-group-key",
];

/** The rules that have nothing to check in rows of real nodes; all other rules have. */
export const idle: Readonly<Record<string, readonly string[]>> = {
  "core-0.10/node-a": [...never010, noBase, "invitation-signature", "group-key-envelope"],
  // The node applied no operation on a group itself, so its logs are empty.
  "core-0.10/node-b": [
    ...never010,
    ...noSignedActions,
    "group-log-sequence",
    "group-log-heads",
    "group-operation-version",
    "group-operation-signature",
    "signer-nonce",
    "group-key-envelope",
    "group-state-hash",
    "logged-operation",
    "operation-not-logged",
    "group-log-order",
    "identity-device",
  ],
  "core-0.11/node-a": [...never011, noBase, "used-invitation", "namespace-inviter"],
  "core-0.11/node-a-live": [...never011, noBase, "used-invitation", "namespace-inviter"],
  "core-0.11/node-b": neverOfJoined,
  "core-0.11/node-c": neverOfJoined,
};
