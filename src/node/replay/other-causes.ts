/** Rows that no operation makes, or not so, and that something else explains (governance G.5). */
import { toHex } from "../../bytes/hex.js";
import { FOUNDERS_DEFAULT } from "./defaults.js";
import type { Replay } from "./replay.js";
import { type ReplayedKind, type ReplayedRow, UNKNOWN } from "./rows.js";
import type { WriterName } from "./writers.js";

/** The writer of a row that no operation makes; undefined if no writer is known. */
export function explainExtra(
  { rows, own, unreadable, scoped }: Replay,
  kind: ReplayedKind,
  ids: readonly string[],
  value: unknown,
): WriterName | undefined {
  const fields = value as Readonly<Record<string, unknown>>;
  switch (kind) {
    case "GroupMember":
      return fields.role === "Member" ? "pre-registration" : undefined;
    case "GroupMemberCapability": {
      const given = rows.get("GroupDefaultCaps", ids[0] as string)?.capabilities;
      return fields.capabilities === given && !rows.has("GroupMember", ...ids)
        ? "pre-registration"
        : undefined;
    }
    case "GroupMetadata":
      return own.publicKeys.has(toHex(fields.updatedBy as Uint8Array)) &&
        (fields.data as ReadonlyMap<string, string>).size === 0
        ? "local name"
        : undefined;
    case "GroupAlias":
      return "local name";
    case "GroupKeyEntry":
      return !("epoch" in fields) || fields.epoch === 0n ? "local key" : undefined;
    case "GroupDeviceBinding":
      if (scoped.has(ids[1] as string)) return "device scope";
      return toHex(fields.account as Uint8Array) === own.account && ids[1] === own.device
        ? "own account"
        : undefined;
    case "GroupAccountKey":
      return ids[1] === own.account ? "own account" : undefined;
    case "GroupDefaultCaps": {
      const meta = rows.get("GroupMeta", ids[0] as string);
      return fields.capabilities === FOUNDERS_DEFAULT && meta?.createdAt === UNKNOWN ? "founding" : undefined;
    }
    case "GroupContextIndex":
    case "ContextGroupRef": {
      const group = kind === "GroupContextIndex" ? ids[0] : toHex(value as Uint8Array);
      return unreadable.has(group as string) ? "join answer" : undefined;
    }
    case "GroupUpgradeKey":
      return "upgrade";
    case "NamespaceIdentity":
    case "NamespaceParticipation":
      return "node-local";
    default:
      return undefined;
  }
}

/** The cause that removed a row that an operation made; undefined if no cause is known. */
export function explainMissing(replay: Replay, row: ReplayedRow): WriterName | undefined {
  const { rows, isPurged, scoped } = replay;
  const { kind, ids } = row;
  if (isPurged) return "self-purge";
  if (kind === "GroupDeviceBinding" && scoped.has(ids[1] as string)) return "device scope";
  if (maybeFoundedWithout(replay, row)) return "founding";
  // An account that joins again is no longer denied, even if the operation of its joining never came.
  if (kind === "GroupDeniedMember" || kind === "GroupInheritedDeniedMember")
    return rows.has("GroupMember", ids[0] as string, ids[1] as string) ? "pre-registration" : undefined;
  return undefined;
}

/** The cause that changed a row that an operation made; undefined if no cause is known. */
export function explainDifference(
  replay: Replay,
  row: ReplayedRow,
  fields: readonly string[],
  stored: unknown,
): WriterName | undefined {
  const { deleted, sequence, scoped } = replay;
  const { kind, ids, value: replayed, cause } = row;
  if (maybeFoundedWithout(replay, row)) return "founding";
  if (
    kind === "GroupDeviceBinding" &&
    scoped.has(ids[1] as string) &&
    fields.every((name) => name === "scopeEpoch")
  )
    return "device scope";
  // A key has the number of operations that this node had by then.
  if (kind === "GroupKeyEntry" && typeof cause !== "string" && sequence.hasChoice) {
    const { epoch } = stored as { readonly epoch: bigint };
    const [least, most] = sequence.countsAfter(cause);
    if (epoch >= least && epoch <= most && !replay.own.publicKeys.has(cause.signer)) return "order";
  }
  if (
    kind === "GroupMeta" &&
    fields.every((name) => name === "migration" || name === "targetApplicationId")
  ) {
    const [before, now] = [replayed, stored] as readonly { readonly migration: Uint8Array | null }[];
    // A migration that is cancelled on this node alone.
    if (before?.migration !== null && now?.migration === null) return "upgrade";
  }
  // An upgrade that began here after the last one of the whole namespace.
  if (kind === "GroupUpgradeKey" && (stored as { readonly cascadeHlc?: unknown }).cascadeHlc === null)
    return "upgrade";
  // The log of a deleted group is gone, and its nonces with it.
  if (kind === "GroupLocalGovNonceWindow" && deleted.has(ids[0] as string)) return "deleted log";
  // Before core-0.11, an operation that arrives again moves the nonce.
  if (kind === "GroupLocalGovNonce" && (stored as bigint) > (replayed as bigint)) return "node-local";
  return undefined;
}

/**
 * Returns whether a member's capabilities come from a founding on this node. That may have set no defaults for new
 * members: an operation set the present ones.
 */
function maybeFoundedWithout({ rows, namespace }: Replay, { kind, ids, value }: ReplayedRow): boolean {
  const group = ids[0] as string;
  if (kind !== "GroupMemberCapability" || group === namespace) return false;
  if ((value as { readonly capabilities: number }).capabilities !== FOUNDERS_DEFAULT) return false;
  const defaults = rows.row("GroupDefaultCaps", [group])?.cause;
  return (
    rows.get("GroupMeta", group)?.createdAt === UNKNOWN &&
    typeof defaults === "object" &&
    defaults.state !== "root"
  );
}
