/** Remarks about the rows that an answer lacks, and the status of a command that lacks some. */
import { count } from "../bytes/quantity.js";
import { isMerostoreError, MerostoreError } from "../errors.js";
import type { CalimeroNode, UnreadRows } from "../node/index.js";
import { newerWriter, revisions } from "../schemas/index.js";
import type { Store } from "../store/index.js";
import type { ExitStatus } from "./command.js";
import { reportFailure } from "./failure.js";
import type { Terminal } from "./terminal.js";

/** A node whose rows a command read. */
export interface ReadNode {
  readonly store: Store;
  readonly node: Pick<CalimeroNode, "unread">;
  /** The name that tells it from others; undefined of the only one. */
  readonly name?: string | undefined;
}

/**
 * Runs a command, then remarks on the rows that it could not take into account. They decide the status: 3, or 4 if all of them
 * may be of a newer node.
 *
 * @param nodes those that the command read, as they are once it is done
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

/** Remarks that nothing is found, after the rows that were not read: then `unread` says it. */
export function remarkNothing(
  terminal: Terminal,
  read: ReadNode,
  { text, unread }: { readonly text: string; readonly unread: string },
): void {
  terminal.remark(`merostore: ${remarkUnread(terminal, read) === 0 ? text : unread}`);
}

/** The remarks on rows that were made on a terminal. */
const saidOn = new WeakMap<Terminal, Set<string>>();

/** Refuses an answer that needs each of the rows that were read, where a table is damaged. @throws MerostoreError `DATABASE_DAMAGED` */
export function refuseDamaged({ unread }: Pick<CalimeroNode, "unread">): void {
  const damage = unread.damaged.find(({ isLeftOut }) => isLeftOut !== true);
  if (damage !== undefined) throw new MerostoreError("DATABASE_DAMAGED", damage.message);
}

/** Remarks on the rows of a node that were not read, unless they were made before. Returns the status that they lead to; 0 without any. */
function remarkUnread(terminal: Terminal, read: ReadNode): 0 | 3 | 4 {
  const said = saidOn.get(terminal) ?? new Set();
  saidOn.set(terminal, said);
  const of = read.name === undefined ? "" : `${read.name}: `;
  const damages = new Map(read.node.unread.damaged.map(({ column, message }) => [column, message]));
  for (const text of [...undecodedTexts(read), ...damages.values()].map((one) => `merostore: ${of}${one}`)) {
    if (!said.has(text)) terminal.remark(text);
    said.add(text);
  }
  return unreadStatus(read);
}

/** The status of an answer without the rows that were not read; 0 if all were. */
export function unreadStatus(read: ReadNode): 0 | 3 | 4 {
  const { rows, damaged } = read.node.unread;
  if (damaged.length > 0 || rows.some((of) => laterWriter(read, of) === undefined)) return 3;
  return rows.length > 0 ? 4 : 0;
}

/** A sentence for each kind of which rows do not decode, for each row that has another reason, and about what an export leaves out. */
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
