/** Resolvers that come, go and fail, and their leftovers. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type Conflict, memoryPlace, type PagePolicy } from "../../src/index.js";
import { faultsOf, readStored, rowsOf } from "../stored.js";
import { contents, Gate, headOf, isSettled, PAGE, testLedger, twoOf } from "../support.js";
import { Courier } from "../sync/courier.js";
import { diverge, divergeOn, untilResolved } from "./support.js";

const taking = (key: string): PagePolicy => ({
  policy: "custom",
  resolve: (conflict) => conflict.merge([{ key, use: "new", value: "resolved" }]),
});

describe("a resolver that fails", () => {
  it("runs again; waiting fails with its error; nothing of the failed run is committed", async () => {
    await using ledger = await testLedger();
    let calls = 0;
    const resolve = async (conflict: Conflict): Promise<void> => {
      calls++;
      await conflict.merge([{ key: `call ${calls}`, use: "new", value: "large ".repeat(100) }]);
      if (calls < 3) throw new Error("not yet");
    };
    ledger.setConflictResolver(() => ({ policy: "custom", resolve }));
    const [page1, page2] = await diverge(ledger, { a: "1" }, { b: "2" });
    // As long as the resolver fails, each connection has its own commits.
    expect(await contents(page1)).not.toHaveProperty("call 1");
    await expect(page2.waitForConflictResolution()).rejects.toThrow("not yet");
    await untilResolved(page2);
    expect(calls).toBe(3);
    expect(await contents(page1)).toEqual({ b: "2", "call 3": "large ".repeat(100) });
    expect(await headOf(page2)).toEqual(await headOf(page1));
  });

  it("is asked again while a program does nothing but wait for it", () => {
    const program = `
      import { memoryPlace, openLedger } from "merostore-ledger";
      const ledger = await openLedger(memoryPlace(), { name: "test" });
      let calls = 0;
      const resolve = () => { if (++calls < 3) throw new Error("not yet"); };
      ledger.setConflictResolver(() => ({ policy: "custom", resolve }));
      const [first, second] = [await ledger.rootPage(), await ledger.rootPage()];
      await first.transaction(async (tx) => {
        await second.put("a", "1");
        await tx.put("b", "2");
      });
      for (;;) {
        const result = await first.waitForConflictResolution().catch(() => undefined);
        if (result === undefined) continue;
        console.log(result, calls);
        break;
      }`;
    const folder = join(import.meta.dirname, "../../..");
    const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: folder,
      encoding: "utf8",
    });
    expect({ stdout, status }).toEqual({
      stdout: expect.stringMatching(/^(?:no-conflicts|conflicts-resolved) 3\n$/),
      status: 0,
    });
  });

  it("leaves no pieces behind", async () => {
    const place = memoryPlace();
    const ledger = await testLedger({}, place);
    let calls = 0;
    const resolve = async (conflict: Conflict): Promise<void> => {
      await conflict.merge([{ key: "a", use: "new", value: `${calls} `.repeat(50_000) }]);
      await conflict.merge([{ key: "b", use: "new", value: `b${calls} `.repeat(50_000) }]);
      await conflict.merge([{ key: "b", use: "delete" }]);
      if (calls++ === 0) throw new Error("not yet");
    };
    ledger.setConflictResolver(() => ({ policy: "custom", resolve }));
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    await untilResolved(page);
    expect(calls).toBe(2);
    await ledger.close();
    const stored = await readStored(place);
    expect(faultsOf(stored)).toEqual([]);
    expect(rowsOf(stored, "transient-piece")).toEqual([]);
    expect(stored.heads).toHaveLength(1);
  });

  it("does not keep connections from working, nor the ledger from closing", async () => {
    const place = memoryPlace();
    const ledger = await testLedger({}, place);
    const resolve = vi.fn(() => {
      throw new Error("never");
    });
    ledger.setConflictResolver(() => ({ policy: "custom", resolve }));
    const [page1, page2] = await diverge(ledger, { a: "1" }, { b: "2" });
    await page1.put("c", "3");
    expect(await contents(page1)).toEqual({ a: "1", c: "3" });
    expect(await contents(page2)).toEqual({ b: "2" });
    await expect(page1.waitForConflictResolution()).rejects.toThrow("never");
    await vi.waitFor(() => expect(resolve.mock.calls.length).toBeGreaterThan(1), { timeout: 500_000 });
    await ledger.close();
    // Both heads are there, and merged when somebody can.
    await using again = await testLedger({}, place);
    await using page = await again.rootPage();
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual({ a: "1", b: "2", c: "3" });
  });
});

describe("resolvers that come and go", () => {
  it("the first decides until it is removed, then the next", async () => {
    await using ledger = await testLedger();
    const remove = ledger.setConflictResolver(() => taking("first"));
    ledger.setConflictResolver(() => taking("second"));
    const [page1] = await diverge(ledger, { a: "1" }, { b: "2" });
    await page1.waitForConflictResolution();
    expect(await contents(page1)).toEqual({ b: "2", first: "resolved" });
    remove();
    remove();
    // The page has its policy already; another asks the next resolver.
    const pages = await twoOf(ledger);
    await divergeOn(pages, { first: "1" }, { c: "2" });
    await page1.waitForConflictResolution();
    expect(await contents(page1)).toEqual({ b: "2", c: "2", first: "resolved" });
    const [other] = await diverge(ledger, { a: "1" }, { b: "2" }, PAGE);
    await other.waitForConflictResolution();
    expect(await contents(other)).toEqual({ b: "2", second: "resolved" });
  });

  it("a page that is opened without a policy does not change until one is set", async () => {
    await using ledger = await testLedger();
    ledger.setConflictResolver(() => taking("never"))();
    const [page1, page2] = await diverge(ledger, { a: "1" }, { b: "2" });
    const waiting = page1.waitForConflictResolution();
    await page1.put("c", "3");
    expect(await isSettled(waiting)).toBe(false);
    expect(await contents(page1)).toEqual({ a: "1", c: "3" });
    expect(await contents(page2)).toEqual({ b: "2" });
    ledger.setConflictResolver(() => ({ policy: "last-one-wins" }));
    expect(await waiting).toBe("conflicts-resolved");
    expect(await contents(page1)).toEqual({ a: "1", b: "2", c: "3" });
    expect(await headOf(page1)).toEqual(await headOf(page2));
  });

  it("one that is removed before it has answered is not waited for", async () => {
    await using ledger = await testLedger();
    const remove = ledger.setConflictResolver(() => new Promise<never>(() => undefined));
    ledger.setConflictResolver(() => taking("resolved"));
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    const waiting = page.waitForConflictResolution();
    expect(await isSettled(waiting)).toBe(false);
    remove();
    expect(await waiting).toBe("conflicts-resolved");
    expect(await contents(page)).toEqual({ b: "2", resolved: "resolved" });
  });

  it("heads that were left unmerged are there when the page is opened again", async () => {
    const place = memoryPlace();
    {
      await using ledger = await testLedger({}, place);
      ledger.setConflictResolver(() => taking("never"))();
      await diverge(ledger, { a: "1" }, { b: "2" });
    }
    expect((await readStored(place)).heads).toHaveLength(2);
    await using ledger = await testLedger({}, place);
    ledger.setConflictResolver(() => taking("resolved"));
    await using page = await ledger.rootPage();
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual({ b: "2", resolved: "resolved" });
  });

  it("receives the id of the page, once", async () => {
    await using ledger = await testLedger();
    const asked: string[] = [];
    ledger.setConflictResolver(async (id) => {
      asked.push(Buffer.from(id).toString("hex"));
      return { policy: "last-one-wins" };
    });
    const [page] = await diverge(ledger, { a: "1" }, { a: "2" }, PAGE);
    await page.waitForConflictResolution();
    const pages = await twoOf(ledger, PAGE);
    await divergeOn(pages, { b: "1" }, { b: "2" });
    await page.waitForConflictResolution();
    expect(asked).toEqual([PAGE]);
  });

  it("one that comes while the merger looks for one is not missed", async () => {
    const [courier] = Courier.network(1) as [Courier];
    let atCommit = (): void => undefined;
    const connect: Courier["connect"] = async (page) => {
      page.onCommits(() => atCommit());
      return courier.connect(page);
    };
    await using ledger = await testLedger({ cloud: { connect } });
    ledger.setConflictResolver(() => taking("never"))();
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    // The commit makes the merger look; the resolver comes before that is over.
    atCommit = () => {
      atCommit = () => undefined;
      queueMicrotask(() => ledger.setConflictResolver(() => ({ policy: "last-one-wins" })));
    };
    await page.put("c", "3");
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual({ a: "1", b: "2", c: "3" });
  });

  it("one that fails to return its policy: the waiting caller gets the error, and it is asked again with the next commit", async () => {
    await using ledger = await testLedger();
    let calls = 0;
    ledger.setConflictResolver(() => {
      calls++;
      if (calls === 1) throw new Error("not yet");
      return { policy: "last-one-wins" };
    });
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    await expect(page.waitForConflictResolution()).rejects.toThrow("not yet");
    await page.put("c", "3");
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual({ a: "1", b: "2", c: "3" });
  });
});

it("while a resolver thinks connections go on, and its conflict stays as it was", async () => {
  await using ledger = await testLedger();
  const [asked, decided] = [new Gate(), new Gate()];
  const seen: unknown[] = [];
  let first = true;
  const resolve = async (conflict: Conflict): Promise<void> => {
    if (first) {
      first = false;
      asked.open();
      await decided.opened;
      seen.push(await contents(conflict.newer), await contents(conflict.older));
    }
    await conflict.mergeNonConflicting();
  };
  ledger.setConflictResolver(() => ({ policy: "custom", resolve }));
  const [page1, page2] = await diverge(ledger, { a: "1" }, { b: "2" });
  await asked.opened;
  for (let at = 0; at < 5; at++) {
    await page1.put("c", `${at}`);
    await page2.put("d", `${at}`);
  }
  await page1.delete("a");
  decided.open();
  await page1.waitForConflictResolution();
  expect(seen).toEqual([{ b: "2" }, { a: "1" }]);
  expect(await contents(page1)).toEqual({ b: "2", c: "4", d: "4" });
  expect(await headOf(page2)).toEqual(await headOf(page1));
});
