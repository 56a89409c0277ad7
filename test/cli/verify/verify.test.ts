import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { openRocksEngine } from "../../../src/engines/rocksdb/index.js";
import { allRules, type Finding, notChecked, ruleOf, type Summary } from "../../../src/verify/index.js";
import { copyOfDatabase, fixturePath, fixtureRows } from "../../support/fixtures.js";
import { cli, intoPipe, linesOf, type Outcome, onTerminal, sharedCopy } from "../run.js";

const node = sharedCopy("core-0.11/node-a");

/** The findings and the summary of JSON lines. */
function parsed({ stdout }: Outcome): { readonly findings: readonly Finding[]; readonly summary: Summary } {
  const lines = linesOf(stdout).map((line) => JSON.parse(line) as unknown);
  return { findings: lines.slice(0, -1) as Finding[], summary: lines.at(-1) as Summary };
}

/** Copies a fixture and changes the value of the first row of a kind. */
async function altered(fixture: string, kind: string, change: (value: Uint8Array) => Uint8Array) {
  const copy = copyOfDatabase(fixture);
  const row = fixtureRows(fixture).find((row) => row.kind === kind);
  if (row === undefined) throw new Error(`the fixture has no ${kind}`);
  await using engine = await openRocksEngine(copy.path, { writable: true });
  const value = change(fromHex(row.value));
  await engine.write([{ type: "put", column: row.column, key: fromHex(row.key), value }]);
  return { ...copy, row };
}

describe("verify", () => {
  it("ends with status 0 where there is no error, the summary on the last line", async () => {
    const outcome = await cli("verify", "--json", node);
    const { findings, summary } = parsed(outcome);
    expect({ status: outcome.status, stderr: outcome.stderr }).toEqual({ status: 0, stderr: "" });
    expect(findings.map(({ severity, rule, column }) => `${severity} ${rule} ${column}`)).toEqual([
      ...Array(20).fill("info deleted-children State"),
      ...Array(3).fill("warning delta-names-what-it-saw Delta"),
    ]);
    expect(summary).toMatchObject({ revision: "core-0.11", rows: 1011, errors: 0, warnings: 3, infos: 20 });
    expect(summary.rules.find(({ rule }) => rule === "delta-id")).toMatchObject({ checked: 219, errors: 0 });
    expect(summary.rules.find(({ rule }) => rule === "chunk-file")?.skipped).toContain("files of the blobs");
  });

  it("ends with status 1 where there is an error, which names the row", async () => {
    const copy = await altered("core-0.11/node-a", "ApplicationMeta", (value) => value.slice(0, -1));
    const outcome = await cli("verify", "--json", copy.path);
    const errors = parsed(outcome).findings.filter(({ severity }) => severity === "error");
    expect(outcome.status).toBe(1);
    expect(errors).toEqual([
      {
        severity: "error",
        rule: "row-decodes",
        column: "Application",
        kind: "ApplicationMeta",
        key: copy.row.key,
        message: expect.stringContaining("a node cannot read it: ApplicationMeta.stateVersion at byte"),
      },
    ]);
    copy[Symbol.dispose]();
  });

  it("is readable on a terminal: the verdict, and findings by rule", async () => {
    const { stdout, status } = await onTerminal("verify", node);
    const lines = linesOf(stdout);
    expect(status).toBe(0);
    const { says, means, advice } = ruleOf("deleted-children");
    const row = expect.stringMatching(
      /^ {13}ContextState contextId=[0-9a-f]{8}… stateKey=[0-9a-f]{8}…; found [0-9a-f]{8}…$/,
    );
    expect(lines.slice(0, 3)).toEqual([
      "no errors, 3 warnings, 20 infos; 1,011 rows read as core-0.11",
      "",
      "delta-names-what-it-saw: 3 warnings",
    ]);
    const infos = lines.indexOf("deleted-children: 20 infos");
    expect(lines.slice(infos, infos + 16)).toEqual([
      "deleted-children: 20 infos",
      `  rule     ${says}`,
      "  info     nothing is left of a deleted child, as after a collection was put into another",
      ...Array(10).fill(row),
      "           and 10 more: --all shows them",
      `  means    ${means}`,
      `  advice   ${advice}`,
    ]);
    expect(stdout).not.toContain("column family");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(120);
  });

  it("shows all findings with --all, the severe ones with --severity, and the verdict with --quiet", async () => {
    const all = (await onTerminal("verify", node, "--all")).stdout;
    expect(linesOf(all).filter((line) => line.startsWith("             ContextState"))).toHaveLength(20);
    expect(all).not.toContain("more: --all");
    expect(all).toMatch(/\nDelta +219 +219 +0 +0 +0\n/);
    expect(all).toMatch(/\ndelta-id +219\n/);
    expect(all).toMatch(/\ndeleted-children +24 +20\n/);
    const verdict = "no errors, 3 warnings, 20 infos; 1,011 rows read as core-0.11";
    const severe = linesOf((await onTerminal("verify", node, "--severity", "warning")).stdout);
    expect(severe.slice(0, 3)).toEqual([verdict, "", "delta-names-what-it-saw: 3 warnings"]);
    expect(severe.filter((line) => line.includes("deleted-children: "))).toEqual([]);
    const { findings, summary } = parsed(await intoPipe("verify", node, "--severity", "warning", "--json"));
    expect(findings.map(({ severity }) => severity)).toEqual(Array(3).fill("warning"));
    expect(summary.infos).toBe(20);
    expect((await onTerminal("verify", node, "--quiet")).stdout).toBe(`${verdict}\n`);
    expect(linesOf((await intoPipe("verify", node, "--quiet", "--json")).stdout)).toEqual([
      JSON.stringify(summary),
    ]);
  });

  it("fails for warnings with --strict only, and puts errors first", async () => {
    const warned = sharedCopy("core-0.11/node-b");
    expect((await intoPipe("verify", warned, "--quiet")).status).toBe(0);
    expect(await intoPipe("verify", warned, "--quiet", "--strict")).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(
        /^no errors, \d+ warnings?, .*; the same command without --quiet shows them\n$/,
      ),
    });
    const silent = ["verify", warned, "--quiet", "--strict", "--rule", "delta-id"];
    expect(await intoPipe(...silent)).toEqual({ status: 0, stdout: "", stderr: "" });
    expect((await intoPipe(...silent, "--json")).stdout).not.toBe("");
    const right = ["verify", node, "--quiet", "--strict", "--rule", "deleted-children", "delta-id"];
    expect((await intoPipe(...right)).status).toBe(0);
    using copy = await altered("core-0.11/node-a", "ContextMeta", (value) => {
      const changed = value.slice();
      changed[32] = (changed[32] as number) ^ 1;
      return changed;
    });
    const { stdout, status } = await onTerminal("verify", copy.path);
    expect(status).toBe(1);
    const document = readFileSync(new URL("../../../docs/verify.md", import.meta.url), "utf8");
    const [, transcript = ""] = /^```text\n(1 error.*?)^```$/ms.exec(document) ?? [];
    expect(transcript).toContain("root-hash: 1 error");
    expect(stdout.slice(0, transcript.length)).toBe(transcript);
  });

  it("takes rules, a context, an engine and a revision", async () => {
    const { contextId } =
      fixtureRows("core-0.11/node-a").find(({ kind }) => kind === "ContextMeta")?.parts ?? {};
    const words = [
      "verify",
      "--json",
      node,
      "--context",
      `${contextId}`,
      "--engine",
      "rocksdb",
      "--revision",
      "core-0.11",
    ];
    const outcome = await intoPipe(...words, "--rule", "root-hash", "own-hash");
    const { findings, summary } = parsed(outcome);
    expect(findings).toEqual([]);
    expect(summary.rules.map(({ rule }) => rule)).toEqual(["root-hash", "own-hash"]);
    expect(summary.columns.map(({ column }) => column)).toEqual(["Meta", "State", "PrivateState"]);
    expect(summary.columns[0]?.rows).toBe(1);
  });

  it("reads the files of blobs", async () => {
    using copy = copyOfDatabase("core-0.11/log");
    const outcome = await intoPipe(
      "verify",
      "--json",
      copy.path,
      "--blobs",
      fixturePath("core-0.11/log", "blobs"),
    );
    const { rules } = parsed(outcome).summary;
    expect(rules.find(({ rule }) => rule === "chunk-file")).toMatchObject({
      checked: 12,
      errors: 0,
      warnings: 0,
    });
    expect(rules.find(({ rule }) => rule === "blob-content")).toMatchObject({ checked: 11, errors: 0 });
  });

  it("refuses wrong words with status 2, an unknown name with 1, and what cannot be opened with status 3", async () => {
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [["verify"], 2, "name a database"],
      [["verify", node, "--rule", "delta"], 2, 'there is no rule "delta"'],
      [["verify", node, "--context", "nowhere"], 1, "no context in the database has the name or id"],
      [["verify", node, "--blobs", "/nowhere"], 2, "is not a folder of blob files"],
      [["verify", "/nowhere"], 3, "the folder /nowhere does not exist"],
    ];
    for (const [words, status, text] of cases) {
      const outcome = await cli(...words);
      expect(outcome.status, words.join(" ")).toBe(status);
      expect(outcome.stderr).toContain(text);
      expect(outcome.stdout).toBe("");
    }
  });
});

describe("verify --list", () => {
  it("explains every rule and what none looks at, without a database", async () => {
    const { stdout, status } = await intoPipe("verify", "--json", "--list");
    const entries = linesOf(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(status).toBe(0);
    expect(entries.map(({ rule }) => rule).filter((rule) => rule !== undefined)).toEqual(
      allRules.map(({ name }) => name),
    );
    expect(entries.find(({ rule }) => rule === "context-group")).toEqual({
      rule: "context-group",
      severity: "error",
      relations: [32],
      revisions: ["core-0.10", "core-0.11", "core-1.0"],
      says: expect.stringContaining("A group lists a context"),
      means: ruleOf("context-group").means,
      advice: ruleOf("context-group").advice,
      pairs: true,
      needsBlobs: false,
    });
    expect(entries.slice(-notChecked.length)).toEqual(notChecked);
  });

  it("is a table on a terminal, of some rules if they are named", async () => {
    const all = linesOf((await onTerminal("verify", "--list")).stdout);
    // Texts that do not fit beside the rules stand below them.
    expect(all[0]).toMatch(/^rule +no\. +revisions$/);
    expect(all[1]).toBe("    what should hold");
    const at = all.findIndex((line) => /^context-group +error\* +32 +0\.10 0\.11 1\.0$/.test(line));
    expect(all[at + 1]).toMatch(/^ {4}A group lists/);
    for (const line of all) expect(line.length).toBeLessThanOrEqual(120);
    const one = linesOf((await onTerminal("verify", "--list", "--rule", "delta-id")).stdout);
    expect(one.filter((line) => line.startsWith("delta-id"))).toHaveLength(1);
    expect(one).toHaveLength(4);
  });
});
