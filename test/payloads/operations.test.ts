/** Operations of core-1.0 against the bytes that upstream's tests state, and the layouts of older nodes. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import type { Codec } from "../../src/codec/index.js";
import {
  CarriedOpPayload,
  GroupOp,
  GroupOpEarlier,
  type NamespaceOp,
  Op,
  Op011,
  OpPayload,
  ReadableNamespaceEntry,
  RootOp,
  RootOpWithoutQuote,
  RootOpWithoutSalt,
  readableGroupOp,
  SignedGroupOp,
  SignedGroupOp011,
  SignedNamespaceOp,
  SignedNamespaceOp011,
  StoredNamespaceEntry,
} from "../../src/payloads/index.js";
import { bytesOf, roundTrip, type UpstreamVector, upstream } from "./core-1.0.js";

const filled = (size: number, byte: number) => new Uint8Array(size).fill(byte);

/** The root operation that the golden bytes of an operation on a namespace hold, after their tag 0. */
const rootOf = (line: UpstreamVector): Uint8Array => bytesOf(line).subarray(1);

const valid = (type: string) => upstream(type).filter(({ invalid }) => invalid === undefined);

/** The kinds of an operation. Upstream has no golden bytes for the tags 26 and 27, and none from 28 on. */
const kindsOf = (codec: Codec<unknown>): readonly string[] => {
  const { shape } = codec;
  return shape.is === "enum" ? shape.variants.map(([kind]) => kind) : [];
};

describe("operations on a group", () => {
  it("are the golden bytes of upstream, each with its name", () => {
    const lines = valid("GroupOp");
    expect(lines.length).toBeGreaterThanOrEqual(29);
    for (const line of lines) {
      const op = roundTrip<{ readonly kind: string }>(GroupOp, bytesOf(line));
      const [name] = String(line.value).split(/[{ ]/);
      expect(op.kind).toBe(name);
    }
  });

  it("have 44 kinds, in the order of their tags", () => {
    const kinds = kindsOf(GroupOp);
    expect(kinds.length).toBe(44);
    expect(kindsOf(GroupOpEarlier)).toEqual(kinds);
    for (const line of valid("GroupOp"))
      expect(kinds[bytesOf(line)[0] as number]).toBe(GroupOp.decode(bytesOf(line)).kind);
    expect([28, 32, 33, 34, 38, 39, 40, 41, 42, 43].map((tag) => kinds[tag])).toEqual([
      "AccountDeviceCertified",
      "AccountDeviceLabelled",
      "TeeAuthoringPolicySet",
      "TeeAuthorityEvidence",
      "TeeReleaseAdmissionPolicySetV2",
      "ContextRegisteredOnBehalf",
      "OnBehalf",
      "FoundingRelayAttested",
      "RootGuarded",
      "SharedWritersRotated",
    ]);
  });

  it("have the stated fields", () => {
    const named = (value: string) =>
      GroupOp.decode(bytesOf(valid("GroupOp").find((line) => line.value === value) as UpstreamVector));
    expect(named("TeeAdmissionPolicySetV2 mode Relay")).toMatchObject({
      allowedMrtd: ["aa"],
      allowedTcbStatuses: ["UpToDate"],
      mode: "Relay",
    });
    expect(named("TeeReleaseAdmissionPolicySetV2 mode Replica")).toMatchObject({
      allowedProfiles: ["locked-read-only"],
      minRelease: "2.3.72",
      mode: "Replica",
    });
    expect(
      named("TargetApplicationSet{bytecode 0, application 0, package app, version 1.0.0}"),
    ).toMatchObject({ packageName: "app", version: "1.0.0" });
  });

  it("are refused inside another one", () => {
    for (const line of upstream("GroupOp").filter(({ invalid }) => invalid))
      expect(() => GroupOp.decode(bytesOf(line)), String(line.value)).toThrow(
        /GroupOp\.op at byte 1: expected a tag of UnwrappedGroupOp/,
      );
  });
});

describe("operations on a namespace", () => {
  it("are the golden bytes of upstream, each with its name", () => {
    const lines = valid("NamespaceOp");
    expect(lines.length).toBe(12);
    for (const line of lines) {
      expect(bytesOf(line)[0]).toBe(0);
      const codec = String(line.value).includes("ViaTee") ? RootOpWithoutQuote : RootOp;
      const op = roundTrip<{ readonly kind: string }>(codec, rootOf(line));
      expect(String(line.value)).toMatch(new RegExp(`^Root ${op.kind}\\b`));
    }
    for (const line of valid("RootOp")) roundTrip<unknown>(RootOp, bytesOf(line));
    expect(kindsOf(RootOp).slice(9)).toEqual([
      "NamespaceCreatedV2",
      "MemberJoinedViaTeeAttestation",
      "OnBehalf",
      "RootGuarded",
    ]);
  });

  it("need the salt of a namespace", () => {
    const line = valid("NamespaceOp").find(({ value }) =>
      String(value).includes("NamespaceCreatedV2"),
    ) as UpstreamVector;
    expect(() => RootOp.decode(rootOf(line).subarray(0, -32))).toThrow("salt");
    expect(roundTrip<unknown>(RootOpWithoutSalt, rootOf(line).subarray(0, -32))).toMatchObject({
      kind: "NamespaceCreatedV2",
    });
  });

  it("are refused inside another one", () => {
    for (const line of upstream("NamespaceOp").filter(({ invalid }) => invalid))
      expect(() => RootOp.decode(rootOf(line)), String(line.value)).toThrow(
        "expected a tag of UnwrappedRootOp",
      );
  });
});

const head = { version: 23, parentOpHashes: [filled(32, 1)], signer: filled(32, 2), nonce: 7n } as const;
const signature = filled(64, 3);

describe("signed operations on a namespace", () => {
  const namespace = { ...head, namespaceId: filled(32, 4), signature };
  const encrypted = { nonce: filled(12, 5), ciphertext: filled(40, 6) };
  const endorsement = { signer: filled(32, 8), signature: filled(64, 9) };
  const ops: readonly NamespaceOp[] = [
    { kind: "Root", value: { kind: "AdminChanged", newAdmin: filled(32, 7) } },
    { kind: "Group", groupId: filled(32, 7), keyId: filled(32, 8), encrypted, keyRotation: null },
    { kind: "RootSealed", keyId: filled(32, 8), encrypted },
    { kind: "RootRelaySealed", keyId: filled(32, 8), encrypted },
    { kind: "RootSealedForGroup", groupId: filled(32, 7), keyId: filled(32, 8), encrypted },
  ];

  it("have an endorsement after the signature: a byte without one, 96 more with one", () => {
    for (const [tag, op] of ops.entries()) {
      const bytes = (admitterEndorsement: typeof endorsement | null) =>
        SignedNamespaceOp.encode({ kind: "today", ...namespace, op, admitterEndorsement });
      const [without, with_] = [bytes(null).slice(), bytes(endorsement).slice()];
      expect(with_.length).toBe(without.length + 96);
      expect(without[1 + 32 + 4 + 32 + 32 + 8]).toBe(tag);
      for (const [one, value] of [
        [without, null],
        [with_, endorsement],
      ] as const)
        expect(roundTrip(SignedNamespaceOp, one)).toMatchObject({
          kind: "today",
          op: { kind: op.kind },
          admitterEndorsement: value,
        });
    }
  });

  it("of older nodes keep their layout", () => {
    const created = {
      groupId: filled(32, 1),
      parentId: filled(32, 2),
      restricted: true,
      admin: filled(32, 3),
    };
    const op = { kind: "Root", value: { kind: "GroupCreated", ...created } } as const;
    const old = SignedNamespaceOp011.encode({ ...namespace, version: 7, op });
    expect(roundTrip(SignedNamespaceOp, old).kind).toBe("core-0.11");
    for (const admitterEndorsement of [null, endorsement]) {
      const earlier = SignedNamespaceOp.encode({
        kind: "withoutSalt",
        ...namespace,
        op,
        admitterEndorsement,
      });
      expect(roundTrip(SignedNamespaceOp, earlier).kind).toBe("withoutSalt");
      const salted = { kind: "Root", value: { ...op.value, salt: filled(32, 4) } } as const;
      const today = SignedNamespaceOp.encode({
        kind: "today",
        ...namespace,
        op: salted,
        admitterEndorsement,
      });
      expect(roundTrip(SignedNamespaceOp, today).kind).toBe("today");
    }
  });

  it("are stored with a tag, or without one by older nodes", () => {
    const [op] = ops;
    const value = { kind: "today", ...namespace, op: op as NamespaceOp, admitterEndorsement: null } as const;
    const stored = StoredNamespaceEntry.encode({ kind: "Signed", value });
    expect(roundTrip(ReadableNamespaceEntry, stored)).toEqual({ kind: "Signed", value });
    expect(ReadableNamespaceEntry.decode(SignedNamespaceOp.encode(value))).toEqual({ kind: "Signed", value });
  });
});

describe("signed operations on a group", () => {
  const group = { ...head, version: 16, groupId: filled(32, 4), signature };

  it("of older nodes keep their layout", () => {
    const cascade = {
      kind: "CascadeUpgrade",
      fromAppKey: filled(32, 1),
      appKey: filled(32, 2),
      targetApplicationId: filled(32, 3),
      toStateVersion: 1,
      migration: null,
      cascadeHlc: { time: 0n, id: 1n },
    } as const;
    const old = SignedGroupOp011.encode({ ...group, version: 10, op: cascade });
    expect(roundTrip(SignedGroupOp, old).kind).toBe("core-0.11");
    const op = { ...cascade, packageName: "app", version: "1.0.0" };
    for (const kind of ["today", "earlier-24"] as const) {
      const bytes = SignedGroupOp.encode({ kind, ...group, op });
      expect(roundTrip(SignedGroupOp, bytes)).toMatchObject({ kind, op });
      expect(readableGroupOp.decode(bytes.subarray(1 + 32 + 4 + 32 + 32 + 8, -64))).toEqual(op);
    }
    const evidence = {
      kind: "TeeAuthorityEvidence",
      member: filled(32, 1),
      attestedKey: filled(32, 2),
      quote: filled(3, 3),
      collateral: null,
      attestedAt: 1n,
    } as const;
    const earlier = SignedGroupOp.encode({ kind: "earlier", ...group, version: 15, op: evidence });
    expect(roundTrip(SignedGroupOp, earlier).kind).toBe("earlier");
  });
});

describe("operations in one form", () => {
  const op = {
    id: filled(32, 1),
    scope: filled(32, 2),
    parents: [],
    authorship: { account: filled(32, 3), device: filled(32, 4), deviceKey: filled(32, 5) },
    hlc: { time: 0n, id: 1n },
    expectedScopeRoot: filled(32, 0),
    signature: filled(64, 0),
  } as const;
  const member = {
    kind: "MemberAdded",
    group: filled(32, 1),
    member: filled(32, 2),
    role: "RelayTee",
  } as const;
  const relay = {
    group: filled(32, 1),
    relay: filled(32, 2),
    capabilities: 1,
    device: null,
    teeRoleFrom: null,
  } as const;

  it("have timestamps of 16 bytes, and of 24 in rows of core-0.11", () => {
    const today = Op.encode({ kind: "today", ...op, payload: member });
    const old = Op011.encode({ ...op, payload: { ...member, role: "Member" } });
    expect(old.length).toBe(today.length + 8);
    expect(roundTrip(Op, today).kind).toBe("today");
    expect(roundTrip(Op, old).kind).toBe("core-0.11");
    const earlier = Op.encode({ kind: "earlier-24", ...op, payload: member });
    expect(roundTrip(Op, earlier)).toMatchObject({ kind: "earlier-24", payload: member });
  });

  it("have 25 kinds of effects, and two kinds carry others", () => {
    expect(kindsOf(OpPayload).slice(18)).toEqual([
      "Opaque",
      "DeviceDescoped",
      "TeeAuthoringPolicySet",
      "TeeAuthorityEvidence",
      "RelaySeated",
      "RootGuarded",
      "SharedWritersRotated",
    ]);
    const once = { kind: "RelaySeated", carried: member, ...relay } as const;
    const twice = { kind: "RelaySeated", carried: once, ...relay } as const;
    for (const payload of [member, once, twice]) roundTrip<unknown>(OpPayload, OpPayload.encode(payload));
    const thrice = Uint8Array.from([
      22,
      ...OpPayload.encode(twice),
      ...CarriedOpPayload.encode(once).subarray(66),
    ]);
    expect(() => OpPayload.decode(thrice)).toThrow("expected a tag of UnwrappedOpPayload, found tag 22");
    expect(() => OpPayload.decode(Uint8Array.of(25))).toThrow("expected a tag of OpPayload, found tag 25");
    expect(toHex(OpPayload.encode(member)).slice(-2)).toBe("04");
  });
});
