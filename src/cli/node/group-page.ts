/** Everything about one group, on one page. */

import { counted } from "../../bytes/quantity.js";
import {
  capabilityNames,
  type GroupDetails,
  type GroupNode,
  type Named,
  type Operation,
} from "../../node/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { shortDate } from "../output/lines.js";
import { printTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";
import { idAndName, type Labels } from "./labels.js";
import { MEMBER_TABLE, memberRows } from "./members.js";
import { momentLabel, momentToJson } from "./moment.js";
import type { OpenNode, PageOptions } from "./options.js";

/** JSON properties that no operation defines: with `--at` they have their present values. */
const AS_NOW = ["keys", "namespaceLog", "ownLog", "pending", "unreadOperations", "upgrade"];

/** The sentence about a group with missing facts. */
export const UNREAD = "not all of its rows can be read";

/** The state of a group that only other rows mention. */
export const ABSENT = "deleted or not known here";

/** Prints a group: its rows, and its members. */
export async function printGroup(
  terminal: Terminal,
  { node, labels, moment }: OpenNode,
  id: string,
  { json, utc }: PageOptions,
): Promise<ExitStatus> {
  const details = (await node.groupDetails(id)) as GroupDetails;
  const tree = (await node.group(id)) as GroupNode;
  const origins = await node.origins(id);
  if (json) {
    const { founding } = origins;
    const founded = founding === undefined ? null : { operation: founding.id, by: idAndName(founding.actor) };
    const asNow = moment === undefined ? {} : { asNow: AS_NOW };
    await terminal.json({
      ...nodeToJson(tree),
      ...detailsToJson(details),
      founded,
      ...momentToJson(moment),
      ...asNow,
    });
    return 0;
  }
  const members = await node.members(id);
  await labels.prepare([...thingsOf(tree), ...members.flatMap(({ member, through }) => [member, through])]);
  await labels.prepare([details.namespace, details.parent, details.owner]);
  await labels.prepare(details.gone.map(({ member }) => member));
  await labels.prepare([origins.founding?.actor, ...[...origins.members.values()].map(({ by }) => by)]);
  const last = moment && (await momentLabel(moment, labels));
  await terminal.fields(detailFields(details, tree, labels, utc, origins.founding, last));
  await terminal.line("");
  const accounts = (await node.own()).account !== undefined;
  const rows = () => memberRows(members, labels, accounts, origins.members);
  await printTable(terminal, rows, MEMBER_TABLE);
  return 0;
}

/** All things that the lines of a group and its subgroups name. */
export function thingsOf({
  group,
  application,
  contexts,
  admins,
  children,
}: GroupNode): (Named | undefined)[] {
  return [group, application, ...contexts, ...admins, ...children.flatMap(thingsOf)];
}

/** A group in JSON, without its subgroups. */
export function nodeToJson(node: GroupNode): object {
  const { group, members, admins, contexts, application, visibility, createdAt, ownRole, exists, isUnread } =
    node;
  return {
    id: group.id,
    name: group.name ?? null,
    kind: group.kind,
    members: members ?? null,
    admins: admins.map(idAndName),
    contexts: contexts.map(idAndName),
    subgroups: node.children.map(({ group }) => idAndName(group)),
    application: application === undefined ? null : idAndName(application),
    visibility: visibility ?? null,
    createdAt: finite(createdAt),
    ownRole: ownRole ?? null,
    exists,
    isUnread,
    unreadOperations: node.unreadOperations ?? null,
  };
}

/** A time in JSON: null if it is absent, or beyond the exact numbers. */
function finite(millis = Number.NaN): number | null {
  return Number.isFinite(millis) ? millis : null;
}

function detailsToJson(details: GroupDetails): object {
  const { record, namespace, parent, owner, keys, namespaceLog, ownLog, gone, upgrade, pending } = details;
  const log = (facts: GroupDetails["ownLog"]): object | null =>
    facts === undefined ? null : { length: String(facts.length), heads: facts.heads };
  return {
    namespace: idAndName(namespace),
    parent: parent === undefined ? null : idAndName(parent),
    owner: owner === undefined ? null : idAndName(owner),
    stateHash: details.stateHash ?? null,
    appKey: record.meta?.appKey ?? null,
    migration: record.meta?.migration ?? null,
    upgradePolicy: record.meta?.upgradePolicy ?? null,
    data: Object.fromEntries(record.data),
    defaultCapabilities: record.defaultCapabilities ?? null,
    keys: keys.map(({ epoch, createdAt, ...key }) => ({
      ...key,
      createdAt: finite(createdAt),
      epoch: epoch === undefined ? null : String(epoch),
    })),
    namespaceLog: log(namespaceLog),
    ownLog: log(ownLog),
    gone: gone.map(({ member, why }) => ({ member: idAndName(member), why })),
    upgrade: upgrade === undefined ? null : { ...upgrade, initiatedAt: finite(upgrade.initiatedAt) },
    pending,
  };
}

function detailFields(
  details: GroupDetails,
  node: GroupNode,
  labels: Labels,
  utc: boolean,
  founding: Operation | undefined,
  last: string | undefined,
): readonly (readonly [name: string, value: string | undefined])[] {
  const { group, record, namespace, parent, application, owner, keys } = details;
  const { meta } = record;
  const one = (thing: Named | undefined): string | undefined => thing && labels.of(thing);
  const list = (things: readonly Named[]): string | undefined =>
    things.length === 0 ? undefined : things.map((thing) => labels.of(thing)).join(", ");
  const isNew = meta?.owner !== undefined || node.visibility !== undefined || parent !== undefined;
  const log = (facts: GroupDetails["ownLog"]): string | undefined =>
    facts && `${counted(Number(facts.length), "operation")}, ${counted(facts.heads.length, "head")}`;
  const key = ({ id, epoch, createdAt }: GroupDetails["keys"][number]): string =>
    `${labels.id(id)} (${[...(epoch === undefined ? [] : [`epoch ${epoch}`]), shortDate(createdAt, utc)].join(", ")})`;
  // With --at, facts that no operation defines are the present ones.
  const now = (name: string): string => (last === undefined ? name : `${name} now`);
  return [
    [group.kind, labels.name(group)],
    ["id", labels.whole(group.id)],
    ["as of", last],
    ["namespace", group.id === namespace.id ? undefined : one(namespace)],
    ["parent", one(parent)],
    ["state", node.isUnread ? UNREAD : node.exists ? undefined : ABSENT],
    ["application", one(application)],
    ["code", meta && labels.id(meta.appKey)],
    ["founded", founding && `operation ${founding.sequence}, by ${labels.of(founding.actor)}`],
    ["created", meta?.createdAt === undefined ? undefined : shortDate(meta.createdAt, utc)],
    [node.admins.length === 1 ? "admin" : "admins", list(node.admins)],
    ["owner", one(owner)],
    ["this node", node.ownRole ?? "not a member"],
    ["visibility", node.visibility],
    [
      "new members",
      record.defaultCapabilities === undefined
        ? undefined
        : capabilityNames(record.defaultCapabilities, isNew),
    ],
    ["migration", meta?.migration && printable(meta.migration)],
    ["upgrade policy", meta?.upgradePolicy],
    [
      now("upgrade"),
      details.upgrade && `${details.upgrade.from} → ${details.upgrade.to}, ${details.upgrade.status}`,
    ],
    ["state hash", details.stateHash && labels.whole(details.stateHash)],
    ["contexts", list(node.contexts)],
    ["subgroups", list(node.children.map((child) => child.group))],
    [
      "data",
      [...record.data].map(([name, text]) => `${printable(name)}=${printable(text)}`).join(", ") || undefined,
    ],
    [now("keys"), keys.length === 0 ? undefined : keys.map(key).join(", ")],
    [now("namespace's log"), log(details.namespaceLog)],
    [now("own log"), log(details.ownLog)],
    [
      now("not read"),
      node.unreadOperations
        ? `${counted(node.unreadOperations, "operation")}, for lack of the key: what they did may be missing here`
        : undefined,
    ],
    [
      "gone",
      details.gone.map(({ member, why }) => `${labels.of(member)} ${why.toLowerCase()}`).join(", ") ||
        undefined,
    ],
    [now("to do"), details.pending.join("; ") || undefined],
  ];
}
