import { openMemoryEngine } from "merostore/engine";
import { describe, expect, it } from "vitest";
import { MemoryCloud, memoryPlace, openLedger, ROOT_PAGE_ID } from "../../src/index.js";
import { pageRules, verifyPage } from "../../src/verify/verify-page.js";
import { begin } from "../support.js";
import { content, findings, fullPage } from "./page.js";

describe("verifyPage of a sound page", () => {
  it("finds no error, says what is left behind, and every rule has looked at something", async () => {
    await using engine = openMemoryEngine({ columns: [] });
    await fullPage(engine);
    const found = await findings(engine);
    expect(found.map(({ severity, rule, kind }) => [severity, rule, kind])).toEqual([
      ["info", "targets", "object"],
    ]);
    const { errors, infos, rules } = await verifyPage(engine).summary();
    expect([errors, infos]).toEqual([0, 1]);
    expect(rules.map(({ rule }) => rule)).toEqual(pageRules.map(({ name }) => name));
    for (const { rule, checked } of rules) expect(checked, rule).toBeGreaterThan(0);
  });

  it("finds nothing in a database without rows", async () => {
    await using engine = openMemoryEngine({ columns: [] });
    expect(await findings(engine)).toEqual([]);
  });

  it.each([false, true])("finds nothing in what a program wrote; with a cloud: %s", async (hasCloud) => {
    const cloud = new MemoryCloud();
    const place = memoryPlace();
    for (let round = 0; round < 3; round++) {
      await using ledger = await openLedger(place, { name: "l", ...(hasCloud && { cloud }) });
      await using one = await ledger.rootPage();
      await using other = await ledger.rootPage();
      const tx = await begin(one);
      const tx2 = await begin(other);
      await tx.put("a", content(round, 50_000));
      await tx2.put("b", content(round + 9, 300), { priority: "lazy" });
      for (let at = 0; at < 300; at++) await tx.put(`key${round}${at}`, content(at, 40));
      await tx.commit();
      await tx2.commit();
      await one.waitForConflictResolution();
      await one.put("a", content(round, 60_000));
      if (hasCloud) await cloud.idle();
    }
    await using engine = await place.openPage("l", ROOT_PAGE_ID, { create: false });
    expect(engine).toBeDefined();
    if (engine !== undefined)
      expect((await findings(engine)).filter(({ severity }) => severity !== "info")).toEqual([]);
    // Another device has it from the cloud, without the values of lazy entries.
    if (!hasCloud) return;
    const otherPlace = memoryPlace();
    {
      await using ledger = await openLedger(otherPlace, { name: "l", cloud });
      await using page = await ledger.rootPage();
      await cloud.idle();
      await using snapshot = await page.snapshot();
      expect((await snapshot.get("a"))?.length).toBe(60_000);
    }
    await using copy = await otherPlace.openPage("l", ROOT_PAGE_ID, { create: false });
    if (copy !== undefined)
      expect((await findings(copy)).filter(({ severity }) => severity !== "info")).toEqual([]);
  });
});
