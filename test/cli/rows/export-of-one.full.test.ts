/** Exports of one context, group or member, as databases: answers are about their rows, or unknown. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { cli } from "../run.js";

const nodeA = fixturePath("core-0.11/node-a/db");
const folder = temporaryFolder();
const file = (name: string): string => join(folder.path, `${name}.ndjson`);
afterAll(() => folder[Symbol.dispose]());

beforeAll(async () => {
  for (const [option, name] of [
    ["--group", "office"],
    ["--context", "lobby"],
    ["--member", "38ec7407"],
  ] as const)
    await cli("export", nodeA, option, name, "--reveal-secrets", "-o", file(name));
});

describe("an export", () => {
  it("is for reading alone", async () => {
    const { stdout } = await cli("status", file("office"));
    expect(stdout).toMatch(/^engine +memory, read-only: the rows of an export$/m);
    const json = JSON.parse((await cli("status", file("office"), "--rows", "--json")).stdout) as object;
    expect(json).toMatchObject({ engine: { engine: "memory", writable: false } });
  });

  it.each(["office", "lobby", "38ec7407"])(
    "of %s equals its database, of which no other rows are compared",
    async (name) => {
      const { status, stdout, stderr } = await cli("diff", nodeA, file(name));
      expect(status).toBe(0);
      expect(stdout).toMatch(/^equal: \d+ rows/m);
      expect(stderr).toContain(
        "the export has the rows of one context, group or member: no others are compared",
      );
      expect((await cli("diff", file(name), nodeA)).status).toBe(0);
    },
  );

  it.each([
    ["office", "both have the same operations"],
    ["lobby", "both have the same state and the same deltas"],
  ])("of %s is compared with its database by why", async (name, sentence) => {
    const { status, stdout } = await cli("why", nodeA, file(name), "--json");
    expect([status, stdout.trim().split("\n").length]).toEqual([0, 1]);
    expect(JSON.parse(stdout)).toMatchObject({ sentence, unexplained: 0 });
  });

  it("does not answer about other things", async () => {
    const other = await cli("why", nodeA, file("office"), "lobby");
    expect(other.status).toBe(3);
    expect(other.stderr).toContain("the export has the rows of another context, group or member alone");
    const member = await cli("why", nodeA, file("38ec7407"));
    expect(member.status).toBe(3);
    expect(member.stderr).toContain("an export of a member's rows does not tell why nodes differ");
    const both = await cli("diff", file("office"), file("lobby"));
    expect(both.status).toBe(2);
    expect(both.stderr).toContain("the exports have rows of different contexts, groups or members");
  });

  it.each(["office", "lobby", "38ec7407"])(
    "of %s has no errors, by the rules that need no other rows",
    async (name) => {
      const { status, stdout, stderr } = await cli("verify", file(name));
      expect(status).toBe(3);
      expect(stdout).toMatch(
        /^no errors, .*; not all checked: \d+ rules that need rows which are left out$/m,
      );
      expect(stderr).toContain(
        "unknown: the export leaves out the rows of other contexts, groups or members",
      );
    },
  );
});
