/** Signed parts of real operations of core-0.11 that verify does not check: all others are in its tests of fixtures. */
import { expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { verify } from "../../src/crypto/index.js";
import { endorsementDigest, keyEnvelopeSigningBytes } from "../../src/digests/index.js";
import { GroupOpLogValue011, NamespaceGovOpValue011 } from "../../src/values/index.js";
import { fixtureRows } from "../support/fixtures.js";

/** The values of the rows of a kind. */
const values = (kind: string) =>
  fixtureRows("core-0.11/log").flatMap((row) => (row.kind === kind ? [fromHex(row.value)] : []));

it("endorsements of devices have the signature of the member", () => {
  const endorsements = values("GroupOpLog").flatMap((row) => {
    const { op } = GroupOpLogValue011.decode(row).decode();
    return op.kind === "AccountDeviceLinked" ? [op.endorsement] : [];
  });
  expect(endorsements).toHaveLength(3);
  for (const one of endorsements)
    expect(verify(one.member, endorsementDigest(one), one.signature, { strict: true })).toBe(true);
});

it("keys of groups have the signature of the sender", () => {
  const sent = values("NamespaceGovOp").flatMap((row) => {
    const entry = NamespaceGovOpValue011.decode(row).skeletonBytes.decode();
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
