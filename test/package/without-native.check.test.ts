/** The package without `rocksdb-native` and the other optional packages reads and writes, and names what it needs. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";

const root = join(import.meta.dirname, "../..");
const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as Record<"dependencies" | "optionalDependencies" | "peerDependencies", Readonly<Record<string, string>>>;
const optional = { ...optionalDependencies, ...peerDependencies };

/** A folder with the package as `npm install --omit=optional` leaves it. */
function install(folder: string): string {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "merostore"), { recursive: true });
  for (const name of ["package.json", "dist"])
    cpSync(join(root, name), join(modules, "merostore", name), { recursive: true });
  for (const name of Object.keys(dependencies)) {
    if (name.includes("/")) mkdirSync(join(modules, name.split("/")[0] as string), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  return join(modules, "merostore/dist/cli/merostore.js");
}

it("needs no optional package to read and write a database, and names the one to install for the rest", () => {
  expect(Object.keys(optional)).toContain("rocksdb-native");
  using folder = temporaryFolder();
  const main = install(folder.path);
  cpSync(fixturePath("core-0.11/node-a/db"), join(folder.path, "db"), { recursive: true });
  const run = (...words: readonly string[]) => {
    const preserve = ["--preserve-symlinks", "--preserve-symlinks-main"];
    const { status, stdout, stderr } = spawnSync(process.execPath, [...preserve, main, ...words], {
      cwd: folder.path,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };
  const scanned = run("scan", "db", "GroupMember", "--json");
  expect(scanned).toMatchObject({ status: 0, stderr: "" });
  expect(scanned.stdout).toContain('"kind":"GroupMember"');
  expect(run("verify", "db", "--json").status).toBe(0);
  const group = (JSON.parse(scanned.stdout.split("\n")[0] as string) as { parts: { groupId: string } }).parts
    .groupId;
  const put = (capabilities: number, ...options: readonly string[]) =>
    run(
      "put",
      "db",
      "GroupDefaultCaps",
      `groupId=${group}`,
      "--value",
      JSON.stringify({ capabilities }),
      ...options,
    );
  expect(put(4).status).toBe(0);
  expect(run("scan", "db", "GroupDefaultCaps", "--json").stdout).toContain('"capabilities":4');
  const byRocksDB = put(5, "--engine", "rocksdb");
  expect(byRocksDB.status).toBe(3);
  const says = (name: string): string =>
    `the package is not installed: npm install ${name}@${optional[name]}`;
  expect(byRocksDB.stderr).toContain(says("rocksdb-native"));
  const sql = run("sql", "db", "select 1 as one");
  expect(sql.status).toBe(3);
  expect(sql.stderr).toContain(says("@duckdb/node-api"));
  const copy = run("db", "copy", "db", "postgres://localhost/nodes");
  expect(copy.status).toBe(3);
  expect(copy.stderr).toContain("the package is not installed: npm install merostore-postgres");
});
