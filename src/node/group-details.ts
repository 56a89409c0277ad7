/** Everything about one group except its members and its history. */
import { fromHex, toHex } from "../bytes/hex.js";
import { hasAccounts } from "./has-accounts.js";
import { stateHashOf } from "./members.js";
import type { Named, Names } from "./names.js";
import { pendingWork } from "./pending-work.js";
import type { GroupRecord } from "./tables/groups.js";
import { firstValue, type NodeReader, rowsOf } from "./tables/rows.js";
import { millisOf } from "./text.js";

/** A group key that the database holds: its id, never the key. */
export interface GroupKeyFacts {
  /** 64 hex digits: SHA-256 of the key. */
  readonly id: string;
  /** When this node made or got it, in milliseconds since 1970; Infinity if a number cannot express it. */
  readonly createdAt: number;
  /** The namespace's number of operations when the key was changed; 0 for a key that came in another way. Since core-0.11. */
  readonly epoch: bigint | undefined;
}

/**
 * A log. The log of a namespace is the same on all nodes; a group's own log has the operations that this node applied.
 */
export interface LogFacts {
  /** The number of its last operation. */
  readonly length: bigint;
  /** Ids of the operations that no other operation follows, 64 hex digits each. */
  readonly heads: readonly string[];
}

/** The facts in the rows of a group. */
export interface GroupDetails {
  /** The group, with its name if it has one. */
  readonly group: Named;
  /** The rows that each group has once. */
  readonly record: GroupRecord;
  /** The namespace that the group belongs to; the group itself if it is a namespace. */
  readonly namespace: Named;
  /** The group above; undefined for a namespace. */
  readonly parent: Named | undefined;
  /** The application that the group runs; undefined until it is known. */
  readonly application: Named | undefined;
  /** The admin that the group names; undefined until it is known. */
  readonly admin: Named | undefined;
  /** The owner, since core-0.11; undefined until it is known. */
  readonly owner: Named | undefined;
  /** SHA-256 over admin, owner, application and members; undefined for a group that is gone. 64 hex digits. */
  readonly stateHash: string | undefined;
  /** The keys that the database holds, the newest first. */
  readonly keys: readonly GroupKeyFacts[];
  /** The namespace's log; undefined if the database has none. */
  readonly namespaceLog: LogFacts | undefined;
  /** The group's own log; undefined if the database has none. */
  readonly ownLog: LogFacts | undefined;
  /** Members that were removed or left and must not come back by themselves: `Removed` or `Left`. */
  readonly gone: readonly {
    /** The member. */
    readonly member: Named;
    /** `Removed` or `Left`. */
    readonly why: string;
  }[];
  /** The last upgrade of the application. */
  readonly upgrade: UpgradeFacts | undefined;
  /** Work that this node still has to do: key changes and a deletion. */
  readonly pending: readonly string[];
}

/** An upgrade of a group's application. */
export interface UpgradeFacts {
  /** The version before. */
  readonly from: string;
  /** The version afterwards. */
  readonly to: string;
  /** The progress of the upgrade, in words. */
  readonly status: string;
  /**
   * The time when it began, in milliseconds since 1970; 0 if another node began it, Infinity if a number cannot express
   * it.
   */
  readonly initiatedAt: number;
}

/** Reads the rows of a group. */
export async function readGroupDetails(
  reader: NodeReader,
  names: Names,
  record: GroupRecord,
  namespace: string,
  said: () => Promise<readonly Named[]>,
): Promise<GroupDetails> {
  const groupId = fromHex(record.id);
  const { meta } = record;
  const member = (id: string | undefined): Named | undefined =>
    id === undefined ? undefined : names.member(id, record.id, namespace);
  const known = meta !== undefined && !/^0*$/.test(meta.application);
  const pending: string[] = [];
  for await (const { work } of pendingWork(reader, names, record.id)) pending.push(work);
  return {
    group: names.group(record.id),
    record,
    namespace: names.group(namespace),
    parent: record.parent === undefined ? undefined : names.group(record.parent),
    // Before core-0.11 the app key names something else.
    application: known
      ? names.application(meta.application, hasAccounts(reader.schema) ? meta.appKey : undefined)
      : undefined,
    admin: member(meta?.admin),
    owner: member(meta?.owner),
    // The documented revision does not define the state hash.
    stateHash: reader.schema.name === "documented" ? undefined : await stateHashOf(reader, record),
    keys: await keysOf(reader, groupId),
    namespaceLog: await logOf(reader, "NamespaceGovHead", { namespaceId: fromHex(namespace) }),
    ownLog: await logOf(reader, "GroupOpHead", { groupId }),
    gone: await goneOf(reader, names, record.id, namespace, said),
    upgrade: await upgradeOf(reader, groupId),
    pending,
  };
}

async function keysOf(reader: NodeReader, groupId: Uint8Array): Promise<readonly GroupKeyFacts[]> {
  const keys: GroupKeyFacts[] = [];
  for await (const rows of rowsOf(reader, "GroupKeyEntry", { groupId }))
    for (const { key, value } of rows)
      if ("createdAt" in value)
        keys.push({
          id: toHex(key.keyId),
          createdAt: millisOf(value.createdAt),
          epoch: "epoch" in value ? value.epoch : undefined,
        });
  return keys.toSorted((a, b) => Number((b.epoch ?? 0n) - (a.epoch ?? 0n)) || b.createdAt - a.createdAt);
}

async function logOf(
  reader: NodeReader,
  kind: "NamespaceGovHead" | "GroupOpHead",
  leading: Readonly<Record<string, Uint8Array>>,
): Promise<LogFacts | undefined> {
  const head = await firstValue(reader, kind, leading);
  return head && { length: head.sequence, heads: head.dagHeads.map(toHex) };
}

async function goneOf(
  reader: NodeReader,
  names: Names,
  group: string,
  namespace: string,
  said: () => Promise<readonly Named[]>,
): Promise<GroupDetails["gone"]> {
  const gone: { member: Named; why: string }[] = [];
  for await (const rows of rowsOf(reader, "GroupReentryBlock", { groupId: fromHex(group) }))
    for (const { key, value } of rows) {
      const member = names.member(toHex(key.account), group, namespace);
      // A member's name is removed together with the member. Operations still contain the name.
      const former =
        member.name ?? (await said()).find(({ kind, id }) => kind === "member" && id === member.id)?.name;
      gone.push({ member: { ...member, name: former }, why: value.reason });
    }
  return gone;
}

async function upgradeOf(reader: NodeReader, groupId: Uint8Array): Promise<UpgradeFacts | undefined> {
  const upgrade = await firstValue(reader, "GroupUpgradeKey", { groupId });
  if (upgrade === undefined) return undefined;
  const { status, fromVersion, toVersion, initiatedAt } = upgrade;
  const progress =
    status.kind === "InProgress"
      ? `in progress: ${status.completed} of ${status.total} done, ${status.failed} failed`
      : status.kind.toLowerCase();
  return {
    from: String(fromVersion),
    to: String(toVersion),
    status: progress,
    initiatedAt: millisOf(initiatedAt),
  };
}
