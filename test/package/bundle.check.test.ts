/** Programs for Node that a bundler puts into one file. */
import { spawnSync } from "node:child_process";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { build as buildPage, type Rollup } from "vite";
import { describe, expect, it } from "vitest";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";

const root = join(import.meta.dirname, "../..");

/** Bundles a program as an ES module and runs it in `folder`, which has only the packages that a test puts there. */
async function runBundled(folder: string, contents: string, ...words: readonly string[]): Promise<string> {
  return runBundle(folder, contents, [], words);
}

async function runBundle(
  folder: string,
  contents: string,
  external: readonly string[],
  words: readonly string[],
): Promise<string> {
  const outfile = join(folder, "program.mjs");
  await build({
    stdin: { contents, resolveDir: root },
    // Ignores the paths of this repository, which lead to the sources.
    tsconfigRaw: {},
    external: [...external],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "silent",
  });
  const { status, stdout, stderr } = spawnSync(process.execPath, [outfile, ...words], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.trimEnd();
}

/** Prints how many rows each database has. */
const READS = `
import { openFilesEngine } from "merostore/engine";
for (const path of process.argv.slice(2)) {
  const engine = await openFilesEngine(path);
  let rows = 0;
  for (const column of engine.columns) for await (const chunk of engine.scan(column).chunks()) rows += chunk.length;
  console.log(rows);
  await engine.close();
}`;

/** Writes with both native packages. */
const WRITES = `
import { isMerostoreError, openStore } from "merostore";
import { ContextMeta, schema as core010 } from "merostore/core-0.10";
import { openLedger } from "merostore-ledger";
const attempt = async (work) => {
  try {
    console.log(await work());
  } catch (error) {
    console.log(isMerostoreError(error) ? error.code : error);
  }
};
await attempt(async () => {
  const store = await openStore("db", { schema: core010, create: true });
  await store.close();
  return "created";
});
await attempt(async () => {
  const ledger = await openLedger("data", { name: "contacts" });
  const page = await ledger.rootPage();
  await page.put("name", "Alice");
  await page.close();
  await ledger.close();
  return "put";
});`;

describe("an ES module bundle for Node", () => {
  it("uses the whole library", async () => {
    using folder = temporaryFolder();
    const program = `
import { openStore } from "merostore";
import { ContextMeta } from "merostore/core-0.11";
import { verifyStore, workerThreads } from "merostore/verify";
const store = await openStore(process.argv[2]);
const work = workerThreads();
console.log(await store.table(ContextMeta).count(), (await verifyStore(store, { work }).summary()).errors);
await work[Symbol.asyncDispose]();
await store.close();`;
    const database = join(folder.path, "db");
    cpSync(fixturePath("core-0.11", "node-a", "db"), database, { recursive: true });
    expect(await runBundled(folder.path, program, database)).toBe("7 0");
  });

  it("reads tables of every compression and checksum", async () => {
    using folder = temporaryFolder();
    const formats = ["snappy", "lz4", "zlib", "checksum-xxhash", "checksum-xxhash64", "checksum-xxh3"];
    const databases = formats.map((name) => fixturePath("formats", name, "db"));
    expect(await runBundled(folder.path, READS, ...databases)).toBe(formats.map(() => "107").join("\n"));
  });

  it("reads tables of Zstandard with its package beside it", async () => {
    using folder = temporaryFolder();
    symlinkSync(join(root, "node_modules"), join(folder.path, "node_modules"));
    const rows = await runBundle(
      folder.path,
      READS,
      ["@bokuweb/zstd-wasm"],
      [fixturePath("formats", "zstd", "db")],
    );
    expect(rows).toBe("107");
  });

  it("writes without native packages, and names the one that a ledger needs", async () => {
    using folder = temporaryFolder();
    expect(await runBundled(folder.path, WRITES)).toBe("created\nNATIVE_LOAD_FAILED");
  });

  it("writes if the native packages are installed beside it", async () => {
    using folder = temporaryFolder();
    symlinkSync(join(root, "node_modules"), join(folder.path, "node_modules"));
    expect(await runBundled(folder.path, WRITES)).toBe("created\nput");
  });
});

it("a page that reads one kind of key loads at most 20 kB of Vite's bundle", async () => {
  using folder = temporaryFolder();
  const input = join(folder.path, "page.js");
  symlinkSync(join(root, "node_modules"), join(folder.path, "node_modules"));
  writeFileSync(
    input,
    'import { GroupMember } from "merostore/core-0.11"; console.log(String(GroupMember.fromBytes(bytes)));',
  );
  const made = await buildPage({
    root: folder.path,
    configFile: false,
    logLevel: "silent",
    build: { write: false, modulePreload: false, rollupOptions: { input } },
  });
  const { output } = made as Rollup.RollupOutput;
  const sizes = output.map((file) => (file.type === "chunk" ? file.code.length : 0));
  expect(sizes).toHaveLength(1);
  expect(sizes[0]).toBeGreaterThan(10_000);
  expect(sizes[0]).toBeLessThanOrEqual(20_000);
});
