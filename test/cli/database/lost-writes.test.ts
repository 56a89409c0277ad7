/** A damaged write-ahead log: the writes behind the damage are missing although every read succeeds. */
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openFilesEngine } from "../../../src/engines/files/open-folder.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { cli, linesOf } from "../run.js";

const LOG = "000004.log";
const RECOVER = /000004\.log is damaged at byte \d+.*`merostore recover DB NEW`/;

/** A copy whose log has four changed bytes in its middle: 485 of 935 rows are before them. */
function damagedCopy() {
  const copy = copyOfDatabase("core-0.11/log");
  const log = join(copy.path, LOG);
  const bytes = readFileSync(log);
  bytes.fill(0xff, 300_000, 300_004);
  writeFileSync(log, bytes);
  return copy;
}

describe("a log with damage in its middle", () => {
  it("is an error of verify", async () => {
    using copy = damagedCopy();
    for (const rules of [[], ["--rule", "row-known"]]) {
      const { status, stdout } = await cli("verify", copy.path, "--json", ...rules);
      const found = linesOf(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(status).toBe(1);
      expect(found.filter(({ severity }) => severity === "error")).toEqual([
        expect.objectContaining({
          rule: rules[1] ?? "column-readable",
          message: expect.stringMatching(RECOVER) as string,
        }),
      ]);
    }
  });

  it.each([
    ["copy", (db: string, to: string) => ["db", "copy", db, to, "--new-engine", "files"]],
    ["backup", (db: string, to: string) => ["backup", db, to]],
    ["export", (db: string, to: string) => ["export", db, "--reveal-secrets", "-o", to]],
  ])("is refused by %s, which makes nothing", async (_name, words) => {
    using copy = damagedCopy();
    using folder = temporaryFolder();
    const to = join(folder.path, "made");
    const { status, stderr } = await cli(...words(copy.path, to));
    expect(status).toBe(3);
    expect(linesOf(stderr).at(-1)).toMatch(RECOVER);
    expect(existsSync(to)).toBe(false);
  });

  it("is compared with other nodes only once the loss is accepted", async () => {
    using copy = damagedCopy();
    const node = fixturePath("core-0.11/log", "db");
    for (const words of [
      ["hash", copy.path],
      ["hash", node, copy.path],
      ["why", node, copy.path, "dev"],
      ["why", copy.path, node, "dev"],
      ["diff", node, copy.path],
      ["stuck", copy.path],
      ["minimise", node, copy.path, "dev"],
    ]) {
      const { status, stdout, stderr } = await cli(...words);
      expect([status, stdout], words.join(" ")).toEqual([3, ""]);
      expect(linesOf(stderr).at(-1)).toMatch(RECOVER);
      expect(linesOf(stderr).at(-1)).toContain("would not be about the node: --accept-log-loss gives it");
    }
    expect((await cli("hash", copy.path, "--accept-log-loss")).status).toBe(0);
  });

  it("is read with a warning by commands that look, and exported once the loss is accepted", async () => {
    using copy = damagedCopy();
    const read = await cli("scan", copy.path, "--json", "--limit", "1");
    expect(read.status).toBe(0);
    expect(read.stderr).toMatch(RECOVER);
    const exported = await cli("export", copy.path, "--reveal-secrets", "--accept-log-loss");
    expect(exported.status).toBe(0);
    expect(exported.stderr).toMatch(RECOVER);
    expect(JSON.parse(linesOf(exported.stdout).at(-1) as string)).toMatchObject({ rows: 485 });
  });

  it("is named by the report of a bundle", async () => {
    using copy = damagedCopy();
    using folder = temporaryFolder();
    const file = join(folder.path, "report.ndjson.gz");
    const { status, stderr } = await cli("bundle", copy.path, "-o", file, "--accept-log-loss");
    expect(status).toBe(0);
    expect(stderr).toMatch(/verify says of .*; not known about the lost rows: .*000004\.log is damaged/);
    const [head = ""] = linesOf(gunzipSync(readFileSync(file)).toString("utf8"));
    const { report } = JSON.parse(head) as {
      readonly report: { readonly verify: { readonly verdict: string } };
    };
    expect(report.verify.verdict).toMatch(RECOVER);
  });

  it("is said by snapshots too, until the loss is accepted", async () => {
    using copy = damagedCopy();
    await using engine = await openFilesEngine(copy.path);
    await using snapshot = await engine.snapshot();
    expect(snapshot.lost).toEqual([expect.stringMatching(RECOVER)]);
    await using accepted = await openFilesEngine(copy.path, { acceptLogLoss: true });
    expect(accepted.lost).toEqual([]);
  });
});

it("a log that ends within its last write is not damaged", async () => {
  using copy = copyOfDatabase("core-0.11/log");
  using folder = temporaryFolder();
  const log = join(copy.path, LOG);
  truncateSync(log, readFileSync(log).length - 5);
  const verified = await cli("verify", copy.path, "--rule", "column-readable");
  expect(verified.status, verified.stdout).toBe(0);
  expect(verified.stderr).toMatch(/000004\.log is truncated at byte/);
  expect(verified.stderr).not.toMatch(/recover/);
  expect((await cli("backup", copy.path, join(folder.path, "made"))).status).toBe(0);
});
