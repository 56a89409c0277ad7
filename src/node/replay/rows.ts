/** The rows of groups that follow from operations, each with the operation that set it last. */
import type { GroupMemberRole, HybridTimestamp, UpgradePolicy } from "../../payloads/index.js";
import type {
  GroupAccountKeyValue,
  GroupDeviceBindingValue,
  GroupExitReason,
  GroupLocalGovNonceWindowValue,
  GroupUpgradeStatus,
  LadderRung,
} from "../../values/index.js";
import type { ReplayOperation } from "./operations.js";
import type { Writer } from "./writers.js";

/** Stands for a field that no operation sets: any stored value fits. */
export const UNKNOWN: unique symbol = Symbol("unknown");
export type Unknown = typeof UNKNOWN;

/** The fields of GroupMeta of both revisions. */
export interface ReplayedMeta {
  readonly appKey: Uint8Array | Unknown;
  readonly targetApplicationId: Uint8Array | Unknown;
  readonly createdAt: bigint | Unknown;
  readonly adminIdentity: Uint8Array;
  /** Since core-0.11. */
  readonly ownerIdentity?: Uint8Array;
  /** Before core-0.11. */
  readonly upgradePolicy?: UpgradePolicy | Unknown;
  readonly migration: Uint8Array | null;
  readonly autoJoin: boolean | Unknown;
}

/** A member's row of both revisions. */
export interface ReplayedMember {
  readonly role: GroupMemberRole;
  readonly privateKey: null;
  readonly senderKey: null;
  /** Since core-0.11. */
  readonly autoFollow?: { readonly contexts: boolean; readonly subgroups: boolean };
}

/** Name and data of a group, member or context, since core-0.11. */
export interface ReplayedMetadata {
  readonly name: string | null;
  readonly data: ReadonlyMap<string, string>;
  readonly updatedAt: Unknown;
  readonly updatedBy: Uint8Array;
}

interface ReplayedUpgrade {
  readonly fromVersion: Unknown;
  readonly toVersion: Unknown;
  readonly migration: Uint8Array | null;
  readonly initiatedAt: Unknown;
  readonly initiatedBy: Unknown;
  readonly status: GroupUpgradeStatus | Unknown;
  readonly cascadeHlc: HybridTimestamp;
  readonly cascadeSeq: Unknown;
  readonly toStateVersion: number;
}

/** The values of the kinds of rows that operations make, as their codecs decode them. */
export interface ReplayedValues {
  readonly GroupMeta: ReplayedMeta;
  readonly GroupMember: ReplayedMember;
  readonly GroupContextIndex: null;
  readonly ContextGroupRef: Uint8Array;
  readonly GroupUpgradeKey: ReplayedUpgrade;
  readonly GroupMemberCapability: { readonly capabilities: number };
  readonly GroupReentryBlock: { readonly reason: GroupExitReason };
  readonly GroupConsumedInvitation: null;
  readonly GroupDefaultCaps: { readonly capabilities: number };
  readonly GroupSubgroupVis: { readonly mode: number };
  readonly GroupDefaultVis: { readonly mode: number };
  readonly GroupMemberMetadata: ReplayedMetadata;
  readonly GroupMetadata: ReplayedMetadata;
  readonly GroupContextMetadata: ReplayedMetadata;
  readonly GroupMemberAlias: string;
  readonly GroupAlias: string;
  readonly GroupContextAlias: string;
  readonly GroupContextMemberCap: number;
  readonly GroupParentRef: Uint8Array;
  readonly GroupChildIndex: null;
  readonly NamespaceParticipation: { readonly reserved: number };
  readonly NamespaceIdentity: Unknown;
  readonly ContextServiceName: { readonly serviceName: string };
  readonly GroupKeyEntry: {
    readonly groupKey: Unknown;
    readonly createdAt: Unknown;
    readonly epoch: bigint | Unknown;
    readonly insertionSeq: Unknown;
  };
  readonly GroupDeniedMember: null;
  readonly GroupInheritedDeniedMember: null;
  readonly GroupLocalGovNonce: bigint;
  readonly GroupLocalGovNonceWindow: GroupLocalGovNonceWindowValue;
  readonly GroupUpgradeLadder: { readonly rungs: readonly LadderRung[] };
  readonly GroupPendingKeyRotation: null;
  readonly GroupPendingDeviceRotation: null;
  readonly GroupDeviceBinding: GroupDeviceBindingValue;
  readonly GroupRevokedDevice: null;
  readonly GroupAccountKey: GroupAccountKeyValue;
  readonly GroupAccountEndorser: null;
}
export type ReplayedKind = keyof ReplayedValues;

/** What set a row: an operation, or something else that the node does. */
export type Cause = ReplayOperation | Writer;

/** A row as the operations left it. */
export interface ReplayedRow<K extends ReplayedKind = ReplayedKind> {
  readonly kind: K;
  /** The parts of its key, 64 hex digits each. */
  readonly ids: readonly string[];
  readonly value: ReplayedValues[K];
  readonly cause: Cause;
}

/** Called for each row that is set or removed. */
export type RowObserver = (
  kind: ReplayedKind,
  ids: readonly string[],
  cause: Cause,
  isThere: boolean,
) => void;

/** The rows of a namespace, while its operations are applied one after another. */
export class ReplayedRows {
  /** By the kind and the first id, then by the other ids. */
  readonly #rows = new Map<string, Map<string, ReplayedRow>>();
  /** What removed rows that are not there any more. */
  readonly #removed = new Map<string, Cause>();
  readonly #observer: RowObserver | undefined;
  /** What sets rows at the moment. */
  cause: Cause = "founding";

  constructor(observer?: RowObserver) {
    this.#observer = observer;
  }

  get<K extends ReplayedKind>(kind: K, ...ids: readonly string[]): ReplayedValues[K] | undefined {
    return this.row(kind, ids)?.value as ReplayedValues[K] | undefined;
  }

  row(kind: ReplayedKind, ids: readonly string[]): ReplayedRow | undefined {
    return this.#rows.get(kind + ids[0])?.get(rest(ids));
  }

  has(kind: ReplayedKind, ...ids: readonly string[]): boolean {
    return this.row(kind, ids) !== undefined;
  }

  /** What removed a row; undefined if none did, or it is there again. */
  removedBy(kind: ReplayedKind, ids: readonly string[]): Cause | undefined {
    return this.#removed.get(kind + ids.join(""));
  }

  set<K extends ReplayedKind>(kind: K, ids: readonly string[], value: ReplayedValues[K]): void {
    const name = kind + ids[0];
    const rows = this.#rows.get(name) ?? new Map<string, ReplayedRow>();
    this.#rows.set(name, rows);
    // A mark that is there stays as it is.
    if (value === null && rows.has(rest(ids))) return;
    const row: ReplayedRow<K> = { kind, ids, value, cause: this.cause };
    rows.set(rest(ids), row);
    this.#removed.delete(kind + ids.join(""));
    this.#observer?.(kind, ids, this.cause, true);
  }

  remove(kind: ReplayedKind, ...ids: readonly string[]): void {
    const rows = this.#rows.get(kind + ids[0]);
    if (rows?.delete(rest(ids)) !== true) return;
    if (rows.size === 0) this.#rows.delete(kind + ids[0]);
    this.#removed.set(kind + ids.join(""), this.cause);
    this.#observer?.(kind, ids, this.cause, false);
  }

  /** The rows of a kind whose key begins with an id. They may be removed on the way. */
  *of<K extends ReplayedKind>(kind: K, id: string): Generator<ReplayedRow<K>, void, undefined> {
    for (const row of [...(this.#rows.get(kind + id)?.values() ?? [])]) yield row as ReplayedRow<K>;
  }

  /** All rows. */
  *all(): Generator<ReplayedRow, void, undefined> {
    for (const rows of this.#rows.values()) yield* rows.values();
  }
}

function rest(ids: readonly string[]): string {
  return ids.length === 1 ? "" : ids.length === 2 ? (ids[1] as string) : ids.slice(1).join("");
}
