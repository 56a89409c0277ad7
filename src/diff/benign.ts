/**
 * Benign differences: rows that each node keeps for itself, and fields that nodes record without agreeing on them. The
 * lists come from databases of nodes that share contexts, and from running the node's own crates.
 */

import type { Json } from "../codec/index.js";
import type { FieldDifference } from "./fields.js";

/** The parts of a difference that decide whether it is benign. */
export interface Difference {
  readonly kind: string | null;
  /** The fields that differ, of a row that both sides have. */
  readonly fields?: readonly FieldDifference[];
  /** The decoded values. */
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
  if (own !== undefined || fields === undefined) return own;
  const noted = NOTED[kind];
  if (noted !== undefined && fields.every(({ path }) => noted.fields.test(path))) return noted.why;
  if (kind === "ContextState" && isIndex(a) && isIndex(b) && agreedOf(a) === agreedOf(b))
    return "the hashes agree: only times, signatures or an order differ, which the hashes do not cover";
  if (kind === "ContextDagDelta" && isDelta(a) && isDelta(b) && isCheckpoint(a) !== isCheckpoint(b))
    return "one node started from a snapshot, in which a checkpoint replaces the delta";
  return undefined;
}

type Fields = { readonly [name: string]: Json };

/** An index row of the state. Entry rows hold the application's own data. */
interface Index extends Fields {
  readonly children: readonly Fields[] | null;
  readonly metadata: Fields;
}

function isIndex(value: Json | undefined): value is Index {
  return isFields(value) && isFields(value.metadata) && "fullHash" in value;
}

/**
 * The part of an index row that nodes agree on. The copies of children in a parent are not updated when the children
 * change.
 */
function agreedOf({ children, metadata, deletedAt, deletedChildren = null, ...index }: Index): string {
  const { createdAt, updatedAt, storageType, ...described } = metadata;
  const { signatureData, ...stored } = storageType as Fields;
  const hashes = (children ?? []).map(({ id, merkleHash }) => `${id} ${merkleHash}`).sort();
  const gone = Array.isArray(deletedChildren) ? [...deletedChildren].sort() : null;
  return JSON.stringify([index, described, stored, hashes, gone, deletedAt !== null]);
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
