import { capabilityNames, hasAccounts, type Joining, type Member, type Named } from "../../node/index.js";
import { command } from "../arguments/command.js";
import { GROUPS, typedName } from "../arguments/ids.js";
import { tableLook } from "../arguments/options.js";
import { printTable } from "../output/table.js";
import { saidAgainstMembers } from "../rows/signed-rows.js";
import { existingGroup } from "./existing.js";
import { idAndName, type Labels } from "./labels.js";
import { at, momentLabel, momentToJson } from "./moment.js";
import { nodeOptions, withNode } from "./options.js";

/** Prints the members of a group. */
export const members = command({
  words: "members <db> [group]",
  usage: "[options] <db> <group>",
  description: "list the members of a group with roles, capabilities and devices",
  options: { at, ...nodeOptions, output: tableLook.output },
  help: `A group is given by its name, its id, or at least four first digits of its id. Admins come first. A member of an
open group without a row of its own is one through the group above, which "through" names.

Examples:
  merostore members node/data office
  merostore members node/data office --at 1d439c1b
  merostore members node/data office --at 9
  merostore members node/data office --json

--at replays the namespace's operations up to that one; names that this node gave are as they are now. Operations have
no time, only bounds: a time that leaves open whether an operation was made by then is refused. "!" marks a role that
is not what the operations say. Status 1 if nothing has the name, or the group does not exist; 2 if several have it.`,

  async run(terminal, { db, group: typed }, options) {
    return withNode(terminal, db, { ...options, of: typed, partial: true }, async (open) => {
      const { node, labels, moment } = open;
      const { id } = await existingGroup(open, await typedName(node, typed, GROUPS));
      const members = await node.memberList(id);
      const joinings = (await node.origins(id, { times: options.json })).members;
      // The rows of a past moment are those that the operations make.
      const against =
        moment === undefined ? await saidAgainstMembers(open.store, id) : new Map<string, string>();
      if (options.json) {
        for (const member of members) {
          const { id } = member.member;
          const contradiction = against.get(id) ?? null;
          const json = { ...memberToJson(member, joinings.get(id)), contradiction };
          await terminal.json({ ...json, ...momentToJson(moment) });
        }
        return 0;
      }
      if (members.length === 0) {
        terminal.remark("no row makes anybody a member of this group");
        return 0;
      }
      await labels.prepare(thingsIn(members));
      const accounts = hasAccounts(open.store.schema);
      await labels.prepare([...joinings.values()].map(({ by }) => by));
      if (moment !== undefined && !terminal.isForPrograms)
        await terminal.line(`as of ${await momentLabel(moment, labels)}`);
      await printTable(
        terminal,
        () => memberRows(members, labels, accounts, joinings, against),
        MEMBER_TABLE,
      );
      for (const member of against.size === 0 || terminal.isForPrograms ? [] : members) {
        const said = against.get(member.member.id);
        const line = `! ${labels.of(member.member)}: the row follows from signed operations, and ${said}`;
        if (said !== undefined) await terminal.wrapped(line, 2);
      }
      return 0;
    });
  },
});

function* thingsIn(members: Iterable<Member>): Generator<Named | undefined, void, undefined> {
  for (const { member, through } of members) {
    yield member;
    yield through;
  }
}

/** The columns of {@link memberRows}. */
export const MEMBER_TABLE = { wrap: [4, 3], cut: [0], leave: [2, 3] };

/** The members of a group as rows of a table. */
export function* memberRows(
  members: Iterable<Member>,
  labels: Labels,
  accounts: boolean,
  joinings: ReadonlyMap<string, Joining> = new Map(),
  against: ReadonlyMap<string, string> = new Map(),
): Generator<readonly string[], void, undefined> {
  yield ["member", "role", "devices", "since", "capabilities"];
  for (const member of members)
    yield [
      labels.of(member.member),
      [
        `${member.role}${against.has(member.member.id) ? " !" : ""}`,
        ...(member.isOwner ? ["owner"] : []),
      ].join(", "),
      accounts ? String(member.devices.filter(({ live }) => live).length) : "",
      sinceText(joinings.get(member.member.id), labels),
      [
        ...(member.capabilities === undefined ? [] : [capabilityNames(member.capabilities, accounts)]),
        ...(member.through === undefined ? [] : [`through ${labels.of(member.through)}`]),
      ].join("; "),
    ];
}

/** `operation 9, by alice (15c75939)`. */
function sinceText(joining: Joining | undefined, labels: Labels): string {
  if (joining === undefined) return "";
  const { operation, by } = joining;
  return `operation ${operation.sequence}${by === undefined ? "" : `, by ${labels.of(by)}`}`;
}

function memberToJson(
  { member, role, through, capabilities, devices, isOwn, isOwner }: Member,
  since: Joining | undefined,
): object {
  return {
    id: member.id,
    name: member.name ?? null,
    role,
    through: through === undefined ? null : idAndName(through),
    capabilities: capabilities ?? null,
    devices,
    isOwn,
    isOwner,
    since:
      since === undefined
        ? null
        : {
            operation: since.operation.id,
            sequence: String(since.operation.sequence),
            kind: since.operation.kind,
            by: since.by === undefined ? null : idAndName(since.by),
            after: since.operation.time?.after ?? null,
            before: since.operation.time?.before ?? null,
          },
  };
}
