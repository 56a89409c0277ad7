/** The moment that `--at` names: right after an operation of a namespace's log. */
import type { Node, Operation } from "../../node/index.js";
import { text } from "../option-kinds.js";
import { idAndName, type Labels } from "./labels.js";

export const at = text("<operation>", "as it was right after this operation of the namespace's log");

/** A moment of a node. */
export interface PastState {
  /** The operation that is the last one. */
  readonly operation: Operation;
  /** The node as it is now. */
  readonly now: Node;
}

/** Finds the moment right after an operation, as it was typed; and the node as it was then. */
export async function momentOf(
  now: Node,
  typed: string,
): Promise<{ readonly then: Node; readonly moment: PastState }> {
  const then = await now.at(typed);
  const { id } = await now.resolve(typed, ["operation"]);
  return { then, moment: { operation: (await now.operation(id)) as Operation, now } };
}

/** `operation 9 (1d439c1b)`. */
export async function operationLabel({ id, sequence }: Operation, labels: Labels): Promise<string> {
  await labels.prepare([{ kind: "operation", id, name: undefined }]);
  return `operation ${sequence} (${labels.id(id)})`;
}

/** The property of each JSON object that names its moment; no property without `--at`. */
export function momentToJson(moment: PastState | undefined): object {
  if (moment === undefined) return {};
  const { id, sequence, namespace } = moment.operation;
  return { at: { operation: id, sequence: String(sequence), namespace: idAndName(namespace) } };
}
