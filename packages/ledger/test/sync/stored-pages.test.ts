/** The list of the pages in a folder, also without a key and among foreign files. */
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromHex } from "merostore/internal";
import { expect, it } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { rejection } from "../../../../test/support/rejection.js";
import { folderCloud, httpStore, serveFiles } from "../../src/index.js";
import { PAGE, testLedger } from "../support.js";

const KEY = "5f".repeat(32);
const TOKEN = "made-up-token-0123456789";
cleanUpAfterEach();

it("tells packs, bytes and time of each page, to all alike, and the ids of those that are open", async () => {
  const path = temporaryFolder();
  const cloud = folderCloud(path, { interval: 0, key: KEY });
  expect(await cloud.pages()).toEqual([]);
  await using ledger = await testLedger({ cloud });
  await using page = await ledger.page(PAGE);
  await page.put("a", "1");
  await cloud.sync();
  await using other = await ledger.rootPage();
  await other.put("b", "2");
  await cloud.sync();
  await other.close();
  const pages = await cloud.pages();
  expect(pages).toHaveLength(2);
  const one = pages.find(({ ledger }) => ledger === "test");
  expect(one?.id).toEqual(fromHex(PAGE as string));
  for (const [at, { folder, packs, bytes }] of pages.entries()) {
    const files = readdirSync(join(path, folder, "packs")).map((name) => join(path, folder, "packs", name));
    expect(packs).toBe(files.length);
    expect(bytes).toBe(files.map((file) => statSync(file).size).reduce((a, b) => a + b));
    for (const file of files) utimesSync(file, at, Date.UTC(2026, at, 2, 3, 4, 5, 678) / 1000);
  }
  const listed = pages.map(({ folder, packs, bytes }, at) => ({
    ...{ folder, packs, bytes },
    changed: new Date(Date.UTC(2026, at, 2, 3, 4, 5)),
  }));
  expect(await folderCloud(path, { interval: 0 }).pages()).toEqual(listed);
  await using server = await serveFiles(path, { token: TOKEN });
  expect(await folderCloud(httpStore(server.url, { token: TOKEN }), { interval: 0 }).pages()).toEqual(listed);
  writeFileSync(join(path, "a".repeat(40)), "a file");
  mkdirSync(join(path, "b".repeat(40)));
  mkdirSync(join(path, listed[0]?.folder as string, "packs", "c".repeat(40)));
  writeFileSync(join(path, listed[0]?.folder as string, "packs", "foreign"), "");
  expect(await folderCloud(path, { interval: 0 }).pages()).toEqual(listed);
  rmSync(path, { recursive: true });
  await rejection(cloud.pages(), "NETWORK_ERROR");
});
