/** `backup` as it is typed. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type NodeHome, nodeHome } from "../../../src/blobs/index.js";
import { backupNode } from "../../../src/transfer/index.js";
import { copyOfNode } from "../../blobs/fixtures.js";
import { copyOfDatabase, fixturePath } from "../../support/fixtures.js";
import { folderOfEachTest } from "../../support/folder-of-each-test.js";
import { largeDatabase } from "../rows/large.js";
import { cli, exitOf, expectRefusal, intoPipe, type Outcome, start, textOf } from "../run.js";

const node = fixturePath("core-0.11/node-a", "db");
const large = largeDatabase();

const folder = folderOfEachTest();

const at = (...names: readonly string[]) => join(folder.path, ...names);

it("a copy of a home lacks the blobs that the node deletes meanwhile", async () => {
  await using node = await copyOfNode();
  const { blobs } = node;
  await node.store.close();
  const names = readdirSync(blobs);
  const { signal } = new AbortController();
  // Checked after the listing of a file and before its copy.
  signal.throwIfAborted = () => {
    const [copy] = readdirSync(folder.path);
    if (copy !== undefined && existsSync(at(copy, "blobs"))) rmSync(blobs, { recursive: true, force: true });
  };
  const { blobFiles } = await backupNode(nodeHome(node.home) as NodeHome, at("copy"), { signal });
  expect([names.length > 0, blobFiles, readdirSync(at("copy", "blobs"))]).toEqual([true, 0, []]);
});

describe("backup", () => {
  it.each(["log", "log-and-tables", "tables"])("of %s does not differ, and is reported", async (name) => {
    const path = fixturePath("core-0.11", name, "db");
    const backup = await intoPipe("backup", path, at("copy"));
    expect(backup).toMatchObject({ status: 0, stdout: "" });
    expect(backup.stderr).toMatch(
      /^merostore: .* (bytes|kB|MB) copied to .*copy: \d+ tables?, \d+ write-ahead logs?\n$/,
    );
    expect((await intoPipe("diff", "--rows", "--json", path, at("copy"))).status).toBe(0);
    expect(readdirSync(folder.path)).toEqual(["copy"]);
  });

  it("refuses a path that is in use, and one within the database", async () => {
    using copy = copyOfDatabase("core-0.10/tables");
    writeFileSync(at("file"), "text");
    const [exists, used, file, within, none] = (await Promise.all([
      cli("backup", node, copy.path),
      cli("backup", node, folder.path),
      cli("backup", node, at("file")),
      cli("backup", copy.path, join(copy.path, "copy")),
      cli("backup", at("none"), at("copy")),
    ])) as [Outcome, Outcome, Outcome, Outcome, Outcome];
    expectRefusal(exists, 3, /already holds a database: choose another path/);
    expectRefusal(used, 3, /can only be created in a missing or empty folder/);
    expectRefusal(file, 3, /can only be created in a missing or empty folder/);
    expectRefusal(within, 2, /lies within the database .*: choose a path outside it/);
    expectRefusal(none, 3, /the folder .*none does not exist/);
    expect(readdirSync(folder.path)).toEqual(["file"]);
    expect(existsSync(join(copy.path, "copy"))).toBe(false);
  });

  it("reports what the log of the database lacks", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    const [log] = readdirSync(copy.path).filter((name) => name.endsWith(".log")) as [string];
    writeFileSync(join(copy.path, log), readFileSync(join(copy.path, log)).subarray(0, -10));
    const { status, stderr } = await cli("backup", copy.path, at("copy"));
    expect(status).toBe(0);
    expect(stderr).toMatch(/^merostore: .*\.log is truncated at byte \d+.*\nmerostore: .* copied to/);
    const diff = await intoPipe("diff", "--rows", "--json", copy.path, at("copy"));
    expect(diff.status).toBe(0);
  });

  it("leaves nothing when it is interrupted", async () => {
    const child = start(["backup", large.path, at("copy")]);
    const stderr = textOf(child.stderr);
    while (readdirSync(folder.path).length === 0) await new Promise(setImmediate);
    child.kill("SIGTERM");
    expect(await exitOf(child)).toBe(143);
    expect(await stderr).toBe("");
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
