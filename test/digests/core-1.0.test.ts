/** Ids, hashes and signed bytes of core-1.0, against the values that upstream's tests state. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { derivePublicKey, sha256, sign, verify } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import { GroupOp, SignedGroupOp, SignedNamespaceOp, Warrant } from "../../src/payloads/index.js";
import { bytesOf, roundTrip, type UpstreamVector, upstream } from "../payloads/core-1.0.js";

const of = (byte: number, size = 32) => new Uint8Array(size).fill(byte);
const text = (value: string) => new TextEncoder().encode(value);
const only = (type: string) => upstream(type)[0] as UpstreamVector;
const fields = ({ value }: UpstreamVector) => value as Readonly<Record<string, string>>;

describe("operations", () => {
  it("have the hashes that warrants name", () => {
    const lines = [...upstream("GroupOp"), ...upstream("RootOp")].filter(
      ({ opHash }) => opHash !== undefined,
    );
    expect(lines.length).toBe(24);
    for (const line of lines)
      expect(toHex(digest.governanceOpHash(line.type === "RootOp" ? "Root" : "Group", bytesOf(line)))).toBe(
        line.opHash,
      );
  });

  it("that the owner's root key guards have its signature", () => {
    const line = upstream("GroupOp").find((one) => one.digest !== undefined) as UpstreamVector;
    const guarded = GroupOp.decode(bytesOf(line));
    if (guarded.kind !== "RootGuarded") throw new Error("another operation");
    const { genesis, statement } = guarded.proof;
    const inner = bytesOf(line).subarray(1, 34);
    expect(toHex(digest.ownerOpDigest(inner))).toBe(line.digest);
    expect(statement.opDigest).toEqual(digest.ownerOpDigest(inner));
    expect(genesis.rootSignPk).toEqual(derivePublicKey(of(7)));
    expect(
      verify(genesis.rootSignPk, digest.ownerConsentDigest(statement), statement.signature, { strict: true }),
    ).toBe(true);
    const other = { ...statement, counter: statement.counter + 1n };
    expect(
      verify(genesis.rootSignPk, digest.ownerConsentDigest(other), statement.signature, { strict: true }),
    ).toBe(false);
  });
});

describe("a warrant", () => {
  const line = only("Warrant");
  const warrant = roundTrip(Warrant, bytesOf(line));

  it("is signed by the device of its author", () => {
    expect(toHex(digest.warrantDigest(warrant))).toBe(line.preimage);
    expect(warrant.authorDeviceKey).toEqual(derivePublicKey(of(7)));
    expect(
      verify(warrant.authorDeviceKey, digest.warrantDigest(warrant), warrant.signature, { strict: true }),
    ).toBe(true);
  });

  it("names the hash of a method and its arguments", () => {
    const { method, args } = fields(line) as { readonly method: string; readonly args: string };
    expect(warrant.method).toBe(method);
    expect(toHex(digest.intentHash(method, text(args)))).toBe(line.intentHash);
    expect(toHex(warrant.intentHash)).toBe(line.intentHash);
  });

  it("is covered in every field", () => {
    const signed = toHex(digest.warrantDigest(warrant));
    const changes: Partial<Warrant>[] = [
      { context: of(0) },
      { authorAccount: of(0) },
      { executor: of(0) },
      { executorKey: of(0) },
      { releaseVersion: "" },
      { method: "get" },
      { accountHeads: [] },
      { governanceFloor: [of(1), of(2)] },
      { nonce: 1n },
      { notAfter: 1n },
      { releaseBytecodeId: of(0) },
      { intentHash: of(0) },
    ];
    const digests = changes.map((change) => toHex(digest.warrantDigest({ ...warrant, ...change })));
    expect(new Set([signed, ...digests]).size).toBe(changes.length + 1);
  });
});

describe("ids", () => {
  it("of namespaces follow from founder and salt", () => {
    const line = only("founded_namespace_id");
    const { founder, salt } = fields(line) as { readonly founder: string; readonly salt: string };
    expect(toHex(digest.foundedNamespaceId(fromHex(founder), fromHex(salt)))).toBe(line.bytes);
  });

  it("of groups follow from admin, parent, visibility and salt", () => {
    const line = only("created_subgroup_id");
    const { creator, parent, salt } = fields(line) as {
      readonly creator: string;
      readonly parent: string;
      readonly salt: string;
    };
    const created = {
      admin: fromHex(creator),
      parentId: fromHex(parent),
      restricted: true,
      salt: fromHex(salt),
    };
    expect(toHex(digest.createdGroupId(created))).toBe(line.bytes);
    expect(toHex(digest.createdGroupId({ ...created, restricted: false }))).not.toBe(line.bytes);
  });

  it("of blobs follow from the digests of their chunks", () => {
    const line = only("BlobRootId");
    const { payload, chunk_digest: chunk } = fields(line) as {
      readonly payload: string;
      readonly chunk_digest: string;
    };
    expect(toHex(sha256(text(payload)))).toBe(chunk);
    expect(toHex(digest.blobRootId([fromHex(chunk)]))).toBe(line.bytes);
  });
});

describe("signed bytes", () => {
  const head = {
    version: 23,
    parentOpHashes: [of(1)],
    signer: of(2),
    nonce: 7n,
    signature: of(3, 64),
  } as const;

  it("of an operation on a namespace leave the endorsement out", () => {
    const op = { kind: "Root", value: { kind: "AdminChanged", newAdmin: of(7) } } as const;
    const signed = { kind: "today", ...head, namespaceId: of(4), op } as const;
    const without = digest.namespaceOpSigningBytes({ ...signed, admitterEndorsement: null });
    const admitterEndorsement = { signer: of(5), signature: of(6, 64) };
    const whole = SignedNamespaceOp.encode({ ...signed, admitterEndorsement });
    expect(digest.namespaceOpSigningBytes({ ...signed, admitterEndorsement })).toEqual(without);
    expect(toHex(without)).toBe(
      toHex(text("calimero.namespace.v1")) + toHex(whole.subarray(0, whole.length - 64 - 97)),
    );
    expect(digest.namespaceOpId({ ...signed, admitterEndorsement })).toEqual(sha256(without));
  });

  it("of older operations on a namespace end before the signature", () => {
    const op = { kind: "Root", value: { kind: "AdminChanged", newAdmin: of(7) } } as const;
    const old = { ...head, version: 7, namespaceId: of(4), op } as const;
    expect(digest.namespaceOpId({ kind: "core-0.11", ...old })).toEqual(digest.namespaceOpId011(old));
  });

  it("of an operation on a group are those of its layout", () => {
    const old = { ...head, version: 10, groupId: of(4), op: { kind: "Noop" } } as const;
    expect(digest.groupOpId({ kind: "core-0.11", ...old })).toEqual(digest.groupOpId011(old));
    const today = { kind: "today", ...old, version: 16 } as const;
    const bytes = SignedGroupOp.encode(today);
    expect(toHex(digest.groupOpSigningBytes(today))).toBe(
      toHex(text("calimero.group.v1")) + toHex(bytes.subarray(0, -64)),
    );
  });

  it("of deltas begin with their domain", () => {
    const envelope = {
      contextId: of(1),
      deltaId: of(2),
      authorId: of(3),
      governancePosition: null,
      hlc: { time: 1n, id: 2n },
    };
    const ids = `${"01".repeat(32)}${"02".repeat(32)}${"03".repeat(32)}`;
    const hlc = "01000000000000000200000000000000";
    expect(toHex(digest.deltaSigningBytes(envelope))).toBe(`00${ids}00${hlc}`);
    const trigger = { kind: "Timer", method: "ab", tick: 3n, everySecs: 4n } as const;
    expect(toHex(digest.teeDeltaSigningBytes(envelope, trigger))).toBe(
      `02${ids}0102000000616203000000000000000400000000000000` + `00${hlc}`,
    );
    const warrant = Warrant.decode(bytesOf(only("Warrant")));
    const delegated = digest.delegatedDeltaSigningBytes(envelope, of(4), { kind: "C", warrant });
    expect(toHex(delegated)).toBe(`01${ids}${"04".repeat(32)}${only("Warrant").bytes}00${hlc}`);
  });

  it("of an admitter are domain, namespace, member and nonce", () => {
    const bytes = digest.admitterSigningBytes(of(1), of(2), of(3));
    expect(toHex(bytes)).toBe(
      `${toHex(text("calimero.admit.v1"))}${"01".repeat(32)}${"02".repeat(32)}${"03".repeat(32)}`,
    );
    expect(verify(derivePublicKey(of(9)), bytes, sign(of(9), bytes), { strict: true })).toBe(true);
  });
});

it("the id of a delta with many actions is the hash of all their parts, as with few actions", () => {
  const parents = [of(1), of(2)];
  for (const count of [1, 63, 64, 65, 128, 200]) {
    const actions = Array.from({ length: count }, (_, at) => ({
      kind: "DeleteRef" as const,
      id: of(at),
      deletedAt: BigInt(at),
      metadata: { storageType: { kind: "Public" as const } },
    }));
    const parts = actions.flatMap(({ id, deletedAt }) => {
      const time = new Uint8Array(8);
      new DataView(time.buffer).setBigUint64(0, deletedAt, true);
      return [text("delete"), id, time, of(0, 1)];
    });
    const expected = sha256(new Uint8Array(Buffer.concat([of(9), ...parents, ...parts])));
    expect(toHex(digest.deltaId(of(9), parents, actions))).toBe(toHex(expected));
  }
});
