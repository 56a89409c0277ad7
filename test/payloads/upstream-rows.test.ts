/** Rows of core-1.0 and an encrypted value, against the bytes that upstream's tests state. */
import { expect, it } from "vitest";
import { openCipher } from "../../src/encryption/index.js";
import { GroupKeyValue, GroupUpgradeValue } from "../../src/values/index.js";
import { bytesOf, roundTrip, type UpstreamVector, upstream } from "./core-1.0.js";

it("an upgrade of a group is read as it was shipped", () => {
  const [line] = upstream("GroupUpgradeValue") as [UpstreamVector];
  expect(roundTrip(GroupUpgradeValue, bytesOf(line))).toEqual({
    fromVersion: "1.0.0",
    toVersion: "2.0.0",
    migration: null,
    initiatedAt: 1_700_000_000n,
    initiatedBy: new Uint8Array(32).fill(7),
    status: { kind: "Completed", completedAt: 1_700_001_000n },
    cascadeHlc: null,
    cascadeSeq: null,
    toStateVersion: 2,
  });
});

it("a key of a group is read in the lengths that nodes wrote, and refused in others", () => {
  const lines = upstream("GroupKeyValue");
  const refused = lines.filter(({ property }) => property?.startsWith("refused"));
  const read = lines.filter((line) => !refused.includes(line));
  expect([read.length, refused.length]).toEqual([2, 2]);
  const values = read.map((line) => GroupKeyValue.decode(bytesOf(line)));
  for (const value of values) {
    expect(value.groupKey).toEqual(new Uint8Array(32).fill(0xa5));
    expect(value.createdAt).toBe(1_700_000_000n);
  }
  expect(values.map(({ epoch, insertionSeq }) => [epoch, insertionSeq])).toEqual([
    [0n, 0n],
    [42n, 0n],
  ]);
  for (const line of refused) expect(() => GroupKeyValue.decode(bytesOf(line))).toThrow("GroupKeyValue");
});

it("a value that a node encrypted opens with the master key", async () => {
  const [line] = upstream("EncryptedValue") as [UpstreamVector];
  const { plaintext, version } = line.value as { readonly plaintext: string; readonly version: number };
  const cipher = await openCipher(new Uint8Array(48).fill(0x42));
  const [opened] = await cipher.decrypt([bytesOf(line)]);
  expect(opened).toMatchObject({ plain: new TextEncoder().encode(plaintext), version });
});
