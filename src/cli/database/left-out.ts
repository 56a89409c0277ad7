/** Comparisons with an export that leaves out column families, or has only the rows of one thing. */
import { toHex } from "../../bytes/hex.js";
import { toId } from "../../bytes/id.js";
import { type ContextDifference, type RowSource, type SideNames, sentencesOf } from "../../diff/index.js";
import { invalidArgument } from "../../errors.js";
import type { RowSelection } from "../../schemas/index.js";
import type { SelectedIds } from "../arguments/selection.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";

/** The compared column families of which a side leaves out all rows. */
export function leftOutOf(
  a: RowSource,
  b: RowSource,
  meant: readonly string[] | undefined,
): readonly string[] {
  const all = new Set([...(a.leftOut ?? []), ...(b.leftOut ?? [])]);
  return [...all].filter((column) => meant?.includes(column) ?? true);
}

/**
 * The context, group or member to which the exports among two sides are limited; undefined if they have all rows.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` if the two exports are limited to different ones
 */
export function selectionOf(a: RowSource, b: RowSource): SelectedIds | undefined {
  const [one, other] = [a, b].map(({ selection }) => selection && selectedIds(selection));
  if (one !== undefined && other !== undefined && idsText(one) !== idsText(other))
    throw invalidArgument("the exports have rows of different contexts, groups or members");
  return one ?? other;
}

function selectedIds({ contextId, groupId, memberIds }: RowSelection): SelectedIds {
  return {
    ...(contextId !== undefined && { contextId: toId(contextId) }),
    ...(groupId !== undefined && { groupId: toId(groupId) }),
    ...(memberIds !== undefined && { memberIds: memberIds.map(toId) }),
  };
}

function idsText({ contextId, groupId, memberIds }: SelectedIds): string {
  return JSON.stringify([contextId, groupId, ...(memberIds ?? [])].map((id) => id && toHex(id)));
}

/** Remarks on the column families that are not compared. */
export function remarkLeftOut(terminal: Terminal, leftOut: readonly string[]): void {
  if (leftOut.length === 0) return;
  terminal.remark(
    `unknown: the export leaves out all rows of ${leftOut.map(printable).join(", ")}, which are not compared`,
  );
}

/** The rows of a side without those of some column families. */
export function without(rows: RowSource, columns: readonly string[]): RowSource {
  if (columns.length === 0) return rows;
  return {
    schema: rows.schema,
    columns: rows.columns.filter((column) => !columns.includes(column)),
    leftOut: columns,
    rows: (column, ranges) => rows.rows(column, ranges),
    privateEntities: () => rows.privateEntities(),
    finish: async () => rows.finish?.(),
    close: async () => rows.close?.(),
  };
}

/** A context beside an export that leaves out column families: its verdict is then unknown. */
export function unlessLeftOut(one: ContextDifference, { leftOut = [] }: RowSource): ContextDifference {
  return leftOut.length === 0 ? one : { ...one, agree: false, verdict: "unknown" };
}

/** The sentences about a context, beside an export that may leave out column families. */
export function sentencesBeside(
  one: ContextDifference,
  sides: SideNames,
  { leftOut = [] }: RowSource,
): string[] {
  return leftOut.length === 0 ? sentencesOf(one, sides) : leftOutTexts(one);
}

/** The known facts of such a context, in sentences. */
export function leftOutTexts({ a, b }: ContextDifference): string[] {
  const [hash, other] = [a, b].map((side) => side?.rootHash?.slice(0, 8));
  const hashes = hash === other ? `the root hash ${hash} in both` : `the root hashes ${hash} and ${other}`;
  return [...(hash && other ? [hashes] : []), "unknown: the export leaves out rows that decide"];
}
