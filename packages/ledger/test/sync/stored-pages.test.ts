/** The list of the pages in a folder: what it shows without a key, and among foreign files. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromHex } from "merostore/internal";
import { expect, it } from "vitest";
import { rejection } from "../../../../test/engines/rocksdb/helpers.js";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { folderCloud, httpStore, serveFiles } from "../../src/index.js";
import { PAGE, testLedger } from "../support.js";

const KEY = "5f".repeat(32);
const TOKEN = "made-up-token-0123456789";
cleanUpAfterEach();

it("tells packs and bytes of each page, to all alike, and the ids of those that are open", async () => {
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
  for (const { folder, packs, bytes } of pages) {
    const files = readdirSync(join(path, folder, "packs"));
    expect(packs).toBe(files.length);
    const sizes = files.map((name) => statSync(join(path, folder, "packs", name)).size);
    expect(bytes).toBe(sizes.reduce((a, b) => a + b));
  }
  const listed = pages.map(({ folder, packs, bytes }) => ({ folder, packs, bytes }));
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
