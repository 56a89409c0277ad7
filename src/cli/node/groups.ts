import { toJsonLine } from "../../bytes/visible.js";
import { capabilityNames, type GroupDetails, type GroupNode, type Named } from "../../node/index.js";
import { command } from "../command.js";
import type { Terminal } from "../terminal.js";
import { count, counted, printable } from "../text.js";
import { idAndName, type Labels } from "./labels.js";
import { dateText, fieldLines, wrapped } from "./lines.js";
import { memberLines } from "./members.js";
import { asking, GROUPS, withNode } from "./options.js";

/** Prints the tree of namespaces and groups, or everything about one group. */
export const groups = command({
  words: "groups <db> [group]",
  says: "namespaces and groups with their admins, members and contexts; or everything about one",
  options: asking,
  help: `A group is given by its name, its id, or at least four first digits of its id.

Examples:
  merostore groups node/data
  merostore groups node/data office
  merostore groups node/data --json

--json prints one object for each group; a group comes after the one above it. "logs" counts operations: a namespace's log is
the same on all nodes, a group's own log is what this node applied. Status 2 if nothing, or several things, have the name.`,

  async run(terminal, { db, group }, options) {
    return withNode(terminal, db, options, async ({ node, labels }) => {
      if (group !== undefined) {
        const { id } = await node.resolve(group, GROUPS);
        const details = (await node.groupDetails(id)) as GroupDetails;
        const tree = await node.group(id);
        const members = await node.members(id);
        if (options.json) {
          await terminal.line(toJsonLine({ ...nodeToJson(tree), ...detailsToJson(details) }));
          return 0;
        }
        await labels.prepare([...thingsOf(tree), ...members.map(({ member }) => member)]);
        await labels.prepare([details.namespace, details.parent, details.admin, details.owner]);
        for (const line of detailLines(details, tree, labels, terminal.width, options.utc))
          await terminal.line(line);
        await terminal.line("");
        for (const line of memberLines(members, labels, terminal.width, details.namespaceLog !== undefined))
          await terminal.line(line);
        return 0;
      }
      const tree = await node.namespaces();
      if (options.json) {
        for (const one of tree) await jsonLines(terminal, one, null);
        return 0;
      }
      await labels.prepare(tree.flatMap(thingsOf));
      for (const one of tree)
        for (const line of treeLines(one, labels, terminal.width)) await terminal.line(line);
      return 0;
    });
  },
});

function thingsOf({ group, application, contexts, admins, children }: GroupNode): (Named | undefined)[] {
  return [group, application, ...contexts, ...admins, ...children.flatMap(thingsOf)];
}

async function jsonLines(terminal: Terminal, node: GroupNode, parent: string | null): Promise<void> {
  await terminal.line(toJsonLine({ ...nodeToJson(node), parent }));
  for (const child of node.children) await jsonLines(terminal, child, node.group.id);
}

function nodeToJson(node: GroupNode): object {
  const { group, members, admins, contexts, application, visibility, createdAt, ownRole, exists } = node;
  return {
    id: group.id,
    name: group.name ?? null,
    kind: group.kind,
    members,
    admins: admins.map(idAndName),
    contexts: contexts.map(idAndName),
    subgroups: node.children.map(({ group }) => idAndName(group)),
    application: application === undefined ? null : idAndName(application),
    visibility: visibility ?? null,
    createdAt: createdAt ?? null,
    ownRole: ownRole ?? null,
    exists,
  };
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
    keys: keys.map(({ epoch, ...key }) => ({ ...key, epoch: epoch === undefined ? null : String(epoch) })),
    namespaceLog: log(namespaceLog),
    ownLog: log(ownLog),
    gone: gone.map(({ member, why }) => ({ member: idAndName(member), why })),
    upgrade: upgrade ?? null,
    pending,
  };
}

/** A namespace with all below it. */
function treeLines(node: GroupNode, labels: Labels, width: number | undefined): string[] {
  const lines: string[] = [];
  const add = (one: GroupNode, first: string, rest: string): void => {
    const text = `${first}${labels.of(one.group)}  ${summaryOf(one, labels)}`;
    lines.push(...wrapped(text, width, rest.length + 4));
    for (const [at, child] of one.children.entries()) {
      const isLast = at === one.children.length - 1;
      add(child, `${rest}${isLast ? "└─ " : "├─ "}`, `${rest}${isLast ? "   " : "│  "}`);
    }
  };
  add(node, "", "");
  return lines;
}

function summaryOf(node: GroupNode, labels: Labels): string {
  const { admins, contexts, members, visibility, ownRole, application, exists } = node;
  const names = (things: readonly Named[]): string => things.map((thing) => labels.name(thing)).join(", ");
  return [
    ...(exists ? [] : ["deleted or not known here"]),
    ...(visibility === undefined ? [] : [visibility]),
    counted(members, "member"),
    ...(admins.length === 0 ? [] : [`admin ${names(admins)}`]),
    ...(contexts.length === 0
      ? []
      : [`${contexts.length === 1 ? "context" : "contexts"} ${names(contexts)}`]),
    ...(application === undefined ? [] : [labels.name(application)]),
    `this node: ${ownRole ?? "not a member"}`,
  ].join(" · ");
}

function detailLines(
  details: GroupDetails,
  node: GroupNode,
  labels: Labels,
  width: number | undefined,
  utc: boolean,
): string[] {
  const { group, record, namespace, parent, application, admin, owner, keys } = details;
  const { meta } = record;
  const one = (thing: Named | undefined): string | undefined => thing && labels.of(thing);
  const list = (things: readonly Named[]): string | undefined =>
    things.length === 0 ? undefined : things.map((thing) => labels.of(thing)).join(", ");
  const isNew = meta?.owner !== undefined || node.visibility !== undefined || parent !== undefined;
  const log = (facts: GroupDetails["ownLog"]): string | undefined =>
    facts && `${count(Number(facts.length))} operations, ${counted(facts.heads.length, "head")}`;
  const key = ({ id, epoch, createdAt }: GroupDetails["keys"][number]): string =>
    `${labels.id(id)} (${[...(epoch === undefined ? [] : [`epoch ${epoch}`]), dateText(createdAt * 1000, utc)].join(", ")})`;
  return fieldLines(
    [
      [group.kind, labels.name(group)],
      ["id", group.id],
      ["namespace", group.id === namespace.id ? undefined : one(namespace)],
      ["parent", one(parent)],
      ["state", node.exists ? undefined : "deleted or not known here"],
      ["application", one(application)],
      ["code", meta && labels.id(meta.appKey)],
      ["created", meta?.createdAt === undefined ? undefined : dateText(meta.createdAt * 1000, utc)],
      ["admin", one(admin)],
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
        "upgrade",
        details.upgrade && `${details.upgrade.from} → ${details.upgrade.to}, ${details.upgrade.status}`,
      ],
      ["state hash", details.stateHash],
      ["contexts", list(node.contexts)],
      ["subgroups", list(node.children.map((child) => child.group))],
      [
        "data",
        [...record.data].map(([name, text]) => `${printable(name)}=${printable(text)}`).join(", ") ||
          undefined,
      ],
      ["keys", keys.length === 0 ? undefined : keys.map(key).join(", ")],
      ["namespace's log", log(details.namespaceLog)],
      ["own log", log(details.ownLog)],
      [
        "gone",
        details.gone.map(({ member, why }) => `${labels.of(member)} ${why.toLowerCase()}`).join(", ") ||
          undefined,
      ],
      ["to do", details.pending.join("; ") || undefined],
    ],
    width,
  );
}
