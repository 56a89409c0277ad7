/** The fields that the digests cover or leave out, beyond the fields in the databases. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { sha256 } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import type { Action010, Action011, StorageType011 } from "../../src/payloads/index.js";

const of = (byte: number, size = 32) => new Uint8Array(size).fill(byte);
const text = (value: string) => new TextEncoder().encode(value);
const u64 = (value: number) => Uint8Array.of(value, 0, 0, 0, 0, 0, 0, 0);

type Upsert<A> = Extract<A, { readonly kind: "Update" }>;

function update010(changes: Partial<Upsert<Action010>["metadata"]> = {}): Upsert<Action010> {
  const storageType = {
    kind: "User",
    owner: of(2),
    signatureData: { signature: of(3, 64), nonce: 4n },
  } as const;
  return {
    kind: "Update",
    id: of(1),
    data: of(9, 5),
    ancestors: [],
    metadata: { createdAt: 5n, updatedAt: 6n, storageType, crdtType: null, fieldName: null, ...changes },
  };
}

function update(storageType: StorageType011, changes: Partial<Upsert<Action011>> = {}): Upsert<Action011> {
  const times = { createdAt: 5n, updatedAt: 6n };
  const rest = { crdtType: null, fieldName: null, schemaVersion: null };
  return {
    kind: "Update",
    id: of(1),
    data: of(9, 5),
    ancestors: [],
    metadata: { ...times, storageType, ...rest },
    ...changes,
  };
}

describe("delta id", () => {
  it("of core-0.10 covers only the id of a comparison", () => {
    const compare = { kind: "Compare", id: of(1) } as const;
    expect(digest.deltaId010([of(7)], [compare])).toEqual(sha256(of(7), of(1)));
    expect(digest.actionDigest010(compare)).toEqual(sha256(text("v1_compare"), of(1)));
    expect(digest.actionSignature010(compare)).toBeUndefined();
  });

  it("covers owner and nonce, not the signature or the times", () => {
    const id = (action: Action010) => toHex(digest.deltaId010([], [action]));
    const user = (signature: number, nonce: bigint) =>
      update010({
        storageType: {
          kind: "User",
          owner: of(2),
          signatureData: { signature: of(signature, 64), nonce },
        },
      });
    expect(id(user(8, 4n))).toBe(id(update010()));
    expect(id(user(3, 5n))).not.toBe(id(update010()));
    expect(id(update010({ updatedAt: 7n, createdAt: 8n, fieldName: "other" }))).toBe(id(update010()));
  });

  it("of core-0.11 covers kind, ancestors and updated_at too", () => {
    const action = update({ kind: "Public" });
    const id = (of: Action011) => toHex(digest.deltaId011([], [of]));
    const { metadata } = action;
    const child = { id: of(4), merkleHash: of(5), metadata };
    expect(id({ ...action, kind: "Add" })).not.toBe(id(action));
    expect(id({ ...action, ancestors: [child] })).not.toBe(id(action));
    expect(id({ ...action, metadata: { ...metadata, updatedAt: 7n } })).not.toBe(id(action));
    expect(id({ ...action, metadata: { ...metadata, createdAt: 7n, schemaVersion: 1 } })).toBe(id(action));
  });
});

describe("action digest", () => {
  const signatureData = { signature: of(3, 64), nonce: 4n, signer: of(6) };
  const guard = (...parts: readonly Uint8Array[]) => sha256(text("v2_upsert"), of(1), of(9, 5), ...parts);
  const signed = [Uint8Array.of(1), u64(4), Uint8Array.of(1), of(6)];

  it("of core-0.11 uses its own tags of storage types", () => {
    const cases: readonly (readonly [StorageType011, readonly Uint8Array[]])[] = [
      [{ kind: "Public" }, [Uint8Array.of(0)]],
      [{ kind: "Frozen" }, [Uint8Array.of(1)]],
      [{ kind: "User", owner: of(2), signatureData: null }, [Uint8Array.of(2), of(2), Uint8Array.of(0)]],
      [{ kind: "User", owner: of(2), signatureData }, [Uint8Array.of(2), of(2), ...signed]],
      [
        { kind: "User", owner: of(2), signatureData: { ...signatureData, signer: null } },
        [Uint8Array.of(2), of(2), Uint8Array.of(1), u64(4), Uint8Array.of(0)],
      ],
      [
        { kind: "Shared", writers: new Map([[toHex(of(7)), 3]]), signatureData },
        [Uint8Array.of(3, 1, 0, 0, 0), of(7), Uint8Array.of(3), ...signed],
      ],
      [{ kind: "SharedMember", anchor: of(8), signatureData }, [Uint8Array.of(4), of(8), ...signed]],
    ];
    for (const [type, expected] of cases) {
      expect(digest.actionDigest(update(type))).toEqual(guard(...expected));
    }
  });

  it("is verified with the owner's key in core-0.10, with the signer's in core-0.11", () => {
    expect(digest.actionSignature010(update010())?.publicKey).toEqual(of(2));
    expect(digest.actionSignature010(update010({ storageType: { kind: "Public" } }))).toBeUndefined();
    const user = (data: typeof signatureData | null) =>
      digest.actionSignature(update({ kind: "User", owner: of(2), signatureData: data }));
    expect(user(signatureData)?.publicKey).toEqual(of(6));
    expect(user(null)).toBeUndefined();
  });
});

describe("values that cannot be derived from a row", () => {
  it("device ids put lengths before domain and parts", () => {
    const domain = text("calimero.device.id.v1");
    expect(digest.deviceId(of(1), of(2, 16))).toEqual(
      sha256(u64(domain.length), domain, u64(32), of(1), u64(16), of(2, 16)),
    );
  });

  it("the key of private state is the hash of its type's name", () => {
    expect(digest.privateStateKey("app::Secrets")).toEqual(sha256(text("app::Secrets")));
  });
});
