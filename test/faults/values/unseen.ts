/** The fields that verification cannot see: fields in which a wrong value may stay without a finding. */

import { unseen } from "./unseen-fields.js";

/** The entry of the list for a field; undefined if verification finds every wrong value of it. */
export function entryOf(revision: string, kind: string, field: string): string | undefined {
  const entry = (unseen[revision]?.[kind] ?? []).find((one) => isUnder(field, one));
  return entry === undefined ? undefined : `${revision} ${kind} ${entry}`;
}

/** All entries of the list. */
export function entries(): readonly string[] {
  return Object.entries(unseen).flatMap(([revision, kinds]) =>
    Object.entries(kinds).flatMap(([kind, fields]) => fields.map((field) => `${revision} ${kind} ${field}`)),
  );
}

/** `a.*` stands for all fields in `a`. */
function isUnder(field: string, entry: string): boolean {
  return entry.endsWith(".*") ? field.startsWith(entry.slice(0, -1)) : field === entry;
}

/** Returns the list as lines of a document. */
export function unseenLines(): readonly string[] {
  const revisions = Object.keys(unseen);
  const kinds = [...new Set(Object.values(unseen).flatMap((kinds) => Object.keys(kinds)))].sort();
  const rows = kinds.flatMap((kind) => {
    const lists = revisions.map((revision) => unseen[revision]?.[kind] ?? []);
    const all = [...new Set(lists.flat())].sort();
    const shared = all.filter((field) => lists.every((list) => list.includes(field)));
    const lines = [
      { in: revisions.join(", "), fields: shared },
      ...revisions.map((revision, at) => ({
        in: revision,
        fields: (lists[at] as readonly string[]).filter((field) => !shared.includes(field)),
      })),
    ];
    return lines
      .filter(({ fields }) => fields.length > 0)
      .map((line) => `| ${kind} | ${line.in} | ${line.fields.map(shown).join(", ")} |`);
  });
  return [
    "## Fields that may be wrong",
    "",
    "Fields in which some wrong values, or all, leave no finding: no rule can say what they should be. A value that does not",
    "decode, or that a node would write as other bytes, is found wherever it is. `npm run test:faults -- values` spoils values of",
    "the fixtures at random, and fails when one stays without a finding in a field that is not listed. Less is seen of contexts",
    "whose state is being fetched, and of blobs where their files are not given. Of core-1.0 the kinds of rows are listed that a",
    "database of the tests has.",
    "",
    "`a.*` is all that lies in `a`, `a[]` each element of a list.",
    "",
    "| row | revision | fields |",
    "| --- | --- | --- |",
    ...rows,
    "",
  ];
}

const shown = (field: string): string => (field === "" ? "the value" : `\`${field}\``);
