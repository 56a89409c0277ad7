/** Everything that can be recomputed in databases which core-0.11 wrote. The counts are all that there are. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { derivePublicKey, verify } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import { EntityIndex011 } from "../../src/payloads/index.js";
import { core011 } from "../../src/schemas/index.js";
import * as value from "../../src/values/index.js";
import { countGroupOperation, countNamespaceOperation, type FirstKeys } from "./operations-011.js";
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
  countStatic(rows, tally, value.BlobMetaValue011, value.ApplicationMetaValue011, value.GroupKeyValue011);
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
      const signed = digest.actionSignature011(action);
      if (signed === undefined) {
        if ("signatureData" in storageType) tally.check(`${storageType.kind} without signature`);
        continue;
      }
      const message = digest.actionDigest011(action);
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

/** What a logged operation has in common with the namespace operation that brought it. */
function carrier(op: {
  readonly signer: Uint8Array;
  readonly nonce: bigint;
  readonly signature: Uint8Array;
}) {
  return `${toHex(op.signer)} ${op.nonce} ${toHex(op.signature)}`;
}

function countNode(rows: Rows, tally: Tally): void {
  for (const { value: own } of rows.of(key.NodeIdentity, value.NodeIdentityValue)) {
    tally.check("node identity", equalBytes(derivePublicKey(own.privateKey), own.publicKey));
  }
  const [device] = rows.of(key.NodeDeviceIdentity, value.NodeDeviceIdentityValue);
  for (const { value: root } of rows.of(key.NodeAccountRoot, value.NodeAccountRootValue)) {
    const rootSignPk = derivePublicKey(root.rootSecret);
    tally.check("account root", device !== undefined && equalBytes(rootSignPk, device.value.accountRootPk));
    const account = digest.accountId({ version: 2, rootSignPk });
    for (const { key: at, value: known } of rows.of(key.GroupAccountKey, value.GroupAccountKeyValue)) {
      if (equalBytes(known.rootPk, rootSignPk)) tally.check("own account", equalBytes(at.accountId, account));
    }
    for (const { key: at, value: known } of rows.of(key.GroupDeviceBinding, value.GroupDeviceBindingValue)) {
      if (device !== undefined && equalBytes(at.deviceId, device.value.deviceId)) {
        tally.check("own device's account", equalBytes(known.account, account));
      }
    }
  }
  for (const { key: at, value: known } of rows.of(key.GroupAccountKey, value.GroupAccountKeyValue)) {
    const account = digest.accountId({ version: 2, rootSignPk: known.rootPk });
    if (known.epoch === 0) tally.check("account id by its first key", equalBytes(account, at.accountId));
  }
  for (const { key: at, value: own } of rows.of(key.ContextIdentity, value.ContextIdentityValue011)) {
    if (own.privateKey === null) tally.check("identity without key");
    else tally.check("context identity", equalBytes(derivePublicKey(own.privateKey), at.publicKey));
  }
}

describe("computed from the rows of core-0.11", () => {
  it("log", () => {
    expect(count("core-0.11/log")).toEqual({
      "account id by its first key": 10,
      "account id of a proof": 16,
      "account root": 1,
      "application state": 4,
      "blob id": 11,
      "bundle id": 2,
      checkpoint: 1,
      "child hash": 99,
      // Of the context whose snapshot was cut off.
      "child without index": 2,
      "chunk id": 12,
      "context identity": 1,
      "context without state": 1,
      "delta id": 30,
      "delta signature": 26,
      // Genesis deltas.
      "delta without author": 4,
      "device certificate": 15,
      "endorsement signature": 3,
      "full hash": 113,
      "group head is a logged operation": 9,
      "group operation signature": 61,
      "group operation with its carrier's signature": 12,
      "handoff signature": 2,
      "id of a collection": 55,
      "id of a collection in an entry": 1,
      "id of a rotation log": 1,
      "id of the application's state": 4,
      "identity without key": 5,
      "index without entry": 7,
      "invitation signature": 8,
      "key envelope for a Device": 43,
      "key envelope for a Member": 3,
      "key id": 17,
      "map entry id by its 32 bytes": 6,
      "map entry id by its text": 30,
      "module id": 2,
      "namespace operation id": 104,
      "namespace operation signature": 104,
      "node identity": 1,
      "opaque operation id": 1,
      "own account": 2,
      "own device's account": 2,
      "own hash": 106,
      "revocation signature": 1,
      "root hash": 3,
      "Shared Update signature": 6,
      "SharedMember Add signature": 6,
      "stub application": 2,
      tombstone: 18,
      "User Add signature": 7,
      "User DeleteRef signature": 3,
      "User Update signature": 2,
    });
  });
  it("node-a", () => {
    expect(count("core-0.11/node-a")).toEqual({
      "account id by its first key": 8,
      "account id of a proof": 13,
      "account root": 1,
      "application state": 7,
      "blob id": 8,
      "child hash": 226,
      "chunk id": 10,
      "delta id": 219,
      "delta signature": 212,
      // Genesis deltas.
      "delta without author": 7,
      "device certificate": 13,
      "full hash": 233,
      "group head is a logged operation": 8,
      "group operation signature": 19,
      "group operation with its carrier's signature": 1,
      "id of a collection": 16,
      "id of a collection in an entry": 3,
      "id of a collection in an entry that is gone": 1,
      "id of a rotation log": 1,
      "id of the application's state": 7,
      "identity without key": 8,
      "invitation signature": 2,
      "key envelope for a Device": 6,
      "key id": 10,
      "map entry id by its 32 bytes": 4,
      "map entry id by its text": 185,
      "module id": 6,
      "namespace operation id": 39,
      "namespace operation signature": 39,
      "node identity": 1,
      "own account": 6,
      "own device's account": 6,
      "own hash": 233,
      "root hash": 7,
      "Shared Update signature": 7,
      "SharedMember Add signature": 7,
      tombstone: 5,
      "User Add signature": 2,
      "User Update signature": 4,
    });
  });
  it("node-b", () => {
    expect(count("core-0.11/node-b")).toEqual({
      "account id by its first key": 3,
      "account id of a proof": 8,
      "account root": 1,
      "application state": 2,
      "blob id": 1,
      checkpoint: 1,
      "child hash": 152,
      "chunk id": 1,
      "delta id": 125,
      "delta signature": 125,
      "device certificate": 8,
      "full hash": 154,
      "group head is a logged operation": 3,
      "group operation with its carrier's signature": 15,
      "id of a collection": 2,
      "id of the application's state": 2,
      "identity without key": 2,
      "invitation signature": 2,
      "key envelope for a Device": 6,
      "key id": 5,
      "map entry id by its text": 148,
      "namespace operation id": 29,
      "namespace operation signature": 29,
      "node identity": 1,
      "own account": 1,
      "own device's account": 1,
      "own hash": 154,
      "root hash": 2,
      "stub application": 1,
      tombstone: 3,
    });
  });
  it("node-c", () => {
    expect(count("core-0.11/node-c")).toEqual({
      "account id by its first key": 3,
      "account id of a proof": 8,
      "account root": 1,
      "application state": 2,
      "blob id": 1,
      checkpoint: 1,
      "child hash": 49,
      "chunk id": 1,
      "delta id": 22,
      "delta signature": 22,
      "device certificate": 8,
      "full hash": 51,
      "group head is a logged operation": 3,
      "group operation signature": 1,
      "group operation with its carrier's signature": 14,
      "id of a collection": 2,
      "id of the application's state": 2,
      "invitation signature": 2,
      "key envelope for a Device": 6,
      "key id": 3,
      "map entry id by its text": 45,
      "namespace operation id": 29,
      "namespace operation signature": 29,
      "node identity": 1,
      "own account": 1,
      "own device's account": 1,
      "own hash": 51,
      "root hash": 2,
      "stub application": 1,
      tombstone: 3,
    });
  });
});
