import { counted } from "../../bytes/quantity.js";
import { invalidArgument } from "../../errors.js";
import type { GroupNode, Named } from "../../node/index.js";
import { command } from "../arguments/command.js";
import { tableLook } from "../arguments/options.js";
import { wrapped } from "../output/lines.js";
import { printTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { type Cell, shellWord, someNames } from "../output/text.js";
import { existingGroup } from "./existing.js";
import { ABSENT, nodeToJson, printGroup, thingsOf, UNREAD } from "./group-page.js";
import type { Labels } from "./labels.js";
import { at, momentLabel, momentToJson, type PastState } from "./moment.js";
import { nodeOptions, withNode } from "./options.js";

/** The most admins and contexts in a line of the tree. */
const FEW = 5;

/** Prints the tree of namespaces and groups, or everything about one group. */
export const groups = command({
  words: "groups <db> [group]",
  description: "list namespaces and groups with admins, members, contexts; or describe one",
  options: { at, ...nodeOptions, output: tableLook.output },
  help: `A group is given by its name, its id, or at least four first digits of its id.

Examples:
  merostore groups node/data
  merostore groups node/data office
  merostore groups node/data office --at 1d439c1b
  merostore groups node/data --json

--json prints one object for each group; a group comes after the one above it. A namespace's log is the same on all
nodes, a group's own log is what this node applied. --at replays the namespace's operations up to that one, and shows
this namespace alone. Rows that no operation makes are as they are now: keys, lengths of logs, work to do, names that
this node alone gave. Status 1 if nothing has the name, or the group does not exist; 2 if several have it.`,

  async run(terminal, { db, group }, options) {
    return withNode(terminal, db, { ...options, of: group, partial: true }, async (open) => {
      if (group !== undefined && terminal.form !== undefined)
        throw invalidArgument(
          `-o is for the list of groups; the members of one: merostore members DB ${shellWord(group)} -o ${terminal.form}`,
        );
      if (group !== undefined)
        return printGroup(terminal, open, (await existingGroup(open, group)).id, options);
      const { node, labels, moment } = open;
      // Other namespaces have their own logs, to which the operation does not belong.
      const isShown = (id: string): boolean => moment === undefined || moment.operation.namespace.id === id;
      const tree = (await node.namespaces()).filter((one) => isShown(one.group.id));
      if (options.json) {
        for (const one of tree) await jsonLines(terminal, one, null, moment);
        return 0;
      }
      if (tree.length === 0) terminal.remark("the database has no groups");
      await labels.prepare(tree.flatMap(thingsOf));
      if (terminal.form !== undefined) {
        await printTable(terminal, [GROUP_HEAD, ...tree.flatMap((one) => groupRows(one, labels))], {});
        return 0;
      }
      if (moment !== undefined) await terminal.line(`as of ${await momentLabel(moment, labels)}`);
      for (const one of tree) await terminal.lines(treeLines(one, labels, terminal.width));
      return 0;
    });
  },
});

async function jsonLines(
  terminal: Terminal,
  node: GroupNode,
  parent: string | null,
  moment: PastState | undefined,
): Promise<void> {
  await terminal.json({ ...nodeToJson(node), parent, ...momentToJson(moment) });
  for (const child of node.children) await jsonLines(terminal, child, node.group.id, moment);
}

const GROUP_HEAD = [
  "group",
  "above",
  "visibility",
  "members",
  "admins",
  "contexts",
  "application",
  "this node",
];

/** A group and its subgroups as rows of a table. */
function groupRows(one: GroupNode, labels: Labels, above = ""): Cell[][] {
  const { group, visibility, members, admins, contexts, application, ownRole, children } = one;
  const own = [
    labels.of(group),
    above,
    visibility ?? "",
    members ?? "unknown",
    admins.map((admin) => labels.of(admin)).join(", "),
    contexts.map((context) => labels.of(context)).join(", "),
    application === undefined ? "" : labels.of(application),
    ownRole ?? "",
  ];
  return [own, ...children.flatMap((child) => groupRows(child, labels, labels.of(group)))];
}

/** The lines of a namespace with its subgroups. */
function treeLines(node: GroupNode, labels: Labels, width: number | undefined): string[] {
  const lines: string[] = [];
  const add = (one: GroupNode, first: string, rest: string): void => {
    const room = width === undefined ? undefined : width - rest.length;
    const [text = "", ...more] = wrapped(`${labels.of(one.group)}  ${summaryOf(one, labels)}`, room, 4);
    const bar = one.children.length > 0 ? "│" : " ";
    lines.push(first + text, ...more.map((line) => `${rest}${bar}${line.slice(1)}`));
    for (const [at, child] of one.children.entries()) {
      const isLast = at === one.children.length - 1;
      add(child, `${rest}${isLast ? "└─ " : "├─ "}`, `${rest}${isLast ? "   " : "│  "}`);
    }
  };
  add(node, "", "");
  return lines;
}

/** `? members` if rows of members do not decode. */
function membersText(members: number | undefined, hasAdmin: boolean): string {
  if (members === undefined) return "? members";
  return members === 0 && hasAdmin ? "no row of a member" : counted(members, "member");
}

function summaryOf(node: GroupNode, labels: Labels): string {
  const { admins, contexts, members, visibility, ownRole, application, exists, isUnread } = node;
  const few = (things: readonly Named[], label: (thing: Named) => string): string =>
    someNames(things.map(label), FEW);
  return [
    ...(exists ? [] : [ABSENT]),
    ...(isUnread ? [UNREAD] : []),
    ...(visibility === undefined ? [] : [visibility]),
    membersText(members, admins.length > 0),
    ...(admins.length === 0 ? [] : [`admin ${few(admins, (thing) => labels.of(thing))}`]),
    ...(contexts.length === 0
      ? []
      : [
          `${contexts.length === 1 ? "context" : "contexts"} ${few(contexts, (thing) => labels.name(thing))}`,
        ]),
    ...(application === undefined ? [] : [labels.name(application)]),
    `this node: ${ownRole ?? "not a member"}`,
    ...(node.unreadOperations ? [`${counted(node.unreadOperations, "operation")} cannot be read`] : []),
  ].join(" · ");
}
