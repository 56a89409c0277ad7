/** Deleted rows, and the findings of verification about them. */
import { GroupConsumedInvitation, GroupKeyEntry, GroupMember, GroupMeta } from "../../src/keys/index.js";
import { grouped } from "../support/lists.js";
import { Database } from "./deletions/database.js";
import { deletionKind } from "./deletions/kinds.js";
import { allUnnoticed, unnoticedEntry } from "./deletions/unnoticed.js";
import type { Notice, StoredRow, Subject } from "./values/subject.js";
import { openSubjects } from "./values/subjects.js";

/** The totals of all deletions. */
export interface DeletionFigures {
  /** Rows that were deleted one at a time. */
  readonly rows: number;
  /** Rows with an error or a warning about their deletion. */
  readonly noticed: number;
  /** Rows with nothing worse than an info about their deletion. */
  readonly infoOnly: number;
  /** Kinds whose rows in a fixture were all deleted at once. */
  readonly kinds: number;
  readonly kindsNoticed: number;
  /** The same by kind: a table, with its head. */
  readonly table: readonly (readonly string[])[];
  /** The failures: an unnoticed deletion of an unlisted kind, and a listed kind whose deletions are all noticed. */
  readonly wrong: readonly string[];
}

/** The totals of the deletions of a kind. */
class Tally {
  rows = 0;
  noticed = 0;
  infoOnly = 0;
  /** Errors, warnings and infos of all rows deleted at once, in all fixtures. */
  readonly together = { error: 0, warning: 0, info: 0 };
  readonly rules = new Map<string, number>();

  add(notices: readonly Notice[]): void {
    this.rows++;
    if (isNoticed(notices)) this.noticed++;
    else if (notices.length > 0) this.infoOnly++;
    for (const rule of new Set(notices.map(({ rule, severity }) => `${rule} (${severity})`)))
      this.rules.set(rule, (this.rules.get(rule) ?? 0) + 1);
  }
}

function isNoticed(notices: readonly Notice[]): boolean {
  return notices.some(({ severity }) => severity !== "info");
}

/**
 * Deletes rows of every fixture, one at a time, and then all of each kind at once.
 *
 * @param fixtures the folder of all fixtures
 * @param most rows of each kind in each fixture that are deleted one at a time
 * @param once true for each kind of a revision in one fixture only
 */
export async function deleteRows(fixtures: string, most: number, once = false): Promise<DeletionFigures> {
  const tallies = new Map<string, Tally>();
  const wrong: string[] = [];
  let kinds = 0;
  let kindsNoticed = 0;
  for (const subject of await openSubjects(fixtures)) {
    const { name } = subject;
    const revision = subject.schema.name;
    for (const [kind, rows] of await byKind(subject)) {
      const entry = unnoticedEntry(revision, kind);
      const earlier = tallies.get(`${revision}\t${kind}`);
      if (once && earlier !== undefined) continue;
      const tally = earlier ?? new Tally();
      tallies.set(`${revision}\t${kind}`, tally);
      const judge = (what: string, notices: readonly Notice[], expected: boolean): void => {
        if (isNoticed(notices) === expected) return;
        const rules = [...new Set(notices.map(({ rule }) => rule))].join(", ");
        const found = expected ? "was not noticed" : `is listed as such, and was noticed by ${rules}`;
        wrong.push(`${revision} ${kind}: the deletion of ${what} ${found} (${name})`);
      };
      let notices: readonly Notice[] = [];
      for (const row of rows.slice(0, most)) {
        notices = await subject.noticesWithout([row]);
        tally.add(notices);
        judge(Buffer.from(row.key).toString("hex"), notices, entry === undefined || entry.only === "all");
      }
      if (rows.length > 1) notices = await subject.noticesWithout(rows);
      for (const { severity } of notices) tally.together[severity]++;
      kinds++;
      if (isNoticed(notices)) kindsNoticed++;
      if (rows.length > 1) judge("all rows", notices, entry === undefined || entry.only === "one");
    }
  }
  for (const { revision, kind } of allUnnoticed())
    if (!tallies.has(`${revision}\t${kind}`))
      wrong.push(`${revision} ${kind} is listed, and no fixture has a row of it`);
  const sum = (of: "rows" | "noticed" | "infoOnly"): number =>
    [...tallies.values()].reduce((total, tally) => total + tally[of], 0);
  const [rows, noticed, infoOnly] = [sum("rows"), sum("noticed"), sum("infoOnly")];
  return { rows, noticed, infoOnly, kinds, kindsNoticed, table: tableOf(tallies), wrong };
}

async function byKind(subject: Subject): Promise<ReadonlyMap<string, readonly StoredRow[]>> {
  const db = new Database(subject.schema, subject.rows);
  const replayed = await subject.replayed();
  return grouped(subject.rows, (row) => {
    const name = subject.kindOf(row);
    const isReplayed = replayed.has(Buffer.from(row.key).toString("hex")) && isTold(db, name, row);
    return isReplayed || isKeyOfFounder(db, name, row)
      ? `${name} that operations lead to`
      : deletionKind(subject, db, row);
  });
}

/** Returns whether other rows show it. Without its invitation, the answering node added a member, not an admin. */
function isTold(db: Database, kind: string, { key }: StoredRow): boolean {
  if (kind !== "GroupConsumedInvitation") return true;
  const { groupId, account } = GroupConsumedInvitation.fromBytes(key);
  return db.get<{ readonly role: string }>(new GroupMember({ groupId, account }))?.role === "Admin";
}

/** Returns whether a key shows, before core-0.11, that this node founded the group and has the rows of a founder. */
function isKeyOfFounder(db: Database, kind: string, { key }: StoredRow): boolean {
  if (db.schema.name !== "core-0.10" || kind !== "GroupKeyEntry") return false;
  const { groupId } = GroupKeyEntry.fromBytes(key);
  return (db.get<{ readonly createdAt: bigint }>(new GroupMeta({ groupId }))?.createdAt ?? 0n) !== 0n;
}

function tableOf(tallies: ReadonlyMap<string, Tally>): readonly (readonly string[])[] {
  const rows = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ["revision", "row", "rows", "noticed", "info only", "not noticed", "all at once", "rules"],
    ...rows.map(([name, { rows, noticed, infoOnly, together, rules }]) => [
      ...name.split("\t"),
      ...[rows, noticed, infoOnly, rows - noticed - infoOnly].map(String),
      `${together.error} errors, ${together.warning} warnings, ${together.info} infos`,
      [...rules]
        .sort(([, a], [, b]) => b - a)
        .map(([rule, count]) => `${rule} ${count}`)
        .join(", "),
    ]),
  ];
}
