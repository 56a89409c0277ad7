/** The rows of groups that follow from operations, each with the operation that set it last. */
import type { GroupMemberRole, HybridTimestamp011, UpgradePolicy } from "../../payloads/index.js";
import type {
  GroupAccountKeyValue,
  GroupDeviceBindingValue011,
  GroupExitReason,
  GroupLocalGovNonceWindowValue,
  GroupUpgradeStatus,
  LadderRung,
  LadderRung011,
} from "../../values/index.js";
import type { ReplayOperation } from "./operations.js";
import type { WriterName } from "./writers.js";

/** The value of a field that no operation sets. */
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
  readonly cascadeHlc: HybridTimestamp011;
  readonly cascadeSeq: Unknown;
  readonly toStateVersion: number;
}

/** A rung of the ladder of upgrades: releases are named since core-1.0. */
export type ReplayedRung = LadderRung | LadderRung011;

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
  /** Grows in place: a copy for each rung would cost the square of their number. */
  readonly GroupUpgradeLadder: { readonly rungs: ReplayedRung[] };
  readonly GroupPendingKeyRotation: null;
  readonly GroupPendingDeviceRotation: null;
  readonly GroupDeviceBinding: GroupDeviceBindingValue011 & { readonly scopeEpoch?: number };
  readonly GroupRevokedDevice: null;
  readonly GroupAccountKey: GroupAccountKeyValue;
  readonly GroupAccountEndorser: null;
}
export type ReplayedKind = keyof ReplayedValues;

/** The cause that set a row: an operation, or something else that the node does. */
export type Cause = ReplayOperation | WriterName;

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

/** The rest of a row that was removed. */
interface RemovedRow {
  readonly ids: readonly string[];
  readonly value: undefined;
  readonly cause: Cause;
}

/** Takes down which rows are read and written. */
interface TouchObserver {
  read(kind: ReplayedKind, ids: readonly string[]): void;
  readAll(kind: ReplayedKind, id: string): void;
  written(kind: ReplayedKind, ids: readonly string[]): void;
}

type RowsByRest = Map<string, ReplayedRow | RemovedRow>;

/** The rows of a namespace, while its operations are applied one after another. */
export class ReplayedRows {
  /** By the kind, the first id, and the other ids. */
  readonly #rows = new Map<ReplayedKind, Map<string, RowsByRest>>();
  readonly #texts = new Map<string, string>();
  readonly #observer: RowObserver | undefined;
  readonly #touches: TouchObserver | undefined;
  /** The cause of rows that are set at the moment. */
  cause: Cause = "founding";

  constructor(observer?: RowObserver, touches?: TouchObserver) {
    this.#observer = observer;
    this.#touches = touches;
  }

  get<K extends ReplayedKind>(kind: K, ...ids: readonly string[]): ReplayedValues[K] | undefined {
    return this.#entry(kind, ids)?.value as ReplayedValues[K] | undefined;
  }

  row(kind: ReplayedKind, ids: readonly string[]): ReplayedRow | undefined {
    const entry = this.#entry(kind, ids);
    return entry === undefined || isRemoved(entry) ? undefined : entry;
  }

  has(kind: ReplayedKind, ...ids: readonly string[]): boolean {
    return this.row(kind, ids) !== undefined;
  }

  /** Returns whether a row was set at any time, be it there or removed. */
  isTouched(kind: ReplayedKind, ids: readonly string[]): boolean {
    return this.#entry(kind, ids) !== undefined;
  }

  /** The cause that removed a row; undefined if the row was not removed, or is there again. */
  removedBy(kind: ReplayedKind, ids: readonly string[]): Cause | undefined {
    const entry = this.#entry(kind, ids);
    return entry !== undefined && isRemoved(entry) ? entry.cause : undefined;
  }

  set<K extends ReplayedKind>(kind: K, ids: readonly string[], value: ReplayedValues[K]): void {
    // A mark that is there stays as it is.
    if (value === null && this.has(kind, ...ids)) return;
    const byFirst = this.#rows.get(kind) ?? new Map<string, RowsByRest>();
    this.#rows.set(kind, byFirst);
    const first = ids[0] as string;
    const byRest: RowsByRest = byFirst.get(first) ?? new Map();
    byFirst.set(first, byRest);
    const kept = byRest.get(rest(ids))?.ids ?? ids.map((id) => this.#keptText(id));
    const row: ReplayedRow<K> = { kind, ids: kept, value, cause: this.cause };
    byRest.set(rest(kept), row);
    this.#touches?.written(kind, ids);
    this.#observer?.(kind, ids, this.cause, true);
  }

  remove(kind: ReplayedKind, ...ids: readonly string[]): void {
    const entry = this.#entry(kind, ids);
    if (entry === undefined || isRemoved(entry)) return;
    const { cause } = this;
    this.#rows
      .get(kind)
      ?.get(ids[0] as string)
      ?.set(rest(ids), { ids: entry.ids, value: undefined, cause });
    this.#touches?.written(kind, ids);
    this.#observer?.(kind, ids, cause, false);
  }

  /** Lets something else than the operation set rows. */
  by(cause: WriterName, set: () => void): void {
    const { cause: before } = this;
    this.cause = cause;
    set();
    this.cause = before;
  }

  /** The rows of a kind whose key begins with an id. They may be removed on the way. */
  *of<K extends ReplayedKind>(kind: K, id: string): Generator<ReplayedRow<K>, void, undefined> {
    this.#touches?.readAll(kind, id);
    for (const entry of [...(this.#rows.get(kind)?.get(id)?.values() ?? [])])
      if (!isRemoved(entry)) yield entry as ReplayedRow<K>;
  }

  /** The number of rows of a kind whose key begins with an id, removed rows included. */
  countOf(kind: ReplayedKind, id: string): number {
    return this.#rows.get(kind)?.get(id)?.size ?? 0;
  }

  /** All rows. */
  *all(): Generator<ReplayedRow, void, undefined> {
    for (const byFirst of this.#rows.values())
      for (const byRest of byFirst.values())
        for (const entry of byRest.values()) if (!isRemoved(entry)) yield entry;
  }

  /** One string for each id, however many rows have it. */
  #keptText(id: string): string {
    const kept = this.#texts.get(id);
    if (kept !== undefined) return kept;
    this.#texts.set(id, id);
    return id;
  }

  #entry(kind: ReplayedKind, ids: readonly string[]): ReplayedRow | RemovedRow | undefined {
    this.#touches?.read(kind, ids);
    return this.#rows
      .get(kind)
      ?.get(ids[0] as string)
      ?.get(rest(ids));
  }
}

function isRemoved(entry: ReplayedRow | RemovedRow): entry is RemovedRow {
  return entry.value === undefined;
}

/** The ids after the first one, as one text. */
function rest(ids: readonly string[]): string {
  return ids.length === 2 ? (ids[1] as string) : ids.slice(1).join("");
}
