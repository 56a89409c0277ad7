import { visible } from "../../bytes/visible.js";
import { invalidArgument, isMerostoreError, MerostoreError } from "../../errors.js";
import {
  type ActionName,
  actions,
  type CalimeroNode,
  everMembers,
  type Named,
  operationToJson,
  type Permission,
  type PermissionStep,
  permissionOf,
} from "../../node/index.js";
import { command } from "../arguments/command.js";
import { GROUPS } from "../arguments/ids.js";
import { wrapped } from "../output/lines.js";
import { SentenceLook } from "../output/sentence-look.js";
import type { Terminal } from "../output/terminal.js";
import { saidAgainstMembers } from "../rows/signed-rows.js";
import { operationText } from "./history-lines.js";
import { idAndName, type Labels } from "./labels.js";
import { at, momentLabel, momentOf, momentToJson, operationLabel } from "./moment.js";
import { nodeOptions, type OpenNode, type PageOptions, withNode } from "./options.js";

/** The column of the answers. */
const INDENT = 19;

/** Prints whether a member may do something, and the deciding rows and operations. */
export const whyNot = command({
  words: "why-not <db> <who> <action> [where]",
  description: "show whether a member may do something, and the operation that decided it",
  options: { at, ...nodeOptions },
  help: `WHO is a member by name or id, or as member@group by the name that a group gives it. WHERE is a context or a
group; it may be left out after member@group. The chain has the questions on which it depends: is the member
one, does its role or a capability suffice, is a device bound to its account, does this node hold the keys of
the group. The last one is known of the database's own node only.

ACTION is ${actions
    .slice(0, 9)
    .map(({ name }) => name)
    .join(", ")},
${actions
  .slice(9)
  .map(({ name }) => name)
  .join(", ")}.
The capabilities and roles that each needs are those of the revision; of core-1.0 they are not known.

Examples:
  merostore why-not node/data Zoë write lobby
  merostore why-not node/data 38ec7407@office add-member
  merostore why-not node/data 38ec7407 write lobby --at 8

Status 0 if the member may, 1 if not.`,

  async run(terminal, { db, who, action: typed, where }, options) {
    const action = actions.find(({ name }) => name === typed);
    if (action === undefined)
      throw invalidArgument(
        `no action is called ${typed}; they are ${actions.map(({ name }) => name).join(", ")}`,
      );
    const group = where ?? (who.includes("@") ? who.slice(who.lastIndexOf("@") + 1) : undefined);
    if (group === undefined)
      throw invalidArgument("name a group or a context, or the member as member@group");
    return withNode(terminal, db, { ...options, at: undefined }, async ({ store, node, labels }) => {
      const place = await node.resolve(group, [...GROUPS, "context"]);
      const of = place.kind === "context" ? await groupOf(node, place) : place;
      const past =
        options.at === undefined ? undefined : await momentOf(node, options.at, options.utc, of.id);
      const member = await memberOf(node, who, of);
      const found = await permissionOf({
        node: past?.then ?? node,
        now: node,
        reader: store,
        member,
        action: action.name,
        group: of.id,
        until: past?.moment.operation.id,
      });
      await print(terminal, { node, labels, moment: past?.moment }, found, place, action.says, options);
      const against =
        past === undefined ? (await saidAgainstMembers(store, of.id)).get(member.id) : undefined;
      if (against !== undefined)
        terminal.remark(
          `the row of ${labels.of(member)} follows from signed operations, and ${against}; other nodes may answer otherwise`,
        );
      return found.allowed ? 0 : 1;
    });
  },
});

async function groupOf(node: CalimeroNode, context: Named): Promise<Named> {
  const group = (await node.context(context.id))?.group;
  if (group === undefined)
    throw new MerostoreError(
      "UNKNOWN_NAME",
      `no row says to which group context ${context.name ?? context.id.slice(0, 8)} belongs`,
    );
  return group;
}

/** The typed member: a name, an id or `member@group`. */
async function memberOf(node: CalimeroNode, typed: string, group: Named): Promise<Named> {
  const split = typed.lastIndexOf("@");
  const inGroup = split > 0 ? await node.resolve(typed.slice(split + 1), GROUPS) : group;
  const name = split > 0 ? typed.slice(0, split) : typed;
  const named = (await everMembers(node, inGroup.id)).filter((member) => member.name === name);
  const [only] = named;
  if (only !== undefined && named.every(({ id }) => id === only.id)) return only;
  if (only !== undefined)
    throw new MerostoreError(
      "AMBIGUOUS_NAME",
      `${named.length} members of the group are called ${visible(name)}: name one by its id`,
    );
  const found = await node.resolve(name, ["member", "key"]).catch((error: unknown) => {
    if (split > 0 && isMerostoreError(error, "UNKNOWN_NAME")) return node.resolve(typed, ["member", "key"]);
    throw error;
  });
  return (await node.names()).member(found.id, group.id);
}

async function print(
  terminal: Terminal,
  { node, labels, moment }: Pick<OpenNode, "node" | "labels" | "moment">,
  permission: Permission,
  place: Named,
  says: string,
  { json, utc }: PageOptions,
): Promise<void> {
  const { member, action, group, allowed, reason, steps } = permission;
  await labels.prepare([member, place]);
  const may = allowed === undefined ? "may or may not" : allowed ? "may" : "may not";
  const then = moment === undefined ? "" : `, as of ${await momentLabel(moment, labels)}`;
  const why = reason === undefined ? "" : `: ${reason}`;
  const sentence = `${labels.of(member)} ${may} ${says} ${labels.of(place)}${then}${why}`;
  if (json) {
    await terminal.json({
      member: idAndName(member),
      action: action satisfies ActionName,
      ...(place.kind === "context" && { context: idAndName(place) }),
      group: idAndName(group),
      allowed: allowed ?? null,
      sentence,
      steps: steps.map(({ question, holds, says: answer, operation }) => ({
        question,
        holds: holds ?? null,
        says: answer,
        operation: operation === undefined ? null : operationToJson(operation),
      })),
      ...momentToJson(moment),
    });
    return;
  }
  const look = new SentenceLook(terminal, [node], utc);
  await terminal.wrapped(await look.show(sentence), 4);
  const shown = new Set<string>();
  for (const step of steps)
    await terminal.lines(
      await stepLines({ ...step, says: await look.show(step.says) }, labels, shown, {
        width: terminal.width,
        utc,
      }),
    );
}

/** A question with its answer, and below them the operation that decided it: its sentence only once. */
async function stepLines(
  { question, holds, says, operation }: PermissionStep,
  labels: Labels,
  shown: Set<string>,
  { width, utc }: { readonly width: number | undefined; readonly utc: boolean },
): Promise<string[]> {
  const mark = holds === undefined ? "?" : holds ? "yes" : "no";
  const lines = wrapped(`  ${question.padEnd(10)}  ${mark.padEnd(3)}  ${says}`, width, INDENT);
  if (operation === undefined) return lines;
  const by = await operationLabel(operation, labels);
  const text = shown.has(operation.id) ? "" : `: ${await operationText(operation, labels, utc)}`;
  shown.add(operation.id);
  return [...lines, ...wrapped(`${" ".repeat(INDENT)}${by}${text}`, width, INDENT + 2)];
}
