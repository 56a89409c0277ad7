/** Refuses groups and contexts without rows, which only operations or aliases name, and reports the known facts. */
import { invalidArgument, MerostoreError } from "../../errors.js";
import type { Named, Operation } from "../../node/index.js";
import { GROUPS } from "../arguments/ids.js";
import { operationLabel } from "./moment.js";
import type { OpenNode } from "./options.js";

/**
 * The typed group; with `--at`, in its state at that moment.
 *
 * @throws MerostoreError `UNKNOWN_NAME` if it did not exist; `INVALID_ARGUMENT` if `--at` is of another namespace
 */
export async function existingGroup(open: OpenNode, typed: string): Promise<Named> {
  const { node, moment } = open;
  const named = await (moment?.now ?? node).resolve(typed, GROUPS).catch(() => node.resolve(typed, GROUPS));
  const operations = [];
  if (moment !== undefined) await refuseOtherNamespace(open, named);
  if ((await node.names()).hasGroup(named.id)) return named;
  for await (const operation of node.history(named.id)) operations.push(operation);
  throw new MerostoreError("UNKNOWN_NAME", await absentText(open, named, operations));
}

/** Refuses a group of a namespace to which the operation of `--at` does not belong. */
async function refuseOtherNamespace(open: OpenNode, group: Named): Promise<void> {
  const { node, labels, moment } = open;
  if (moment === undefined) return;
  const { operation, now } = moment;
  const own = (await now.groupDetails(group.id))?.namespace ?? (await namespaceIn(node, group));
  if (own === undefined || own.id === operation.namespace.id) return;
  await labels.prepare([group, own, operation.namespace]);
  const other = group.id === own.id ? "" : `, to which ${labels.of(group)} belongs`;
  throw invalidArgument(
    `--at: ${await operationLabel(operation, labels)} is in the log of namespace ${labels.of(operation.namespace)}, not in that of ${labels.of(own)}${other}`,
  );
}

/** The namespace whose log has operations about a group. */
async function namespaceIn(node: OpenNode["node"], { id }: Named): Promise<Named | undefined> {
  for await (const { namespace } of node.history(id)) return namespace;
  return undefined;
}

/**
 * The state of a group without rows that an operation deleted: `deleted: operation 26 created it, …`; otherwise
 * undefined.
 */
export async function deletionOf({ node, labels }: OpenNode, group: Named): Promise<string | undefined> {
  const operations = [];
  for await (const operation of node.history(group.id)) operations.push(operation);
  const { done, isDeleted } = await pastOf(group, operations, labels);
  return isDeleted ? `deleted: ${done}` : undefined;
}

/** The operations that created and deleted a group, in words. */
async function pastOf(
  group: Named,
  operations: readonly Operation[],
  labels: OpenNode["labels"],
): Promise<{ readonly done: string; readonly isDeleted: boolean }> {
  const created = operations.find(({ kind, group: of }) => kind === "GroupCreated" && of.id === group.id);
  const deleted = operations.find(({ kind }) => kind === "GroupDeleted");
  const done = [
    ...(created === undefined ? [] : [`${await operationLabel(created, labels)} created it`]),
    ...(deleted === undefined ? [] : [`${await operationLabel(deleted, labels)} deleted it`]),
  ];
  return { done: done.join(", "), isDeleted: deleted !== undefined };
}

/** The text about a group without rows. */
async function absentText(
  { labels, moment }: OpenNode,
  group: Named,
  operations: readonly Operation[],
): Promise<string> {
  await labels.prepare([group]);
  const { done, isDeleted } = await pastOf(group, operations, labels);
  const log = `"merostore log DB ${labels.id(group.id)}" shows its operations`;
  if (moment !== undefined)
    return `group ${labels.of(group)} did not exist right after ${await operationLabel(moment.operation, labels)}: ${done || "only operations name it"}; ${log}`;
  if (isDeleted) return `group ${labels.of(group)} is deleted: ${done}; ${log}`;
  if (operations.length === 0)
    return `the database has no row of group ${labels.of(group)}, and no operation about it`;
  return `the database has no row of group ${labels.of(group)}: only operations name it${done === "" ? "" : `, and ${done}`}; ${log}`;
}

/**
 * The typed context.
 *
 * @throws MerostoreError `UNKNOWN_NAME` if no row shows that it exists
 */
export async function existingContext({ node, labels }: OpenNode, typed: string): Promise<string> {
  const named = await node.resolve(typed, ["context"]);
  if ((await node.names()).of(named.id)?.kind === "context") return named.id;
  await labels.prepare([named]);
  throw new MerostoreError(
    "UNKNOWN_NAME",
    `context ${labels.of(named)} has no ContextMeta and no group: only an alias, deltas or operations name it; "merostore show DB ${labels.id(named.id)}" lists the rows that have its id`,
  );
}
