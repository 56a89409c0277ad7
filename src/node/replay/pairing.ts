/**
 * Which row of a group's own log is which operation of its namespace (governance G.7, 2). A node that received an operation
 * logs it with the signature of the operation that carried it, which does not cover the logged bytes; its author logs it
 * under a signature of its own.
 */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { sha256 } from "../../crypto/index.js";
import { GroupOp, GroupOp010 } from "../../payloads/index.js";
import { Pause } from "../tables/pause.js";
import type { NodeReader } from "../tables/rows.js";
import { type Operations, type ReplayOperation, shortSignature } from "./operations.js";
import { storedRows } from "./stored.js";

/** A row of a group's own log. */
export interface LogRow {
  readonly sequence: bigint;
  readonly nonce: bigint;
  readonly operation: ReplayOperation;
  /** Before core-0.11: the hash that the group's state had before it; undefined where it says none. */
  readonly stateHash: Uint8Array | undefined;
  /** Whether the row says something else than the operation that was signed. */
  readonly isForged: boolean;
}

/** The groups' own logs, in their order, by the id of the group. */
export type Logs = ReadonlyMap<string, readonly LogRow[]>;

/** Reads the logs of groups, and finds the operation of each row. A row without one is added to the operations as local. */
export async function readLogs(
  reader: NodeReader,
  operations: Operations,
  groups: ReadonlySet<string>,
  isOwn: (signer: string) => boolean,
): Promise<Logs> {
  const made = operationsByContent(operations, isOwn);
  const logs = new Map<string, LogRow[]>();
  const pause = new Pause();
  for await (const { key, value } of storedRows(reader, "GroupOpLog", groups)) {
    await pause.ifLong();
    if (value instanceof Uint8Array || value.value === undefined) continue;
    const signed = value.value;
    const [group, signer] = [toHex(key.groupId), toHex(signed.signer)];
    const bytes = "stateHash" in signed ? GroupOp010.encode(signed.op) : GroupOp.encode(signed.op as GroupOp);
    const carried = operations.list[operations.bySignature.get(shortSignature(signed.signature)) ?? -1];
    const isCarried =
      operations.accounts &&
      carried?.group === group &&
      carried.signer === signer &&
      carried.nonce === signed.nonce &&
      carried.logged === undefined;
    const paired = isCarried ? carried : take(made, contentKey(group, signer, bytes));
    const operation =
      paired ??
      operations.addLocal(
        { signer, nonce: signed.nonce, group, parents: [], rotation: undefined, logged: key.sequence },
        bytes,
      );
    operation.logged = key.sequence;
    if (operation.body === undefined) operations.setBytes(operation, bytes);
    const row: LogRow = {
      sequence: key.sequence,
      nonce: signed.nonce,
      operation,
      stateHash:
        "stateHash" in signed && !signed.stateHash.every((byte) => byte === 0) ? signed.stateHash : undefined,
      isForged: paired !== undefined && !equalBytes(operations.bytes(paired), bytes),
    };
    const log = logs.get(group);
    if (log === undefined) logs.set(group, [row]);
    else log.push(row);
  }
  return logs;
}

/** The operations on groups that a row of the same content stands for: this node's own; of all signers before core-0.11. */
function operationsByContent(
  operations: Operations,
  isOwn: (signer: string) => boolean,
): Map<string, ReplayOperation[]> {
  const made = new Map<string, ReplayOperation[]>();
  const known = operations.list.filter(
    (operation) => operation?.state === "group" && (!operations.accounts || isOwn(operation.signer)),
  ) as ReplayOperation[];
  known.sort((a, b) => (a.nonce < b.nonce ? 1 : a.nonce > b.nonce ? -1 : b.number - a.number));
  for (const operation of known) {
    const key = contentKey(operation.group as string, operation.signer, operations.bytes(operation));
    const list = made.get(key);
    if (list === undefined) made.set(key, [operation]);
    else list.push(operation);
  }
  return made;
}

function contentKey(group: string, signer: string, bytes: Uint8Array): string {
  return group + signer + toHex(sha256(bytes).subarray(0, 16));
}

/** Takes the first of those that are left: they lie in reverse. */
function take(made: Map<string, ReplayOperation[]>, key: string): ReplayOperation | undefined {
  return made.get(key)?.pop();
}
