/** Places of databases: paths, `file:` URLs and URL objects, also of another realm. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { blobFolder, type NodeHome, nodeHome } from "../../src/blobs/index.js";
import { openEngine, openFilesEngine } from "../../src/engines/index.js";
import { absoluteUrl } from "../../src/lsm/http/folder-url.js";
import { openNode } from "../../src/node/index.js";
import { exportParquet } from "../../src/sql/index.js";
import { openStore } from "../../src/store/index.js";
import { backupNode, copyDatabase } from "../../src/transfer/index.js";
import { copyOfNode } from "../blobs/fixtures.js";
import { countRows } from "../engines/rocksdb/helpers.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";

const path = fixturePath("core-0.11/node-b", "db");
const url = pathToFileURL(path);

it.each([
  ["a URL object", url],
  ["the text of a file URL", url.href],
  ["the text of a file URL with one slash", url.href.replace("///", "/")],
  [
    "a URL of another realm",
    Object.assign(Object.create(null), { href: url.href, [Symbol.toStringTag]: "URL" }),
  ],
])("%s is the folder that it names", async (_, location) => {
  await using store = await openStore(location);
  await using engine = await openEngine(location);
  await using files = await openFilesEngine(location);
  await using node = await openNode(location);
  await using plain = await openStore(path);
  const wanted = await countRows(plain.raw);
  expect(wanted).toBeGreaterThan(0);
  for (const raw of [store.raw, engine, files, node.store.raw]) expect(await countRows(raw)).toBe(wanted);
});

it("a copy takes and makes a folder by URL", async () => {
  using folder = temporaryFolder();
  const target = pathToFileURL(join(folder.path, "with space"));
  const { rows } = await copyDatabase(url, target, { newEngine: "files" });
  expect(rows).toBeGreaterThan(0);
  await using store = await openStore(join(folder.path, "with space"));
  expect(store.schema.name).toBe("core-0.11");
});

it("the home of a node, its copy and an export to Parquet are named by URL", async () => {
  using folder = temporaryFolder();
  await using node = await copyOfNode();
  await node.store.close();
  const home = nodeHome(pathToFileURL(node.home));
  expect(home).toEqual(nodeHome(node.home));
  await backupNode(home as NodeHome, pathToFileURL(join(folder.path, "copy")));
  expect(nodeHome(join(folder.path, "copy"))?.data).toBe(join(folder.path, "copy", "data"));
  await using store = await openStore(path);
  const { files } = await exportParquet(store, pathToFileURL(join(folder.path, "parquet")));
  expect(readdirSync(join(folder.path, "parquet"))).toEqual(expect.arrayContaining([...files]));
  expect(() => nodeHome("https://example.org/node")).toThrow(
    "the home of a node must be a path or a file: URL",
  );
});

it("a relative URL is one of the page, and a text elsewhere", () => {
  expect(absoluteUrl("backup/", "https://example.org/page/index.html")).toBe(
    "https://example.org/page/backup/",
  );
  expect(absoluteUrl("backup/", undefined)).toBe("backup/");
  expect(() => absoluteUrl(7)).toThrow("the URL of a database must be a string or a URL");
});

it.each<[string, unknown, string]>([
  ["nothing", "", "must be a non-empty string or a URL"],
  ["a number", 7, "must be a non-empty string or a URL"],
  ["a file URL of another host", "file://example.org/db", "names no path"],
])("%s is refused", async (_, location, message) => {
  const refused = { code: "INVALID_ARGUMENT", message: expect.stringContaining(message) };
  await expect(openEngine(location as string)).rejects.toMatchObject(refused);
  await expect(openFilesEngine(location as string)).rejects.toMatchObject(refused);
  await expect(blobFolder(location as string)).rejects.toMatchObject(refused);
});
