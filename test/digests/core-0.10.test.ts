/** Everything that can be recomputed in databases of core-0.10. The counts are complete. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { derivePublicKey, verify } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import type { SignedNamespaceOp010 } from "../../src/payloads/index.js";
import { EntityIndex010 } from "../../src/payloads/index.js";
import { core010 } from "../../src/schemas/index.js";
import * as value from "../../src/values/index.js";
import { counts } from "./counts-0.10.js";
import { Rows, Tally } from "./rows.js";
import { countStatic } from "./static-rows.js";
import { countTree } from "./tree.js";

const ZEROS = new Uint8Array(32);
const NO_SIGNATURE = new Uint8Array(64);
const permissive = { strict: false };

function count(fixture: string): Readonly<Record<string, number>> {
  const rows = new Rows(fixture, core010);
  const tally = new Tally();
  countDeltas(rows, tally);
  countOperations(rows, tally);
  countTree(rows, tally, EntityIndex010, digest.fullHash010);
  countStatic(rows, tally, value.BlobMetaValue010, value.ApplicationMetaValue010, value.GroupKeyValue010);
  for (const { key: at, value: own } of rows.of(key.GroupSigningKey, value.GroupSigningKeyValue)) {
    tally.check("signing key", equalBytes(derivePublicKey(own.privateKey), at.publicKey));
  }
  for (const { value: own } of rows.of(key.NamespaceIdentity, value.NamespaceIdentityValue)) {
    tally.check("namespace identity", equalBytes(derivePublicKey(own.privateKey), own.publicKey));
  }
  for (const { key: at, value: own } of rows.of(key.ContextIdentity, value.ContextIdentityValue010)) {
    if (own.privateKey === null) tally.check("foreign identity");
    else tally.check("context identity", equalBytes(derivePublicKey(own.privateKey), at.publicKey));
  }
  return tally.counts;
}

function countDeltas(rows: Rows, tally: Tally): void {
  for (const { key: at, value: delta } of rows.of(key.ContextDagDelta, value.ContextDagDeltaValue010)) {
    const actions = delta.actions.decode();
    const { parents } = delta;
    const id = digest.deltaId010(parents, actions);
    const genesis = parents.length === 1 && equalBytes(parents[0] as Uint8Array, ZEROS);
    const right = equalBytes(id, delta.deltaId) && equalBytes(id, at.deltaId);
    if (!right && genesis && actions.length === 0 && delta.hlc.time === 0n) tally.check("checkpoint");
    else tally.check("delta id", right);
    for (const action of actions) {
      const signed = digest.actionSignature010(action);
      if (signed === undefined) continue;
      if (equalBytes(signed.signature, NO_SIGNATURE)) tally.check("placeholder signature", genesis);
      else {
        const message = digest.actionDigest010(action);
        tally.check(
          `${action.kind} signature`,
          verify(signed.publicKey, message, signed.signature, permissive),
        );
      }
    }
  }
}

function countOperations(rows: Rows, tally: Tally): void {
  const logged = new Set<string>();
  for (const { value: row } of rows.of(key.GroupOpLog, value.GroupOpLogValue010)) {
    const op = row.decode();
    logged.add(toHex(digest.groupOpId010(op)));
    tally.check(
      "group operation signature",
      verify(op.signer, digest.groupOpSigningBytes010(op), op.signature, permissive),
    );
  }
  for (const { value: head } of rows.of(key.GroupOpHead, value.GroupOpHeadValue)) {
    for (const id of head.dagHeads) tally.check("group head is a logged operation", logged.has(toHex(id)));
  }
  for (const { key: at, value: row } of rows.of(key.NamespaceGovOp, value.NamespaceGovOpValue010)) {
    const entry = row.skeletonBytes.decode();
    if (entry.kind === "Opaque") {
      tally.check("opaque operation id", equalBytes(entry.value.deltaId, at.deltaId));
      continue;
    }
    const op = entry.value;
    tally.check("namespace operation id", equalBytes(digest.namespaceOpId010(op), at.deltaId));
    tally.check(
      "namespace operation signature",
      verify(op.signer, digest.namespaceOpSigningBytes010(op), op.signature, permissive),
    );
    countInvitation(op, tally);
  }
}

function countInvitation({ op }: SignedNamespaceOp010, tally: Tally): void {
  if (op.kind !== "Root" || op.value.kind !== "MemberJoined") return;
  const { invitation, inviterSignature } = op.value.signedInvitation;
  const message = digest.invitationDigest010(invitation);
  tally.check(
    "invitation signature",
    verify(invitation.inviterIdentity, message, fromHex(inviterSignature), permissive),
  );
}

describe("values computed from the rows of core-0.10", () => {
  it.each(Object.entries(counts))("%s", (fixture, expected) => {
    expect(count(fixture)).toEqual(expected);
  });
});
