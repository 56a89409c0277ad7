/** `export` as it is typed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { toBase58 } from "../../../src/bytes/base58.js";
import { fromHex } from "../../../src/bytes/hex.js";
import { largestTable } from "../../support/files.js";
import { copyOfDatabase, fixturePath, fixtureRows } from "../../support/fixtures.js";
import { folderOfEachTest } from "../../support/folder-of-each-test.js";
import { exportText, partsOf, timeless } from "../../support/transfer.js";
import { cli, exitOf, intoPipe, linesOf, onTerminal, start, textOf } from "../run.js";
import { LARGE_ROWS, largeDatabase } from "./large.js";

const name = "core-0.11/node-a";
const path = fixturePath(name, "db");
const large = largeDatabase();

const folder = folderOfEachTest();

const headOf = (text: string) => JSON.parse(partsOf(text).head) as Record<string, unknown>;

describe("export", () => {
  it("prints everything without secrets, and with secrets on request", async () => {
    const [hidden, shown] = await Promise.all([cli("export", path), cli("export", path, "--reveal-secrets")]);
    expect([hidden.status, shown.status, shown.stderr]).toEqual([1, 0, ""]);
    expect(timeless(hidden.stdout)).toBe(timeless(await exportText(path, { revealSecrets: false })));
    expect(timeless(shown.stdout)).toBe(timeless(await exportText(path)));
    expect([headOf(hidden.stdout).redacted, headOf(shown.stdout).redacted]).toEqual([true, false]);
    expect(timeless((await onTerminal("export", path)).stdout)).toBe(timeless(hidden.stdout));
  });

  it("reports how many rows have no values, and what to do, with status 1 unless that is accepted", async () => {
    const hidden = await cli("export", path, "-o", join(folder.path, "out"));
    expect(hidden).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "merostore: 41 of 1,011 rows are exported without their values, which are secret or not understood: import cannot restore them. Add --reveal-secrets to export everything, or --without-secrets if they may be missing\n",
    });
    const without = partsOf(readFileSync(join(folder.path, "out"), "utf8")).rows.filter(
      (row) => !("value" in (JSON.parse(row) as object)),
    );
    expect(without).toHaveLength(41);

    const accepted = await cli("export", path, "--without-secrets");
    expect(accepted).toMatchObject({
      status: 0,
      stderr:
        "merostore: 41 of 1,011 rows are exported without their values, which are secret or not understood\n",
    });
    expect(timeless(accepted.stdout)).toBe(timeless(readFileSync(join(folder.path, "out"), "utf8")));
    // An export without missing values reports only its size.
    expect(await cli("export", path, "--column", "Meta", "-o", join(folder.path, "out"))).toEqual({
      status: 0,
      stdout: "",
      stderr: expect.stringMatching(/^merostore: 7 rows, [\d,.]+ (?:kB|bytes), written to .*out\n$/),
    });
    const both = await cli("export", path, "--without-secrets", "--reveal-secrets");
    expect(both).toMatchObject({ status: 2, stdout: "" });
  });

  it("has the rows that scan --json prints", async () => {
    const scan = await intoPipe("scan", path, "--json", "--reveal-secrets");
    const { rows } = partsOf((await intoPipe("export", path, "--reveal-secrets")).stdout);
    expect(rows).toEqual(linesOf(scan.stdout));
  });

  it("returns the same with either engine", async () => {
    const [files, rocksdb] = await Promise.all(
      ["files", "rocksdb"].map((engine) => intoPipe("export", path, "--engine", engine)),
    );
    expect(timeless(rocksdb?.stdout ?? "")).toBe(timeless(files?.stdout ?? "-"));
  });

  it("accepts ids as hex and base58, and reports what it selected", async () => {
    const { parts } = fixtureRows(name).find(({ kind }) => kind === "GroupContextIndex") ?? {};
    const { contextId, groupId } = parts as { contextId: string; groupId: string };
    const [hex, base58, group] = await Promise.all([
      intoPipe("export", path, "--context", contextId),
      intoPipe("export", path, "--context", toBase58(fromHex(contextId))),
      intoPipe("export", path, "--group", groupId, "--column", "Group", "Meta"),
    ]);
    expect(timeless(base58.stdout)).toBe(timeless(hex.stdout));
    expect(headOf(hex.stdout).selection).toEqual({ context: contextId });
    expect(headOf(group.stdout).selection).toEqual({ columns: ["Group", "Meta"], group: groupId });
    for (const row of partsOf(hex.stdout).rows) expect(row).toContain(contextId);
    for (const row of partsOf(group.stdout).rows)
      expect(row).toMatch(new RegExp(`"column":"Group".*${groupId}`));
    expect(partsOf(hex.stdout).rows.length).toBeGreaterThan(20);
  });

  it.each([
    [["--context", "abc"], 1, /--context: no context in the database has the name or id/],
    [["--group", "00".repeat(31)], 1, /--group: no namespace or group in the database has the name or id/],
    [["--column", "Nope"], 2, /no column family "Nope"; it has Meta/],
    [["--revision", "core-9"], 2, /core-9/],
  ] as const)("refuses %j", async (words, status, says) => {
    const outcome = await cli("export", path, ...words, "-o", join(folder.path, "out"));
    expect({ ...outcome, stderr: linesOf(outcome.stderr).length }).toEqual({ status, stdout: "", stderr: 1 });
    expect(outcome.stderr).toMatch(says);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe("export -o", () => {
  const out = () => join(folder.path, "node.ndjson");

  it("writes a file that only its owner reads, with secrets or without", async () => {
    for (const words of [["--reveal-secrets"], ["--without-secrets"], ["--without-secrets", "--gzip"]]) {
      await cli("export", path, ...words, "-o", out());
      expect(statSync(out()).mode & 0o777).toBe(0o600);
    }
  });

  it("refuses a path within a database, also through links", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    const before = readdirSync(copy.path);
    symlinkSync(copy.path, join(folder.path, "link"));
    for (const place of [join(copy.path, "CURRENT"), join(folder.path, "link", "out")]) {
      const outcome = await cli("export", path, "--without-secrets", "-o", place);
      expect(outcome).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringMatching(/lies within the database .*: choose a path outside it/),
      });
    }
    expect(readdirSync(copy.path)).toEqual(before);
    expect((await cli("status", "--rows", "--json", copy.path)).status).toBe(0);
  });

  it("removes the leftovers of a killed export", async () => {
    const child = start(["export", large.path, "--revision", "core-0.10", "-o", out()]);
    while (readdirSync(folder.path).length === 0) await new Promise(setImmediate);
    child.kill("SIGKILL");
    await exitOf(child);
    expect(readdirSync(folder.path)).toEqual([expect.stringMatching(/^\.node\.ndjson\.writing-/)]);
    expect((await cli("export", path, "--without-secrets", "-o", out())).status).toBe(0);
    expect(readdirSync(folder.path)).toEqual(["node.ndjson"]);
  });

  it("writes a file, compressed on request", async () => {
    const text = await exportText(path);
    const outcome = await cli("export", path, "--reveal-secrets", "-o", out());
    expect(outcome).toEqual({
      status: 0,
      stdout: "",
      stderr: expect.stringMatching(/^merostore: 1,011 rows, .* written to .*\n$/),
    });
    expect(timeless(readFileSync(out(), "utf8"))).toBe(timeless(text));

    await cli("export", path, "--reveal-secrets", "--gzip", "--out", `${out()}.gz`);
    const packed = readFileSync(`${out()}.gz`);
    expect(timeless(gunzipSync(packed).toString())).toBe(timeless(text));
    expect(packed.length).toBeLessThan(text.length / 3);
    expect(readdirSync(folder.path).sort()).toEqual(["node.ndjson", "node.ndjson.gz"]);
  });

  it("replaces a file only when the new one is complete", async () => {
    using copy = copyOfDatabase("core-0.10/tables");
    expect((await cli("export", copy.path, "--without-secrets", "-o", out())).status).toBe(0);
    const before = readFileSync(out(), "utf8");
    const largest = largestTable(copy.path);
    const bytes = readFileSync(join(copy.path, largest));
    bytes.fill(0xaa, 0, bytes.length >> 1);
    writeFileSync(join(copy.path, largest), bytes);

    const failed = await cli("export", copy.path, "-o", out(), "--revision", "core-0.10");
    expect(failed).toMatchObject({ status: 3, stdout: "" });
    expect(failed.stderr).toMatch(new RegExp(`^merostore: .*${largest}.* is damaged.*\n$`));
    expect(readFileSync(out(), "utf8")).toBe(before);
    expect(readdirSync(folder.path)).toEqual(["node.ndjson"]);

    // On stdout it lacks its last line then, so that nobody takes it for whole.
    const printed = await cli("export", copy.path, "--revision", "core-0.10");
    expect(printed.status).toBe(3);
    expect(printed.stdout).not.toContain("sha256");
  });

  it("refuses an invalid path of the file at once", async () => {
    mkdirSync(join(folder.path, "folder"));
    writeFileSync(join(folder.path, "file"), "text");
    const [within, missing, below, device] = await Promise.all([
      cli("export", path, "-o", join(folder.path, "folder")),
      cli("export", path, "-o", join(folder.path, "none", "file")),
      cli("export", path, "-o", join(folder.path, "file", "below")),
      cli("export", path, "-o", "/dev/null"),
    ]);
    expect(within).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/folder is a folder: name the file/),
    });
    expect(missing).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/there is no folder .*none: make it first/),
    });
    expect(below).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/there is no folder .*file: make it first/),
    });
    expect(device).toMatchObject({ status: 2, stderr: expect.stringContaining("/dev/null is not a file") });
    expect(readdirSync(folder.path).sort()).toEqual(["file", "folder"]);
    expect(readdirSync(join(folder.path, "folder"))).toEqual([]);
    expect(statSync("/dev/null").isFile()).toBe(false);
  });

  it("leaves nothing when it is interrupted", async () => {
    const child = start(["export", large.path, "--revision", "core-0.10", "-o", out()]);
    const stderr = textOf(child.stderr);
    while (readdirSync(folder.path).length === 0) await new Promise(setImmediate);
    child.kill("SIGINT");
    expect(await exitOf(child)).toBe(130);
    expect(await stderr).toBe("");
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe("a large export", () => {
  it.each([[[]], [["--gzip"]]])("ends quietly when nobody reads on %j", async (words) => {
    const child = start(["export", large.path, "--revision", "core-0.10", ...words]);
    const stderr = textOf(child.stderr);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.stdout?.destroy();
    expect(await exitOf(child)).toBe(0);
    expect(await stderr).toBe("");
  });

  it("needs little memory, and so do its import and comparison", async () => {
    const file = join(folder.path, "large.ndjson");
    const back = join(folder.path, "back");
    const main = new URL("../../../dist/cli/merostore.js", import.meta.url).pathname;
    for (const words of [
      ["export", large.path, "--reveal-secrets", "-o", file, "--revision", "core-0.10"],
      ["import", file, back],
      ["diff", "--rows", file, back, "--revision", "core-0.10"],
    ]) {
      const child = spawn(process.execPath, ["--max-old-space-size=40", main, ...words], { stdio: "pipe" });
      const [stdout, stderr, status] = await Promise.all([
        textOf(child.stdout),
        textOf(child.stderr),
        exitOf(child),
      ]);
      expect(status, `${stdout}${stderr}`).toBe(0);
    }
    expect(statSync(file).size).toBeGreaterThan(LARGE_ROWS * 4000);
  });
});
