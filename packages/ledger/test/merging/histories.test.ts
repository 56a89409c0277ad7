/** Merges of histories that are already connected, and their ids on several devices. */

import { toHex } from "merostore/internal";
import { expect, it } from "vitest";
import { memoryPlace, type PagePolicy } from "../../src/index.js";
import { faultsOf, readTidied } from "../stored.js";
import { begin, contents, headOf, testLedger, twoOf } from "../support.js";
import { converge, type Device, devicesOf } from "../sync/courier.js";
import { Asked, apply, type Edits } from "./support.js";

async function commit(device: Device, edits: Edits): Promise<Uint8Array> {
  const tx = await begin(device.page);
  await apply(tx, edits);
  await tx.commit();
  return headOf(device.page);
}

/** Gives two devices the commits of the other one. Each merges for itself. */
async function mergeApart(one: Device, two: Device): Promise<void> {
  const theirs = await two.courier.commits();
  await two.courier.bring(one.courier);
  await two.page.waitForConflictResolution();
  await one.courier.page.addCommits(theirs, "peer");
  await one.page.waitForConflictResolution();
}

it("two devices make the same merge of the same commits", async () => {
  await using all = await devicesOf(2);
  const [one, two] = all;
  await commit(one, { a: "1", name: "Alice" });
  await commit(two, { b: "2", name: "Bob" });
  await mergeApart(one, two);
  expect(await headOf(one.page)).toEqual(await headOf(two.page));
  expect(await contents(one.page)).toEqual({ a: "1", b: "2", name: "Bob" });
  expect(await one.courier.commits()).toHaveLength(3);
  await converge(all);
  expect(await one.courier.commits()).toHaveLength(3);
});

it("if both sides have the same commits, or one has more, its contents are taken and nobody is asked", async () => {
  const asked = new Asked();
  const policy = (value: string): PagePolicy => ({
    policy: "custom",
    async resolve(conflict) {
      await asked.note(conflict);
      await conflict.merge([{ key: "merged by", use: "new", value }]);
    },
  });
  await using all = await devicesOf(2, [policy("one"), policy("two")]);
  const [one, two] = all;
  await commit(one, { a: "1" });
  await commit(two, { b: "2" });
  await mergeApart(one, two);
  // Two merges of the same two commits, with different contents.
  expect(await contents(one.page)).toEqual({ b: "2", "merged by": "one" });
  expect(await contents(two.page)).toEqual({ b: "2", "merged by": "two" });
  expect(asked.differences).toHaveLength(2);
  // The times are equal: one of both merges is taken.
  await converge(all);
  expect(asked.differences).toHaveLength(2);
  expect((await contents(one.page))["merged by"]).toMatch(/^(one|two)$/);
});

it("the side with more commits is taken completely, even if the other was merged in another way", async () => {
  const asked = new Asked();
  await using all = await devicesOf(2, [
    { policy: "custom", resolve: (conflict) => asked.note(conflict) },
    { policy: "last-one-wins" },
  ]);
  const [one, two] = all;
  await commit(one, { a: "1" });
  await commit(two, { b: "2" });
  await mergeApart(one, two);
  expect(await contents(one.page)).toEqual({ b: "2" });
  await commit(two, { c: "3" });
  await one.courier.bring(two.courier);
  await one.page.waitForConflictResolution();
  expect(await contents(one.page)).toEqual({ a: "1", b: "2", c: "3" });
  expect(asked.differences).toHaveLength(1);
});

it("criss-cross: several common ancestors are merged first, and all devices come to the same commit", async () => {
  await using all = await devicesOf(2);
  const [one, two] = all;
  const a = await commit(one, { x: "a", "only a": "1" });
  await commit(one, { y: "a'" });
  const b = await commit(two, { x: "b", "only b": "1" });
  await commit(two, { z: "b'" });
  const before = await one.courier.commits();
  // Each device merges its second commit with the first one of the other.
  await one.courier.bring(two.courier, [b]);
  await one.page.waitForConflictResolution();
  await two.courier.page.addCommits(
    before.filter(({ id }) => toHex(id) === toHex(a)),
    "peer",
  );
  await two.page.waitForConflictResolution();
  expect(await headOf(one.page)).not.toEqual(await headOf(two.page));
  await converge(all);
  const expected = { "only a": "1", "only b": "1", y: "a'", z: "b'" };
  expect(await contents(one.page)).toMatchObject(expected);
  expect(await contents(two.page)).toEqual(await contents(one.page));
});

it("criss-cross with a resolver: it is asked about the ancestors too, with their merge as the ancestor after", async () => {
  const asked = new Asked();
  const policy: PagePolicy = {
    policy: "custom",
    async resolve(conflict) {
      await asked.note(conflict);
      await conflict.mergeNonConflicting();
    },
  };
  await using all = await devicesOf(3, [{ policy: "last-one-wins" }, { policy: "last-one-wins" }, policy]);
  const [one, two, three] = all;
  const a = await commit(one, { a: "1" });
  await commit(one, { c: "3" });
  const b = await commit(two, { b: "2" });
  await commit(two, { d: "4" });
  const first = (await one.courier.commits()).filter(({ id }) => toHex(id) === toHex(a));
  await one.courier.bring(two.courier, [b]);
  await one.page.waitForConflictResolution();
  await two.courier.page.addCommits(first, "peer");
  await two.page.waitForConflictResolution();
  // The third has all commits at once, with two heads.
  const everything = [...(await one.courier.commits()), ...(await two.courier.commits())];
  const known = new Map(everything.map((one) => [toHex(one.id), one]));
  await three.courier.page.addCommits([...known.values()], "peer");
  await three.page.waitForConflictResolution();
  expect(await contents(three.page)).toEqual({ a: "1", b: "2", c: "3", d: "4" });
  expect(asked.differences).toHaveLength(2);
  expect(asked.differences[0]?.map(({ key, ancestor }) => [key, ancestor])).toEqual([
    ["a", undefined],
    ["b", undefined],
  ]);
  expect(asked.differences[1]?.map(({ key, ancestor }) => [key, ancestor])).toEqual([
    ["c", undefined],
    ["d", undefined],
  ]);
});

it("many heads at once become one, the same on every device", async () => {
  await using all = await devicesOf(5);
  for (const [at, device] of all.entries()) await commit(device, { [`key${at}`]: "1", name: `device ${at}` });
  await converge(all);
  const expected = { key0: "1", key1: "1", key2: "1", key3: "1", key4: "1", name: "device 4" };
  for (const { page } of all) expect(await contents(page)).toEqual(expected);
});

it("connections of one device that part again and again leave one commit, and nothing else", async () => {
  const place = memoryPlace();
  const ledger = await testLedger({}, place);
  const [page1, page2] = await twoOf(ledger);
  for (let at = 0; at < 10; at++) {
    const tx1 = await begin(page1);
    const tx2 = await begin(page2);
    await tx1.put("one", `${at} `.repeat(100));
    await tx2.put("two", `${at} `.repeat(200));
    await Promise.all([tx1.commit(), tx2.commit()]);
    await page1.waitForConflictResolution();
  }
  expect(await contents(page2)).toEqual({ one: "9 ".repeat(100), two: "9 ".repeat(200) });
  await ledger.close();
  const stored = await readTidied(place);
  expect(faultsOf(stored)).toEqual([]);
  expect(stored.heads).toHaveLength(1);
  expect(stored.roots.size).toBe(1);
  expect(stored.pieces.size).toBe(3);
});
