/** Changes that settle before they are on disk, and share a commit. */
import type { Engine } from "merostore/engine";
import { expect, it, vi } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { type Ledger, memoryPlace, type NewPageOptions, type Page, type Place } from "../../src/index.js";
import { commitCount, contents, testLedger, text } from "../support.js";

const broken = new Error("the disk is full");

/** A test with a page whose history is kept. */
function test(
  name: string,
  run: (page: Page, ledger: Ledger, engine: Engine, place: Place) => Promise<void>,
  durability: NewPageOptions["durability"] = "eventual",
): void {
  it(name, async () => {
    const place = memoryPlace();
    const openPage = place.openPage.bind(place);
    let engine: Engine | undefined;
    vi.spyOn(place, "openPage").mockImplementation(async (...words) => {
      engine = await openPage(...words);
      return engine;
    });
    await using ledger = await testLedger({ history: "keep" }, place);
    const page = await ledger.rootPage({ durability });
    await run(page, ledger, engine as Engine, place);
  });
}

async function putMany(page: Page, count: number, value = ""): Promise<void> {
  for (let at = 0; at < count; at++) await page.put(`${at}`, value);
}

test("changes in a row are one commit", async (page) => {
  await putMany(page, 100);
  await page.delete("0");
  await page.put("1", "last");
  await page.flush();
  expect(await commitCount(page)).toBe(1);
  const shown = await contents(page);
  expect(Object.keys(shown)).toHaveLength(99);
  expect(shown["1"]).toBe("last");
});

test(
  "without the option each awaited change is a commit",
  async (page) => {
    await putMany(page, 10);
    await page.flush();
    expect(await commitCount(page)).toBe(10);
  },
  "immediate",
);

test(
  "without the option, changes that are awaited together are one commit, however many",
  async (page) => {
    const value = "x".repeat(1000);
    await Promise.all(Array.from({ length: 1500 }, (_, at) => page.put(`${at}`, value)));
    expect(await commitCount(page)).toBe(1);
  },
  "immediate",
);

test("an error of many changes is reported once", async (page, _, engine) => {
  vi.spyOn(engine, "write").mockRejectedValueOnce(broken);
  await expect(putMany(page, 1000)).rejects.toBe(broken);
  await page.put("name", "Alice");
  await page.flush();
  expect(await contents(page)).toEqual({ name: "Alice" });
});

test("a change is not written when it settles, and is written soon without a call", async (page, _, engine) => {
  const write = vi.spyOn(engine, "write");
  const written = new Promise<void>((resolve) => {
    void page.watch({}, () => resolve());
  });
  await page.put("name", "Alice");
  const before = write.mock.calls.length;
  await written;
  expect(before).toBe(0);
  expect(write).toHaveBeenCalled();
});

test("reads and transactions follow all earlier changes", async (page) => {
  await page.put("name", "Alice");
  expect(text((await page.get("name")) as Uint8Array)).toBe("Alice");
  await page.put("name", "Bob");
  await page.transaction(async (tx) => {
    expect(text((await tx.get("name")) as Uint8Array)).toBe("Bob");
    await tx.put("name", "Carol");
  });
  await page.clear();
  await page.put("city", "Paris");
  expect(await contents(page)).toEqual({ city: "Paris" });
  expect(await commitCount(page)).toBe(4);
});

test("a change waits for the disk when many are in memory", async (page) => {
  await putMany(page, 5000);
  const many = await commitCount(page);
  expect(many).toBeGreaterThanOrEqual(5);
  expect(many).toBeLessThan(100);
  await putMany(page, 3, "x".repeat(1 << 20));
  expect(await commitCount(page)).toBe(many + 3);
});

test("closing writes what waits", async (page, ledger, _, place) => {
  await putMany(page, 3);
  await page.close();
  await ledger.close();
  await using again = await testLedger({}, place);
  expect(Object.keys(await contents(await again.rootPage()))).toHaveLength(3);
});

test("only the next change gets an error", async (page, _, engine) => {
  vi.spyOn(engine, "write").mockRejectedValueOnce(broken);
  await page.put("name", "Alice");
  expect(await page.get("name")).toBeUndefined();
  await expect(page.put("name", "Bob")).rejects.toBe(broken);
  await page.put("name", "Carol");
  expect(await contents(page)).toEqual({ name: "Carol" });
});

for (const call of ["flush", "close", "transaction"] as const)
  test(`${call} gets an error`, async (page, _, engine) => {
    vi.spyOn(engine, "write").mockRejectedValueOnce(broken);
    await page.put("name", "Alice");
    if (call === "transaction") await page.get("name");
    const failing = call === "transaction" ? page.transaction((tx) => tx.put("name", "Bob")) : page[call]();
    await expect(failing).rejects.toBe(broken);
  });

test("a wrong argument fails alone, at once", async (page) => {
  await page.put("name", "Alice");
  await rejection(page.put("x".repeat(257), ""), "INVALID_ARGUMENT");
  expect(await contents(page)).toEqual({ name: "Alice" });
});

test("the work of a transaction cannot wait for what waits for it", async (page) => {
  await page.transaction(async () => {
    await rejection(page.flush(), "ILLEGAL_STATE");
  });
});

test("a listener waits for the disk while a transaction waits for the listener", async (page) => {
  let free = (): void => undefined;
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  const called = new Promise<void>((resolve) => {
    void page.watch({}, async () => {
      resolve();
      await freed;
      await page.flush();
    });
  });
  await page.put("name", "Alice");
  await called;
  const transaction = page.transaction((tx) => tx.put("city", "Paris"));
  await page.put("later", "1"); // behind the transaction
  free();
  await transaction;
  await page.flush();
  expect(await contents(page)).toEqual({ name: "Alice", city: "Paris", later: "1" });
});

it("an unknown durability is refused", async () => {
  await using ledger = await testLedger();
  // @ts-expect-error: no such durability
  await rejection(ledger.rootPage({ durability: "never" }), "INVALID_ARGUMENT");
});
