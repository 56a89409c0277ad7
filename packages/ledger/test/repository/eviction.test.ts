import { existsSync } from "node:fs";
import { join } from "node:path";
import { openMemoryEngine } from "merostore/engine";
import { MerostoreError, toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { rejection } from "../../../../test/support/rejection.js";
import { folderPlace } from "../../src/places/index.js";
import { type EvictablePages, Eviction, type EvictionCondition } from "../../src/repository/eviction.js";
import { PageUsage } from "../../src/repository/page-usage.js";
import { Journal } from "../../src/storage/journal.js";
import type { PageState } from "../../src/storage/page-state.js";
import { readPageState } from "../../src/storage/page-state.js";
import { PageStorage } from "../../src/storage/page-storage.js";
import { pageId } from "../places/helpers.js";

cleanUpAfterEach();

const [first, second, third] = ["1", "2", "3"].map(pageId) as [Uint8Array, Uint8Array, Uint8Array];
const LEDGER = "ledger";

const synced: PageState = { synced: true, online: true, empty: false };
const unsynced: PageState = { synced: false, online: false, empty: false };
const empty: PageState = { synced: false, online: false, empty: true };

/** Pages with given states, and the calls about them. */
class FakePages implements EvictablePages {
  readonly states = new Map<string, PageState>();
  readonly calls: string[] = [];
  /** Runs while a state is looked at or a page is deleted. */
  during: (call: string) => Promise<void> = async () => undefined;

  set(page: Uint8Array, state: PageState): void {
    this.states.set(toHex(page), state);
  }

  async state(_ledger: string, page: Uint8Array): Promise<PageState> {
    await this.#call("state", page);
    return this.#find(page);
  }

  async delete(_ledger: string, page: Uint8Array): Promise<void> {
    await this.#call("delete", page);
    this.#find(page);
    this.states.delete(toHex(page));
  }

  async #call(what: string, page: Uint8Array): Promise<void> {
    const call = `${what} ${String.fromCharCode(page[0] as number)}`;
    this.calls.push(call);
    await this.during(call);
  }

  #find(page: Uint8Array): PageState {
    const found = this.states.get(toHex(page));
    if (found === undefined) throw new MerostoreError("PAGE_NOT_FOUND", "no such page");
    return found;
  }
}

interface Repository {
  readonly usage: PageUsage;
  readonly pages: FakePages;
  readonly eviction: Eviction;
  /** Opens and closes a page. */
  use(page: Uint8Array): Promise<void>;
  /** First letters of the pages that have rows. */
  rows(): Promise<string>;
}

/** Pages with states, used in this order. */
async function repository(...states: [Uint8Array, PageState][]): Promise<Repository> {
  let now = 1n;
  const usage = await PageUsage.open(openMemoryEngine({ columns: [] }), () => now++);
  const pages = new FakePages();
  const use = async (page: Uint8Array) => {
    await usage.markOpened(LEDGER, page);
    await usage.markClosed(LEDGER, page);
  };
  for (const [page, state] of states) {
    pages.set(page, state);
    await use(page);
  }
  const rows = async () =>
    (await usage.pages()).map(({ page }) => String.fromCharCode(page[0] as number)).join("");
  return { usage, pages, eviction: new Eviction(usage, pages), use, rows };
}

describe("cleaning up", () => {
  it("evicts nothing where no pages are", async () => {
    const { eviction, pages } = await repository();
    expect(await eviction.cleanUp()).toBe(false);
    expect(pages.calls).toEqual([]);
  });

  it("evicts one page, the least recently used one", async () => {
    const { eviction, pages, use, rows } = await repository(
      [first, synced],
      [second, synced],
      [third, synced],
    );
    await use(first);
    expect(await eviction.cleanUp()).toBe(true);
    expect(pages.calls).toEqual(["state 2", "delete 2"]);
    expect(await rows()).toBe("31");
  });

  it("passes over pages that cannot be evicted, until one can", async () => {
    const { eviction, pages, rows } = await repository([first, unsynced], [second, empty], [third, synced]);
    expect(await eviction.cleanUp()).toBe(true);
    expect(pages.calls).toEqual(["state 1", "state 2", "delete 2"]);
    expect(await rows()).toBe("13");
    expect(await eviction.cleanUp()).toBe(true);
    expect(await eviction.cleanUp()).toBe(false);
    expect(await rows()).toBe("1");
  });

  it.each<[string, PageState, boolean]>([
    ["synced and not empty", synced, true],
    ["unsynced and not empty", unsynced, false],
    ["unsynced and empty, never online", empty, true],
    ["unsynced and empty, online once", { synced: false, online: true, empty: true }, false],
    ["synced, never online, not empty", { synced: true, online: false, empty: false }, true],
    ["unsynced, online, not empty", { synced: false, online: true, empty: false }, false],
  ])("of a page that is %s", async (_what, state, evicted) => {
    const { eviction, pages, rows } = await repository([first, state]);
    expect(await eviction.cleanUp()).toBe(evicted);
    expect(pages.calls).toEqual(evicted ? ["state 1", "delete 1"] : ["state 1"]);
    expect(await rows()).toBe(evicted ? "" : "1");
  });

  it("does not look at pages that are open", async () => {
    const { eviction, pages, usage, rows } = await repository([first, synced]);
    await usage.markOpened(LEDGER, first);
    expect(await eviction.cleanUp()).toBe(false);
    expect(pages.calls).toEqual([]);
    await usage.markClosed(LEDGER, first);
    expect(await eviction.cleanUp()).toBe(true);
    expect(await rows()).toBe("");
  });

  it("does not evict an evicted page again", async () => {
    const { eviction, pages } = await repository([first, synced]);
    await eviction.cleanUp();
    expect(await eviction.cleanUp()).toBe(false);
    expect(pages.calls).toEqual(["state 1", "delete 1"]);
  });

  it("removes the row of a page that is gone and goes on", async () => {
    const { eviction, pages, rows } = await repository([first, synced], [second, synced], [third, synced]);
    pages.states.delete(toHex(first));
    expect(await eviction.cleanUp()).toBe(true);
    expect(pages.calls).toEqual(["state 1", "state 2", "delete 2"]);
    expect(await rows()).toBe("3");
  });

  it("removes the row of a page that goes before it is deleted", async () => {
    const { eviction, pages, rows } = await repository([first, synced]);
    pages.during = async (call) => {
      if (call === "delete 1") pages.states.clear();
    };
    expect(await eviction.cleanUp()).toBe(false);
    expect(await rows()).toBe("");
  });

  it.each(["state 1", "delete 1"])("ends with an error and keeps the row: %s", async (failing) => {
    const { eviction, pages, rows } = await repository([first, synced], [second, synced]);
    pages.during = async (call) => {
      if (call === failing) throw new MerostoreError("ENGINE_FAILED", "the disk is gone");
    };
    await rejection(eviction.cleanUp(), "ENGINE_FAILED");
    expect(pages.calls.at(-1)).toBe(failing);
    expect(await rows()).toBe("12");
    pages.during = async () => undefined;
    expect(await eviction.cleanUp()).toBe(true);
    expect(await rows()).toBe("2");
  });

  it("is one clean-up when it is asked for again meanwhile", async () => {
    const { eviction, rows } = await repository([first, synced], [second, synced], [third, synced]);
    expect(await Promise.all([eviction.cleanUp(), eviction.cleanUp(), eviction.cleanUp()])).toEqual([
      true,
      true,
      true,
    ]);
    expect(await rows()).toBe("23");
    await eviction.cleanUp();
    expect(await rows()).toBe("3");
  });
});

describe("a page that is opened", () => {
  it.each(["is open", "was open for a moment"])("while its state is looked at stays: %s", async (what) => {
    const { eviction, pages, usage, rows } = await repository([first, synced]);
    pages.during = async () => {
      await usage.markOpened(LEDGER, first);
      if (what !== "is open") await usage.markClosed(LEDGER, first);
    };
    expect(await eviction.cleanUp()).toBe(false);
    expect(pages.calls).toEqual(["state 1"]);
    expect(await rows()).toBe("1");
  });

  it("while another's state is looked at is not an obstacle", async () => {
    const { eviction, pages, usage } = await repository([first, synced]);
    pages.during = async () => {
      await usage.markOpened(LEDGER, second);
      await usage.markOpened("another ledger", first);
    };
    expect(await eviction.cleanUp()).toBe(true);
  });

  it("after the list was made, and before its turn, stays", async () => {
    const { eviction, pages, usage, rows } = await repository([first, unsynced], [second, synced]);
    pages.during = () => usage.markOpened(LEDGER, second);
    expect(await eviction.cleanUp()).toBe(false);
    expect(pages.calls).toEqual(["state 1"]);
    expect(await rows()).toBe("12");
  });

  it("while it is deleted or found to be gone keeps its new row", async () => {
    for (const at of ["delete 1", "state 1"]) {
      const { eviction, pages, usage, rows } = await repository([first, synced]);
      if (at === "state 1") pages.states.clear();
      pages.during = async (call) => {
        if (call === at) void usage.markOpened(LEDGER, first);
      };
      expect(await eviction.cleanUp()).toBe(at === "delete 1");
      expect(await rows()).toBe("1");
      expect(usage.isOpen(LEDGER, first)).toBe(true);
    }
  });
});

describe("trying to evict a page", () => {
  it.each<[EvictionCondition, string, PageState, boolean]>([
    ["if-possible", "synced", synced, true],
    ["if-possible", "empty", empty, true],
    ["if-possible", "unsynced", unsynced, false],
    ["if-empty", "synced", synced, false],
    ["if-empty", "empty", empty, true],
    ["if-empty", "empty and synced, online once", { synced: true, online: true, empty: true }, false],
    ["if-empty", "unsynced", unsynced, false],
  ])("%s, one that is %s", async (condition, _what, state, evicted) => {
    const { eviction, rows } = await repository([first, state], [second, synced]);
    expect(await eviction.tryEvict(LEDGER, first, condition)).toBe(evicted);
    expect(await rows()).toBe(evicted ? "2" : "12");
  });

  it("does nothing to one that is open", async () => {
    const { eviction, pages, usage } = await repository([first, empty]);
    await usage.markOpened(LEDGER, first);
    for (const condition of ["if-possible", "if-empty"] as const)
      expect(await eviction.tryEvict(LEDGER, first, condition)).toBe(false);
    expect(pages.calls).toEqual([]);
  });

  it("removes the row of one that is gone", async () => {
    const { eviction, pages, rows } = await repository([first, empty]);
    pages.states.clear();
    expect(await eviction.tryEvict(LEDGER, first, "if-empty")).toBe(false);
    expect(await rows()).toBe("");
  });
});

describe("on disk", () => {
  it("the folder of a cleared page goes, and a page with entries keeps its folder", async () => {
    const folder = temporaryFolder();
    const place = folderPlace(folder, "leveldb");
    const usage = await PageUsage.open(await place.openUsage());
    const withStorage = async <T>(
      page: Uint8Array,
      work: (storage: PageStorage) => Promise<T>,
    ): Promise<T> => {
      const engine = await place.openPage(LEDGER, page, { create: false });
      if (engine === undefined) throw new MerostoreError("PAGE_NOT_FOUND", "no such page");
      const storage = await PageStorage.open(engine, {
        rollingHash: "V2",
        keyIndex: 1,
        prune: true,
        collection: "eager-root-nodes",
      });
      try {
        return await work(storage);
      } finally {
        await storage.close();
      }
    };
    const eviction = new Eviction(usage, {
      state: (_ledger, page) => withStorage(page, ({ engine }) => readPageState(engine)),
      delete: (ledger, page) => place.deletePage(ledger, page),
    });
    const commit = (storage: PageStorage, journal: Journal) =>
      storage.heads.withCommits(async ([head]) => {
        expect(head && (await storage.commit([head], journal.contents))).toBeDefined();
      });
    for (const page of [first, second]) {
      await usage.markOpened(LEDGER, page);
      await (await place.openPage(LEDGER, page, { create: true }))?.close();
      await withStorage(page, async (storage) => {
        const journal = new Journal();
        const { root, pieces } = storage.values.split(new Uint8Array(100));
        journal.put(Uint8Array.of(1), root, "eager", pieces);
        await commit(storage, journal);
        const clearing = new Journal();
        clearing.clear();
        if (page === first) await commit(storage, clearing);
      });
      await usage.markClosed(LEDGER, page);
    }
    expect(await place.pages(LEDGER)).toEqual([first, second]);
    expect(await eviction.tryEvict(LEDGER, first, "if-empty")).toBe(true);
    expect(await eviction.tryEvict(LEDGER, second, "if-empty")).toBe(false);
    expect(await eviction.cleanUp()).toBe(false);
    expect(existsSync(join(folder, "35/ledgers/bGVkZ2Vy/MQAAAAAAAAAAAAAAAAAAAA=="))).toBe(false);
    expect(await place.pages(LEDGER)).toEqual([second]);
    expect((await usage.pages()).map(({ page }) => page)).toEqual([second]);
    await usage.close();
  });
});
