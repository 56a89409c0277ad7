/**
 * The column families of a node's database. A column family has the name of the Rust enum variant, case-sensitive. All
 * have RocksDB's bytewise order and no merge operator. Nodes of core-1.0 compress the tables, older ones do not.
 */

/** A column family and its rows. */
export interface ColumnFamily<N extends string = string> {
  /** The name, case-sensitive. */
  readonly name: N;
  /** Description of its rows. */
  readonly holds: string;
  /** `yes` if its rows are the same on every correct node of a context or group. */
  readonly replicated: "yes" | "partly" | "no";
  /** True if rows may hold private keys, shared keys or private data of the application. */
  readonly secrets: boolean;
  /** The first revision that has it; absent for the eleven that all revisions have. */
  readonly since?: string;
}

/** The names as constants: `Column.Group` is `"Group"`. */
export const Column = {
  /** Application, root hash and delta heads of each context. */
  Meta: "Meta",
  /** Revision counters of each context. */
  Config: "Config",
  /** Identities in a context, own ones with their keys. */
  Identity: "Identity",
  /** Shared state of each context, raw. */
  State: "State",
  /** Private state of this node, raw, never synced. */
  PrivateState: "PrivateState",
  /** Causal deltas of each context. */
  Delta: "Delta",
  /** Size, hash and chunks of each blob. */
  Blobs: "Blobs",
  /** Installed applications and their blobs. */
  Application: "Application",
  /** Names for contexts, identities and applications. */
  Alias: "Alias",
  /** Rows without a column family of their own, raw. */
  Generic: "Generic",
  /** Groups and namespaces: members, operations, keys; by prefix byte. */
  Group: "Group",
  /** Facts about a context beside its state, on this node only. Since core-0.11. */
  ContextLocal: "ContextLocal",
  /** Entries of sorted collections, by their order. Since core-0.11. */
  SortedIndex: "SortedIndex",
  /** The hash of each sorted collection when its index was built. Since core-0.11. */
  SortedIndexMeta: "SortedIndexMeta",
  /** Deltas that wait for a newer application. Since core-0.11. */
  AbsorbBuffer: "AbsorbBuffer",
  /** The reason why the migration of a context failed. Since core-0.11. */
  ContextMigrationFailed: "ContextMigrationFailed",
  /** The blob that a context runs. Since core-0.11. */
  ContextExecutingBlob: "ContextExecutingBlob",
  /** The blob that a context activated. Since core-0.11. */
  ContextActivatedBlob: "ContextActivatedBlob",
  /** The version of the state that a context activated. Since core-0.11. */
  ContextActivatedStateVersion: "ContextActivatedStateVersion",
  /** The blob that an application ran before. Since core-0.11. */
  ApplicationPreviousBlob: "ApplicationPreviousBlob",
  /** Contexts that must sync anew. Since core-0.11. */
  ContextResyncRequested: "ContextResyncRequested",
  /** Operations of namespaces and contexts in one form. Since core-0.11. */
  UnifiedOp: "UnifiedOp",
  /** Nonces of warrants that were used in a context. Since core-1.0. */
  ContextWarrantNonce: "ContextWarrantNonce",
  /** Files of the search index of each context. Since core-1.0. */
  SearchIndex: "SearchIndex",
  /** Changes that the search index of a context does not have yet. Since core-1.0. */
  SearchDirty: "SearchDirty",
  /** The blobs of each context. Since core-1.0. */
  ContextBlob: "ContextBlob",
  /** The contexts for which a blob is kept. Since core-1.0. */
  BlobOwner: "BlobOwner",
  /** Rows of State from a snapshot that is being installed. Since core-1.0. */
  SnapshotStage: "SnapshotStage",
} as const;

/** Name of a known column family. */
export type ColumnName = keyof typeof Column;

/** The column families, in their order: eleven of all revisions, then the additions of `core-0.11` and `core-1.0`. */
export const columnFamilies: readonly ColumnFamily<ColumnName>[] = [
  {
    name: "Meta",
    holds: "application, root hash and delta heads of each context",
    replicated: "partly",
    secrets: false,
  },
  { name: "Config", holds: "revision counters of each context", replicated: "no", secrets: false },
  {
    name: "Identity",
    holds: "identities in a context, own ones with their keys",
    replicated: "no",
    secrets: true,
  },
  { name: "State", holds: "shared state of each context, raw", replicated: "yes", secrets: false },
  {
    name: "PrivateState",
    holds: "private state of this node, raw, never synced",
    replicated: "no",
    secrets: true,
  },
  { name: "Delta", holds: "causal deltas of each context", replicated: "yes", secrets: false },
  { name: "Blobs", holds: "size, hash and chunks of each blob", replicated: "partly", secrets: false },
  {
    name: "Application",
    holds: "installed applications and their blobs",
    replicated: "partly",
    secrets: false,
  },
  {
    name: "Alias",
    holds: "names for contexts, identities and applications",
    replicated: "no",
    secrets: false,
  },
  { name: "Generic", holds: "what has no column family of its own, raw", replicated: "no", secrets: true },
  {
    name: "Group",
    holds: "groups and namespaces: members, operations, keys; by prefix byte",
    replicated: "partly",
    secrets: true,
  },
  {
    name: "ContextLocal",
    holds: "what this node knows of a context beside its state",
    replicated: "no",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "SortedIndex",
    holds: "entries of sorted collections, by their order",
    replicated: "no",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "SortedIndexMeta",
    holds: "the hash of each sorted collection when its index was built",
    replicated: "no",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "AbsorbBuffer",
    holds: "deltas that wait for a newer application",
    replicated: "no",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "ContextMigrationFailed",
    holds: "why the migration of a context failed",
    replicated: "no",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "ContextExecutingBlob",
    holds: "the blob that a context runs",
    replicated: "no",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "ContextActivatedBlob",
    holds: "the blob that a context activated",
    replicated: "no",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "ContextActivatedStateVersion",
    holds: "the version of the state that a context activated",
    replicated: "no",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "ApplicationPreviousBlob",
    holds: "the blob that an application ran before",
    replicated: "no",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "ContextResyncRequested",
    holds: "contexts that must sync anew",
    replicated: "no",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "UnifiedOp",
    holds: "operations of namespaces and contexts in one form",
    replicated: "yes",
    secrets: false,
    since: "core-0.11",
  },
  {
    name: "ContextWarrantNonce",
    holds: "nonces of warrants that were used in a context",
    replicated: "no",
    secrets: false,
    since: "core-1.0",
  },
  {
    name: "SearchIndex",
    holds: "files of the search index of each context",
    replicated: "no",
    secrets: false,
    since: "core-1.0",
  },
  {
    name: "SearchDirty",
    holds: "changes that the search index of a context does not have yet",
    replicated: "no",
    secrets: false,
    since: "core-1.0",
  },
  {
    name: "ContextBlob",
    holds: "the blobs of each context",
    replicated: "partly",
    secrets: false,
    since: "core-1.0",
  },
  {
    name: "BlobOwner",
    holds: "the contexts for which a blob is kept",
    replicated: "no",
    secrets: false,
    since: "core-1.0",
  },
  {
    name: "SnapshotStage",
    holds: "rows of State from a snapshot that is being installed",
    replicated: "no",
    secrets: false,
    since: "core-1.0",
  },
];
