import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli, intoPipe, onTerminal } from "../../../../test/cli/run.js";
import { temporaryFolder } from "../../../../test/engines/temporary.js";
import { MemoryCloud, openLedger } from "../../src/index.js";
import { diverge } from "../merging/support.js";
import { jsonOf, LARGE, nowhere, piped, repository, rowsIn } from "./repository.js";

const valueAt = async (folder: string, key: string, ...words: string[]) =>
  (await intoPipe("ledger", "get", folder, key, ...words)).stdout;

describe("ledger put", () => {
  it("takes a value from the command line, as hex, from a file and from stdin", async () => {
    const folder = await repository();
    const file = join(temporaryFolder(), "value");
    writeFileSync(file, LARGE);
    const first = await onTerminal("ledger", "put", folder, "name", "Dave");
    expect(first.stderr).toMatch(/^merostore: put name, commit [0-9a-f]{16}\n$/);
    expect(await valueAt(folder, "name")).toBe("Dave");
    await intoPipe("ledger", "put", "--json", folder, "name", "--value-hex", "4576");
    expect(await valueAt(folder, "name")).toBe("Ev");
    await intoPipe("ledger", "put", "--json", folder, "file", "--file", file, "--lazy");
    const input = LARGE.toReversed();
    expect(await piped(input, "ledger", "put", "--json", folder, "stdin", "-")).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(await bytesAt(folder, "file")).toEqual(LARGE);
    expect(await bytesAt(folder, "stdin")).toEqual(input);
    const lazy = jsonOf(await intoPipe("ledger", "entries", "--json", folder, "--prefix", "file"));
    expect(lazy).toMatchObject([{ priority: "lazy", size: LARGE.length }]);
    await intoPipe("ledger", "put", "--json", folder, "", "");
    expect(jsonOf(await intoPipe("ledger", "entries", "--json", folder, "--limit", "1"))).toMatchObject([
      { key: "", size: 0 },
      { $more: true },
    ]);
  });

  it("creates a repository and pages only on request", async () => {
    const folder = nowhere();
    expect(await cli("ledger", "put", "--json", folder, "a", "1", "--name", "l")).toMatchObject({
      status: 3,
      stdout: "",
    });
    expect(await cli("ledger", "put", "--json", folder, "a", "1", "--create")).toMatchObject({
      status: 2,
      stdout: "",
    });
    expect(existsSync(folder)).toBe(false);
    await intoPipe("ledger", "put", "--json", folder, "a", "1", "--name", "l", "--create");
    const page = ["--page", "12".repeat(16)];
    expect(await cli("ledger", "put", "--json", folder, "a", "2", ...page)).toMatchObject({
      status: 1,
      stdout: "",
    });
    await intoPipe("ledger", "put", "--json", folder, "a", "2", ...page, "--create");
    await intoPipe("ledger", "put", "--json", folder, "a", "3", "--name", "other", "--create");
    expect(await valueAt(folder, "a", "--name", "l")).toBe("1");
    expect(await valueAt(folder, "a", "--name", "l", ...page)).toBe("2");
    expect(await valueAt(folder, "a", "--name", "other")).toBe("3");
    const several = await cli("ledger", "get", folder, "a");
    expect(several).toMatchObject({ status: 2, stdout: "" });
    expect(several.stderr).toMatch(/--name: "l", "other"\n$/);
  });

  it("does not create a commit if nothing changes", async () => {
    const folder = await repository();
    expect(jsonOf(await intoPipe("ledger", "put", "--json", folder, "name", "Carol"))).toMatchObject([
      { changed: false },
    ]);
    expect(jsonOf(await intoPipe("ledger", "put", "--json", folder, "name", "Dave"))).toMatchObject([
      { changed: true, commit: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it("refuses wrong words before anything is changed", async () => {
    const folder = await repository();
    const before = (await intoPipe("ledger", "rows", "--json", folder, "--usage")).stdout;
    const key = "k".repeat(257);
    for (const words of [
      ["name"],
      ["name", "a", "--value-hex", "00"],
      ["name", "--value-hex", "0"],
      [key, "a"],
    ]) {
      const outcome = await cli("ledger", "put", "--json", folder, ...words);
      expect(outcome, words.join(" ")).toMatchObject({ status: 2, stdout: "" });
      expect(outcome.stderr).toMatch(/^merostore: .*\n$/);
    }
    expect((await intoPipe("ledger", "rows", "--json", folder, "--usage")).stdout).toBe(before);
    const missing = await cli("ledger", "put", "--json", folder, "name", "--file", nowhere());
    expect(missing).toMatchObject({ status: 2, stdout: "" });
    expect(await valueAt(folder, "name")).toBe("Carol");
  });

  it.skipIf(process.platform === "win32")(
    "refuses a pipe and a folder instead of waiting for a writer",
    async () => {
      const folder = await repository();
      const pipe = join(temporaryFolder(), "pipe");
      execFileSync("mkfifo", [pipe]);
      for (const [path, kind] of [
        [pipe, "a pipe"],
        [folder, "a folder"],
      ] as const)
        expect(await cli("ledger", "put", "--json", folder, "name", "--file", path)).toEqual({
          status: 2,
          stdout: "",
          stderr: `merostore: --file: ${path} is ${kind}, not a file\n`,
        });
      expect(await valueAt(folder, "name")).toBe("Carol");
    },
  );

  it("keeps the history of a page that goes to a cloud", async () => {
    const folder = nowhere();
    const cloud = new MemoryCloud();
    {
      await using ledger = await openLedger(folder, { name: "l", cloud });
      await using page = await ledger.rootPage();
      await page.put("a", "1");
      await cloud.idle();
    }
    for (const value of ["2", "3"]) await intoPipe("ledger", "put", "--json", folder, "a", value);
    const commits = jsonOf(await intoPipe("ledger", "log", "--json", folder));
    expect(commits.map(({ generation, unsynced }) => [generation, unsynced])).toEqual([
      ["3", true],
      ["2", true],
      ["1", false],
      ["0", false],
    ]);
    expect((await onTerminal("ledger", "log", folder)).stdout).toContain("the empty page");
  });
});

describe("ledger delete", () => {
  it("and put name the empty key", async () => {
    const folder = await repository();
    expect((await cli("ledger", "put", folder, "", "a")).stderr).toMatch(
      /^merostore: put the empty key, commit/,
    );
    expect((await cli("ledger", "delete", folder, "")).stderr).toMatch(
      /^merostore: deleted the empty key, commit/,
    );
  });

  it("prints the command that brings the entry back, and put the one that removes it", async () => {
    const folder = await repository();
    for (const key of [["contact/alice"], ["ff00", "--hex"]]) {
      const [name = "", ...hex] = key;
      const value = (await intoPipe("ledger", "get", folder, name, ...hex, "--json")).stdout;
      const deleted = await intoPipe("ledger", "delete", folder, name, ...hex);
      const undo = /^undo: merostore (.*)$/m.exec(deleted.stdout)?.[1]?.split(" ") ?? [];
      const back = await intoPipe(...undo);
      expect((await intoPipe("ledger", "get", folder, name, ...hex, "--json")).stdout).toBe(value);
      expect(back.stdout).toContain(`undo: merostore ledger delete ${folder} ${name} --name contacts`);
    }
  });

  it("removes an entry, and has status 1 if the entry is absent", async () => {
    const folder = await repository();
    expect((await onTerminal("ledger", "delete", folder, "name")).stderr).toMatch(
      /^merostore: deleted name, commit /,
    );
    expect(await cli("ledger", "delete", "--json", folder, "name")).toEqual({
      status: 1,
      stdout: "",
      stderr: "merostore: KEY_NOT_FOUND: the page has no entry with the key name\n",
    });
    await intoPipe("ledger", "delete", "--json", folder, "ff00", "--hex");
    expect(jsonOf(await intoPipe("ledger", "entries", "--json", folder)).map(({ text }) => text)).toEqual([
      "contact/alice",
      "contact/bob",
      "photo",
    ]);
  });
});

describe("ledger evict", () => {
  it("does not remove a page whose entries are not in a cloud", async () => {
    const folder = await repository();
    for (const words of [[], ["--page", "00".repeat(16)]])
      expect(await cli("ledger", "evict", "--json", folder, ...words)).toMatchObject({ status: 1 });
    expect(await valueAt(folder, "name")).toBe("Carol");
    expect(await cli("ledger", "evict", "--json", folder, "--page", "12".repeat(16))).toMatchObject({
      status: 1,
    });
  });

  it("removes a page that is in the cloud", async () => {
    const folder = nowhere();
    const cloud = new MemoryCloud();
    {
      await using ledger = await openLedger(folder, { name: "l", cloud });
      await using page = await ledger.rootPage();
      await page.put("a", LARGE);
      await cloud.idle();
    }
    expect(jsonOf(await intoPipe("ledger", "pages", "--json", folder))).toMatchObject([
      { synced: true, online: true },
    ]);
    const outcome = await intoPipe("ledger", "evict", "--json", folder);
    expect(outcome).toMatchObject({ status: 0, stdout: '{"evicted":true}\n' });
    expect(jsonOf(await intoPipe("ledger", "pages", "--json", folder))).toEqual([]);
  });
});

async function bytesAt(folder: string, key: string): Promise<Uint8Array> {
  const { bytes } = await piped(new Uint8Array(0), "ledger", "get", folder, key);
  return Uint8Array.from(bytes);
}

describe("--dry-run", () => {
  it("shows what is there, and writes nothing", async () => {
    const folder = await repository();
    const before = await rowsIn(folder);
    const put = await cli("ledger", "put", folder, "name", "Dave", "--dry-run");
    expect(put).toEqual({
      status: 0,
      stdout: "before  an entry of 5 bytes\n",
      stderr: "merostore: nothing was written: this was a --dry-run\n",
    });
    const fresh = await cli("ledger", "put", folder, "new", "Dave", "--dry-run", "--json");
    expect(JSON.parse(fresh.stdout)).toEqual({ changed: false, before: null });
    const gone = await cli("ledger", "delete", folder, "name", "--dry-run");
    expect(gone.stdout).toBe("before  an entry of 5 bytes\n");
    expect((await cli("ledger", "delete", folder, "nothing", "--dry-run")).status).toBe(1);
    const made = nowhere();
    const elsewhere = await cli("ledger", "put", made, "a", "b", "--name", "x", "--create", "--dry-run");
    expect(elsewhere).toMatchObject({ status: 0, stdout: "before  no entry\n" });
    expect(existsSync(made)).toBe(false);
    expect(await rowsIn(folder)).toEqual(before);
  });
});

describe("--page", () => {
  it("takes the first digits of a page's id", async () => {
    const folder = await repository();
    const page = "00112233445566778899aabbccddeeff";
    await cli("ledger", "put", folder, "a", "one", "--page", page, "--create");
    for (const start of ["0011", "00112233…", page])
      expect((await cli("ledger", "get", folder, "a", "--page", start)).stdout).toBe("one");
    expect((await cli("ledger", "put", folder, "a", "two", "--page", "0011")).status).toBe(0);
    expect((await cli("ledger", "get", folder, "a", "--page", page)).stdout).toBe("two");
    const unknown = await cli("ledger", "get", folder, "a", "--page", "ffff");
    expect(unknown.stderr).toContain('--page: "contacts" has no page that begins with ffff');
  });
});

it("ledger export and import carry a page, its lazy values too, to another repository", async () => {
  const folder = await repository();
  const file = join(temporaryFolder(), "contacts.page");
  await intoPipe("ledger", "export", folder, "-o", file);
  const copy = nowhere();
  const done = await onTerminal("ledger", "import", copy, file, "--name", "contacts", "--create");
  expect(done).toMatchObject({ status: 0, stderr: "merostore: imported 5 entries\n" });
  const { bytes } = await piped(new Uint8Array(0), "ledger", "export", copy);
  expect(bytes).toEqual(readFileSync(file));
  const entries = async (of: string) => jsonOf(await intoPipe("ledger", "entries", "--json", of));
  expect(await entries(copy)).toEqual(await entries(folder));
  const again = nowhere();
  const words = ["ledger", "import", again, "-", "--name", "contacts", "--create"];
  expect(await piped(bytes, ...words)).toMatchObject({ status: 0 });
  const spoilt = Uint8Array.from(bytes);
  spoilt[40] = (spoilt[40] as number) ^ 1;
  await valueAt(again, "name");
  const rows = await rowsIn(again);
  const refused = await piped(spoilt, ...words);
  expect(refused.stderr).toMatch(/^merostore: .*DATA_INTEGRITY_ERROR|^merostore: the exported page/);
  expect(refused.status).not.toBe(0);
  expect((await rowsIn(again)).filter(({ key }) => `${Buffer.from(key)}`.startsWith("commits/"))).toEqual(
    rows.filter(({ key }) => `${Buffer.from(key)}`.startsWith("commits/")),
  );
  await expect(onTerminal("ledger", "import", again, nowhere())).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

it("ledger export writes the merge of several heads, and stores none", async () => {
  const folder = nowhere();
  {
    await using ledger = await openLedger(folder, { name: "contacts" });
    // A page without a policy merges nothing.
    ledger.setConflictResolver(() => ({ policy: "last-one-wins" }))();
    await diverge(ledger, { name: "Alice", city: "Paris" }, { name: "Bob", phone: "1" });
  }
  const rows = await rowsIn(folder);
  const file = join(temporaryFolder(), "contacts.page");
  const { stderr } = await onTerminal("ledger", "export", folder, "-o", file);
  expect(stderr).toContain("heads that are not merged yet; the file has their merge");
  expect(await rowsIn(folder)).toEqual(rows);
  const copy = nowhere();
  await intoPipe("ledger", "import", copy, file, "--name", "contacts", "--create");
  for (const [key, value] of Object.entries({ name: "Bob", city: "Paris", phone: "1" }))
    expect(await valueAt(copy, key)).toBe(value);
  // An export of a commit is one side.
  const side = await intoPipe("ledger", "export", folder, "--at", "head", "-o", file);
  expect(side.stderr).toContain("heads that are not merged yet");
  const one = nowhere();
  await intoPipe("ledger", "import", one, file, "--name", "contacts", "--create");
  expect(jsonOf(await intoPipe("ledger", "entries", "--json", one))).toHaveLength(2);
});
