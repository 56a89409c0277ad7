/**
 * Benign differences: rows that each node keeps for itself, and fields that nodes record without agreeing on them. The
 * lists come from databases of nodes that share contexts, and from running the node's own crates.
 */

import type { Json } from "../codec/index.js";
import type { FieldDifference } from "./fields.js";

/** The parts of a difference that decide whether it is benign. */
export interface Difference {
  readonly kind: string | null;
  /** The differing fields of a row that both sides have. */
  readonly fields?: readonly FieldDifference[];
  /** The decoded values; undefined on a side without the row, and if they were not decoded. */
  readonly a?: Json | undefined;
  readonly b?: Json | undefined;
}

/** Kinds of rows that a node writes for itself only. */
const OWN = new Map<string, string>([
  ...[
    "ContextIdentity",
    "GroupSigningKey",
    "NamespaceIdentity",
    "NodeAccountRoot",
    "NodeDeviceIdentity",
    "NodeIdentity",
  ].map((kind) => [kind, "each node has its own keys"] as const),
  ...["Alias", "GroupAlias", "GroupMemberAlias", "GroupContextAlias"].map(
    (kind) => [kind, "each node has its own names"] as const,
  ),
  ["ContextPrivateState", "private state stays on its node"],
  ["Generic", "each node has its own settings"],
  ["SortedIndex", "built when a collection is first read in order"],
  ["SortedIndexMeta", "built when a collection is first read in order"],
  ["GroupConsumedInvitation", "kept where an invitation was used"],
  ["NamespaceBootstrapInviter", "kept where an invitation was used"],
  ["GroupOpLog", "a node logs the operations that it signed or applied, in the order of arrival"],
  ["GroupOpHead", "follows from the node's own log"],
  ["GroupLocalGovNonce", "counts what the node itself has seen"],
  ["GroupLocalGovNonceWindow", "counts what the node itself has seen"],
]);

/** Kinds of rows that one of two nodes may lack. If both have the row, its fields decide. */
const PARTIAL = new Map<string, string>([
  ["BlobMeta", "a node has the blobs that it made or fetched"],
  ["ContextActivatedBlob", "kept once the node itself made a change in the context"],
  ["ContextLeftMarker", "kept on the node that left the context"],
  ["ContextResyncRequested", "kept until the node has synced the context again"],
  ["GroupFleetCompletion", "kept once the node saw that all nodes of the group had upgraded"],
  ["GroupKeyEntry", "a node has the keys that it made or was given"],
]);

/** Fields that nodes record without agreeing on them, by kind of row. */
const NOTED: Readonly<Record<string, { readonly fields: RegExp; readonly why: string }>> = {
  ApplicationMeta: {
    fields: /^(size|source|compiled|package|version|metadata)$/,
    why: "an application is described as it was fetched or announced",
  },
  BlobMeta: { fields: /^refs$/, why: "counts how often this node stored the blob" },
  ContextDagDelta: {
    fields: /^(applied|events)$/,
    why: "each node records whether it applied a delta, and keeps the events that arose on it",
  },
  GroupContextMetadata: { fields: /^updatedAt$/, why: "the node's own clock" },
  GroupKeyEntry: { fields: /^createdAt$/, why: "the node's own clock" },
  GroupMemberMetadata: { fields: /^updatedAt$/, why: "the node's own clock" },
  GroupMeta: {
    fields: /^(createdAt|appKey|upgradePolicy.*)$/,
    why: "recorded when the group came to this node",
  },
  GroupMetadata: { fields: /^updatedAt$/, why: "the node's own clock" },
  NamespaceGovHead: { fields: /^sequence$/, why: "counts what the node itself applied" },
};

/** Returns why two correct nodes may have a difference; undefined if they should not. */
export function benignReason({ kind, fields, a, b }: Difference): string | undefined {
  if (kind === null) return undefined;
  const own = OWN.get(kind);
  if (own !== undefined) return own;
  if (fields === undefined) return PARTIAL.get(kind) ?? ofCreation(kind, a ?? b) ?? ofTombstone(kind, a ?? b);
  const noted = NOTED[kind];
  if (noted !== undefined && fields.every(({ path }) => noted.fields.test(path))) return noted.why;
  if (kind === "ContextState" && rowsAgree(a, b))
    return "the hashes agree: only what they do not cover differs, as times, signatures or an order";
  if (haveSameHeads(a, b)) return "the same heads, in the order in which the node learned of them";
  if (kind === "ContextDagDelta" && isDelta(a) && isDelta(b)) {
    if (isCheckpoint(a) !== isCheckpoint(b))
      return "one node started from a snapshot, in which a checkpoint replaces the delta";
    if (fields.every((field) => NOTED.ContextDagDelta?.fields.test(field.path) || isUnsaid(field)))
      return "a delta that came by sync has no author, signature and place in governance";
  }
  if (kind === "ApplicationMeta" && (isUnfetched(a) || isUnfetched(b)))
    return "an application that was announced and not fetched is not described";
  if (
    kind === "ApplicationMeta" &&
    fields.some(({ path }) => path === "version") &&
    fields.every(isOfVersion)
  )
    return "each node has the version of an application that it installed last";
  if (kind === "ScopeUnifiedOp" && isEncrypted(a) !== isEncrypted(b))
    return "one node has no key for the operation, or had none when it came";
  return undefined;
}

/** The reason why the name of a group may be on one side only: the node that creates a group names it without an operation. */
function ofCreation(kind: string, value: Json | undefined): string | undefined {
  if (kind !== "GroupMetadata" || !isFields(value) || !isFields(value.data)) return undefined;
  if (Object.keys(value.data).length > 0) return undefined;
  return "a name that is given when a group is created stays on the node that created it";
}

/** The reason why a row of the state may be on one side only: the trace of an entry that was deleted. */
function ofTombstone(kind: string, value: Json | undefined): string | undefined {
  const index = kind === "ContextState" ? indexIn(value) : undefined;
  if (index === undefined || index.deletedAt === null) return undefined;
  return "the trace of a deleted entry, which a node need not have";
}

/** Returns whether one side lacks a field of a delta: a node that got the delta by sync need not know it. */
function isUnsaid({ path, a, b }: FieldDifference): boolean {
  return /^(authorId|governancePositionBlob|deltaSignature)$/.test(path) && (a === null || b === null);
}

/** An application that is known by its id only, as operations announce it. */
function isUnfetched(value: Json | undefined): boolean {
  return isFields(value) && value.size === "0" && value.package === "";
}

function isOfVersion({ path }: FieldDifference): boolean {
  return /^(bytecode|stateVersion)$/.test(path) || NOTED.ApplicationMeta?.fields.test(path) === true;
}

function isEncrypted(value: Json | undefined): boolean {
  return isFields(value) && isFields(value.payload) && value.payload.kind === "Opaque";
}

type Fields = { readonly [name: string]: Json };

/** An index row of the state. Entry rows hold the application's own data. */
interface Index extends Fields {
  readonly children?: readonly Fields[] | null;
  readonly metadata: Fields;
}

function isIndex(value: Json | undefined): value is Index {
  return isFields(value) && isFields(value.metadata) && "fullHash" in value;
}

/** Returns whether two rows differ only in the order of heads, and in the number of operations that the node counts. */
function haveSameHeads(a: Json | undefined, b: Json | undefined): boolean {
  const [one, other] = [a, b].map((value) => {
    if (!isFields(value) || !Array.isArray(value.dagHeads)) return undefined;
    return { ...value, sequence: null, dagHeads: value.dagHeads.toSorted() };
  });
  return one !== undefined && isSame(one, other);
}

/** The index in a row of the state: the whole value, or since core-1.0 a part of it, beside the entity's data. */
function indexIn(value: Json | undefined): Index | undefined {
  if (isIndex(value)) return value;
  return isFields(value) && isIndex(value.index) ? value.index : undefined;
}

/** Returns whether two nodes agree on a row of the state with an index. */
function rowsAgree(a: Json | undefined, b: Json | undefined): boolean {
  const [one, other] = [indexIn(a), indexIn(b)];
  if (one === undefined || other === undefined || isIndex(a) !== isIndex(b)) return false;
  const dataOf = (value: Json | undefined) => (isIndex(value) || !isFields(value) ? undefined : value.data);
  return isSame(dataOf(a), dataOf(b)) && agree(one, other);
}

/**
 * Returns whether two nodes agree on an index row. The copies of children in a parent are not updated when the children
 * change.
 */
function agree(a: Index, b: Index): boolean {
  const areStoredAlike = storedAs(a) === storedAs(b) || isTakenOver(a, b) || isTakenOver(b, a);
  const isAlike = areStoredAlike && describedAlike(a.metadata, b.metadata) && writersAlike(a, b);
  return isAlike && agreedOf(a) === agreedOf(b) && tracesAgree(a, b);
}

/** Returns whether one node lists all deleted children that the other lists. Nodes drop them after a day. */
function tracesAgree({ deletedChildren: a }: Index, { deletedChildren: b }: Index): boolean {
  const [some, all] = [a, b]
    .map((ids) => (Array.isArray(ids) ? ids.map(String) : []))
    .sort((one, other) => one.length - other.length) as [string[], string[]];
  const listed = new Set(all);
  return some.every((id) => listed.has(id));
}

function storedAs({ metadata }: Index): string {
  const { signatureData, writers, ...stored } = metadata.storageType as Fields;
  return JSON.stringify(stored);
}

/**
 * Returns whether a node stores a frozen entity as public: it took the entity over from another node when both compared
 * their states. The type of the entity shows this (`crates/node/src/sync/hash_comparison_protocol.rs`,
 * OPAQUE_LEAF_CRDT_TYPE_NAME).
 */
function isTakenOver(
  { metadata: from }: Index,
  { metadata: { storageType, crdtType = null } }: Index,
): boolean {
  const kinds = [from.storageType, storageType].map((stored) => (stored as Fields).kind);
  return `${kinds}` === "Frozen,Public" && isFields(crdtType) && crdtType.innerType === "Opaque";
}

/**
 * The part of an index row that must be the same on both sides. A deleted entity keeps the hashes that it had on the
 * node when it was deleted, and no other hash covers them: nodes that took concurrent changes in another order have
 * other ones.
 */
function agreedOf(row: Index): string {
  const { children, metadata, deletedAt, deletedChildren: _, ownHash, fullHash, ...index } = row;
  const isDeleted = deletedAt !== null;
  const listed = (children ?? []).map(({ id, merkleHash }) => (isDeleted ? `${id}` : `${id} ${merkleHash}`));
  const hashes = isDeleted ? null : [ownHash ?? null, fullHash ?? null];
  return JSON.stringify([index, listed.sort(), isDeleted, hashes]);
}

/**
 * Compares metadata without its times and its place among the entities of one parent: of two deltas that add one
 * entity, a node keeps those of the one that came first. A field that only one side has may have any value, such as the
 * type of an entry that came by sync.
 */
function describedAlike(a: Fields, b: Fields): boolean {
  const own = ["createdAt", "updatedAt", "storageType", "order"];
  return Object.keys({ ...a, ...b }).every((name) => {
    const [one, other] = [a[name] ?? null, b[name] ?? null];
    return own.includes(name) || one === null || other === null || isSame(one, other);
  });
}

/**
 * A node keeps the writers of the last change that it took. It also keeps the log of all writers, which the hashes
 * cover.
 */
function writersAlike(a: Index, b: Index): boolean {
  const [one, other] = [a.metadata.storageType as Fields, b.metadata.storageType as Fields];
  return isSame(one.writers, other.writers) || !isSame(one.signatureData, other.signatureData);
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface Delta extends Fields {
  readonly actions: readonly Json[];
  readonly parents: readonly string[];
  readonly hlc: Fields;
}

function isDelta(value: Json | undefined): value is Delta {
  return (
    isFields(value) && Array.isArray(value.actions) && Array.isArray(value.parents) && isFields(value.hlc)
  );
}

/** A delta without actions, parents and time. */
function isCheckpoint({ actions, parents, hlc }: Delta): boolean {
  return actions.length === 0 && parents.every((parent) => /^0+$/.test(parent)) && hlc.time === "0";
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
