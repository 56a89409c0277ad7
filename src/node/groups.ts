/** Namespaces and groups, as a tree. */

import { unreadOperations } from "./history/unread.js";
import { memberReader } from "./members.js";
import type { Named, Names } from "./names.js";
import type { GroupRecord } from "./tables/groups.js";
import { countMember, countMembers, type MemberCount } from "./tables/members.js";
import { hasKind } from "./tables/rows.js";
import type { Tables } from "./tables/tables.js";
import { unreadOf } from "./tables/unread.js";

/** A group with the groups below it. */
export interface GroupNode {
  /** The group, with its name if it has one. */
  readonly group: Named;
  /** The groups directly below. */
  readonly children: readonly GroupNode[];
  /** Contexts of the group. */
  readonly contexts: readonly Named[];
  /**
   * The number of the group's members: members with a row, and members through the parent of an open group. Undefined
   * if a member's row does not decode.
   */
  readonly members: number | undefined;
  /** The members whose role is Admin; without such members, the admin that the group itself names. */
  readonly admins: readonly Named[];
  /** In core-0.11 whether all members of the group above may join; undefined for a namespace. */
  readonly visibility: "open" | "restricted" | undefined;
  /** The application that the group runs; undefined until it is known. */
  readonly application: Named | undefined;
  /**
   * When it was made, in milliseconds since 1970; undefined on nodes that did not make it, Infinity if a number cannot
   * express it.
   */
  readonly createdAt: number | undefined;
  /**
   * This node's part in the group: its role, `owner`, `unknown` if its own keys are left out, or undefined if it is not
   * a member.
   */
  readonly ownRole: string | undefined;
  /** False for a group that was deleted or that other rows only mention. */
  readonly exists: boolean;
  /**
   * True if the row of the group does not decode, or a table with rows of groups is damaged: then facts are missing
   * here.
   */
  readonly isUnread: boolean;
  /**
   * The number of operations on the group that cannot be read, because the database lacks their key or has only their
   * skeleton. Their effects may be missing here. Undefined if the logs are too long to count them.
   */
  readonly unreadOperations: number | undefined;
}

/** The facts that make the nodes of the tree. */
export interface GroupFacts {
  readonly groups: ReadonlyMap<string, GroupRecord>;
  readonly names: Names;
  readonly memberCounts: ReadonlyMap<string, MemberCount>;
  /** True if groups can be open or restricted, as since core-0.11. */
  readonly hasVisibility: boolean;
  /** The numbers of unreadable operations by group; undefined if the logs are too long to count them. */
  readonly unread: ReadonlyMap<string, number> | undefined;
  /** True if a table with rows of groups is damaged. */
  readonly isDamaged: boolean;
  /** True if this node's own keys are left out. */
  readonly lacksOwn: boolean;
}

/** Reads the facts for the nodes of the tree. */
export async function readGroupFacts(tables: Tables, names: Names): Promise<GroupFacts> {
  const own = await tables.own();
  const isOwn = (member: string): boolean => own.account === member || own.publicKeys.has(member);
  const groups = await tables.groups();
  const memberCounts = await countMembers(tables.reader, isOwn);
  const membersIn = memberReader(tables.reader, groups);
  for (const { id, visibility } of groups.values())
    if (visibility === 0) {
      memberCounts.delete(id);
      for (const member of await membersIn(id)) countMember(memberCounts, id, member, isOwn);
    }
  return {
    groups,
    names,
    memberCounts,
    hasVisibility: hasKind(tables.reader, "GroupSubgroupVis"),
    unread: await unreadOperations(tables.reader, groups),
    isDamaged: unreadOf(tables.reader).isDamaged("Group", ""),
    lacksOwn: unreadOf(tables.reader).lacksOwn(),
  };
}

/** Levels of a tree at most: nodes refuse more than sixteen. */
const DEEPEST = 100;

/**
 * The namespaces with all groups below them, in the order of their names; namespaces without a name come last. If the
 * tree is damaged, groups that no namespace reaches come at the end.
 */
export function groupTree(facts: GroupFacts): readonly GroupNode[] {
  const seen = new Set<string>();
  const all = [...facts.groups.values()];
  const roots = all.filter(({ parent }) => parent === undefined || !facts.groups.has(parent));
  const nodes = byName(roots.map(({ id }) => groupNode(facts, id, [], seen)));
  const others = all.flatMap(({ id }) => (seen.has(id) ? [] : [groupNode(facts, id, [], seen)]));
  return [...nodes, ...others];
}

/** A group with all groups below it. In a damaged tree, a group that is its own ancestor is not repeated below. */
export function groupNode(
  facts: GroupFacts,
  id: string,
  above: readonly string[] = [],
  seen = new Set<string>(),
): GroupNode {
  seen.add(id);
  const record = facts.groups.get(id);
  const path = [...above, id];
  const children = path.length >= DEEPEST ? [] : (record?.children ?? []).filter((child) => !seen.has(child));
  const count = facts.memberCounts.get(id);
  const admin = record?.meta?.admin;
  const admins = count?.admins.length ? count.admins : admin === undefined ? [] : [admin];
  const isUnread = record?.isUnread === true || facts.isDamaged;
  const isZero = record?.meta === undefined || /^0*$/.test(record.meta.application);
  return {
    group: facts.names.group(id),
    children: byName(children.map((child) => groupNode(facts, child, path, seen))),
    contexts: (record?.contexts ?? []).map((context) => facts.names.context(context)),
    members: count?.isUnsure ? undefined : (count?.members ?? 0),
    admins: admins.map((member) => facts.names.member(member, id, ...above)),
    visibility: record?.parent === undefined || !facts.hasVisibility ? undefined : visibilityOf(record),
    application: isZero
      ? undefined
      : facts.names.application(
          record?.meta?.application as string,
          // Before core-0.11 the app key names something else.
          facts.hasVisibility ? record?.meta?.appKey : undefined,
        ),
    createdAt: record?.meta?.createdAt,
    ownRole: ownRoleOf(facts, count, record),
    exists: record?.meta !== undefined || isUnread,
    isUnread,
    unreadOperations: facts.unread && (facts.unread.get(id) ?? 0),
  };
}

/** The accounts that see a group. The node takes a group without a row as restricted. */
export function visibilityOf({ visibility }: GroupRecord): "open" | "restricted" {
  return visibility === 0 ? "open" : "restricted";
}

function byName(nodes: readonly GroupNode[]): readonly GroupNode[] {
  const key = ({ group: { name, id } }: GroupNode): string => (name === undefined ? `1${id}` : `0${name}`);
  return nodes.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The admin that a group names has that role without a row too, as the creator of a group does in core-0.10. */
function ownRoleOf(
  { names, lacksOwn }: GroupFacts,
  count: MemberCount | undefined,
  record: GroupRecord | undefined,
): string | undefined {
  if (lacksOwn) return "unknown";
  const { admin, owner } = record?.meta ?? {};
  const byName = admin !== undefined && names.isOwn(admin) ? { id: admin, role: "Admin" } : undefined;
  const own = count?.own ?? byName;
  return own === undefined || owner !== own.id ? own?.role : `${own.role}, owner`;
}
