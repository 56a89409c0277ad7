import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, intoPipe, linesOf, onTerminal } from "../../../../test/cli/run.js";
import { temporaryFolder } from "../../../../test/engines/temporary.js";
import { folderCloud, openLedger, ROOT_PAGE_ID } from "../../src/index.js";
import { folderPlace } from "../../src/places/index.js";
import { jsonOf, LARGE, nowhere, piped, repository, rowsIn, writeTo } from "./repository.js";

const root = "00".repeat(16);
let folder = "";
beforeAll(async () => {
  folder = await repository();
});

describe("ledger pages", () => {
  it("shows every page with its content", async () => {
    const [page, ...others] = jsonOf(await intoPipe("ledger", "pages", "--json", folder));
    expect(others).toEqual([]);
    expect(page).toMatchObject({
      ledger: "contacts",
      page: root,
      entries: 5,
      heads: 1,
      generation: "2",
      open: false,
    });
    expect(page).toMatchObject({ empty: false, synced: false, online: false });
    expect(Number(page?.bytes)).toBeGreaterThan(LARGE.length);
    const { stdout } = await onTerminal("ledger", "pages", folder);
    expect(linesOf(stdout)[1]).toMatch(new RegExp(`^contacts  ${root} +5 +1 +2 +\\S+ kB  20`));
  });

  it("shows when a page was last synced, and with which cloud", async () => {
    const synced = join(temporaryFolder(), "synced");
    const shared = temporaryFolder();
    {
      const cloud = folderCloud(shared, { interval: 0 });
      await using ledger = await openLedger(synced, { name: "notes", cloud });
      await using page = await ledger.rootPage();
      await page.put("a", "1");
      await cloud.sync();
    }
    const [page] = jsonOf<{ lastSync: { at: string; cloud: string } }>(
      await intoPipe("ledger", "pages", "--json", synced),
    );
    expect(page?.lastSync).toEqual({ at: expect.stringMatching(/^2\d{3}-.*Z$/), cloud: shared });
    const { stdout } = await intoPipe("ledger", "pages", synced, "--utc");
    expect(linesOf(stdout)[0]).toMatch(/ used +last sync/);
    expect(linesOf(stdout)[1]).toContain(page?.lastSync.at.slice(0, 10));
  });

  it("shows when the newest commit was made, in UTC if asked, as the log does", async () => {
    const [page] = jsonOf<{ changed: string }>(await intoPipe("ledger", "pages", "--json", folder));
    const [commit] = jsonOf<{ time: string }>(
      await intoPipe("ledger", "log", "--json", "--limit", "1", folder),
    );
    expect(page?.changed).toBe(commit?.time);
    const inUtc = `${page?.changed.slice(0, 19).replace("T", " ")} UTC`;
    for (const [command, shown] of [
      ["pages", `  ${inUtc}  20`],
      ["log", `  ${inUtc}  head`],
    ] as const)
      expect((await onTerminal("ledger", command, folder, "--utc")).stdout, command).toContain(shown);
    expect((await onTerminal("ledger", "show", folder, "head", "--utc")).stdout).toContain(
      `time        ${inUtc}`,
    );
  });

  it("shows a name that is not UTF-8 in hex digits, which every command takes", async () => {
    const named = nowhere();
    {
      await using ledger = await openLedger(named, { name: Uint8Array.of(0x61, 0x80) });
      await using page = await ledger.rootPage();
      await page.put("name", "Alice");
    }
    await intoPipe("ledger", "put", named, "name", "Bob", "--name", "text", "--create");
    const names = jsonOf(await intoPipe("ledger", "pages", "--json", named)).map(({ ledger }) => ledger);
    expect(names).toEqual(["0x6180", "text"]);
    expect((await onTerminal("ledger", "usage", named)).stdout).toContain("0x6180 ");
    const get = ["ledger", "get", named, "name", "--name", "0x6180"];
    expect((await intoPipe(...get)).stdout).toBe("Alice");
    const put = await intoPipe("ledger", "put", named, "name", "Eve", "--name", "0x6180", "--create");
    expect(put.stdout).toContain("--name 0x6180");
    expect((await intoPipe(...get)).stdout).toBe("Eve");
    expect((await cli("ledger", "get", named, "name")).stderr).toContain('"0x6180", "text"');
    expect(await cli("ledger", "verify", named)).toMatchObject({ status: 0 });
  });

  it("opens a repository of RocksDB too, and detects it", async () => {
    const rocks = await repository("rocksdb");
    expect(jsonOf(await intoPipe("ledger", "pages", "--json", rocks))).toMatchObject([{ entries: 5 }]);
    const wrong = await cli("ledger", "pages", "--json", rocks, "--engine", "leveldb");
    expect(wrong).toMatchObject({ status: 3, stdout: "" });
    expect(wrong.stderr).toMatch(
      /^merostore: .* is not a LevelDB repository of ledgers: its engine is RocksDB\n$/,
    );
  });
});

describe("ledger entries", () => {
  it("shows keys, sizes and priorities, and values only on request", async () => {
    const outcome = await intoPipe("ledger", "entries", "--json", folder);
    expect(jsonOf(outcome)).toEqual([
      {
        key: Buffer.from("contact/alice").toString("hex"),
        text: "contact/alice",
        size: 5,
        priority: "eager",
      },
      { key: Buffer.from("contact/bob").toString("hex"), text: "contact/bob", size: 3, priority: "eager" },
      { key: Buffer.from("name").toString("hex"), text: "name", size: 5, priority: "eager" },
      { key: Buffer.from("photo").toString("hex"), text: "photo", size: LARGE.length, priority: "lazy" },
      { key: "ff00", size: 10, priority: "eager" },
    ]);
    const shown = await onTerminal("ledger", "entries", folder, "--values");
    expect(linesOf(shown.stdout)[0]).toMatch(/^contact\/alice +5 bytes +eager +Alice$/);
    expect(linesOf(shown.stdout)[4]).toMatch(/^0xff00 +10 bytes +eager +binary key$/);
  });

  it("takes a prefix, a first key, a limit and the descending order", async () => {
    const texts = async (...words: string[]) =>
      jsonOf(await intoPipe("ledger", "entries", "--json", folder, ...words)).map(({ text }) => text);
    expect(await texts("--prefix", "contact/")).toEqual(["contact/alice", "contact/bob"]);
    expect(await texts("--prefix", "contact/", "--from", "contact/b")).toEqual(["contact/bob"]);
    expect(await texts("--from", "contact/b", "--limit", "2")).toEqual(["contact/bob", "name", undefined]);
    expect(await texts("--prefix", "zz")).toEqual([]);
    expect(await texts("--reverse")).toEqual([undefined, "photo", "name", "contact/bob", "contact/alice"]);
    expect(await texts("--reverse", "--prefix", "contact/")).toEqual(["contact/bob", "contact/alice"]);
    expect(await texts("--reverse", "--from", "contact/b", "--prefix", "contact/")).toEqual(["contact/bob"]);
    const lines = await intoPipe("ledger", "entries", "--json", folder, "--reverse", "--limit", "1");
    expect(jsonOf(lines).map(({ key, $more }) => key ?? $more)).toEqual(["ff00", true]);
    expect(await texts("--prefix", "6e61", "--hex")).toEqual(["name"]);
    const [entry] = jsonOf(
      await intoPipe("ledger", "entries", "--json", folder, "--prefix", "name", "--values"),
    );
    expect(entry?.value).toBe(Buffer.from("Carol").toString("hex"));
  });
});

describe("ledger log", () => {
  it("shows the commits, newest first, and the end of the history", async () => {
    const changed = await repository();
    for (const value of ["Dave", "Eve"]) await intoPipe("ledger", "put", "--json", changed, "name", value);
    const commits = jsonOf<{ pruned: string[]; parents: string[] }>(
      await intoPipe("ledger", "log", "--json", changed),
    );
    expect(commits[0]).toMatchObject({ generation: "4", head: true, merge: false, unsynced: true });
    const last = commits.at(-1);
    expect(last?.pruned).toHaveLength(1);
    expect(last?.pruned).toEqual(last?.parents);
    expect(jsonOf(await intoPipe("ledger", "log", "--json", changed, "--limit", "1"))).toEqual([
      commits[0],
      { $more: true },
    ]);
    const { stdout } = await onTerminal("ledger", "log", changed);
    expect(stdout).toMatch(/^[0-9a-f]{16} {2}4 {2}20\d\d-.* head unsynced\n/);
    expect(stdout).toContain("pruned before it: ");
  });

  it("shows a merge with both its parents", async () => {
    const merging = await repository();
    await using ledger = await openLedger(merging, { name: "contacts" });
    // The history stays as long as a snapshot at its beginning is in use.
    const [one, other] = [await ledger.rootPage(), await ledger.rootPage()];
    const before = await one.snapshot();
    await one.transaction(async (tx) => {
      await tx.put("a", "1");
      await other.put("b", "2");
    });
    await one.waitForConflictResolution();
    await ledger.close();
    await before.close();
    const commits = jsonOf(await intoPipe("ledger", "log", "--json", merging));
    expect(commits[0]).toMatchObject({ head: true, merge: true, generation: "4" });
    expect(commits[0]?.parents).toHaveLength(2);
  });
});

describe("ledger get", () => {
  it("writes the bytes of a value, to stdout or a file", async () => {
    const { bytes, status } = await piped(new Uint8Array(0), "ledger", "get", folder, "photo");
    expect(status).toBe(0);
    expect(bytes.equals(LARGE)).toBe(true);
    const out = join(temporaryFolder(), "photo");
    expect(await cli("ledger", "get", folder, "photo", "-o", out)).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
    });
    expect(readFileSync(out).equals(LARGE)).toBe(true);
  });

  it.each([
    [["--offset", "1"], "arol"],
    [["--offset", "1", "--size", "2"], "ar"],
    [["--offset", "-2"], "ol"],
    [["--offset", "-9"], ""],
    [["--offset", "9"], ""],
    [["--size", "0"], ""],
  ])("takes a part: %j", async (words, expected) => {
    expect((await intoPipe("ledger", "get", folder, "name", ...words)).stdout).toBe(expected);
  });

  it("shows text on a terminal, other values as hex, and JSON on request", async () => {
    expect((await onTerminal("ledger", "get", folder, "name")).stdout).toBe("Carol\n");
    const hex = await onTerminal("ledger", "get", folder, "photo", "--size", "40");
    expect(hex.stdout.replaceAll("\n", "")).toBe(Buffer.from(LARGE.subarray(0, 40)).toString("hex"));
    const [json] = jsonOf(await onTerminal("ledger", "get", folder, "ff00", "--hex", "--json"));
    expect(json).toEqual({
      key: "ff00",
      priority: "eager",
      value: Buffer.from("binary key").toString("hex"),
      size: 10,
    });
  });

  it("has status 1 and the code in one line for an absent key", async () => {
    expect(await cli("ledger", "get", folder, "nobody")).toEqual({
      status: 1,
      stdout: "",
      stderr: "merostore: KEY_NOT_FOUND: the page has no entry with the key nobody\n",
    });
    const page = await cli("ledger", "get", folder, "name", "--page", "11".repeat(16));
    expect(page).toMatchObject({ status: 1, stdout: "" });
    expect(page.stderr).toMatch(/^merostore: PAGE_NOT_FOUND: .*\n$/);
    const ledger = await cli("ledger", "get", folder, "name", "--name", "other");
    expect(ledger).toMatchObject({ status: 1 });
    expect(ledger.stderr).toMatch(/^merostore: PAGE_NOT_FOUND: .* it has "contacts"\n$/);
  });
});

describe("ledger rows", () => {
  it("names and decodes every row, without the content of values", async () => {
    const shown = jsonOf(await intoPipe("ledger", "rows", "--json", folder));
    const stored = await rowsIn(folder);
    expect(shown.map(({ key, size }) => [key, size])).toEqual(
      stored.map(({ key, value }) => [Buffer.from(key).toString("hex"), value.length]),
    );
    expect(shown.every(({ kind }) => kind !== null)).toBe(true);
    const { stdout } = await intoPipe("ledger", "rows", "--json", folder);
    for (const value of ["Alice", "Carol"]) expect(stdout).not.toContain(Buffer.from(value).toString("hex"));
    const commits = jsonOf(await intoPipe("ledger", "rows", "--json", folder, "--kind", "commit"));
    expect(commits.map(({ kind }) => kind)).toEqual(Array(commits.length).fill("commit"));
    expect(commits[0]).toMatchObject({ value: { generation: expect.any(String), root: { keyIndex: 1 } } });
    const [node] = shown.filter(
      ({ kind, value }) => kind === "object" && (value as { of: string }).of === "tree node",
    );
    expect(node?.value).toMatchObject({ piece: "chunk", level: 0, children: 0 });
  });

  it("shows the rows of usage, and marks unknown rows", async () => {
    const [row] = jsonOf(await intoPipe("ledger", "rows", "--json", folder, "--usage"));
    expect(row).toMatchObject({ kind: "opened", parts: { ledger: "contacts", page: root } });
    const other = await repository();
    await writeTo(other, {
      type: "put",
      column: "default",
      key: Buffer.from("what"),
      value: Buffer.from("secret"),
    });
    const last = jsonOf(await intoPipe("ledger", "rows", "--json", other)).at(-1);
    expect(last).toEqual({ kind: null, key: Buffer.from("what").toString("hex"), size: 6 });
    const { status, stderr } = await cli("ledger", "rows", "--json", folder, "--kind", "row");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^merostore: there is no kind of row "row"; the kinds are head, .*\n$/);
  });
});

describe("ledger usage", () => {
  it("shows when pages were closed", async () => {
    const [page, ...others] = jsonOf(await intoPipe("ledger", "usage", "--json", folder));
    expect(others).toEqual([]);
    expect(page).toMatchObject({
      ledger: "contacts",
      page: root,
      open: false,
      closed: expect.stringMatching(/^20.*Z$/),
    });
  });
});

describe("commands that read", () => {
  it("do not change any row, of the page or of the usage", async () => {
    const usage = async () => (await intoPipe("ledger", "rows", "--json", folder, "--usage")).stdout;
    const before = [await rowsIn(folder), await usage()];
    for (const command of ["pages", "entries", "log", "rows", "verify", "usage"])
      expect((await intoPipe("ledger", command, "--json", folder)).status, command).toBe(0);
    await intoPipe("ledger", "get", folder, "name");
    expect([await rowsIn(folder), await usage()]).toEqual(before);
  });

  it("report in one line what is wrong with the path", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "text");
    for (const [place, status] of [
      [nowhere(), 3],
      [file, 3],
      [temporaryFolder(), 3],
    ] as const)
      for (const command of ["pages", "entries", "verify"]) {
        const outcome = await cli("ledger", command, "--json", place);
        expect(outcome, `${command} ${place}`).toMatchObject({ status, stdout: "" });
        expect(outcome.stderr).toMatch(/^merostore: .*\n$/);
      }
    for (const words of [
      ["--page", "12"],
      ["--page", "zz"],
      ["--limit", "-1"],
      ["--engine", "sled"],
      ["--frob"],
    ]) {
      const outcome = await cli("ledger", "entries", "--json", folder, ...words);
      expect(outcome, words.join(" ")).toMatchObject({ status: 2, stdout: "" });
      expect(outcome.stderr).toMatch(/^merostore: .*\n$/);
    }
  });

  it("report that a page is open elsewhere", async () => {
    await using engine = await folderPlace(folder, "leveldb").openPage("contacts", ROOT_PAGE_ID, {
      create: false,
    });
    expect(engine).toBeDefined();
    const outcome = await cli("ledger", "entries", "--json", folder);
    expect(outcome).toMatchObject({ status: 3, stdout: "" });
    expect(outcome.stderr).toMatch(/^merostore: .*\n$/);
  });
});
