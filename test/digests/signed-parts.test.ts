/** Signed parts of real operations of core-0.11 that verify does not check: all others are in its tests of fixtures. */
import { expect, it } from "vitest";
import { verify } from "../../src/crypto/index.js";
import { endorsementDigest, keyEnvelopeSigningBytes } from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import * as value from "../../src/values/index.js";
import { Rows } from "./rows.js";

const rows = new Rows("core-0.11/log", core011);

it("endorsements of devices have the signature of the member", () => {
  const endorsements = rows.of(key.GroupOpLog, value.GroupOpLogValue011).flatMap(({ value: row }) => {
    const { op } = row.decode();
    return op.kind === "AccountDeviceLinked" ? [op.endorsement] : [];
  });
  expect(endorsements).toHaveLength(3);
  for (const one of endorsements)
    expect(verify(one.member, endorsementDigest(one), one.signature, { strict: true })).toBe(true);
});

it("keys of groups have the signature of the sender", () => {
  const sent = rows.of(key.NamespaceGovOp, value.NamespaceGovOpValue011).flatMap(({ value: row }) => {
    const entry = row.skeletonBytes.decode();
    if (entry.kind === "Opaque") return [];
    const { op } = entry.value;
    if (op.kind === "Root") return op.value.kind === "KeyDelivery" ? [op.value] : [];
    return (op.keyRotation?.envelopes ?? []).map((envelope) => ({ groupId: op.groupId, envelope }));
  });
  expect(sent).toHaveLength(43 + 3);
  for (const { groupId, envelope } of sent) {
    const message = keyEnvelopeSigningBytes(groupId, envelope);
    expect(verify(envelope.sender, message, envelope.signature, { strict: true })).toBe(true);
  }
});
