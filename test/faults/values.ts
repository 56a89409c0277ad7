/** Spoilt values, and the findings of verification about them. */

import { grouped } from "../support/lists.js";
import { fieldsOf } from "./values/fields.js";
import { type Case, CaseMaker, spoil } from "./values/spoil.js";
import type { StoredRow, Subject } from "./values/subject.js";
import { openSubjects } from "./values/subjects.js";
import { Tally } from "./values/tally.js";
import { entries, entryOf } from "./values/unseen.js";
import { rarelyUnseen } from "./values/unseen-fields.js";

/** The totals of all cases. */
export interface ValueFigures {
  readonly cases: number;
  /** Cases without a finding; their fields are all listed. */
  readonly notCaught: number;
  /** The findings about each field: a table, with its head. */
  readonly table: readonly (readonly string[])[];
  /** The failures: fields without a finding that are not listed, and listed fields that need not be. */
  readonly wrong: readonly string[];
}

/** A listed field is listed for nothing if this many cases were all caught. */
const PROOF = 60;

/** Even a rare kind of row is spoilt so often. */
const LEAST_OF_KIND = 40;

/**
 * Spoils values at random, one at a time, in fields of every row.
 *
 * @param fixtures the folder of all fixtures
 * @param count the least number of cases
 */
export async function spoilValues(fixtures: string, count: number, seed: number): Promise<ValueFigures> {
  const subjects = await openSubjects(fixtures);
  const sound = await Promise.all(
    subjects.map(async (subject) => ({ subject, rows: await subject.sound() })),
  );
  const each = Math.ceil(count / sound.reduce((sum, { rows }) => sum + rows.length, 0));
  const maker = new CaseMaker(seed);
  return judged(function* () {
    for (const { subject, rows } of sound) {
      for (const [, ofKind] of byKind(subject, rows)) {
        const times = Math.max(each, Math.ceil(LEAST_OF_KIND / ofKind.length));
        for (const row of ofKind) yield* maker.ofRow(subject, row, times);
      }
    }
  });
}

/** Spoils every field of every kind of row of some small databases, in some row. */
export async function spoilEveryField(fixtures: string, seed: number): Promise<ValueFigures> {
  const maker = new CaseMaker(seed);
  const cases: Case[] = [];
  const done = new Set<string>();
  const names = ["core-0.10/log-and-tables", "core-0.11/node-c", "core-0.11/log"];
  for (const subject of await openSubjects(fixtures, names)) {
    for (const [kind, rows] of byKind(subject, await subject.sound())) {
      const left = [...rows];
      while (left.length > 0) {
        const [row] = left.splice(maker.below(left.length), 1) as [StoredRow];
        for (const field of new Set(fieldsOf(subject.schema, row))) {
          const place = `${subject.schema.name} ${kind} ${field}`;
          if (done.has(place)) continue;
          done.add(place);
          cases.push(maker.ofField(subject, row, field));
        }
      }
    }
  }
  return judged(() => cases);
}

function byKind(subject: Subject, rows: readonly StoredRow[]): ReadonlyMap<string, readonly StoredRow[]> {
  return grouped(rows, (row) => subject.kindOf(row));
}

async function judged(cases: () => Iterable<Case>): Promise<ValueFigures> {
  const tally = new Tally();
  const wrong: string[] = [];
  /** The times that a field under an entry of the list was spoilt and caught; absent once it was not caught. */
  const caught = new Map(entries().map((entry) => [entry, 0]));
  for (const one of cases()) {
    const done = await spoil(one);
    tally.add(done);
    const { revision, kind, field, subject, row } = one;
    const entry = entryOf(revision, kind, field);
    if (done.news.length > 0) {
      // A value that does not decode says nothing about the field.
      const isFound = done.news.some(({ rule }) => rule !== "row-decodes");
      const count = entry === undefined || !isFound ? undefined : caught.get(entry);
      if (entry !== undefined && count !== undefined) caught.set(entry, count + 1);
    } else if (entry !== undefined) caught.delete(entry);
    else {
      const key = Buffer.from(row.key).toString("hex");
      wrong.push(`${revision} ${kind} ${field} was not caught: ${subject.name}, ${row.column} ${key}`);
    }
  }
  for (const [entry, count] of caught)
    if (count >= PROOF && !rarelyUnseen.includes(entry))
      wrong.push(`${entry} is listed, and was caught each of ${count} times`);
  return { cases: tally.cases, notCaught: tally.notCaught, table: tally.table, wrong };
}
