/** `--engine`, and which engine reads when it is not given. */
import { describe, expect, it } from "vitest";
import { fixturePath } from "../../support/fixtures.js";
import { cli } from "../run.js";

const node = fixturePath("core-0.11", "node-a", "db");
const formOf = (name: string): string => fixturePath("formats", name, "db");

interface Info {
  readonly engine: { readonly engine: string; readonly writable: boolean; readonly reason?: string };
  readonly rows: number;
}

async function info(...words: readonly string[]): Promise<Info> {
  const { status, stdout, stderr } = await cli("status", "--rows", ...words, "--json");
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return JSON.parse(stdout) as Info;
}

describe("the engine", () => {
  it("is files for reading, or the one that is named", async () => {
    const { engine } = await info(node);
    expect(engine).toEqual({
      engine: "files",
      writable: false,
      persistent: true,
      syncedWrites: false,
      changes: true,
    });
    expect((await info(node, "--engine", "files")).engine.engine).toBe("files");
    expect((await info(node, "--engine", "rocksdb")).engine.engine).toBe("rocksdb");
  });

  it("is RocksDB if files need it, and info reports why", async () => {
    const words = ["status", "--rows", formOf("blob-files"), "--revision", "core-0.11", "--json"] as const;
    const { status, stdout, stderr } = await cli(...words);
    expect(status).toBe(0);
    expect(stderr).toContain("none of the column families of core-0.11");
    const { engine, rows } = JSON.parse(stdout) as Info;
    expect(rows).toBeGreaterThan(20);
    expect(engine).toMatchObject({ engine: "rocksdb", writable: false });
    expect(engine.reason).toMatch(/MANIFEST-\d+: values are in blob files/);
  });

  it("is not changed when it was named", async () => {
    const { status, stderr } = await cli(
      "status",
      "--rows",
      formOf("blob-files"),
      "--revision",
      "core-0.11",
      "--engine",
      "files",
    );
    expect(status).toBe(3);
    expect(stderr).toMatch(/values are in blob files.*engine rocksdb/);
  });

  it("returns the same rows with either engine", async () => {
    const [files, rocksdb] = await Promise.all(
      ["files", "rocksdb"].map((engine) =>
        cli("scan", node, "--json", "--reveal-secrets", "--engine", engine),
      ),
    );
    expect(files?.stdout).toBe(rocksdb?.stdout);
    expect(files?.stdout.split("\n").length).toBeGreaterThan(1000);
  });

  it("must be a known one, and is not an option of commands that write", async () => {
    const unknown = await cli("status", "--rows", "--json", node, "--engine", "leveldb");
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toMatch(/files, rocksdb/);
    expect((await cli("delete", node, "ContextMeta", "--engine", "files")).status).toBe(2);
  });

  it("names files that neither engine can read, and does not show fewer rows", async () => {
    for (const name of ["log-compressed", "merge-operands-log", "bzip2"]) {
      const { status, stdout, stderr } = await cli("scan", formOf(name), "--revision", "core-0.11", "--json");
      expect(stdout).toBe("");
      expect(status).toBe(3);
      expect(stderr).toMatch(/compressed|merge/);
    }
  });
});
