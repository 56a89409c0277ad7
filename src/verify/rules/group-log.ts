/** The log of a group: operations in the order in which this node applied them. */

import { toHex } from "../../bytes/hex.js";
import { IdTable } from "../../bytes/id-table.js";
import { u64 } from "../../codec/index.js";
import { sha256All } from "../../crypto/index.js";
import { anyGroupOp } from "../../digests/index.js";
import { GroupOpHead, GroupOpLog, NamespaceGovOp } from "../../keys/index.js";
import {
  type AnyGroupOp,
  GroupOp,
  GroupOp011,
  GroupOpEarlier,
  GroupOpEarlier24,
  readableGroupOp,
  type SignedGroupOp,
  type SignedGroupOp010,
  type SignedGroupOp011,
} from "../../payloads/index.js";
import { COMPARE, RESTORE } from "../advice.js";
import { ahead, runsById } from "../batches.js";
import { type GoodRow, on, onBatch, type Rule } from "../rule.js";
import { only010, type Since011, since010, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import { decryptAll } from "./encrypted-operations.js";
import { wronglySigned } from "./signed-forms.js";
import { bySigner, expectedVersion, operationsIn } from "./signed-operations.js";

/** The most heads that a log may have. */
const MOST_HEADS = 64;

type Operation = SignedGroupOp010 | SignedGroupOp011 | SignedGroupOp;

const logSequence: Rule = {
  name: "group-log-sequence",
  relations: [39, 40],
  severity: "error",
  says: "A group's log has the numbers from 1 on without a gap, and its head the last of them.",
  means: "Operations of the group are missing from its log, or the log's end is not recorded.",
  advice: RESTORE,
  pairs: true,
  checks: [
    on(since010, GroupOpLog, async function* (batches, tools) {
      let last = 0n;
      for await (const { id: groupId, rows, begins, ends } of runsById(batches, ({ key }) => key.groupId)) {
        if (begins) last = 0n;
        tools.checked(rows.length);
        for (const { key } of rows) {
          const expected = last + 1n;
          last = key.sequence;
          if (last === expected) continue;
          yield {
            key,
            message: "the log has a gap before this operation",
            found: last,
            expected,
            severity: "error",
          };
        }
        if (!ends) continue;
        const [head] = await tools.find([new GroupOpHead({ groupId })]);
        const { sequence: found } = head?.value ?? { sequence: 0n };
        if (found === last || (head?.there && head.value === undefined)) continue;
        const key = new GroupOpLog({ groupId, sequence: last });
        if (found === last - 1n)
          yield { key, message: "the head of the log is one operation behind", found, expected: last };
        else {
          const message = "the head of the log has another number than its last operation";
          yield { key, message, found, expected: last, severity: "error" };
        }
      }
    }),
    onBatch(since010, GroupOpHead, async function* (rows, tools) {
      tools.checked(rows.length);
      for (const [{ key, value }, { there }] of await tools.join(
        rows,
        ({ key: { groupId }, value: { sequence } }) => new GroupOpLog({ groupId, sequence }),
      )) {
        if (there || value.sequence === 0n) continue;
        const message = "the operation that the head of the log numbers is not there";
        yield { key, message, expected: value.sequence, severity: "error" };
      }
    }),
  ],
};

const logHeads: Rule = {
  name: "group-log-heads",
  relations: [39, 40],
  severity: "error",
  says: `The heads of a group's log are operations in it, at most ${MOST_HEADS}.`,
  means: "The node does not know where the log of the group ends. New operations may have wrong parents.",
  advice: RESTORE,
  checks: [
    on(since010, GroupOpLog, async function* (batches, tools) {
      let heads = new Map<string, Uint8Array>();
      let sequence = 0n;
      for await (const { id: groupId, rows, begins, ends } of runsById(batches, ({ key }) => key.groupId)) {
        if (begins) {
          const [head] = await tools.find([new GroupOpHead({ groupId })]);
          const dagHeads = head?.value?.dagHeads ?? [];
          sequence = head?.value?.sequence ?? 0n;
          heads = new Map(dagHeads.map((id) => [toHex(id), id]));
          tools.checked(heads.size);
          const found = dagHeads.length;
          if (found > MOST_HEADS)
            yield {
              key: new GroupOpHead({ groupId }),
              message: "the log has too many heads",
              found,
              expected: `at most ${MOST_HEADS}`,
            };
        }
        let last = 0n;
        for (const { key, value } of rows) {
          last = key.sequence;
          if (heads.size > 0 && value.value !== undefined) heads.delete(toHex(anyGroupOp.id(value.value)));
        }
        if (!ends) continue;
        for (const found of heads.values()) {
          const message = "a head of the log is not an operation in it";
          // After a crash the head is one operation behind the log, and the next operation overwrites the last one.
          const severity = sequence === last - 1n ? "warning" : "error";
          yield { key: new GroupOpHead({ groupId }), message, found, severity };
        }
      }
    }),
  ],
};

/** The version of operations, by revision. Those of core-1.0 are 11 to 16 so far. Its nodes keep older operations. */
const VERSION_010 = 3;
const VERSION_011 = 10;

interface LoggedOperation {
  readonly key: GroupOpLog;
  readonly operation: Operation;
}

function logged(
  rows: readonly GoodRow<GroupOpLog, { readonly value: Operation | undefined }>[],
): LoggedOperation[] {
  return rows.flatMap(({ key, value: { value } }) =>
    value === undefined ? [] : [{ key, operation: value }],
  );
}

const operationVersion: Rule = {
  name: "group-operation-version",
  relations: [39, 40],
  severity: "error",
  says: "A logged operation has the version of its revision.",
  means: "No node of this revision accepts the operation. The row was changed, or another version wrote it.",
  advice: COMPARE,
  checks: [
    onBatch(since010, GroupOpLog, async function* (rows, tools) {
      for (const { key, operation } of logged(rows)) {
        tools.checked();
        const expected = expectedVersion(operation, VERSION_010, VERSION_011);
        const message = "no node accepts an operation of this version";
        if (expected !== undefined) yield { key, message, found: operation.version, expected };
      }
    }),
  ],
};

const operationSignature: Rule = {
  name: "group-operation-signature",
  relations: [39, 40],
  severity: "error",
  says: "A logged operation is signed, by itself or (core-0.11) as part of the namespace operation that brought it.",
  means: "Nobody proves that the signer made the operation. It was forged or changed.",
  advice: COMPARE,
  checks: [
    on(only010, GroupOpLog, async function* (batches, tools) {
      for await (const wrong of ahead(batches, (rows) => unsigned(logged(rows), tools))) {
        for (const { key, operation } of wrong)
          yield {
            key,
            message: "the operation's signature is not by its signer",
            expected: operation.signer,
          };
      }
    }),
    on(since011, GroupOpLog, async function* (batches, tools) {
      let carriers: IdTable | undefined;
      for await (const rows of batches) {
        for (const { key, operation } of await unsigned(logged(rows), tools)) {
          if ("stateHash" in operation) continue; // an operation of core-0.10
          carriers ??= await findCarriers(tools);
          if (carriers.has(carrierHash(operation))) continue;
          if (carriers.has(carrierHash(operation, bytesOf(operation)))) continue;
          const message = "the signature is neither its signer's nor that of an operation which carried it";
          yield { key, message, expected: operation.signer, severity: "warning" };
        }
      }
    }),
  ],
};

/** The operations whose own signature is wrong. */
function unsigned(
  operations: readonly LoggedOperation[],
  tools: Pick<Tools, "checked" | "verify">,
): Promise<readonly LoggedOperation[]> {
  const signed = operations.map((one) => ({
    ...one,
    ...bySigner(one.operation, anyGroupOp.signingBytes(one.operation)),
  }));
  return wronglySigned(signed, tools);
}

/** The bytes of an operation on a group, as they were encrypted. */
function bytesOf(operation: SignedGroupOp | SignedGroupOp011): Uint8Array {
  if (!("kind" in operation)) return GroupOp011.encode(operation.op);
  switch (operation.kind) {
    case "today":
      return GroupOp.encode(operation.op);
    case "earlier":
      return GroupOpEarlier.encode(operation.op);
    case "earlier-24":
      return GroupOpEarlier24.encode(operation.op);
    default:
      return GroupOp011.encode(operation.op);
  }
}

/** The fields that a logged operation and its carrier have in common. */
type Carried = Pick<SignedGroupOp011, "signer" | "nonce" | "signature" | "parentOpHashes">;

/**
 * The hashes of the fields that namespace operations share with the logged operations that they brought. A hash covers
 * the decrypted operation too, if its key is there. Another rule checks the signatures of namespace operations.
 */
async function findCarriers(tools: Tools<Since011>): Promise<IdTable> {
  const carriers = new IdTable();
  for await (const rows of tools.scan(NamespaceGovOp.range({}))) {
    const signed = operationsIn(rows);
    const encrypted = signed.flatMap(({ key, operation }) =>
      operation.op.kind === "Group" ? [{ key, operation, ...operation.op }] : [],
    );
    const found = await decryptAll<AnyGroupOp>(encrypted, tools, readableGroupOp);
    for (const { operation } of signed)
      if (operation.op.kind !== "Group") carriers.add(carrierHash(operation));
    for (const [at, { operation }] of encrypted.entries())
      carriers.add(carrierHash(operation, found[at]?.bytes));
  }
  return carriers;
}

/** The hash of the fields that a logged operation shares with its carrier, and of the operation's bytes. */
function carrierHash(
  { signer, nonce, signature, parentOpHashes }: Carried,
  operation: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const parents = u64.encode(BigInt(parentOpHashes.length));
  return sha256All([signer, u64.encode(nonce), signature, parents, ...parentOpHashes, operation]);
}

export const groupLogRules: readonly Rule[] = [logSequence, logHeads, operationVersion, operationSignature];
