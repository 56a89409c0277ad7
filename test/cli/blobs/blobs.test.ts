/** The commands about blobs, and the home of a node as a database. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { nodeHome } from "../../../src/blobs/index.js";
import { CONFIG, copyOfNode, KEYPAIR } from "../../blobs/fixtures.js";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { cli, intoPipe, played } from "../run.js";

it("a node's home is read where its configuration says, and its secrets reach no output", async () => {
  await using node = await copyOfNode();
  await node.store.close();
  const outside = join(dirname(node.home), "far");
  mkdirSync(outside);
  for (const name of ["data", "blobs"]) {
    cpSync(join(node.home, name), join(outside, `${name}-of-node`), { recursive: true });
    rmSync(join(node.home, name), { recursive: true });
  }
  const config = CONFIG.replace('"data"', `"${outside}/data-of-node"`).replace(
    '"blobs"',
    '"../far/blobs-of-node"',
  );
  writeFileSync(join(node.home, "config.toml"), config);
  expect(nodeHome(node.home)).toMatchObject({ data: join(outside, "data-of-node"), encrypts: false });
  const listed = await intoPipe("blobs", "list", node.home, "--json");
  expect(listed.status).toBe(0);
  expect(listed.stdout.trimEnd().split("\n")).toHaveLength(14);
  const to = join(outside, "copy");
  const backup = await intoPipe("backup", node.home, to);
  expect(backup.status).toBe(0);
  expect(readdirSync(to).sort()).toEqual(["blobs", "config.original.toml", "data"]);
  expect(nodeHome(to)).toBeUndefined();
  const broken = join(outside, "broken");
  mkdirSync(broken);
  writeFileSync(
    join(broken, "config.toml"),
    config.replace("path =", "path ").replace("keypair =", "keypair"),
  );
  const refused = await cli("status", "--rows", broken);
  expect(refused.status).toBe(2);
  for (const { stdout, stderr } of [listed, backup, refused]) expect(stdout + stderr).not.toContain(KEYPAIR);
});

it("a backup of a home is a home: every file and the configuration are the same", async () => {
  await using node = await copyOfNode();
  await node.store.close();
  const to = join(dirname(node.home), "copy");
  expect((await intoPipe("backup", node.home, to)).status).toBe(0);
  expect(readFileSync(join(to, "config.toml"), "utf8")).toBe(CONFIG);
  expect(readdirSync(join(to, "blobs")).sort()).toEqual(readdirSync(node.blobs).sort());
  for (const name of readdirSync(node.blobs))
    expect(readFileSync(join(to, "blobs", name)).equals(readFileSync(join(node.blobs, name)))).toBe(true);
  expect((await intoPipe("blobs", "check", to)).status).toBe(0);
});

it("a backup of a home without a configuration has the blobs too", async () => {
  await using node = await copyOfNode();
  await node.store.close();
  rmSync(join(node.home, "config.toml"));
  const to = join(dirname(node.home), "copy");
  const { status, stderr } = await intoPipe("backup", node.home, to);
  expect(status).toBe(0);
  expect(stderr).toMatch(/; and .* of blobs in \d+ files/);
  expect(readdirSync(to).sort()).toEqual(["blobs", "data"]);
  expect(readdirSync(join(to, "blobs")).sort()).toEqual(readdirSync(node.blobs).sort());
});

it("get returns and delete removes the blob that put added; a broken blob is status 1", async () => {
  await using node = await copyOfNode();
  await node.store.close();
  using temporary = temporaryFolder();
  const [file, out] = [join(temporary.path, "in"), join(temporary.path, "out")];
  const content = Buffer.alloc(2_500_000, "content ");
  writeFileSync(file, content);
  const dry = await intoPipe("blobs", "put", node.home, file, "--dry-run");
  expect(readdirSync(node.blobs)).toHaveLength(11);
  const added = await intoPipe("blobs", "put", node.home, file);
  expect(added.stdout).toBe(dry.stdout);
  const id = added.stdout.trim();
  expect((await intoPipe("blobs", "get", node.home, id.slice(0, 10), "-o", out)).status).toBe(0);
  expect(readFileSync(out).equals(content)).toBe(true);
  const shown = await intoPipe("blobs", "show", node.home, id, "--json");
  expect(JSON.parse(shown.stdout)).toMatchObject({ blobId: id, size: 2_500_000, refs: 1, named: [] });
  const [name] = readdirSync(node.blobs).filter(
    (one) => readFileSync(join(node.blobs, one)).length === 402_848,
  );
  const last = readFileSync(join(node.blobs, name as string));
  last[5] = 0;
  writeFileSync(join(node.blobs, name as string), last);
  rmSync(out);
  const got = await cli("blobs", "get", node.home, id, "-o", out);
  expect([got.status, existsSync(out)]).toEqual([1, false]);
  expect(got.stderr).toContain("BLOB_BROKEN");
  const checked = await cli("blobs", "check", node.home);
  expect([checked.status, checked.stdout]).toEqual([1, expect.stringContaining("file-damaged")]);
  expect((await intoPipe("blobs", "delete", node.home, id)).status).toBe(0);
  expect(readdirSync(node.blobs)).toHaveLength(11);
  expect((await cli("blobs", "get", node.home, id)).stderr).toContain("BLOB_NOT_FOUND");
  const used = await cli("blobs", "delete", node.home, "com.example.raw@1.2.3");
  expect([used.status, used.stderr]).toEqual([1, expect.stringContaining("BLOB_IN_USE")]);
});

it("rows are imported into the database of a home", async () => {
  await using node = await copyOfNode();
  await node.store.close();
  const file = join(dirname(node.home), "aliases.ndjson");
  await played(0, "export", node.home, "--column", "Alias", "--reveal-secrets", "-o", file);
  const { stdout } = await played(0, "import", file, node.home, "--into-existing", "--dry-run");
  expect(stdout).toMatch(/^Alias +0 +0 +9$/m);
});

it("list and show of core-1.0 do not say that chunks are missing: their ids are not known", async () => {
  const db = fixturePath("core-1.0/every-kind", "db");
  const listed = await intoPipe("blobs", "list", db, "--json");
  const blobs = listed.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { blobId: string; chunks: number; missing: number | null });
  const [{ blobId } = { blobId: "" }] = blobs.filter(({ chunks }) => chunks > 0);
  expect(new Set(blobs.map(({ missing }) => missing))).toEqual(new Set([null]));
  const shown = await intoPipe("blobs", "show", db, blobId, "--json");
  expect(JSON.parse(shown.stdout)).toMatchObject({ chunks: [{ state: "not known" }] });
  for (const { stderr } of [listed, shown])
    expect(stderr).toContain("keep chunks under ids that are not known");
});

it("list and show name groups and contexts, not only their ids", async () => {
  const db = fixturePath("core-0.11/node-a", "db");
  expect((await played(0, "blobs", "list", db)).stdout).toMatch(
    /code of the group Money \(57f93142[0-9a-f]*\)/,
  );
  expect((await played(0, "blobs", "show", db, "c006b24f")).stdout).toMatch(
    /^named +code that was activated: ContextActivatedBlob private \(321161a6/m,
  );
});

it("list and show need no folder of files, and say that they did not look for files; a folder that is named must exist", async () => {
  await using node = await copyOfNode();
  await node.store.close();
  const json = async (...words: string[]) => {
    const { status, stdout, stderr } = await intoPipe("blobs", ...words, "--json");
    expect(status, stderr).toBe(0);
    return {
      stderr,
      lines: stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    };
  };
  const before = await json("list", node.home);
  expect(before.stderr).toBe("");
  const root = before.lines.find(({ chunks }) => chunks > 1);
  const shownBefore = await json("show", node.home, root.blobId);
  rmSync(node.blobs, { recursive: true });
  const after = await json("list", node.home);
  expect(after.stderr).toMatch(/^merostore: the files were not looked for: no folder of blobs .*--blobs\n$/);
  expect(after.lines).toEqual(before.lines.map((line) => ({ ...line, missing: null })));
  const shown = await json("show", node.home, root.blobId);
  expect(shown.stderr).toBe(after.stderr);
  const [{ chunks, ...rest }] = shown.lines;
  expect(rest).toMatchObject({ blobId: root.blobId, size: root.size });
  const states = chunks.map(({ state }: { state: string }) => state);
  expect(new Set(states)).toEqual(new Set(["not looked for"]));
  expect(chunks).toHaveLength(shownBefore.lines[0].chunks.length);
  const text = await intoPipe("blobs", "list", node.home);
  expect(text).toMatchObject({ status: 0, stderr: after.stderr });
  for (const words of [["list"], ["show", root.blobId]]) {
    const [word, ...more] = words as [string];
    const refused = await cli("blobs", word, node.home, ...more, "--blobs", node.blobs);
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toContain("is not a folder of blob files");
  }
  for (const words of [["get", root.blobId], ["check"]]) {
    const [word, ...more] = words as [string];
    const refused = await cli("blobs", word, node.home, ...more);
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toContain("no folder of blobs is beside the database");
  }
});
