/** Differences of rows as lines of text. */

import { count, counted } from "../../bytes/quantity.js";
import type { Json } from "../../codec/index.js";
import type { DiffSummary, FieldDifference, RowDifference, SideNames } from "../../diff/index.js";
import type { IdLook } from "../output/id-look.js";
import type { Terminal } from "../output/terminal.js";
import { clip, inline, printable, short } from "../output/text.js";

const SIGNS = { "only in a": "<", "only in b": ">", different: "~" } as const;

/** The lines of a differing row, with its fields. */
export function rowLines(row: RowDifference, ids: IdLook): string[] {
  const { difference, column, benign } = row;
  const why = benign === undefined ? "" : `  (${benign})`;
  return [
    `${SIGNS[difference]} ${printable(column)} ${nameOf(row, ids)}${why}`,
    ...fieldTexts(row, ids).map((text) => `    ${text}`),
  ];
}

/** The cells of a differing row: row, column family, difference, fields, and the reason why it is expected. */
export function rowCells(row: RowDifference, ids: IdLook, [a, b]: SideNames): string[] {
  const { difference, column, benign = "" } = row;
  const where = { "only in a": `only in ${a}`, "only in b": `only in ${b}`, different: "different" };
  return [nameOf(row, ids), column, where[difference], fieldTexts(row, ids).join("; "), benign];
}

function nameOf({ kind, key, parts }: RowDifference, ids: IdLook): string {
  const named =
    parts === null
      ? [`key ${short(key, ids)}`]
      : Object.entries(parts).map(([name, value]) => `${name}=${short(value, ids)}`);
  return [kind ?? "unknown row", ...named].join(" ");
}

function fieldTexts({ fields = [], moreFields = 0 }: RowDifference, ids: IdLook): string[] {
  return [
    ...fields.map((field) => changeText(field, ids)),
    ...(moreFields > 0 ? [`… ${counted(moreFields, "more field")}`] : []),
  ];
}

/** `role: Member → Admin`. */
export function changeText({ path, a, b }: FieldDifference, ids: IdLook): string {
  const texts = [fieldText(a, ids), fieldText(b, ids)] as const;
  const [before, after] = ids.whole ? texts : excerpts(...texts);
  return `${path === "" ? "value" : printable(path)}: ${before} → ${after}`;
}

function fieldText(value: Json | undefined, ids: IdLook): string {
  if (value === undefined) return "nothing";
  if (typeof value !== "string") return inline(value, ids);
  return ids.base58 ? short(value, { ...ids, whole: true }) : printable(value);
}

/** The most characters of a value, and the number of these before the first difference. */
const VALUE = 40;
const BEFORE = 8;

/** Excerpts of two texts around their first difference. Short texts are whole. */
function excerpts(...texts: readonly [string, string]): string[] {
  const [a, b] = texts;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const from = same < VALUE - BEFORE ? 0 : same - BEFORE;
  return texts.map((text) => `${from > 0 ? "…" : ""}${clip(text.slice(from), VALUE)}`);
}

/** The numbers of rows. */
function summaryText(
  { a, b, onlyInA, onlyInB, different, benign, withoutValue }: DiffSummary,
  [nameA, nameB]: SideNames,
): string {
  const lacking = withoutValue === 0 ? "" : `; an export lacks the values of ${counted(withoutValue, "row")}`;
  if (onlyInA + onlyInB + different === 0) return `equal: ${counted(a, "row")}${lacking}`;
  const fair =
    benign === 0
      ? ""
      : `; ${count(benign)} of these ${benign === 1 ? "is" : "are"} expected between correct nodes`;
  return `${counted(a, "row")} in ${nameA} and ${count(b)} in ${nameB}: ${count(onlyInA)} only in ${nameA}, ${count(onlyInB)} only in ${nameB}, ${count(different)} different${fair}${lacking}`;
}

/** Prints the numbers of rows. */
export function printCounts(terminal: Terminal, summary: DiffSummary, sides: SideNames): Promise<void> {
  return terminal.wrapped(summaryText(summary, sides.map(printable) as unknown as SideNames), 2);
}
