/** Keys that sort like the values that they stand for. */
import { describe, expect, it } from "vitest";
import {
  ascendingNumber,
  descendingNumber,
  joinedKey,
  memoryPlace,
  openLedger,
  readAscending,
  readDescending,
  uniqueSuffix,
} from "../../src/index.js";

const numbers = [0n, 1n, 2n, 10n, 255n, 256n, 2n ** 53n, 2n ** 64n - 1n];

async function orderOf(keys: readonly Uint8Array[]): Promise<Uint8Array[]> {
  await using ledger = await openLedger(memoryPlace(), { name: "keys" });
  await using page = await ledger.rootPage();
  await page.transaction(async (transaction) => {
    for (const key of keys) await transaction.put(key, "");
  });
  await using snapshot = await page.snapshot();
  return [...(await snapshot.keysPart()).items];
}

describe("numbers in keys", () => {
  it("come in their order, or the other way round", async () => {
    const shuffled = numbers.toSorted((a, b) => (a % 7n < b % 7n ? -1 : 1));
    expect((await orderOf(shuffled.map(ascendingNumber))).map((key) => readAscending(key))).toEqual(numbers);
    const descending = (await orderOf(shuffled.map(descendingNumber))).map((key) => readDescending(key));
    expect(descending).toEqual(numbers.toReversed());
  });

  it("are whole and have 8 bytes", () => {
    expect(ascendingNumber(258)).toEqual(Uint8Array.of(0, 0, 0, 0, 0, 0, 1, 2));
    for (const wrong of [-1, 1.5, 2 ** 60, -1n, 2n ** 64n])
      expect(() => ascendingNumber(wrong)).toThrow("whole, from 0 to 2^64 - 1");
    for (const offset of [2, -1, Number.NaN])
      expect(() => readAscending(new Uint8Array(9), offset)).toThrow(`no 8 bytes at ${offset}`);
  });
});

describe("keys of several parts", () => {
  it("keep entries apart that are equal in all else", async () => {
    const messages = Array.from({ length: 20 }, () =>
      joinedKey("message/", descendingNumber(7), uniqueSuffix()),
    );
    expect(await orderOf(messages)).toHaveLength(20);
    expect(readDescending(messages[0] as Uint8Array, 8)).toBe(7n);
    expect(messages.every(({ length }) => length === 32)).toBe(true);
  });

  it("have at most 256 bytes", () => {
    expect(joinedKey("a".repeat(200), "b".repeat(56))).toHaveLength(256);
    expect(() => joinedKey("a".repeat(200), "b".repeat(57))).toThrow("at most 256 bytes");
  });
});
