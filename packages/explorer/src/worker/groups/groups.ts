/** The members of a group, their rights, the time of joining, and the operation that admitted them. */
import {
  capabilityNames,
  type GroupDetails,
  type GroupNode,
  type Member,
  type Named,
  type Operation,
} from "merostore/node";
import { coloursOf } from "../database/colours.js";
import type { Database } from "../database/database.js";
import { byName } from "../database/group-tree.js";
import { compareNamed } from "../database/order.js";
import { namedPeople } from "../database/people.js";
import type { Word } from "../database/words.js";
import { type StoredRow, storedRow } from "../history/stored-row.js";

/** A member with the names of its capabilities. */
export interface GroupMember extends Member {
  /** The colour of the account in all views. */
  readonly colour: number;
  /** Its place among all members by their names. */
  readonly nameRank: number;
  /** `CAN_CREATE_CONTEXT`, …; undefined if no row gives it capabilities. */
  readonly may: readonly string[] | undefined;
}

/** The rows of a group, and its members. */
export interface OneGroup {
  readonly details: GroupDetails;
  readonly group: GroupNode;
  readonly members: readonly GroupMember[];
  /** Former members, who left or were removed. */
  readonly gone: readonly {
    readonly member: Named;
    readonly colour: number;
    readonly why: string;
    readonly devices: number;
  }[];
  /** The capabilities of new members; undefined without a row. */
  readonly newMembersMay: readonly string[] | undefined;
}

/** Everything about a group beside its log; undefined if it has no row. */
export async function group(database: Database, id: string): Promise<OneGroup | undefined> {
  const { node, opened } = database;
  const details = await node.groupDetails(id);
  const found = await node.group(id);
  const [tree] = found === undefined ? [] : byName([found]);
  if (details === undefined || tree === undefined) return undefined;
  const accounts = opened.revision !== "core-0.10" && opened.revision !== "documented";
  const names = (mask: number | undefined): readonly string[] | undefined =>
    mask === undefined ? undefined : mask === 0 ? [] : capabilityNames(mask, accounts).split(", ");
  const members = byRoleAndName(await node.members(id));
  const byNames = members.map(({ member }) => member).sort(compareNamed);
  const ranks = new Map(byNames.map(({ id }, rank) => [id, rank]));
  const colourOf = await coloursOf(database);
  const left = await namedPeople(
    database,
    details.gone.map(({ member }) => member),
  );
  return {
    details,
    group: tree,
    members: members.map((member) => ({
      ...member,
      colour: colourOf(member.member),
      nameRank: ranks.get(member.member.id) ?? 0,
      may: names(member.capabilities),
    })),
    gone: await Promise.all(
      details.gone.map(async ({ member, why }, at) => ({
        member: left[at] ?? member,
        colour: colourOf(member),
        why,
        devices: (await node.devicesOf(member.id)).length,
      })),
    ),
    newMembersMay: names(details.record.defaultCapabilities),
  };
}

/** The order of the roles stays as it is. */
function byRoleAndName(members: readonly Member[]): readonly Member[] {
  const roles = [...new Set(members.map(({ role }) => role))];
  return members.toSorted(
    (a, b) => roles.indexOf(a.role) - roles.indexOf(b.role) || compareNamed(a.member, b.member),
  );
}

/** The way in which a person became a member. */
export interface Origin {
  /** Name of the operation: `MemberAdded`. */
  readonly kind: string;
  readonly operation: string;
  readonly by: Named | undefined;
  readonly after: number | undefined;
  readonly before: number | undefined;
}

/** The creation of a group, and the joining of its members. */
export interface GroupOrigins {
  readonly founding: Origin | undefined;
  readonly members: Readonly<Record<string, Origin>>;
}

/** Reads the log of the namespace, and all deltas for the times. */
export async function groupOrigins(database: Database, id: string): Promise<GroupOrigins> {
  const { founding, members } = await database.node.origins(id);
  return {
    founding: founding && originOf(founding, undefined),
    members: Object.fromEntries(
      [...members].map(([member, { operation, by }]) => [member, originOf(operation, by)]),
    ),
  };
}

function originOf({ kind = "", id, time }: Operation, by: Named | undefined): Origin {
  return { kind, operation: id, by, after: time?.after, before: time?.before };
}

/** An operation of a group's log. */
export interface LoggedRow {
  readonly id: string;
  readonly sequence: string;
  readonly kind: string | undefined;
  readonly words: readonly Word[];
  readonly isHead: boolean;
  readonly stored: StoredRow | undefined;
}

/** The newest operations of a group's own log, or of its namespace's operations about it. */
export interface GroupLog {
  /** The owner of the log: the group, or the namespace. */
  readonly within: string;
  readonly rows: readonly LoggedRow[];
  /** True if there are more. */
  readonly hasMore: boolean;
}

/** Reads the newest operations of a log. */
export async function groupLog(
  database: Database,
  id: string,
  of: "group" | "namespace",
  limit: number,
): Promise<GroupLog> {
  const { node } = database;
  const details = await node.groupDetails(id);
  const within = of === "group" ? id : (details?.namespace.id ?? id);
  const log = of === "group" ? details?.ownLog : details?.namespaceLog;
  const heads = new Set(log?.heads ?? []);
  const options = { limit: limit + 1 };
  const rows: LoggedRow[] = [];
  for await (const operation of of === "group" ? node.groupLog(id, options) : node.history(id, options)) {
    const { id: operationId, sequence, kind, sentence, state } = operation;
    const whole = of === "namespace" ? operation.namespace.id : within;
    rows.push({
      id: operationId,
      sequence: state === "skeleton" ? "" : String(sequence),
      kind,
      words: sentence,
      isHead: heads.has(operationId),
      stored: await storedRow(database, { of, within: whole, id: operationId, sequence }),
    });
  }
  return { within, rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
