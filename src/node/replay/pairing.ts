/**
 * The pairs of rows in a group's own log and operations of its namespace (governance G.7, 2). A node that received an
 * operation logs it with the signature of the operation that carried it. That signature does not cover the logged
 * bytes. The author logs it under a signature of its own.
 */

import { copyBytes, isZeros } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { compareBigints, equalBytes } from "../../bytes/order.js";
import { append } from "../../collections/lists.js";
import { sha256 } from "../../crypto/index.js";
import { signalOf } from "../../engine/abortable.js";
import { Pause } from "../../pause.js";
import { isWrittenVersion } from "../../payloads/index.js";
import type { AnySignedGroupOp } from "../history/stored.js";
import type { AnyGroupOp } from "../sentences/group.js";
import type { OwnNode } from "../tables/own.js";
import { insideOf, type RowOf } from "../tables/rows.js";
import type { Operations, ReplayOperation } from "./operations.js";
import type { Signatures } from "./signatures.js";
import type { Sources } from "./sources.js";
import { storedRows } from "./stored.js";

/** The operations in the groups' own logs, in their order, by the id of the group. */
export type Logs = ReadonlyMap<string, readonly ReplayOperation[]>;

/** Reads the logs of groups, and finds the operation of each row. A row without one is added to the operations as local. */
export async function readLogs(
  { reader, own }: Sources,
  operations: Operations,
  signatures: Signatures,
): Promise<Logs> {
  const made = operationsByContent(operations, own);
  const logs = new Map<string, ReplayOperation[]>();
  const pause = new Pause(signalOf(reader.raw));
  const add = ({ key, value }: RowOf<"GroupOpLog">): void => {
    const signed = insideOf(reader, key, value);
    if (signed === undefined) return;
    // A node that was upgraded keeps the logs of its past, and does not read them.
    if ("stateHash" in signed === operations.accounts) return;
    const { op, nonce } = signed;
    const [group, signer] = [operations.textOf(key.groupId), operations.textOf(signed.signer)];
    const bytes = operations.layouts.group.encode(op);
    const carried = operations.list[signatures.numberOf(signed.signature) ?? -1];
    const isCarried =
      operations.accounts &&
      carried?.group === group &&
      carried.signer === signer &&
      carried.nonce === nonce &&
      carried.logged === undefined;
    // Operations of the same content lie in reverse.
    const paired = isCarried ? carried : made.get(contentKey(group, signer, bytes))?.pop();
    if (paired !== undefined && paired.body === undefined)
      operations.takeOver(paired, op as AnyGroupOp, bytes);
    const operation = paired ?? operations.addLocal({ signer, nonce, group }, op as AnyGroupOp, bytes);
    const stateHash =
      "stateHash" in signed && !isZeros(signed.stateHash) ? copyBytes(signed.stateHash) : undefined;
    const forged = isCarried ? forgedHeader(operations, key.groupId, signed, carried) : [];
    if (paired !== undefined && !equalBytes(operations.bytes(paired), bytes)) forged.push("op");
    operation.logged = key.sequence;
    if (nonce !== operation.nonce || stateHash !== undefined || forged.length > 0)
      operation.logRow = { nonce, stateHash, forged };
    append(logs, group, operation);
  };
  for await (const rows of storedRows(reader, "GroupOpLog", operations.groups))
    for (const row of rows) {
      if (pause.isLong) await pause.ifLong();
      add(row);
    }
  return logs;
}

/** The fields before the operation that a node would have written otherwise, for an operation that another node sent. */
function forgedHeader(
  operations: Operations,
  groupId: Uint8Array,
  signed: AnySignedGroupOp,
  carried: ReplayOperation,
): string[] {
  const { groupId: group, parentOpHashes } = signed;
  const parents = Array.from(operations.parentsOf(carried), (number) => operations.idBytes(number));
  const areSame =
    parents.length === parentOpHashes.length &&
    parents.every((parent, at) => equalBytes(parent, parentOpHashes[at] as Uint8Array));
  return [
    ...("stateHash" in signed || isWrittenVersion(signed) ? [] : ["version"]),
    ...(equalBytes(group, groupId) ? [] : ["groupId"]),
    ...(areSame ? [] : ["parentOpHashes"]),
  ];
}

/** The operations on groups that a row of the same content stands for: this node's own; of all signers before core-0.11. */
function operationsByContent(operations: Operations, own: OwnNode): Map<string, ReplayOperation[]> {
  const made = new Map<string, ReplayOperation[]>();
  const known = operations.list.filter(
    (operation) =>
      operation?.state === "group" && (!operations.accounts || own.publicKeys.has(operation.signer)),
  ) as ReplayOperation[];
  known.sort((a, b) => compareBigints(b.nonce, a.nonce) || b.number - a.number);
  for (const operation of known)
    append(
      made,
      contentKey(operation.group as string, operation.signer, operations.bytes(operation)),
      operation,
    );
  return made;
}

function contentKey(group: string, signer: string, bytes: Uint8Array): string {
  return group + signer + toHex(sha256(bytes).subarray(0, 16));
}
