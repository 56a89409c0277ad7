/** Timestamps and statements of accounts of core-1.0, against bytes that upstream's tests state. */
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import {
  HybridTimestamp,
  SignedDeviceLabel,
  SignedDeviceScope,
  SignedOwnerOpAuthorization,
} from "../../src/payloads/index.js";
import { bytesOf, roundTrip, upstream } from "./core-1.0.js";

const lineWith = (start: string) => {
  const line = upstream("GroupOp").find(({ bytes }) => bytes.startsWith(start));
  if (line === undefined) throw new Error(`no operation begins with ${start}`);
  return bytesOf(line);
};

describe("timestamps", () => {
  it("have 16 bytes", () => {
    for (const line of upstream("HybridTimestamp"))
      expect(HybridTimestamp.toJson(roundTrip(HybridTimestamp, bytesOf(line)))).toEqual(line.value);
  });

  it("have a clock with an id other than 0", () => {
    expect(() => HybridTimestamp.decode(new Uint8Array(16))).toThrow("expected an id other than 0");
    expect(() => HybridTimestamp.encode({ time: 1n, id: 0n })).toThrow("expected an id other than 0");
  });
});

describe("statements of accounts", () => {
  it("an owner's consent is at the end of a guarded operation", () => {
    const { statement } = roundTrip(SignedOwnerOpAuthorization, lineWith("2a15").subarray(34));
    expect(statement).toMatchObject({ kind: "TransferOwnership", counter: 5n, keyEpoch: 0 });
  });

  it("the applications of a device are at the end of its link", () => {
    const whole = lineWith("18");
    const { statement } = roundTrip(SignedDeviceScope, whole.subarray(whole.length - 177));
    expect(statement).toMatchObject({ applications: [], scopeEpoch: 0 });
  });

  it("the name of a device is a text with its number", () => {
    const name = `${"11".repeat(32)}${"22".repeat(32)}0200000061620300000004000000${"33".repeat(64)}`;
    const proof = roundTrip(SignedDeviceLabel, fromHex(`02${"44".repeat(32)}00000000${name}`));
    expect(proof.statement).toMatchObject({ label: "ab", labelEpoch: 3, keyEpoch: 4 });
  });
});
