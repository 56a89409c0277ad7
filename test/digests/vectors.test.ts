/** The test vectors of the schema's annex A: rows, deltas and signed operations. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import type { Codec } from "../../src/codec/index.js";
import { derivePublicKey, sign, verify } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import * as payload from "../../src/payloads/index.js";
import * as value from "../../src/values/index.js";

const of = (byte: number, size = 32) => new Uint8Array(size).fill(byte);
const zeros = of(0);
const seed = of(1);
const signer = derivePublicKey(seed);
const hlc = { time: 0n, id: 1n };

/** Checks the bytes and the id of a signed operation, and that the signature in it covers the signing bytes. */
function checkOperation<T extends { readonly signature: Uint8Array }>(
  codec: Codec<T>,
  unsigned: T,
  rule: { readonly signingBytes: (op: T) => Uint8Array; readonly id: (op: T) => Uint8Array },
  expected: { readonly id: string; readonly hex: string },
): T {
  const covered = rule.signingBytes(unsigned);
  const signed = { ...unsigned, signature: sign(seed, covered) };
  expect(toHex(codec.encode(signed))).toBe(expected.hex);
  expect(toHex(rule.id(signed))).toBe(expected.id);
  const stored = codec.decode(fromHex(expected.hex));
  expect(verify(signer, rule.signingBytes(stored), stored.signature, { strict: true })).toBe(true);
  return signed;
}

describe("annex A", () => {
  it("has the seed's public key", () => {
    expect(toHex(signer)).toBe("8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c");
  });

  it("V1, V2: keys", () => {
    const alias = new key.Alias({ aliasKind: 1, scope: zeros, name: "dev" });
    expect(toHex(alias.bytes)).toBe(`01${"00".repeat(32)}646576${"00".repeat(47)}`);
    const log = new key.GroupOpLog({ groupId: of(0xaa), sequence: 1n });
    expect(toHex(log.bytes)).toBe(`30${"aa".repeat(32)}0000000000000001`);
  });

  it("V3, V4, V15: values", () => {
    const heads = { application: of(0x11), rootHash: of(0x22), dagHeads: [of(0x33)], serviceName: null };
    expect(toHex(value.ContextMetaValue.encode(heads))).toBe(
      `${"11".repeat(32)}${"22".repeat(32)}01000000${"33".repeat(32)}00`,
    );
    expect(toHex(payload.HybridTimestamp010.encode({ time: 0x0102030405060708n, id: 10n }))).toBe(
      "08070605040302010a000000000000000000000000000000",
    );
    const coordinated = { kind: "Coordinated", deadline: { secs: 60n, nanos: 0 } } as const;
    expect(toHex(payload.UpgradePolicy.encode(coordinated))).toBe("02013c0000000000000000000000");
  });

  const metadata = {
    createdAt: 1n,
    updatedAt: 2n,
    storageType: { kind: "Public" },
    crdtType: null,
    fieldName: null,
  } as const;
  const add = { kind: "Add", id: of(0x44), data: fromHex("010203"), ancestors: [] } as const;

  it("V5: delta id of core-0.10", () => {
    const actions = [{ ...add, metadata }];
    expect(toHex(payload.ActionList010.encode(actions))).toBe(
      "01000000004444444444444444444444444444444444444444444444444444444444444444030000000102030000000001000000000000000200000000000000000000",
    );
    expect(toHex(digest.deltaId010([zeros], actions))).toBe(
      "1b04e6ee685cead4bd5d7256baa4843f6f4bb1b9b3a466115b033985e26a5620",
    );
    const row = value.ContextDagDeltaValue010.decode(
      fromHex(
        "1b04e6ee685cead4bd5d7256baa4843f6f4bb1b9b3a466115b033985e26a5620010000000000000000000000000000000000000000000000000000000000000000000000430000000100000000444444444444444444444444444444444444444444444444444444444444444403000000010203000000000100000000000000020000000000000000000000000000000000000100000000000000000000000000000001222222222222222222222222222222222222222222222222222222222222222200",
      ),
    );
    expect(row.hlc).toEqual(hlc);
    expect(digest.deltaId010(row.parents, row.actions.decode())).toEqual(row.deltaId);
  });

  it("V5: delta id of core-0.11", () => {
    const actions = [{ ...add, metadata: { ...metadata, schemaVersion: null } }];
    expect(toHex(payload.ActionList011.encode(actions))).toBe(
      "0100000000444444444444444444444444444444444444444444444444444444444444444403000000010203000000000100000000000000020000000000000000000000",
    );
    expect(toHex(digest.deltaId011([zeros], actions))).toBe(
      "2e3d14e428ec955e7f7fa1a0dc087cf06c381a6fae649efb5fbfe56b8b99ddca",
    );
    const row = value.ContextDagDeltaValue011.decode(
      fromHex(
        "2e3d14e428ec955e7f7fa1a0dc087cf06c381a6fae649efb5fbfe56b8b99ddca010000000000000000000000000000000000000000000000000000000000000000000000440000000100000000444444444444444444444444444444444444444444444444444444444444444403000000010203000000000100000000000000020000000000000000000000000000000000000001000000000000000000000000000000010000000000",
      ),
    );
    expect(digest.deltaId011(row.parents, row.actions.decode())).toEqual(row.deltaId);
  });

  const common = { parentOpHashes: [], signer, nonce: 1n, signature: of(0, 64) };

  it("V6: group operations", () => {
    const noop = { ...common, groupId: of(0xaa), op: { kind: "Noop" } } as const;
    checkOperation(
      payload.SignedGroupOp010,
      { ...noop, version: 3, stateHash: zeros },
      { signingBytes: digest.groupOpSigningBytes010, id: digest.groupOpId010 },
      {
        id: "b7051a452ae469db81e64504cae4265b83fae6c54e80f9605f3cc1d7c4af8457",
        hex: "03aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0000000000000000000000000000000000000000000000000000000000000000000000008a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c010000000000000000e26552836f65e1b1433d3b3a9e0a6c6928447272201013f0f1fc9d86b81ef74ba4319e4754388ba392aa23690759298d7a7a266485acb8b841b435ecee9e2506",
      },
    );
    checkOperation(
      payload.SignedGroupOp011,
      { ...noop, version: 10 },
      { signingBytes: digest.groupOpSigningBytes011, id: digest.groupOpId011 },
      {
        id: "3439f70004ed5ddb580ab0848a2a4a3e4db3d85a81e46d9739471e34703a6774",
        hex: "0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa000000008a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c010000000000000000bf535aa936359a58f60ad8b5dcb4ef741da053055b6b586e1d1ce09127f3d9e4891abc75b55c52eab1ffb1b0636ccde9abfa428cf36197c04d3ed181bdaf5c00",
      },
    );
  });

  it("V7: namespace operations", () => {
    const here = { ...common, namespaceId: of(0xaa) };
    const created = { kind: "Root", value: { kind: "GroupCreated", groupId: of(0xbb) } } as const;
    const hex =
      "01aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0000000000000000000000000000000000000000000000000000000000000000000000008a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c01000000000000000000bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb2df7d38dff34674916688d208fb4b8b8c598984df9d5115d3c5a61dba362389f6ceb2db9a7e2a6f6f372a4429b443b2c0b0a4dfe9c1ba4c7948d8186b7241a03";
    const signed = checkOperation(
      payload.SignedNamespaceOp010,
      { ...here, version: 1, stateHash: zeros, op: created },
      { signingBytes: digest.namespaceOpSigningBytes010, id: digest.namespaceOpId010 },
      { id: "90797d1317f8afd780846c49ea15e9fb543c0ef627a620313f205d7267a0e0f6", hex },
    );
    const row = value.NamespaceGovOpValue010.decode(fromHex(`d000000000${hex}`));
    expect(row.skeletonBytes.decode()).toEqual({ kind: "Signed", value: signed });
    checkOperation(
      payload.SignedNamespaceOp011,
      {
        ...here,
        version: 7,
        op: { kind: "Root", value: { kind: "AdminChanged", newAdmin: of(0xcc) } },
      },
      { signingBytes: digest.namespaceOpSigningBytes011, id: digest.namespaceOpId011 },
      {
        id: "7b53505143e9f916bd90a37a95c7051e37190eb1711b604d5b002a014ca918b6",
        hex: "07aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa000000008a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c01000000000000000003cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc266568cda159f7d8ab7c493a8e56c6c3dbc01a6bd6a49402936428154b8683908110e371a44097054c7c0e3fa2f76fedc622853c39b2da2aaf15353f54def608",
      },
    );
  });
});
