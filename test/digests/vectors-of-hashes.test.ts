/** The test vectors of the schema's annex A: hashes, ids and keys. */
import { createDecipheriv } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { derivePublicKey, sha256 } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import * as payload from "../../src/payloads/index.js";
import * as value from "../../src/values/index.js";

const text = new TextEncoder();
const of = (byte: number, size = 32) => new Uint8Array(size).fill(byte);
const zeros = of(0);
const signer = derivePublicKey(of(1));

describe("annex A", () => {
  const metadata = {
    createdAt: 1n,
    updatedAt: 2n,
    storageType: { kind: "Public" },
    crdtType: null,
    fieldName: null,
  } as const;
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
    const hashes = [1, 2, 3].map((byte) => digest.fullHash010({ ownHash: of(byte), children: null }));
    expect(hashes.map(toHex)).toEqual([
      "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793",
      "75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a",
      "648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b",
    ]);
    const parent = "866edea6f7ce51612ad0ea3bcde93b2494d77e8c466bc2a69817a6443f2a57f0";
    const children = hashes.map((merkleHash, at) => ({ id: of(at + 1), merkleHash, metadata }));
    expect(toHex(digest.fullHash010({ ownHash: zeros, children }))).toBe(parent);
    const withoutIds = children.map((child) => ({
      ...child,
      metadata: { ...metadata, schemaVersion: null },
    }));
    // Children count in the order of their ids, however they are stored.
    expect(toHex(digest.fullHash011({ ownHash: zeros, children: withoutIds.toReversed() }))).toBe(parent);
    expect(toHex(digest.fullHash010({ ownHash: zeros, children: children.toReversed() }))).not.toBe(parent);
  });

  it("V10: blob ids", () => {
    const hash = sha256(text.encode("hello"));
    const root = "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50";
    expect(toHex(hash)).toBe("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    expect(toHex(digest.blobRootId([hash]))).toBe(root);
    const chunk = value.BlobMetaValue010.decode(
      fromHex("05000000000000002cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b982400000000"),
    );
    expect(digest.blobId(chunk)).toEqual(hash);
    const of010 =
      "05000000000000002cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824010000002cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    expect(toHex(digest.blobId(value.BlobMetaValue010.decode(fromHex(of010))))).toBe(root);
    expect(toHex(digest.blobId(value.BlobMetaValue.decode(fromHex(`${of010}01000000`))))).toBe(root);
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
    const index = payload.EntityIndex010.decode(fromHex(hex));
    expect(digest.fullHash010(index)).toEqual(index.fullHash);
    expect(toHex(payload.EntityIndex010.encode(index))).toBe(hex);
  });
});
