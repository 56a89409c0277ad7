/** Damaged rows and lost values: the commands report them and show everything else. */
import { describe, expect, it } from "vitest";
import { cli, onTerminal } from "../../../../test/cli/run.js";
import { openLedger, ROOT_PAGE_ID } from "../../src/index.js";
import { objectType } from "../../src/objects.js";
import { folderPlace } from "../../src/places/index.js";
import { objectRow, openedRow } from "../../src/rows/page-rows.js";
import { COLUMN } from "../../src/rows/row.js";
import { jsonOf, repository, rowsIn, writeTo } from "./repository.js";

const PAGE = "11".repeat(16);
const ROOT = "00".repeat(16);

describe("a damaged row of the database of usage", () => {
  /** A repository with two pages, one with a damaged row of usage. */
  async function damaged(): Promise<string> {
    const folder = await repository();
    {
      await using ledger = await openLedger(folder, { name: "contacts" });
      await using page = await ledger.page(PAGE);
      await page.put("a", "1");
    }
    await using usage = await folderPlace(folder, "leveldb").openUsage();
    const key = openedRow.key.encode({ ledger: "contacts", page: ROOT_PAGE_ID });
    await usage.write([{ type: "put", column: COLUMN, key, value: new Uint8Array(7) }], { sync: true });
    return folder;
  }

  it.each(["usage", "pages"])(
    "is reported by %s, which shows the other pages, with status 3",
    async (command) => {
      const folder = await damaged();
      const { stdout, stderr, status } = await cli("ledger", command, "--json", folder);
      expect(status).toBe(3);
      expect(stderr).toMatch(new RegExp(`^merostore: contacts ${ROOT}: DATA_INTEGRITY_ERROR: .*\\n$`));
      const pages = jsonOf({ stdout, stderr, status }) as { page: string; closed: string | null }[];
      expect(pages.find(({ page }) => page === PAGE)?.closed).toMatch(/^\d{4}-/);
      expect(pages.find(({ page }) => page === ROOT)?.closed ?? null).toBeNull();
      expect((await onTerminal("ledger", command, folder)).status).toBe(3);
    },
  );

  it("does not stop reading and changing pages, and is repaired by opening for writing", async () => {
    const folder = await damaged();
    expect(await cli("ledger", "get", folder, "name")).toMatchObject({ status: 0, stdout: "Carol" });
    expect(await cli("ledger", "put", "--json", folder, "name", "Dora", "--page", PAGE)).toMatchObject({
      status: 0,
    });
    expect(await cli("ledger", "usage", "--json", folder)).toMatchObject({ status: 0, stderr: "" });
    expect(await cli("ledger", "evict", "--json", folder)).toMatchObject({ status: 1 });
  });
});

describe("lost values", () => {
  it("of an eager entry are damage, of a lazy one not here; the rest is shown", async () => {
    const folder = await repository();
    {
      await using ledger = await openLedger(folder, { name: "contacts" });
      await using page = await ledger.rootPage();
      await page.put("note", "eager ".repeat(20));
    }
    const lost = (await rowsIn(folder)).flatMap(({ key }) => {
      const parts = objectRow.key.parse(key);
      return parts !== undefined && objectType(parts.digest) === "blob" ? [objectRow.delete(parts)] : [];
    });
    await writeTo(folder, ...lost);
    const eager = await cli("ledger", "get", folder, "note");
    expect(eager).toMatchObject({ status: 3, stdout: "" });
    expect(eager.stderr).toMatch(
      /^merostore: DATA_INTEGRITY_ERROR: the piece objects\/[0-9a-f]+ of an eager/,
    );
    expect(await cli("ledger", "get", folder, "note", "--offset", "-3")).toMatchObject({ status: 3 });
    const lazy = await cli("ledger", "get", folder, "photo");
    expect(lazy.status).toBe(1);
    expect(lazy.stderr).toMatch(/^merostore: NEEDS_FETCH: /);
    for (const words of [[], ["--values"]]) {
      const outcome = await cli("ledger", "entries", "--json", folder, ...words);
      expect(outcome.status).toBe(3);
      expect(outcome.stderr).toMatch(/^merostore: note: DATA_INTEGRITY_ERROR: .*\n$/);
      const shown = jsonOf(outcome) as { text?: string; size: number | null; error?: string }[];
      expect(shown.map(({ text, size, error }) => [text, size, error !== undefined])).toEqual([
        ["contact/alice", 5, false],
        ["contact/bob", 3, false],
        ["name", 5, false],
        ["note", null, true],
        ["photo", null, false],
        [undefined, 10, false],
      ]);
    }
    const { stdout, status } = await onTerminal("ledger", "entries", folder);
    expect(status).toBe(3);
    expect(stdout).toMatch(/^note +damaged +eager$/m);
    expect(stdout).toMatch(/^photo +not here +lazy$/m);
  });
});
