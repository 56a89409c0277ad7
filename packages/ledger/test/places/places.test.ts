/** The common behaviour of every place. */
import { readFileSync } from "node:fs";
import type { Engine } from "merostore/engine";
import { describe, expect, it } from "vitest";
import { cleanUpAfterEach } from "../../../../test/engines/temporary.js";
import { rejection } from "../../../../test/support/rejection.js";
import { ROOT_PAGE_ID } from "../../src/page-id.js";
import { made, make, pageId, read, repositories, write } from "./helpers.js";

cleanUpAfterEach();

const [first, second, third] = ["1234", "5678", "90AB"].map(pageId) as [Uint8Array, Uint8Array, Uint8Array];

describe.each(repositories)("a repository in %s", (_name, repository) => {
  it("has no page at first, and looking for one makes none", async () => {
    const place = repository().place();
    expect(await place.openPage("ledger", first, { create: false })).toBeUndefined();
    expect(await place.ledgers()).toEqual([]);
    expect(await place.pages("ledger")).toEqual([]);
    await rejection(place.deletePage("ledger", first), "PAGE_NOT_FOUND");
  });

  it("creates, returns and deletes pages", async () => {
    const place = repository().place();
    await make(place, "ledger", third, first, second);
    expect(await place.pages("ledger")).toEqual([first, second, third]);
    for (const page of [first, second, third]) {
      const engine = await place.openPage("ledger", page, { create: false });
      await engine?.close();
      expect(engine?.columns).toEqual(["default"]);
      expect(engine?.warnings).toEqual([]);
    }
    await place.deletePage("ledger", second);
    expect(await place.pages("ledger")).toEqual([first, third]);
    expect(await place.openPage("ledger", second, { create: false })).toBeUndefined();
    const error = await rejection(place.deletePage("ledger", second), "PAGE_NOT_FOUND");
    expect(error.message).toContain("35363738");
  });

  it("keeps rows when databases are closed and opened again, and none when a page is deleted", async () => {
    const all = repository();
    let page = await made(all.place(), "ledger", first);
    await write(page, "a", "1");
    await page.close();
    const usage = await all.place().openUsage();
    await write(usage, "b", "2");
    await usage.close();

    const place = all.place();
    page = await made(place, "ledger", first);
    expect(await read(page, "a")).toBe("1");
    await page.close();
    const again = await place.openUsage();
    expect(await read(again, "b")).toBe("2");
    await again.close();

    await place.deletePage("ledger", first);
    page = await made(place, "ledger", first);
    expect(await read(page, "a")).toBeUndefined();
    await page.close();
  });

  it("lists the ledgers that have pages, by the bytes of their names, and keeps their pages apart", async () => {
    const place = repository().place();
    const names = ["b", "a", "ab", "../x/\u0000", "Z", "ä", "😀", "\uff5e", "x".repeat(189)];
    for (const name of names) await make(place, name, ROOT_PAGE_ID);
    await make(place, "gone", first);
    await place.deletePage("gone", first);
    const sorted = names.slice().sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await place.ledgers()).toEqual(sorted);
    expect(await place.pages("a")).toEqual([ROOT_PAGE_ID]);
    expect(await place.pages("gone")).toEqual([]);
  });

  it("refuses names that are none", async () => {
    const place = repository().place();
    const names = ["", "\ud800", "x".repeat(190), "ä".repeat(95), undefined, 7] as string[];
    for (const name of names) {
      await rejection(place.openPage(name, first, { create: true }), "INVALID_ARGUMENT");
      await rejection(place.deletePage(name, first), "INVALID_ARGUMENT");
      await rejection(place.pages(name), "INVALID_ARGUMENT");
    }
    for (const id of [new Uint8Array(15), new Uint8Array(17)])
      await rejection(place.openPage("ledger", id, { create: true }), "INVALID_ARGUMENT");
    expect(await place.ledgers()).toEqual([]);
  });

  it("has one holder for each database", async () => {
    const all = repository();
    const place = all.place();
    const usage = await place.openUsage();
    await rejection(all.place().openUsage(), "DATABASE_LOCKED");
    const page = await made(place, "ledger", first);
    const other = await made(place, "ledger", second);
    for (const again of [place, all.place()]) {
      await rejection(again.openPage("ledger", first, { create: true }), "DATABASE_LOCKED");
      await rejection(again.deletePage("ledger", first), "DATABASE_LOCKED");
    }
    await write(page, "a", "1");
    for (const engine of [page, other, usage]) await engine.close();
    const reopened = await made(place, "ledger", first);
    expect(await read(reopened, "a")).toBe("1");
    await reopened.close();
    await place.deletePage("ledger", first);
    expect(await place.pages("ledger")).toEqual([second]);
  });

  it("deletes no open page, and opens none twice, when more are open than have open files", async () => {
    const place = repository({ mostOpen: 1 }).place();
    const pages = [await made(place, "ledger", first), await made(place, "ledger", second)];
    await write(pages[0] as Engine, "a", "1");
    await write(pages[1] as Engine, "a", "1");
    for (const page of [first, second]) {
      await rejection(place.openPage("ledger", page, { create: true }), "DATABASE_LOCKED");
      await rejection(place.deletePage("ledger", page), "DATABASE_LOCKED");
    }
    for (const page of pages) {
      expect(await read(page, "a")).toBe("1");
      await page.close();
    }
    for (const page of [first, second]) await place.deletePage("ledger", page);
  });

  it("lets one of several have a page that they create at once", async () => {
    const place = repository().place();
    const results = await Promise.allSettled([0, 1, 2].map(() => made(place, "ledger", first)));
    const engines = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(engines).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "DATABASE_LOCKED" });
    await engines[0]?.close();
    expect(await place.pages("ledger")).toEqual([first]);
  });
});

it("names in messages and comments are in the declarations", () => {
  const entry = readFileSync(new URL("../../src/browser.ts", import.meta.url), "utf8");
  const internal = entry.match(/\/\*\* @internal \*\/\nexport [^;]*;/g)?.join("") ?? "";
  expect(internal).toContain("pageNotFound");
  expect(internal).not.toContain("memoryPlace");
});
