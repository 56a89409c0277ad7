/** A snapshot with a watcher: together they have everything, and nothing twice. Snapshots of changes. */
import { describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import type { Page, PageChange, PageSnapshot, WatchedSnapshot } from "../../src/index.js";
import {
  begin,
  contents,
  Gate,
  macrotasks,
  pageTest,
  Recorder,
  shown,
  testLedger,
  text,
  twoOf,
} from "../support.js";

/** A copy of a page, made of a snapshot and the changes that its watcher reports. */
class Follower {
  readonly state = new Map<string, string | null>();
  readonly mistakes: string[] = [];
  #snapshot: WatchedSnapshot | undefined;

  readonly #checks: boolean;

  /** @param checks whether each change is compared with its snapshot */
  constructor(checks: boolean) {
    this.#checks = checks;
  }

  async follow(page: Page, prefix: string): Promise<void> {
    const began = new Gate();
    this.#snapshot = await page.snapshot({
      prefix,
      watch: async (change) => {
        await began.opened;
        await this.#apply(change);
      },
    });
    for (const [key, value] of await shown(this.#snapshot)) this.state.set(key, value);
    await this.#snapshot.close();
    began.open();
  }

  async end(): Promise<Record<string, string | null>> {
    await this.#snapshot?.watcher.idle();
    this.#snapshot?.watcher.close();
    return Object.fromEntries(this.state);
  }

  async #apply({ part, changed, deleted, snapshot }: PageChange): Promise<void> {
    for (const { key, value } of changed) {
      const now = value === undefined ? null : text(value);
      if (this.state.get(text(key)) === now) this.mistakes.push(`${text(key)} twice`);
      this.state.set(text(key), now);
    }
    for (const key of deleted)
      if (!this.state.delete(text(key))) this.mistakes.push(`${text(key)} deleted twice`);
    if (!this.#checks || part.startsWith("partial-s")) return;
    await using after = await snapshot();
    expect(await contents(after)).toEqual(Object.fromEntries(this.state));
  }
}

describe("a snapshot with a watcher, and a writer that never rests", () => {
  it.each(["the same connection", "another connection"])("of %s: nothing lost, nothing twice", async (of) => {
    await using ledger = await testLedger();
    const [page, other] = await twoOf(ledger);
    const writer = of === "another connection" ? other : page;
    let written = 0;
    const rounds = { batches: 10, followers: 17 };
    for (let batch = 0; batch < rounds.batches; batch++) {
      let goesOn = true;
      const writing = (async () => {
        while (goesOn) {
          const at = written++;
          if (at % 3 === 2) await writer.delete(`a${at - 2}`);
          else if (at % 7 === 6)
            await writer.transaction(async (tx) => {
              await tx.put(`a${at}`, "in a transaction");
              await tx.put(`b${at}`, "outside the prefix");
            });
          else await writer.put(`a${at}`, `${at}`);
          if (at % 2 === 0) await macrotasks(); // in memory nothing waits for anything else
        }
      })();
      const followers: Follower[] = [];
      for (let round = 0; round < rounds.followers; round++) {
        const follower = new Follower(round % 8 === 0);
        followers.push(follower);
        await follower.follow(page, round % 2 === 0 ? "a" : "");
        await macrotasks(round % 3);
      }
      goesOn = false;
      await writing;
      const all = await contents(page);
      const some = Object.fromEntries(Object.entries(all).filter(([key]) => key.startsWith("a")));
      for (const [round, follower] of followers.entries()) {
        expect(await follower.end()).toEqual(round % 2 === 0 ? some : all);
        expect(follower.mistakes).toEqual([]);
      }
      await writer.clear();
    }
    expect(written).toBeGreaterThan(rounds.batches * 3);
  });
});

describe("a snapshot with a watcher", () => {
  pageTest("hears nothing of the snapshot's entries, nor of other prefixes", async (page) => {
    void page.put("a", "before");
    const seen = new Recorder();
    await using snapshot = await page.snapshot({ prefix: "a", watch: seen.listener });
    await page.put("b", "1");
    await page.put("a", "after");
    await snapshot.watcher.idle();
    expect(await contents(snapshot)).toEqual({ a: "before" });
    expect(seen.texts).toEqual([{ part: "completed", changed: { a: "after" }, deleted: [] }]);
  });

  pageTest(
    "during a transaction shows the page before it; the watcher then hears of all of it",
    async (page) => {
      const tx = await begin(page);
      await tx.put("a", "1");
      const seen = new Recorder();
      await using snapshot = await page.snapshot({ watch: seen.listener });
      await tx.put("b", "2");
      await tx.commit();
      await snapshot.watcher.idle();
      expect(await contents(snapshot)).toEqual({});
      expect(seen.texts).toEqual([{ part: "completed", changed: { a: "1", b: "2" }, deleted: [] }]);
    },
  );

  pageTest("the one stays open when the other is closed", async (page) => {
    const seen = new Recorder();
    const first = await page.snapshot({ watch: seen.listener });
    await first.close();
    await page.put("a", "1");
    await first.watcher.idle();
    expect(seen.texts).toHaveLength(1);
    await using second = await page.snapshot({ watch: seen.listener });
    second.watcher.close();
    await page.put("a", "2");
    expect(await contents(second)).toEqual({ a: "1" });
    await first.watcher.idle();
    expect(seen.texts).toHaveLength(2);
  });

  pageTest.each<unknown>([null, 7, {}])("%j is not a listener", async (page, watch) => {
    await rejection(page.snapshot({ watch: watch as never }), "INVALID_ARGUMENT");
  });
});

describe("the snapshot of a change", () => {
  pageTest("has the state after all parts of a large change, in each part", async (page) => {
    const sizes: [string, number][] = [];
    using watcher = await page.watch({ prefix: "key" }, async ({ part, snapshot }) => {
      await using after = await snapshot();
      sizes.push([part, (await shown(after)).length]);
    });
    await page.transaction(async (tx) => {
      for (let at = 0; at < 70; at++) await tx.put(`key${at}`, "value");
      await tx.put("other", "value");
    });
    await watcher.idle();
    expect(sizes).toEqual([
      ["partial-started", 70],
      ["partial-completed", 70],
    ]);
  });

  pageTest("is of the reported state, even if the page has changed again", async (page) => {
    const [called, gate] = [new Gate(), new Gate()];
    const states: unknown[] = [];
    using watcher = await page.watch({}, async ({ snapshot }) => {
      called.open();
      await gate.opened;
      await using after = await snapshot();
      states.push(await contents(after));
    });
    await page.put("a", "1");
    await called.opened;
    await page.put("a", "2");
    await page.put("a", "3");
    gate.open();
    await watcher.idle();
    expect(states).toEqual([{ a: "1" }, { a: "3" }]);
  });

  pageTest("keeps its state after the call; a change without a running call opens none", async (page) => {
    let kept: PageSnapshot | undefined;
    const changes: PageChange[] = [];
    using watcher = await page.watch({}, async (change) => {
      kept ??= await change.snapshot();
      changes.push(change);
    });
    await page.put("a", "1");
    await watcher.idle();
    for (const value of ["2", "3"]) await page.put("a", value);
    await watcher.idle();
    expect(await contents(kept as PageSnapshot)).toEqual({ a: "1" });
    await kept?.close();
    for (const change of changes) await rejection(change.snapshot(), "ILLEGAL_STATE");
  });

  pageTest("is CLOSED when the page was closed meanwhile", async (keepsOpen, ledger) => {
    const page = await ledger.rootPage();
    const [called, gate] = [new Gate(), new Gate()];
    let refused: Promise<unknown> | undefined;
    using watcher = await page.watch({}, async ({ snapshot }) => {
      called.open();
      await gate.opened;
      refused = rejection(snapshot(), "CLOSED");
      await refused;
    });
    await keepsOpen.put("a", "1");
    await called.opened;
    await page.close();
    gate.open();
    await watcher.idle();
    await expect(refused).resolves.toMatchObject({ code: "CLOSED" });
  });
});
