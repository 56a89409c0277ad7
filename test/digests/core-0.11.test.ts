/** Everything that can be recomputed in databases of core-0.11. The counts are complete. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { verify } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import { EntityIndex011 } from "../../src/payloads/index.js";
import { core011 } from "../../src/schemas/index.js";
import * as value from "../../src/values/index.js";
import { counts } from "./counts-0.11.js";
import { countNode } from "./node-of-0.11.js";
import { countGroupOperation, countNamespaceOperation, type FirstKeys } from "./operations-of-0.11.js";
import { Rows, Tally } from "./rows.js";
import { countStatic } from "./static-rows.js";
import { countTree } from "./tree.js";

const strict = { strict: true };

function count(fixture: string): Readonly<Record<string, number>> {
  const rows = new Rows(fixture, core011);
  const tally = new Tally();
  countDeltas(rows, tally);
  countOperations(rows, tally);
  countTree(rows, tally, EntityIndex011, digest.fullHash011);
  countStatic(rows, tally, value.BlobMetaValue, value.ApplicationMetaValue, value.GroupKeyValue);
  countNode(rows, tally);
  return tally.counts;
}

function countDeltas(rows: Rows, tally: Tally): void {
  for (const { key: at, value: delta } of rows.of(key.ContextDagDelta, value.ContextDagDeltaValue011)) {
    if (delta.checkpointRootHash !== null) {
      tally.check("checkpoint");
      continue;
    }
    const actions = delta.actions.decode();
    const id = digest.deltaId011(delta.parents, actions);
    tally.check("delta id", equalBytes(id, delta.deltaId) && equalBytes(id, at.deltaId));
    for (const action of actions) {
      const { storageType } = action.metadata;
      const signed = digest.actionSignature(action);
      if (signed === undefined) {
        if ("signatureData" in storageType) tally.check(`${storageType.kind} without signature`);
        continue;
      }
      const message = digest.actionDigest(action);
      const right = verify(signed.publicKey, message, signed.signature, strict);
      tally.check(`${storageType.kind} ${action.kind} signature`, right);
    }
    if (delta.deltaSignature === null || delta.authorId === null) {
      tally.check("delta without author", delta.deltaSignature === null && delta.authorId === null);
      continue;
    }
    const message = digest.deltaSigningBytes011({
      contextId: at.contextId,
      deltaId: at.deltaId,
      authorId: delta.authorId,
      governancePosition: delta.governancePositionBlob?.decode() ?? null,
      hlc: delta.hlc,
    });
    tally.check("delta signature", verify(delta.authorId, message, delta.deltaSignature, strict));
  }
}

function countOperations(rows: Rows, tally: Tally): void {
  const carriers = new Set<string>();
  const firstKeys: FirstKeys = new Map();
  for (const { key: at, value: row } of rows.of(key.NamespaceGovOp, value.NamespaceGovOpValue011)) {
    const entry = row.skeletonBytes.decode();
    if (entry.kind === "Opaque") {
      tally.check("opaque operation id", equalBytes(entry.value.deltaId, at.deltaId));
      continue;
    }
    const op = entry.value;
    tally.check("namespace operation id", equalBytes(digest.namespaceOpId011(op), at.deltaId));
    const right = verify(op.signer, digest.namespaceOpSigningBytes011(op), op.signature, strict);
    tally.check("namespace operation signature", right);
    if (right) carriers.add(carrier(op));
    countNamespaceOperation(op, tally, firstKeys);
  }
  const logged = new Set<string>();
  for (const { value: row } of rows.of(key.GroupOpLog, value.GroupOpLogValue011)) {
    const op = row.decode();
    logged.add(toHex(digest.groupOpId011(op)));
    const own = verify(op.signer, digest.groupOpSigningBytes011(op), op.signature, strict);
    if (own) tally.check("group operation signature");
    else tally.check("group operation with its carrier's signature", carriers.has(carrier(op)));
    countGroupOperation(op, tally, firstKeys);
  }
  for (const { value: head } of rows.of(key.GroupOpHead, value.GroupOpHeadValue)) {
    for (const id of head.dagHeads) tally.check("group head is a logged operation", logged.has(toHex(id)));
  }
}

/** The text that identifies a logged operation and the namespace operation that brought it. */
function carrier(op: {
  readonly signer: Uint8Array;
  readonly nonce: bigint;
  readonly signature: Uint8Array;
}) {
  return `${toHex(op.signer)} ${op.nonce} ${toHex(op.signature)}`;
}

describe("values computed from the rows of core-0.11", () => {
  it.each(Object.entries(counts))("%s", (fixture, expected) => {
    expect(count(fixture)).toEqual(expected);
  });
});
