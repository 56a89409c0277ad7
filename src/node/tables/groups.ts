/** All groups of a database: their rows, read once, kind by kind. */

import { isZeros } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { append } from "../../collections/lists.js";
import { millisOf, utf8Text } from "../text.js";
import { allRowsOf, mapOf, type NodeReader, type RowOf, rowsOf } from "./rows.js";

/** The rows of a group that are one for each group. Ids are 64 hex digits. */
export interface GroupRecord {
  /** The group's id. */
  readonly id: string;
  /** True if the row of the group does not decode. */
  readonly isUnread: boolean;
  /** Undefined for a group that was deleted, or that others only mention, and if unread. */
  readonly meta: GroupRecordMeta | undefined;
  /** The group above; undefined for a namespace. */
  readonly parent: string | undefined;
  /** The groups directly below, in the order of their ids. */
  readonly children: readonly string[];
  /** The contexts of the group, in the order of their ids. */
  readonly contexts: readonly string[];
  /** The name that its row gives; undefined if absent. */
  readonly name: string | undefined;
  /** Free data of the group, since core-0.11. */
  readonly data: ReadonlyMap<string, string>;
  /** Since core-0.11: 0 open, 1 restricted; undefined without a row, which the node takes as restricted. */
  readonly visibility: number | undefined;
  /** Before core-0.11, the visibility that new contexts get: 0 open, 1 restricted; undefined without a row. */
  readonly contextVisibility: number | undefined;
  /** Bit mask of the capabilities that new members get; undefined without a row. */
  readonly defaultCapabilities: number | undefined;
}

/** The fields of GroupMeta of all revisions. */
export interface GroupRecordMeta {
  /** App key: blob id of the application's code. */
  readonly appKey: string;
  /** Id of the application; zeros until it is known. */
  readonly application: string;
  /** When the group was made, in milliseconds since 1970; undefined on nodes that did not make it. */
  readonly createdAt: number | undefined;
  /** Account of the admin, before core-0.11 its public key; undefined until it is known. */
  readonly admin: string | undefined;
  /** Account of the owner, since core-0.11; undefined until it is known. */
  readonly owner: string | undefined;
  /** True if groups of this revision have an owner: since core-0.11. */
  readonly hasOwner: boolean;
  /** Name of the migration method, or hex if it is not UTF-8. */
  readonly migration: string | undefined;
  /** Before core-0.11: when contexts take a new version of the application. */
  readonly upgradePolicy: string | undefined;
}

/** The namespace of a group: its topmost ancestor. */
export function namespaceOf(groups: ReadonlyMap<string, GroupRecord>, group: string): string {
  let id = group;
  const passed = new Set<string>();
  for (;;) {
    passed.add(id);
    const parent = groups.get(id)?.parent;
    if (parent === undefined || passed.has(parent)) return id;
    id = parent;
  }
}

/** Reads the groups, by id. */
export async function readGroups(reader: NodeReader): Promise<ReadonlyMap<string, GroupRecord>> {
  const metas = new Map<string, GroupRecordMeta>();
  const unread = new Set<string>();
  for await (const rows of allRowsOf(reader, "GroupMeta"))
    for (const { key, value } of rows)
      if (value === undefined) unread.add(toHex(key.groupId));
      else metas.set(toHex(key.groupId), metaOf(value));
  const parents = await mapOf(reader, "GroupParentRef", ["childGroupId"], toHex);
  const contexts = new Map<string, string[]>();
  for await (const rows of rowsOf(reader, "GroupContextIndex"))
    for (const { key } of rows) append(contexts, toHex(key.groupId), toHex(key.contextId));
  const names = await readGroupNames(reader);
  const visibility = await mapOf(reader, "GroupSubgroupVis", ["groupId"], ({ mode }) => mode);
  const contextVisibility = await mapOf(reader, "GroupDefaultVis", ["groupId"], ({ mode }) => mode);
  const capabilities = await mapOf(reader, "GroupDefaultCaps", ["groupId"], (value) => value.capabilities);
  const children = new Map<string, string[]>();
  for (const [child, parent] of parents) append(children, parent, child);
  const ids = new Set([
    ...metas.keys(),
    ...unread,
    ...parents.keys(),
    ...parents.values(),
    ...contexts.keys(),
  ]);
  return new Map(
    [...ids].toSorted().map((id) => [
      id,
      {
        id,
        isUnread: unread.has(id),
        meta: metas.get(id),
        parent: parents.get(id),
        children: (children.get(id) ?? []).toSorted(),
        contexts: contexts.get(id) ?? [],
        name: names.get(id)?.name,
        data: names.get(id)?.data ?? new Map(),
        visibility: visibility.get(id),
        contextVisibility: contextVisibility.get(id),
        defaultCapabilities: capabilities.get(id),
      },
    ]),
  );
}

function metaOf(value: RowOf<"GroupMeta">["value"]): GroupRecordMeta {
  return {
    appKey: toHex(value.appKey),
    application: toHex(value.targetApplicationId),
    createdAt: value.createdAt === 0n ? undefined : millisOf(value.createdAt),
    admin: idOf(value.adminIdentity),
    owner: "ownerIdentity" in value ? idOf(value.ownerIdentity) : undefined,
    hasOwner: "ownerIdentity" in value,
    migration: value.migration === null ? undefined : utf8Text(value.migration),
    upgradePolicy: "upgradePolicy" in value ? policyOf(value.upgradePolicy) : undefined,
  };
}

async function readGroupNames(
  reader: NodeReader,
): Promise<Map<string, { readonly name: string | undefined; readonly data: ReadonlyMap<string, string> }>> {
  const aliases = await mapOf(reader, "GroupAlias", ["groupId"], (name) => ({
    name: name as string | undefined,
    data: new Map<string, string>(),
  }));
  const records = await mapOf(reader, "GroupMetadata", ["groupId"], ({ name, data }) => ({
    name: name ?? undefined,
    data,
  }));
  return new Map([...aliases, ...records]);
}

/** Zeros stand for an id that is not known. */
function idOf(bytes: Uint8Array): string | undefined {
  return isZeros(bytes) ? undefined : toHex(bytes);
}

function policyOf(policy: string | { readonly kind: string }): string {
  return typeof policy === "string" ? policy : policy.kind;
}
