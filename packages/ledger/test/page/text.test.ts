/** Texts as keys and values: different texts never become the same bytes. */
import { expect } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { joinedKey, memoryPlace, openLedger } from "../../src/index.js";
import { contents, pageTest } from "../support.js";

const high = "\ud83d";
const low = "\ude00";

pageTest.each([high, low, `a${high}`, `${low}b`, `${low}${high}`])(
  "a lone surrogate, %j, is refused in keys, prefixes, names and values",
  async (page, lone) => {
    await using snapshot = await page.snapshot();
    const reference = await page.createReference("x");
    for (const use of [
      () => page.put(lone, "1"),
      () => page.put("key", lone),
      () => page.putReference(lone, reference),
      () => page.createReference(lone),
      () => page.delete(lone),
      () => page.transaction((tx) => tx.put(lone, "1")),
      () => page.transaction((tx) => tx.put("key", lone)),
      () => page.transaction((tx) => tx.delete(lone)),
      () => page.snapshot({ prefix: lone }),
      () => page.watch({ prefix: lone }, () => undefined),
      () => snapshot.get(lone),
      () => snapshot.has(lone),
      () => snapshot.getPartial(lone, 0, 1),
      () => snapshot.stream(lone).next(),
      async () => snapshot.entries({ gte: lone }),
      async () => snapshot.keys({ gte: lone }),
      () => snapshot.entriesPart({ gte: lone }),
      () => snapshot.keysPart({ gte: lone }),
      async () => joinedKey("a", lone),
      () => openLedger(memoryPlace(), { name: lone }),
    ])
      await rejection(use(), "INVALID_ARGUMENT");
    expect(await contents(page)).toEqual({});
  },
);

pageTest("a whole pair is, and so are the bytes that stood for a half before", async (page) => {
  await page.put(`${high}${low}`, "smile");
  await page.put("\ufffd", "replacement");
  await page.put(Uint8Array.of(0xed, 0xa0, 0xbd), "half, as bytes");
  await using snapshot = await page.snapshot();
  const { items } = await snapshot.keysPart();
  expect(items.map((key) => Buffer.from(key).toString("hex"))).toEqual(["eda0bd", "efbfbd", "f09f9880"]);
  expect(joinedKey("a", `${high}${low}`)).toHaveLength(5);
});
