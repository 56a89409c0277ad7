/** The screen of a node's status: its head, its groups, its contexts, warnings, and the next commands. */

import { count, counted } from "../../bytes/quantity.js";
import type { Warning } from "../../errors.js";
import { changedText, known, withoutRow } from "../node/context-page.js";
import { ABSENT } from "../node/group-page.js";
import type { Labels } from "../node/labels.js";
import type { IdLook } from "../output/id-look.js";
import { shortDate, wrapped } from "../output/lines.js";
import { fittedTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { short, someNames } from "../output/text.js";
import type { Files, FolderSizes } from "./folder-sizes.js";
import type { NextCommand } from "./next-commands.js";
import type { ContextStatus, GroupStatus, NodeStatus } from "./node-facts.js";
import type { QuickCheck } from "./quick-check.js";

/** The most shown groups and contexts. Other commands list all. */
const SHOWN = 12;
/** The most admins in a line. */
const FEW = 3;

/** Options of the screen as text. */
export interface Look {
  readonly labels: Labels;
  readonly width: number | undefined;
  readonly size: Terminal["size"];
  readonly utc: boolean;
  readonly ids: IdLook;
}

/** The text about this node as a member. */
export function selfText({ self, own }: NodeStatus, { labels }: Look): string {
  const device = own.device === undefined ? "" : `, device ${labels.id(own.device)}`;
  if (self !== undefined) return `${labels.of(self)}${device}`;
  return own.publicKeys.size === 0 ? "unknown" : `signs with ${counted(own.publicKeys.size, "key")}`;
}

/** `1,011 rows, 435 kB; 15 tables, 450 kB; 1 log, 0 bytes; 6 files of blobs, 1.2 MB`. */
export function sizeText(
  rows: number,
  bytes: number,
  files: FolderSizes | undefined,
  { size }: Look,
): string {
  const text = (found: Files, one: string, several?: string): string =>
    `${counted(found.files, one, several)}, ${size(found.bytes)}`;
  const parts = [
    `${counted(rows, "row")}, ${size(bytes)}`,
    ...(files === undefined ? [] : [text(files.tables, "table"), text(files.logs, "log")]),
    ...(files?.blobs === undefined ? [] : [text(files.blobs, "file of blobs", "files of blobs")]),
  ];
  return parts.join("; ");
}

/** `no errors, 3 warnings, 20 infos`, and the parts that were not checked. */
export function checkText({ errors, warnings, infos, leftOut, lacking }: QuickCheck): string {
  const found = [
    errors === 0 ? "no errors" : counted(errors, "error"),
    ...(warnings === 0 ? [] : [counted(warnings, "warning")]),
    ...(infos === 0 ? [] : [counted(infos, "info")]),
  ];
  const rest = leftOut.length === 0 ? "" : `; too large for a quick check: ${leftOut.join(", ")}`;
  const unchecked = lacking === 0 ? "" : `; ${counted(lacking, "rule")} not checked, for what is left out`;
  return `${found.join(", ")}${rest}${unchecked}`;
}

/** The namespaces and groups as a tree. */
export function groupLines(groups: readonly GroupStatus[], { labels, width, utc }: Look): string[] {
  if (groups.length === 0) return [];
  const shown = groups.slice(0, SHOWN);
  const rows = shown.map(({ node, above, operations, heads, work, changedAt }) => [
    `${"  ".repeat(above.length)}${labels.of(node.group)}`,
    node.isUnread || node.members === undefined ? "unknown" : node.exists ? count(node.members) : ABSENT,
    someNames(
      node.admins.map((admin) => labels.name(admin)),
      FEW,
    ),
    node.ownRole ?? (node.isUnread ? "unknown" : "not a member"),
    changedAt === undefined ? "" : shortDate(changedAt, utc),
    operations === undefined ? "" : count(operations),
    operations === undefined ? "" : count(heads),
    count(work.length),
  ]);
  const head = ["group", "members", "admins", "this node", "changed", "operations", "heads", "pending"];
  const lines = fittedTable(
    [head, ...rows],
    { right: [1, 5, 6, 7], cut: [2, 3, 0], leave: [3, 6, 2, 5, 4] },
    width,
  );
  return ["", ...lines, ...more(groups.length - shown.length, "group", "groups")];
}

/** The contexts, the newest change first. */
export function contextLines(
  contexts: readonly ContextStatus[],
  { labels, width, size, utc, ids }: Look,
): string[] {
  if (contexts.length === 0) return [];
  const shown = contexts.slice(0, SHOWN);
  const rows = shown.map((one) => [
    labels.of(one.context),
    one.group === undefined ? "" : labels.name(one.group),
    changedText(one, utc),
    known(one.deltas, count),
    known(one.pending, count),
    one.isUnread
      ? "unknown"
      : one.heads.length === 1
        ? short(one.heads[0] as string, ids)
        : counted(one.heads.length, "head"),
    one.rootHash === undefined ? withoutRow(one) : short(one.rootHash, ids),
    known(one.rows, count),
    known(one.bytes, size),
    one.application === undefined ? "" : labels.name(one.application),
  ]);
  const head = ["context", "group", "changed", "deltas", "pending", "head", "root hash", "rows", "bytes"];
  const lines = fittedTable(
    [[...head, "application"], ...rows],
    { right: [3, 4, 7, 8], cut: [9, 1, 0], leave: [9, 7, 6, 1, 8, 5, 2] },
    width,
  );
  return ["", ...lines, ...more(contexts.length - shown.length, "context", "contexts")];
}

function more(left: number, one: string, command: string): string[] {
  return left > 0 ? [`and ${counted(left, `more ${one}`)}: merostore ${command} DB`] : [];
}

/** Sentences below a word. */
export function warningLines(warnings: readonly Warning[], { width }: Look): string[] {
  if (warnings.length === 0) return [];
  return ["", "warnings", ...warnings.flatMap(({ message }) => wrapped(`  ${message}`, width, 4))];
}

/** Commands with their reasons. A command is never wrapped, so that it can be copied. */
export function nextLines(next: readonly NextCommand[], { width }: Look): string[] {
  if (next.length === 0) return [];
  const longest = Math.max(...next.map(({ command }) => command.length));
  const lines = next.map(({ command, why }) => {
    const line = `  ${command.padEnd(longest)}  # ${why}`;
    return width === undefined || line.length <= width ? line : `  ${command}`;
  });
  return ["", "next", ...lines];
}
