/**
 * Differences between two nodes of which neither did anything wrong: what each keeps for itself, and what is noted
 * without being agreed on. Found in databases of nodes that share contexts, and by running the node's own crates.
 */

import type { Json } from "../codec/index.js";
import type { FieldDifference } from "./fields.js";

/** A difference, as far as this needs it. */
export interface Difference {
  readonly kind: string | null;
  readonly difference: "only in a" | "only in b" | "different";
  readonly fields: readonly FieldDifference[];
  /** The decoded values. */
  readonly a: Json | undefined;
  readonly b: Json | undefined;
}

/** Kinds of rows that a node writes for itself alone. */
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
    (kind) => [kind, "names are each node's own"] as const,
  ),
  ["ContextPrivateState", "private state stays on its node"],
  ["Generic", "each node's own settings"],
  ["SortedIndex", "built when a collection is first read in order"],
  ["SortedIndexMeta", "built when a collection is first read in order"],
  ["GroupConsumedInvitation", "kept where an invitation was used"],
  ["NamespaceBootstrapInviter", "kept where an invitation was used"],
  ["GroupOpLog", "a node logs what it signed or applied itself, as it came"],
  ["GroupOpHead", "follows from the node's own log"],
  ["GroupLocalGovNonce", "counts what the node itself has seen"],
  ["GroupLocalGovNonceWindow", "counts what the node itself has seen"],
]);

/** Fields that are noted and not agreed on, by kind of row. */
const NOTED: Readonly<Record<string, { readonly fields: RegExp; readonly why: string }>> = {
  ApplicationMeta: {
    fields: /^(size|source|compiled|package|version|metadata)$/,
    why: "an application is described as it was fetched or announced",
  },
  BlobMeta: { fields: /^refs$/, why: "counts how often this node stored the blob" },
  ContextDagDelta: {
    fields: /^(applied|events)$/,
    why: "each node notes whether it applied a delta, and keeps events where they arose",
  },
  GroupContextMetadata: { fields: /^updatedAt$/, why: "the node's own clock" },
  GroupKeyEntry: { fields: /^createdAt$/, why: "the node's own clock" },
  GroupMeta: {
    fields: /^(createdAt|appKey|upgradePolicy.*)$/,
    why: "noted when the group came to this node",
  },
  GroupMetadata: { fields: /^updatedAt$/, why: "the node's own clock" },
  NamespaceGovHead: { fields: /^sequence$/, why: "counts what the node itself applied" },
};

/** Why honest nodes differ so; undefined where they should not. */
export function honestDifference({ kind, difference, fields, a, b }: Difference): string | undefined {
  if (kind === null) return undefined;
  const own = OWN.get(kind);
  if (own !== undefined) return own;
  if (difference !== "different") return undefined;
  const noted = NOTED[kind];
  if (noted !== undefined && fields.every(({ path }) => noted.fields.test(path))) return noted.why;
  if (kind === "ContextState" && sameHashes(a, b))
    return "the hashes agree: what differs are times, signatures or an order that they leave out";
  if (kind === "ContextDagDelta" && isCheckpoint(a) !== isCheckpoint(b))
    return "one node began from a snapshot, where a checkpoint stands for the delta";
  return undefined;
}

function sameHashes(a: Json | undefined, b: Json | undefined): boolean {
  const [one, other] = [objectOf(a), objectOf(b)];
  return (
    one.fullHash !== undefined &&
    one.fullHash === other.fullHash &&
    one.ownHash === other.ownHash &&
    one.id === other.id
  );
}

/** A delta without actions. */
function isCheckpoint(delta: Json | undefined): boolean {
  const { actions } = objectOf(delta);
  return Array.isArray(actions) && actions.length === 0;
}

function objectOf(value: Json | undefined): { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: Json })
    : {};
}
