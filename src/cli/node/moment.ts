/** The moment that `--at` names: right after an operation of a namespace's log. */
import { asPrinted } from "../../bytes/id.js";
import { invalidArgument, isMerostoreError, MerostoreError, UnknownWord } from "../../errors.js";
import type { CalimeroNode, Named, Operation } from "../../node/index.js";
import { GROUPS } from "../arguments/ids.js";
import { TIME_FORMS, timeOf } from "../arguments/moment-text.js";
import { text } from "../arguments/option-kinds.js";
import { shortDate } from "../output/lines.js";
import { idAndName, type Labels } from "./labels.js";

export const at = text(
  "<moment>",
  "as of then: the id of an operation of the namespace's log, its number, or a time",
);

/** `28@office`, `operation 28@office`: a number in the log of a group's namespace. */
const NUMBER_IN_GROUP = /^(?:operation )?#?(\d{1,9})@(.+)$/i;

/** A moment of a node. */
export interface PastState {
  /** The operation that is the last one, or the newest of them. */
  readonly operation: Operation;
  /** For a time: the ids of all operations until then, newest first. */
  readonly made?: readonly string[];
  /** For a time: the ids of the heads among these operations. */
  readonly heads?: readonly string[];
  /** The present node. */
  readonly now: CalimeroNode;
}

/**
 * Finds the typed moment, and the node at that moment.
 *
 * @param utc true if a time without a zone is typed in UTC
 * @param group the group that the question is about, as it was typed; undefined for all
 */
export async function momentOf(
  now: CalimeroNode,
  typed: string,
  utc: boolean,
  group?: string,
): Promise<{ readonly then: CalimeroNode; readonly moment: PastState }> {
  const last = await operationAt(now, typed, utc, group);
  const then = await now.at(last.made ?? last.operation.id);
  return { then, moment: { ...last, now } };
}

/** The operations until a moment. */
type Last = Omit<PastState, "now">;

/**
 * Finds the operation of a typed moment by its number or id, or the operations until a time.
 *
 * @throws MerostoreError `AMBIGUOUS_NAME` if several operations have the number; `MOMENT_UNKNOWN` for a time between
 *   the bounds of an operation's time; `UNKNOWN_NAME` if there is none
 */
export async function operationAt(
  now: CalimeroNode,
  typed: string,
  utc: boolean,
  group?: string,
): Promise<Last> {
  const [, numbered, of] = NUMBER_IN_GROUP.exec(typed) ?? [];
  if (numbered !== undefined) return operationAt(now, numbered, utc, of);
  if (/^\W*delta\b/i.test(typed))
    throw invalidArgument(
      `--at: ${typed} is of a context, and groups have operations: name one by its number or id, or give a time`,
    );
  const time = timeOf(typed, utc);
  const number = asPrinted(typed);
  const isNumber = /^\d{1,9}$/.test(number);
  if (time === undefined && !isNumber) return { operation: await operationOfId(now, typed) };
  const namespaces = group === undefined ? await allNamespaces(now) : [await namespaceOf(now, group)];
  if (isNumber) {
    const found = await operationsOf(now, number, namespaces);
    // Few ids consist of decimal digits only. A number that no operation has counts as the beginning of an id.
    if (found.length === 0 && number.length >= 4) return { operation: await operationOfId(now, typed) };
    if (found.length === 0) throw new UnknownWord(`no operation of the log has the number ${number}`);
    if (found.length > 1)
      throw new MerostoreError(
        "AMBIGUOUS_NAME",
        `${found.length} operations have the number ${number}: ${found.map(({ id, namespace }) => `${id.slice(0, 8)} of ${namespace.name ?? namespace.id.slice(0, 8)}`).join(", ")}; name one by its id`,
      );
    return { operation: found[0] as Operation };
  }
  const [namespace, ...others] = namespaces;
  if (namespace === undefined) throw new UnknownWord("the database has no namespace, and so no operation");
  if (others.length > 0)
    throw invalidArgument(
      "--at: each namespace has a log of its own: name a group, or an operation by its id",
    );
  return lastUntil(now, namespace, time as Date);
}

/** The operations with a number: `28`, `#28`, `operation 28` or `operation 28@office`; none for any other text. */
export async function operationsOf(
  node: CalimeroNode,
  typed: string,
  namespaces?: readonly Named[],
): Promise<readonly Operation[]> {
  const [, numbered, of] = NUMBER_IN_GROUP.exec(typed) ?? [];
  if (numbered !== undefined) return operationsOf(node, numbered, [await namespaceOf(node, of as string)]);
  const number = asPrinted(typed);
  const found: Operation[] = [];
  // The number of a delta counts in its context.
  if (!/^\d{1,9}$/.test(number) || /^\W*(?!operation\b)[a-z]+ /i.test(typed)) return found;
  for (const namespace of namespaces ?? (await allNamespaces(node)))
    for await (const one of node.history(namespace.id))
      if (one.sequence === BigInt(number) && one.state !== "skeleton") found.push(one);
  return found;
}

async function operationOfId(now: CalimeroNode, typed: string): Promise<Operation> {
  const { id } = await now.resolve(typed, ["operation"]).catch((error: unknown) => {
    if (!isMerostoreError(error, "UNKNOWN_NAME")) throw error;
    throw new UnknownWord(`${error.message}; a time is given as ${TIME_FORMS}`, {
      cause: error,
    });
  });
  const operation = await now.operation(id);
  if (operation === undefined) throw new UnknownWord(`no namespace's log has the operation ${typed}`);
  return operation;
}

async function allNamespaces(now: CalimeroNode): Promise<readonly Named[]> {
  return (await now.namespaces()).map(({ group }) => group);
}

/** The namespace of a group, which may be deleted. */
async function namespaceOf(now: CalimeroNode, typed: string): Promise<Named> {
  const group = await now.resolve(typed, GROUPS);
  const details = await now.groupDetails(group.id);
  if (details !== undefined) return details.namespace;
  for await (const { namespace } of now.history(group.id, { limit: 1 })) return namespace;
  throw new MerostoreError("UNKNOWN_NAME", `no operation names group ${typed}`);
}

/** The operations of a namespace until a time, if the time bounds of all operations decide it. */
async function lastUntil(now: CalimeroNode, { id }: Named, time: Date): Promise<Last> {
  const then = time.getTime();
  let last: Operation | undefined;
  const made: string[] = [];
  const followed = new Set<string>();
  const open: Operation[] = [];
  for await (const operation of now.history(id, { times: true })) {
    const { after, before } = operation.time ?? {};
    if (before !== undefined && before <= then) {
      last ??= operation;
      made.push(operation.id);
      for (const parent of operation.parents) followed.add(parent);
    } else if (after === undefined || after <= then) open.push(operation);
  }
  const [newest] = open;
  if (newest !== undefined) {
    const label = `${newest.sequence} (${newest.id.slice(0, 8)})`;
    const which =
      open.length === 1
        ? `operation ${label} may or may not have been made by then: it was made`
        : `${open.length} operations may or may not have been made by then: the newest of them, operation ${label}, was made`;
    throw new MerostoreError(
      "MOMENT_UNKNOWN",
      `${which} ${boundsText(newest.time, true) ?? "at an unknown time"}; name an operation by its number or id`,
    );
  }
  if (last === undefined) throw new UnknownWord("the log has no operation from then or before");
  return { operation: last, made, heads: made.filter((one) => !followed.has(one)) };
}

/** The known bounds of the time of an operation: `between … and …`; undefined without any. */
export function boundsText(time: Operation["time"], utc: boolean): string | undefined {
  const [after, before] = [time?.after, time?.before].map((one) => one && shortDate(one, utc));
  if (after && before) return `between ${after} and ${before}`;
  if (before) return `before ${before}`;
  return after ? `after ${after}` : undefined;
}

/** `operation 9 (1d439c1b)`. */
export async function operationLabel({ id, sequence }: Operation, labels: Labels): Promise<string> {
  await labels.prepare([id]);
  return `operation ${sequence} (${labels.id(id)})`;
}

/** `operation 57 (76f7efd8), with 662f794f beside it`: the other heads. */
export async function momentLabel({ operation, heads = [] }: Last, labels: Labels): Promise<string> {
  const label = await operationLabel(operation, labels);
  const others = heads.filter((id) => id !== operation.id);
  await labels.prepare(others);
  return others.length === 0
    ? label
    : `${label}, with ${others.map((id) => labels.id(id)).join(", ")} beside it`;
}

/** The property of each JSON object that names its moment; no property without `--at`. */
export function momentToJson(moment: PastState | undefined): object {
  if (moment === undefined) return {};
  const { id, sequence, namespace } = moment.operation;
  const { heads = [id] } = moment;
  return { at: { operation: id, sequence: String(sequence), heads, namespace: idAndName(namespace) } };
}
