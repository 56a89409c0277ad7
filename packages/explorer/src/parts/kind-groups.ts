/** The groups of kinds of rows that share a colour and a place in lists. */

/** A group of kinds. */
export type KindGroup = "ctx" | "state" | "delta" | "group" | "log" | "app" | "key" | "misc";

/** The groups in the order of lists, with their headings. */
export const kindGroups: readonly { readonly group: KindGroup; readonly heading: string }[] = [
  { group: "ctx", heading: "Contexts" },
  { group: "state", heading: "State" },
  { group: "delta", heading: "Deltas" },
  { group: "group", heading: "Groups" },
  { group: "log", heading: "Logs" },
  { group: "app", heading: "Applications and blobs" },
  { group: "key", heading: "Identities and keys" },
  { group: "misc", heading: "Other" },
];

/** The kinds of each group; the first pattern that a kind matches decides. */
const PATTERNS: readonly (readonly [KindGroup, RegExp])[] = [
  ["log", /^(?:GroupOpLog|GroupOpHead|NamespaceGovOp|NamespaceGovHead|ScopeUnifiedOp)/],
  [
    "key",
    /^(?:ContextIdentity|GroupKeyEntry|GroupDeviceBinding|GroupAccountKey|GroupAccountEndorser|NodeIdentity|NodeDeviceIdentity|NodeAccountRoot|NamespaceIdentity|GroupSigningKey)/,
  ],
  ["state", /^(?:ContextState|ContextPrivateState|SortedIndex|AbsorbBuffer)/],
  ["delta", /^ContextDagDelta/],
  ["app", /^(?:ApplicationMeta|BlobMeta)/],
  ["group", /^(?:Group|Namespace|ContextGroupRef)/],
  ["ctx", /^Context/],
];

/** The group of a kind. */
export function kindGroup(kind: string): KindGroup {
  return PATTERNS.find(([, pattern]) => pattern.test(kind))?.[0] ?? "misc";
}
