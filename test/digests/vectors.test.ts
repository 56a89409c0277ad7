/** The computed test vectors of the schema's annex A. */
import { createDecipheriv } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import type { Codec } from "../../src/codec/index.js";
import { derivePublicKey, sha256, sign, verify } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import * as payload from "../../src/payloads/index.js";
import * as value from "../../src/values/index.js";

const text = new TextEncoder();
const of = (byte: number, size = 32) => new Uint8Array(size).fill(byte);
const zeros = of(0);
const seed = of(1);
const signer = derivePublicKey(seed);
const hlc = { time: 0n, id: 1n };

/** A signed operation: its bytes, its id, and that the signature in the bytes is the one over the signing bytes. */
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
    expect(toHex(value.HybridTimestamp.encode({ time: 0x0102030405060708n, id: 10n }))).toBe(
      "08070605040302010a000000000000000000000000000000",
    );
    const coordinated = { kind: "Coordinated", deadline: { secs: 60n, nanos: 0 } } as const;
    expect(toHex(value.UpgradePolicy.encode(coordinated))).toBe("02013c0000000000000000000000");
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
    expect(toHex(payload.ActionList.encode(actions))).toBe(
      "01000000004444444444444444444444444444444444444444444444444444444444444444030000000102030000000001000000000000000200000000000000000000",
    );
    expect(toHex(digest.deltaId([zeros], actions))).toBe(
      "1b04e6ee685cead4bd5d7256baa4843f6f4bb1b9b3a466115b033985e26a5620",
    );
    const row = value.ContextDagDeltaValue.decode(
      fromHex(
        "1b04e6ee685cead4bd5d7256baa4843f6f4bb1b9b3a466115b033985e26a5620010000000000000000000000000000000000000000000000000000000000000000000000430000000100000000444444444444444444444444444444444444444444444444444444444444444403000000010203000000000100000000000000020000000000000000000000000000000000000100000000000000000000000000000001222222222222222222222222222222222222222222222222222222222222222200",
      ),
    );
    expect(row.hlc).toEqual(hlc);
    expect(digest.deltaId(row.parents, row.actions.decode())).toEqual(row.deltaId);
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
      payload.SignedGroupOp,
      { ...noop, version: 3, stateHash: zeros },
      { signingBytes: digest.groupOpSigningBytes, id: digest.groupOpId },
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
      payload.SignedNamespaceOp,
      { ...here, version: 1, stateHash: zeros, op: created },
      { signingBytes: digest.namespaceOpSigningBytes, id: digest.namespaceOpId },
      { id: "90797d1317f8afd780846c49ea15e9fb543c0ef627a620313f205d7267a0e0f6", hex },
    );
    const row = value.NamespaceGovOpValue.decode(fromHex(`d000000000${hex}`));
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

  it("V8: state keys", () => {
    expect(toHex(digest.indexStateKey(of(0x55)))).toBe(
      "a23e5f60b577afd1d5d31a3efa2c95b1586648dbb4f0aa254d3de36cf3966d85",
    );
    expect(toHex(digest.entryStateKey(of(0x55)))).toBe(
      "7b3cdd9e0fb3a15b7387dad963903166f7557b31293af21cfb17fe558ea6920a",
    );
    expect(toHex(digest.syncStateKey(of(0x55)))).toBe(
      "40752aa3f7da8f92b4becd7f5965897526b319ced406fc3de04f993e97f8ff07",
    );
  });

  it("V9: full hashes", () => {
    const hashes = [1, 2, 3].map((byte) => digest.fullHash({ ownHash: of(byte), children: null }));
    expect(hashes.map(toHex)).toEqual([
      "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793",
      "75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a",
      "648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b",
    ]);
    const parent = "866edea6f7ce51612ad0ea3bcde93b2494d77e8c466bc2a69817a6443f2a57f0";
    const children = hashes.map((merkleHash, at) => ({ id: of(at + 1), merkleHash, metadata }));
    expect(toHex(digest.fullHash({ ownHash: zeros, children }))).toBe(parent);
    const children011 = children.map((child) => ({
      ...child,
      metadata: { ...metadata, schemaVersion: null },
    }));
    // By id, whatever the stored order.
    expect(toHex(digest.fullHash011({ ownHash: zeros, children: children011.toReversed() }))).toBe(parent);
    expect(toHex(digest.fullHash({ ownHash: zeros, children: children.toReversed() }))).not.toBe(parent);
  });

  it("V10: blob ids", () => {
    const hash = sha256(text.encode("hello"));
    const root = "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50";
    expect(toHex(hash)).toBe("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    expect(toHex(digest.blobRootId([hash]))).toBe(root);
    const chunk = value.BlobMetaValue.decode(
      fromHex("05000000000000002cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b982400000000"),
    );
    expect(digest.blobId(chunk)).toEqual(hash);
    const of010 =
      "05000000000000002cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824010000002cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    expect(toHex(digest.blobId(value.BlobMetaValue.decode(fromHex(of010))))).toBe(root);
    expect(toHex(digest.blobId(value.BlobMetaValue011.decode(fromHex(`${of010}01000000`))))).toBe(root);
  });

  it("V11: the data key of version 1, by which both forms decrypt", () => {
    const key = digest.dataEncryptionKey(of(0x42, 48), 1);
    expect(toHex(key)).toBe("e74f29ab53c58e411443ad1c8fcdfa8d1b7b3f9c43b27f9ade58459da49d4efc");
    for (const [hex, covered] of [
      ["01000000000000000000000000df28e7718dc149055dfc3299b502bc5b28cf22d0", 0],
      ["01000000000000000000000000df28e7715b822c99703fab7e53d834840f3717dc", 13],
    ] as const) {
      const stored = fromHex(hex);
      const cipher = createDecipheriv("aes-256-gcm", key, stored.subarray(1, 13));
      cipher.setAAD(stored.subarray(0, covered)).setAuthTag(stored.subarray(-16));
      const plain = [cipher.update(stored.subarray(13, -16)), cipher.final()];
      expect(Buffer.concat(plain).toString()).toBe("test");
    }
    expect(() => digest.dataEncryptionKey(of(0, 0), 1)).toThrow("master key");
    expect(() => digest.dataEncryptionKey(of(1), 256)).toThrow("version");
  });

  it("V12: account id", () => {
    expect(toHex(digest.accountId({ version: 2, rootSignPk: signer }))).toBe(
      "04cfa21629a77f8cd8ddd3f821ed514009a9f572b2ce8e0a11f5cbb5e25340b0",
    );
  });

  it("V13: key id", () => {
    expect(toHex(digest.keyId(of(0x77)))).toBe(
      "e29442e61ad354e5cb0831e2e8359e8fb50cf024ad5a8f407c8f9de63bdf7371",
    );
  });

  it("V14: id of a bundle", () => {
    const bundle = { package: "com.example.app", signerId: "did:key:zExample" };
    expect(toHex(digest.bundleApplicationId(bundle))).toBe(
      "7c20357324a32be4308311e48657ab9d9cb550335e39b94e72176f2f0547ab97",
    );
  });

  it("V16: an index row whose hash follows from it", () => {
    const hex =
      "55555555555555555555555555555555555555555555555555555555555555550144444444444444444444444444444444444444444444444444444444444444440072cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f01536379301010101010101010101010101010101010101010101010101010101010101010100000000000000020000000000000000000000";
    const index = payload.EntityIndex.decode(fromHex(hex));
    expect(digest.fullHash(index)).toEqual(index.fullHash);
    expect(toHex(payload.EntityIndex.encode(index))).toBe(hex);
  });
});
