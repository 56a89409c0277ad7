/** Ledgers that sync through a folder: arriving contents, the secrecy of files, and unusable files. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { toHex } from "merostore/internal";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Random } from "../../../../test/engines/files/history.js";
import { rejection } from "../../../../test/support/rejection.js";
import {
  type FolderCloudOptions,
  folderCloud,
  memoryPlace,
  type Page,
  type SyncStates,
} from "../../src/index.js";
import { faultsOf, readStored, rowsOf } from "../stored.js";
import { contents, headOf, PAGE, testLedger, text } from "../support.js";
import { type Device, FolderDevices, large } from "./folder-devices.js";

const KEY = "5f".repeat(32);
const OTHER_KEY = new Uint8Array(32).fill(7);
const devices = new FolderDevices();
afterEach(() => devices.remove());

function isIdle({ download, upload }: SyncStates): boolean {
  return download === "idle" && upload === "idle";
}

/** The paths of all files of pages within the folder. */
function files(kind = ""): string[] {
  return devices.files(`/${kind}`);
}

/** Syncs until all devices are at the same commit. */
async function converge(...devices: readonly Device[]): Promise<void> {
  for (let round = 0; round < 200; round++) {
    for (const { cloud, page } of devices) {
      await cloud.sync();
      await page.waitForConflictResolution();
      // Others must not merge the same while the merge is under way.
      await cloud.sync();
    }
    const heads = await Promise.all(devices.map(async ({ page }) => toHex(await headOf(page))));
    if (new Set(heads).size === 1 && devices.every(({ page }) => isIdle(page.syncState))) return;
  }
  throw new Error("the devices do not come to the same commit");
}

describe.each([
  ["without a key", {}],
  ["with a key", { key: KEY }],
])("%s", (_, options) => {
  it("devices come to the same state, also after they wrote apart", async () => {
    const [one, two, three] = [
      await devices.add(1, options),
      await devices.add(2, options),
      await devices.add(3, options),
    ];
    await one.page.put("name", "Alice");
    await one.page.put("large", large("one"));
    await converge(one, two);
    expect(await contents(two.page)).toEqual({ large: large("one"), name: "Alice" });
    for (let at = 0; at < 5; at++) {
      await one.page.put(`one${at}`, `${at} `.repeat(100));
      await two.page.put(`two${at}`, `${at} `.repeat(100));
      await three.page.put("name", `Carol${at}`);
    }
    await converge(one, two, three);
    const found = await contents(one.page);
    expect(Object.keys(found)).toHaveLength(12);
    for (const { page } of [two, three]) expect(await contents(page)).toEqual(found);
    for (const { ledger } of [one, two, three]) await ledger.close();
    for (const { place } of [one, two, three]) {
      const stored = await readStored(place, "test", PAGE);
      expect(faultsOf(stored)).toEqual([]);
      expect(rowsOf(stored, "local-piece")).toEqual([]);
      expect(rowsOf(stored, "unsynced-commit")).toEqual([]);
    }
  });

  it("a lazy value is fetched when it is needed", async () => {
    const [one, two] = [await devices.add(1, options), await devices.add(2, options)];
    await one.page.put("lazy", large("lazy"), { priority: "lazy" });
    await converge(one, two);
    await using snapshot = await two.page.snapshot();
    await rejection(snapshot.get("lazy"), "NEEDS_FETCH");
    expect(text((await snapshot.get("lazy", { fetch: true })) as Uint8Array)).toBe(large("lazy"));
  });

  it("a page that is opened again takes what came meanwhile, and reads no file twice", async () => {
    const [one, two] = [await devices.add(1, options), await devices.add(2, options)];
    for (let at = 0; at < 5; at++) await one.page.put(`key${at}`, `${at}`);
    await converge(one, two);
    await two.ledger.close();
    await one.page.put("later", "1");
    await one.cloud.sync();
    // Neither is needed again.
    const names = files("packs/");
    const again = await devices.add(2, { ...options, place: two.place });
    await again.cloud.sync();
    expect(await contents(again.page)).toEqual(await contents(one.page));
    await again.ledger.close();
    for (const name of names) writeFileSync(join(devices.path, name), "");
    const last = await devices.add(2, { ...options, place: two.place });
    expect(await last.cloud.sync()).toEqual({ waiting: 0 });
  });

  it("a file with any byte changed, cut or added is never used, and the rest is", async () => {
    const one = await devices.add(1, options);
    await one.page.put("a", "a ".repeat(40));
    await one.cloud.sync();
    const random = new Random(5);
    for (const name of files()) {
      const whole = readFileSync(join(devices.path, name));
      for (let round = 0; round < 12; round++) {
        const bytes = Buffer.from(whole);
        const at = round < 9 ? round : random.below(bytes.length);
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 + random.below(255)), at);
        writeFileSync(join(devices.path, name), bytes);
        await neverUsed(options, name);
      }
      for (const bytes of [
        Buffer.concat([whole, Buffer.of(0)]),
        Buffer.alloc(whole.length),
        Buffer.alloc(1 << 20),
      ]) {
        writeFileSync(join(devices.path, name), bytes);
        await neverUsed(options, name);
      }
      writeFileSync(join(devices.path, name), whole);
    }
    const [before = ""] = files("packs/");
    // Nobody is to answer the readers.
    for (const request of files("repairs/")) rmSync(join(devices.path, request));
    await one.page.put("a", "1");
    await one.cloud.sync();
    const later = files("packs/").find((name) => name !== before) ?? "";
    renameSync(join(devices.path, later), join(devices.path, before));
    await neverUsed(options, before);
  });
});

/** Expects that a new device does not see the only entry, and names the damaged file. */
async function neverUsed(options: FolderCloudOptions, name: string): Promise<void> {
  const reader = await devices.add(9, { ...options, patience: 0 });
  expect(await reader.cloud.sync().catch(() => ({ waiting: 1 }))).toEqual({ waiting: 1 });
  expect((await rejection(reader.cloud.sync(), "DATA_INTEGRITY_ERROR")).message).toContain(name);
  expect(reader.page.syncState).toEqual({ download: "error", upload: "idle" });
  expect(await contents(reader.page)).toEqual({});
  await reader.ledger.close();
}

it("an encrypted folder shows neither ids, names nor contents", async () => {
  const one = await devices.add(1, { key: KEY });
  const value = "a value that nobody must read ".repeat(50);
  await one.page.put("secret key", value);
  const commit = await headOf(one.page);
  await one.cloud.sync();
  const all = readdirSync(devices.path, { recursive: true, encoding: "utf8" });
  const shown = Buffer.concat([
    Buffer.from(all.join("\n")),
    ...files().map((name) => readFileSync(join(devices.path, name))),
  ]);
  for (const hidden of [PAGE as string, "test", "secret", "nobody", toHex(commit), KEY]) {
    expect(shown.includes(hidden)).toBe(false);
    expect(all.join("\n")).not.toContain(Buffer.from(hidden).toString("base64url").slice(0, 12));
  }
  for (const bytes of [commit, Buffer.from(PAGE as string, "hex")])
    expect(shown.includes(Buffer.from(bytes))).toBe(false);
  // Names are not hashes of the content: another folder has other bytes under the same name.
  for (const name of files()) expect(name).toMatch(/^[0-9a-f]{40}\/packs\/[0-9a-f]{40}$/);
  const mark = readFileSync(join(devices.path, "merostore-ledger.json"), "utf8");
  expect(mark).not.toContain(KEY);
});

describe("files that are being copied", () => {
  it("are left alone until they are whole, whichever comes first", async () => {
    const one = await devices.add(1);
    await one.page.put("a", "a ".repeat(100));
    for (let at = 0; at < 9; at++) {
      await one.cloud.sync();
      await one.page.put(`b${at}`, large(`b${at}`));
    }
    await one.cloud.sync();
    const whole = new Map(files().map((name) => [name, readFileSync(join(devices.path, name))]));
    expect(whole.size).toBe(10);
    for (const name of whole.keys()) truncateSync(join(devices.path, name), 0);
    const two = await devices.add(2);
    expect(await two.cloud.sync()).toEqual({ waiting: 10 });
    expect(two.page.syncState).toEqual({ download: "pending", upload: "idle" });
    for (const [name, bytes] of [...whole].reverse()) {
      for (let end = 5; end < bytes.length; end += Math.ceil(bytes.length / 3)) {
        writeFileSync(join(devices.path, name), bytes.subarray(0, end));
        await two.cloud.sync();
      }
      writeFileSync(join(devices.path, name), bytes);
    }
    expect(await two.cloud.sync()).toEqual({ waiting: 0 });
    expect(two.page.syncState).toEqual({ download: "idle", upload: "idle" });
    expect(await contents(two.page)).toEqual(await contents(one.page));
  });

  it("count as damaged once they do not change for a while, and are used when they are whole after all", async () => {
    const one = await devices.add(1);
    await one.page.put("a", "1");
    await one.cloud.sync();
    await one.page.put("b", "2");
    await one.cloud.sync();
    const [name = ""] = files("packs/");
    const bytes = readFileSync(join(devices.path, name));
    writeFileSync(join(devices.path, name), bytes.subarray(0, 50));
    const two = await devices.add(2, { patience: 0 });
    await two.cloud.sync().catch(() => undefined);
    const error = await rejection(two.cloud.sync(), "DATA_INTEGRITY_ERROR");
    expect(error.message).toContain(name);
    expect(error.message).toContain("incomplete");
    writeFileSync(join(devices.path, name), bytes);
    expect(await two.cloud.sync()).toEqual({ waiting: 0 });
    expect(await contents(two.page)).toEqual({ a: "1", b: "2" });
  });

  it("are replaced by a device that writes the same", async () => {
    const [one, two] = [await devices.add(1), await devices.add(2)];
    await two.cloud.sync(); // the sync of its opening has ended: it does not know the file that is cut
    await one.page.put("a", "the same ".repeat(100));
    await one.cloud.sync();
    for (const name of files("packs/")) truncateSync(join(devices.path, name), 20);
    await two.page.put("b", "the same ".repeat(100));
    await two.cloud.sync();
    const three = await devices.add(3);
    expect(await three.cloud.sync()).toEqual({ waiting: 1 });
    expect(await contents(three.page)).toEqual({ b: "the same ".repeat(100) });
  });

  it("under other names are ignored: files of copiers, conflicts, folders", async () => {
    const one = await devices.add(1);
    await one.page.put("a", "a ".repeat(100));
    await one.cloud.sync();
    for (const name of files()) {
      const folder = join(devices.path, name, "..");
      for (const other of [
        ".syncthing.x.tmp",
        `${name.slice(-40)}.sync-conflict-1`,
        "Thumbs.db",
        "ü",
        "F".repeat(40),
      ])
        writeFileSync(join(folder, other), "foreign");
      mkdirSync(join(folder, "folder"));
    }
    writeFileSync(join(devices.path, "notes.txt"), "foreign");
    const two = await devices.add(2);
    expect(await two.cloud.sync()).toEqual({ waiting: 0 });
    expect(await contents(two.page)).toEqual({ a: "a ".repeat(100) });
  });

  it("a folder in the place of a file is taken for a file that is not there yet", async () => {
    const one = await devices.add(1);
    await one.page.put("a", "1");
    await one.page.put("b", "2");
    await one.cloud.sync();
    const [name = ""] = files("packs/");
    rmSync(join(devices.path, name));
    mkdirSync(join(devices.path, name));
    const two = await devices.add(2);
    expect((await two.cloud.sync()).waiting).toBeGreaterThan(0);
    expect(two.page.syncState).toEqual({ download: "pending", upload: "idle" });
  });
});

it.skipIf(process.platform === "win32")("a file that cannot be read stops no other one", async () => {
  const [one, two] = [await devices.add(1), await devices.add(2)];
  await one.page.put("a", "0");
  await converge(one, two);
  const [commit = ""] = files("packs/");
  const planted = "5e".repeat(20);
  symlinkSync(planted, join(devices.path, commit, "..", planted));
  await one.page.put("a", "1");
  expect((await rejection(one.cloud.sync(), "NETWORK_ERROR")).message).toContain(planted);
  await rejection(two.cloud.sync(), "NETWORK_ERROR");
  expect(text((await two.page.get("a")) ?? new Uint8Array(0))).toBe("1");
});

describe("a folder", () => {
  it("with pages and without its mark gets no other mark", async () => {
    const one = await devices.add(1, { key: KEY });
    await one.page.put("a", "1");
    await one.cloud.sync();
    const mark = join(devices.path, "merostore-ledger.json");
    const bytes = readFileSync(mark);
    rmSync(mark);
    const two = await devices.add(2, { key: OTHER_KEY });
    expect((await rejection(two.cloud.sync(), "NETWORK_ERROR")).message).toContain("has pages, and no");
    writeFileSync(mark, bytes);
    await rejection(two.cloud.sync(), "WRONG_KEY");
    expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  });

  it("that is missing or gone is NETWORK_ERROR, and nothing is lost", async () => {
    const one = await devices.add(1);
    await one.cloud.sync();
    const away = `${devices.path}-away`;
    renameSync(devices.path, away);
    await one.page.put("a", "1");
    expect((await rejection(one.cloud.sync(), "NETWORK_ERROR")).message).toContain(devices.path);
    expect(one.page.syncState).toEqual({ download: "pending", upload: "pending" });
    // An empty mount point.
    mkdirSync(devices.path);
    expect((await rejection(one.cloud.sync(), "NETWORK_ERROR")).message).toContain("mounted");
    expect(readdirSync(devices.path)).toEqual([]);
    rmSync(devices.path, { recursive: true });
    renameSync(away, devices.path);
    expect(await one.cloud.sync()).toEqual({ waiting: 0 });
    expect(one.page.syncState).toEqual({ download: "idle", upload: "idle" });
    expect(files("packs/")).toHaveLength(1);
  });

  it("that takes no files keeps what is to be uploaded here", async () => {
    const one = await devices.add(1);
    await one.cloud.sync();
    rmSync(join(devices.path, "unfinished"), { recursive: true, force: true });
    writeFileSync(join(devices.path, "unfinished"), "in the way");
    await one.page.put("a", "a ".repeat(100));
    await rejection(one.cloud.sync(), "NETWORK_ERROR");
    await one.page.close();
    expect(await one.ledger.evict(PAGE)).toBe(false);
    rmSync(join(devices.path, "unfinished"));
    await using page = await one.ledger.page(PAGE);
    expect(await one.cloud.sync()).toEqual({ waiting: 0 });
    const two = await devices.add(2);
    await two.cloud.sync();
    expect(await contents(two.page)).toEqual(await contents(page));
  });

  it("of another key, or with and without one, is WRONG_KEY", async () => {
    const one = await devices.add(1, { key: KEY });
    await one.cloud.sync();
    for (const key of [OTHER_KEY, undefined]) {
      const two = await devices.add(2, { key });
      await two.page.put("a", "1");
      await rejection(two.cloud.sync(), "WRONG_KEY");
      await two.ledger.close();
    }
    rmSync(devices.path, { recursive: true });
    mkdirSync(devices.path);
    const plain = await devices.add(3);
    await plain.cloud.sync();
    const two = await devices.add(2, { key: KEY });
    expect((await rejection(two.cloud.sync(), "WRONG_KEY")).message).not.toContain(KEY);
    expect(files()).toEqual([]);
  });

  it.each([
    ["prune", 1],
    ["keep", 3],
  ] as const)("gets a page that was local before, history: %s, as %d commits", async (history, commits) => {
    const place = memoryPlace();
    const local = await testLedger({ history }, place);
    const page = await local.page(PAGE);
    for (const value of ["a", "b", "c"]) await page.put("name", value.repeat(100));
    await local.close();
    const before = await readStored(place, "test", PAGE);
    const one = await devices.add(1, { place });
    expect(await one.cloud.sync()).toEqual({ waiting: 0 });
    expect(files("packs/")).toHaveLength(1);
    const [two, here] = [await devices.add(2), { name: "c".repeat(100) }];
    expect(await two.cloud.sync()).toEqual({ waiting: 0 });
    expect(await contents(two.page)).toEqual(here);
    expect(await contents(one.page)).toEqual(here);
    let count = 0;
    // The first commit of every page has no record.
    for await (const { generation } of two.page.history()) if (generation > 0n) count++;
    expect(count).toBe(commits);
    // It is a page like any other from now on.
    await two.page.put("city", "Paris");
    await two.cloud.sync();
    await one.page.put("name", "d");
    await one.cloud.sync();
    await two.cloud.sync();
    for (const { page: shown } of [one, two]) {
      await shown.waitForConflictResolution();
      expect(await contents(shown)).toEqual({ city: "Paris", name: "d" });
    }
    await one.ledger.close();
    expect(faultsOf(await readStored(place, "test", PAGE))).toEqual([]);
    expect(faultsOf(before)).toEqual([]);
  });

  it("syncs by itself, and stops when the page is closed", async () => {
    const [one, two] = [await devices.add(1, { interval: 1 }), await devices.add(2, { interval: 1 })];
    await one.page.put("a", "1");
    await vi.waitFor(async () => expect(await contents(two.page)).toEqual({ a: "1" }), {
      timeout: 500_000,
      interval: 5,
    });
    await two.page.put("b", "2");
    await vi.waitFor(async () => expect(await contents(one.page)).toEqual({ a: "1", b: "2" }), {
      timeout: 500_000,
      interval: 5,
    });
    await one.page.close();
    await two.page.close();
    expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  });

  it("loses the files that a killed process left a day ago, and no others", async () => {
    const one = await devices.add(1);
    await one.page.put("a", "1");
    await one.cloud.sync();
    const left = join(devices.path, "unfinished", "old");
    writeFileSync(left, "");
    writeFileSync(join(devices.path, "unfinished", "new"), "");
    utimesSync(left, 1, 1);
    await devices.add(2);
    await vi.waitFor(() => expect(existsSync(left)).toBe(false), { timeout: 500_000 });
    expect(readdirSync(join(devices.path, "unfinished"))).toEqual(["new"]);
  });
});

it("wrong options are refused, and no message has the key", async () => {
  for (const key of ["5f", `${KEY}00`, "g".repeat(64), new Uint8Array(31), 7, null, {}]) {
    let message = "";
    try {
      folderCloud(devices.path, { key: key as never });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^the key of a folder is 32 bytes or 64 hex digits$/);
  }
  const wrong: unknown[] = [{ interval: -1 }, { patience: "1" }, { keys: 1 }, null];
  for (const options of wrong)
    expect(() => folderCloud(devices.path, options as never)).toThrow(/options of folderCloud/);
  for (const folder of ["", undefined, 7])
    expect(() => folderCloud(folder as never)).toThrow(
      /the folder of a cloud must be a non-empty string or a URL/,
    );
});

/** Pages of one ledger and of others are apart. */
it("other pages and other ledgers are others", async () => {
  const one = await devices.add(1);
  const other: Page = await one.ledger.createPage();
  await one.page.put("a", "1");
  await other.put("b", "2");
  await one.cloud.sync();
  const two = await devices.add(2);
  await using same = await two.ledger.page(other.id);
  await two.cloud.sync();
  expect(await contents(two.page)).toEqual({ a: "1" });
  expect(await contents(same)).toEqual({ b: "2" });
});
