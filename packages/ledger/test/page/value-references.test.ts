/** References: values that a page holds before they have a key. */
import { expect } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import type { ValueReference } from "../../src/index.js";
import { contents, pageTest, twoPagesTest } from "../support.js";

async function* parts(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

pageTest(
  "a value from bytes, from a text or from a stream may be put at any number of keys",
  async (page) => {
    const large = "a large value ".repeat(10_000);
    const small = await page.createReference("Alice");
    const bytes = await page.createReference(new TextEncoder().encode(large));
    const stream = await page.createReference(parts("Al", "", "ice"));
    await page.putReference("small", small);
    await page.transaction(async (transaction) => {
      await transaction.putReference("bytes", bytes);
      await transaction.putReference("again", bytes, { priority: "lazy" });
      await transaction.putReference("stream", stream);
    });
    expect(await contents(page)).toEqual({ again: large, bytes: large, small: "Alice", stream: "Alice" });
  },
);

pageTest(
  "a value whose size differs from the declared size is refused, a matching one is not",
  async (page) => {
    await rejection(page.createReference("Alice", 4), "INVALID_ARGUMENT");
    await rejection(page.createReference("Alice", 6), "INVALID_ARGUMENT");
    await rejection(page.createReference(parts("Al", "ice"), 0), "INVALID_ARGUMENT");
    await rejection(page.createReference(parts(), 1), "INVALID_ARGUMENT");
    const reference = await page.createReference(parts("Al", "ice"), 5);
    const empty = await page.createReference(parts(), 0);
    await page.putReference("name", reference);
    await page.putReference("empty", empty);
    expect(await contents(page)).toEqual({ name: "Alice", empty: "" });
  },
);

twoPagesTest(
  "a reference is good for its page, by whatever connection it was made, and for no other",
  async ([page1, page2], ledger) => {
    await using other = await ledger.createPage();
    const reference = await page1.createReference("Alice".repeat(10));
    await page2.putReference("name", reference);
    expect(await contents(page1)).toEqual({ name: "Alice".repeat(10) });
    await rejection(other.putReference("name", reference), "INVALID_ARGUMENT");
    await rejection(page1.putReference("name", {} as ValueReference), "INVALID_ARGUMENT");
    await rejection(page1.putReference("name", undefined as unknown as ValueReference), "INVALID_ARGUMENT");
    expect(await contents(other)).toEqual({});
  },
);

twoPagesTest("a reference ends with the connection that made it", async ([page1, page2]) => {
  const reference = await page1.createReference("Alice".repeat(10));
  await page1.close();
  await rejection(page2.putReference("name", reference), "INVALID_ARGUMENT");
});

pageTest("a value stays as long as a reference to it, though no entry has it", async (page) => {
  const value = "Alice".repeat(10_000);
  const reference = await page.createReference(value);
  await page.putReference("name", reference);
  await page.delete("name");
  await page.put("other", "1");
  await page.put("other", "2");
  await page.putReference("name", reference);
  expect(await contents(page)).toEqual({ name: value, other: "2" });
});

pageTest("a refused key leaves the reference as it was", async (page) => {
  const reference = await page.createReference("Alice".repeat(10));
  await rejection(page.putReference("k".repeat(257), reference), "INVALID_ARGUMENT");
  await page.putReference("k".repeat(256), reference);
  expect(await contents(page)).toEqual({ ["k".repeat(256)]: "Alice".repeat(10) });
});
