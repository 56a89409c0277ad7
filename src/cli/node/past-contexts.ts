/**
 * Contexts at a moment: facts that deltas prove about one context, or about all until a time; or the contexts of a
 * namespace after an operation.
 */

import { fromHex } from "../../bytes/hex.js";
import { count, counted } from "../../bytes/quantity.js";
import { isMerostoreError } from "../../errors.js";
import type { GroupNode, Named } from "../../node/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { timeOf } from "../arguments/moment-text.js";
import { shortDate } from "../output/lines.js";
import { printTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { type Cell, short } from "../output/text.js";
import {
  certaintyJson,
  certaintyText,
  Moments,
  positionJson,
  positionText,
  type ReplayedMoment,
  verdictText,
} from "../state/replayed.js";
import { recordIn } from "../state/used-state.js";
import { idAndName } from "./labels.js";
import { momentLabel, momentOf, momentToJson } from "./moment.js";
import type { OpenNode, PageOptions } from "./options.js";

type Options = PageOptions & { readonly at: string; readonly recorded?: string | undefined };

/** Prints the facts that the deltas prove about a context at a moment. */
export async function printPastContext(
  terminal: Terminal,
  { store, node, labels }: OpenNode,
  id: string,
  { at, json, utc, recorded }: Options,
): Promise<ExitStatus> {
  const context: Named = (await node.names()).of(id) ?? { kind: "context", id, name: undefined };
  const moments = await Moments.of(store, fromHex(id), utc, { record: recordIn(recorded) });
  const then = await moments.at(at);
  if (json) {
    await terminal.json({ ...idAndName(context), ...pastJson(then) });
    return 0;
  }
  const { position, rootHash } = then;
  const checkpoints = moments.replay.checkpointIds.length;
  const beside = checkpoints === 0 ? "" : `, beside ${counted(checkpoints, "checkpoint")}`;
  const older = moments.replay.isJoined ? ", after older ones that the database does not have" : "";
  await terminal.fields([
    ["context", labels.name(context)],
    ["id", labels.whole(id)],
    ["as of", positionText(position, utc, terminal.ids)],
    ["root hash", rootHash === undefined ? "unknown" : labels.whole(rootHash)],
    ["certainty", verdictText(position, terminal.ids)],
    ["deltas", `${count(position.position)} of ${count(position.of)}${beside}${older}`],
  ]);
  terminal.remark(
    "deltas say nothing of group, application and members: groups --at and members --at take an operation",
  );
  return 0;
}

function pastJson({ position, rootHash }: ReplayedMoment): object {
  const { position: deltas } = position;
  return { at: positionJson(position), deltas, rootHash: rootHash ?? null, ...certaintyJson(position) };
}

/** Prints the contexts of a moment: a time, or an operation of a namespace's log. */
export async function printPastContexts(
  terminal: Terminal,
  open: OpenNode,
  options: Options,
): Promise<ExitStatus> {
  return timeOf(options.at, options.utc) === undefined
    ? printRegistered(terminal, open, options)
    : printUntil(terminal, open, options);
}

/** Prints the contexts with deltas until a time. */
async function printUntil(
  terminal: Terminal,
  { store, node, labels }: OpenNode,
  { at, json, utc, recorded }: Options,
): Promise<ExitStatus> {
  const record = recordIn(recorded);
  const rows: Cell[][] = [];
  let [found, without] = [0, 0];
  for (const { context } of await node.contextFacts()) {
    terminal.check();
    const moments = await Moments.of(store, fromHex(context.id), utc, { record });
    const then = await momentIn(moments, at);
    if (then === undefined) {
      without++;
      continue;
    }
    found++;
    if (json) {
      await terminal.json({ ...idAndName(context), ...pastJson(then) });
      continue;
    }
    const { position, rootHash } = then;
    await labels.prepare([context]);
    rows.push([
      labels.of(context),
      position.position,
      position.time === undefined ? "" : shortDate(position.time, utc),
      rootHash === undefined ? "unknown" : short(rootHash, terminal.ids),
      certaintyText(position, terminal.ids),
    ]);
  }
  if (!json && rows.length > 0) {
    if (!terminal.isForPrograms)
      await terminal.line(`as of ${shortDate((timeOf(at, utc) as Date).getTime(), utc)}`);
    const head = ["context", "deltas", "changed", "root hash", "certainty"];
    const fitting = { right: [1], cut: [], leave: [2, 4] };
    await printTable(terminal, [head, ...rows], fitting);
  }
  if (without > 0) terminal.remark(`contexts that have no delta from then or before: ${count(without)}`);
  // Status 2, as `members --at` has before the first operation.
  return found === 0 && without > 0 ? 2 : 0;
}

/** The moment; undefined if all deltas are younger. */
async function momentIn(moments: Moments, at: string): Promise<ReplayedMoment | undefined> {
  try {
    return await moments.at(at);
  } catch (error) {
    if (isMerostoreError(error, "INVALID_ARGUMENT")) return undefined;
    throw error;
  }
}

/** Prints the contexts of a namespace's groups right after an operation. */
async function printRegistered(
  terminal: Terminal,
  { node: now, labels }: OpenNode,
  { at, json, utc }: Options,
): Promise<ExitStatus> {
  const { then, moment } = await momentOf(now, at, utc);
  const { namespace } = moment.operation;
  const found: { readonly context: Named; readonly group: Named }[] = [];
  let unread = 0;
  const collect = ({ group, contexts, children, unreadOperations = 0 }: GroupNode): void => {
    unread += unreadOperations;
    for (const context of contexts) found.push({ context, group });
    for (const child of children) collect(child);
  };
  for (const tree of await then.namespaces()) if (tree.group.id === namespace.id) collect(tree);
  if (json) {
    for (const { context, group } of found)
      await terminal.json({ ...idAndName(context), group: idAndName(group), ...momentToJson(moment) });
    return 0;
  }
  await labels.prepare(found.flatMap(({ context, group }) => [context, group]));
  if (!terminal.isForPrograms) await terminal.line(`as of ${await momentLabel(moment, labels)}`);
  const rows = found.map(({ context, group }) => [labels.of(context), labels.of(group)]);
  const head = ["context", "group"];
  if (rows.length > 0) await printTable(terminal, [head, ...rows], { cut: [1, 0] });
  terminal.remark(
    unread > 0
      ? `unknown: ${counted(unread, "operation")} cannot be read; some may be about contexts`
      : rows.length === 0
        ? "the namespace had no context then"
        : "operations say nothing of deltas and sizes: give a time for those",
  );
  return 0;
}
