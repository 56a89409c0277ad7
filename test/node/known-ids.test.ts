/** Ids of things in their order: they are sorted by their first four bytes, and by the rest where these are equal. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { KnownIds } from "../../src/node/known-ids.js";
import { randomNumbers } from "../support/random-values.js";

const FIRST = "0".repeat(64);
const LAST = "f".repeat(64);

describe("ids in their order", () => {
  const random = randomNumbers(7);
  const ids = Array.from({ length: 3000 }, (_, at) => {
    const id = Uint8Array.from({ length: 32 }, () => 256 * random());
    if (at % 3 === 0) id.fill(0xab, 0, at % 2 === 0 ? 4 : 31);
    return toHex(id);
  });
  const known = new KnownIds();
  for (const id of ids) known.add("member", fromHex(id));
  const sorted = known.sorted();
  const expected = [...new Set(ids)].toSorted();

  it("are the added ones, each once", () => {
    expect(expected.length).toBeGreaterThan(2000);
    expect([...sorted.within(FIRST, LAST)].map(({ id }) => id)).toEqual(expected);
  });

  it("are found by their place", () => {
    for (const place of [0, 1, 999, expected.length - 1]) {
      expect(sorted.id(place)).toBe(expected[place]);
      expect(sorted.placeOf(expected[place] as string)).toBe(place);
    }
    expect(sorted.placeOf(LAST)).toBe(expected.length);
    expect([sorted.id(-1), sorted.id(expected.length)]).toEqual([undefined, undefined]);
  });

  it("are listed between two, both included", () => {
    const [from, last] = [expected[10] as string, expected[20] as string];
    expect([...sorted.within(from, last)].map(({ id }) => id)).toEqual(expected.slice(10, 21));
    expect([...sorted.within(from.slice(0, 8).padEnd(64, "0"), from)].at(-1)?.id).toBe(from);
  });
});

it("one id can be several things, which are listed in a fixed order", () => {
  const [one, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const known = new KnownIds();
  known.add("blob", one);
  known.add("namespace", one);
  known.add("blob", one);
  known.add("group key", other);
  expect([...known.sorted().within(FIRST, LAST)]).toEqual([
    { kind: "namespace", id: toHex(one) },
    { kind: "blob", id: toHex(one) },
    { kind: "group key", id: toHex(other) },
  ]);
});

it("a key belongs to nobody known unless a member has it", () => {
  const [one, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const known = new KnownIds();
  for (const id of [one, other]) known.add("key", id);
  known.add("member", one);
  expect([...known.sorted().within(FIRST, LAST)]).toEqual([
    { kind: "member", id: toHex(one) },
    { kind: "key", id: toHex(other) },
  ]);
});
