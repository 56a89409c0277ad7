/** Remarks about the rows that an answer lacks, and the status of such a command. */
import { count } from "../../bytes/quantity.js";
import { isMerostoreError, MerostoreError } from "../../errors.js";
import type { CalimeroNode, UnreadRows } from "../../node/index.js";
import { newerWriter, revisions } from "../../schemas/index.js";
import type { Store } from "../../store/index.js";
import type { ExitStatus } from "../arguments/command.js";
import type { Terminal } from "../output/terminal.js";
import { reportFailure } from "./failure.js";

/** A node that a command read. */
export interface ReadNode {
  readonly store: Store;
  readonly node: Pick<CalimeroNode, "unread">;
  /** Its unique name; undefined for a single node. */
  readonly name?: string | undefined;
}

/**
 * Runs a command, then remarks on the rows that it could not use. They decide the status: 3, or 4 if a newer node may
 * have written all of them.
 *
 * @param nodes the nodes that the command read, in their state after the command
 */
export async function withRemarks(
  terminal: Terminal,
  nodes: readonly ReadNode[],
  run: () => Promise<ExitStatus>,
): Promise<ExitStatus> {
  let status: ExitStatus | undefined;
  try {
    status = await run();
  } catch (error) {
    // A thing, or a delta of a moment, may be unknown because its row does not decode.
    const isAbsence = isMerostoreError(error, "UNKNOWN_NAME") || isMerostoreError(error, "INVALID_ARGUMENT");
    if (!isAbsence || nodes.every(({ node }) => node.unread.isEmpty)) throw error;
    await terminal.flush();
    for (const one of nodes) remarkUnread(terminal, one);
    reportFailure(terminal, error);
  }
  await terminal.flush();
  const worst = nodes.map((one) => remarkUnread(terminal, one));
  if (worst.includes(3)) return 3;
  return worst.includes(4) ? 4 : (status ?? 3);
}

/** Remarks that nothing is found, after the remarks on unread rows; with these, the sentence is `unread`. */
export function remarkNothing(
  terminal: Terminal,
  read: ReadNode,
  { text, unread }: { readonly text: string; readonly unread: string },
): void {
  terminal.remark(remarkUnread(terminal, read) === 0 ? text : unread);
}

/** The remarks already made on a terminal. */
const saidOn = new WeakMap<Terminal, Set<string>>();

/** Refuses an answer that needs all rows, if a table is damaged. @throws MerostoreError `DATABASE_DAMAGED` */
export function refuseDamaged({ unread }: Pick<CalimeroNode, "unread">): void {
  const damage = unread.damaged.find(({ isLeftOut }) => isLeftOut !== true);
  if (damage !== undefined) throw new MerostoreError("DATABASE_DAMAGED", damage.message);
}

/** Remarks on the unread rows of a node, each remark once. Returns the resulting status; 0 if there are none. */
function remarkUnread(terminal: Terminal, read: ReadNode): 0 | 3 | 4 {
  const said = saidOn.get(terminal) ?? new Set();
  saidOn.set(terminal, said);
  const of = read.name === undefined ? "" : `${read.name}: `;
  const damages = new Map(read.node.unread.damaged.map(({ column, message }) => [column, message]));
  for (const text of [...undecodedTexts(read), ...damages.values()].map((one) => of + one)) {
    if (!said.has(text)) terminal.remark(text);
    said.add(text);
  }
  return unreadStatus(read);
}

/** The status of an answer without the unread rows; 0 if there are none. */
export function unreadStatus(read: ReadNode): 0 | 3 | 4 {
  const { rows, damaged } = read.node.unread;
  if (damaged.length > 0 || rows.some((of) => laterWriter(read, of) === undefined)) return 3;
  return rows.length > 0 ? 4 : 0;
}

/**
 * A sentence for each kind with undecodable rows, for each row with another reason, and about the rows that an export
 * leaves out.
 */
export function undecodedTexts(read: ReadNode): readonly string[] {
  const { rows, damaged } = read.node.unread;
  const leftOut = new Set(damaged.flatMap(({ message, isLeftOut }) => (isLeftOut ? message : [])));
  const texts = rows.flatMap((one) => {
    const reasons = [...new Set(one.reasons.values())];
    const size = one.keys.size - one.reasons.size;
    if (size === 0) return reasons;
    const writer = laterWriter(read, one);
    const isOne = size === 1;
    const which = `${one.hasMore ? "more than " : ""}${count(size)} ${isOne ? "row" : "rows"} of ${one.kind} ${isOne ? "does" : "do"} not decode`;
    const why = writer === undefined ? "" : `, perhaps of ${writer}`;
    return [`${which}${why}: this answer lacks ${isOne ? "its" : "their"} content`, ...reasons];
  });
  return [...texts, ...leftOut];
}

/** The newer node, in words, that may have written rows; undefined if they are damaged. */
function laterWriter({ store: { schema } }: ReadNode, { mayBeLater }: UnreadRows): string | undefined {
  const { release } = schema;
  return mayBeLater && release !== undefined && schema.name === revisions.at(-1)?.name
    ? newerWriter({ release })
    : undefined;
}
