/** Times have one form in all commands, always with the zone: local time, or UTC with --utc. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { cliProcess as cli } from "../run.js";

const db = fixturePath("core-0.11/node-a/db");
const folder = temporaryFolder();
const pages = join(folder.path, "pages");

beforeEach(async () => {
  process.env.TZ = "America/New_York";
  await cli("ledger", "put", pages, "key", "value", "--name", "page", "--create");
  return () => folder[Symbol.dispose]();
});
afterEach(() => {
  delete process.env.TZ;
});

it("in New York", async () => {
  for (const words of [
    ["log", db, "office"],
    ["log", db, "lobby", "--limit", "9"],
    ["log", db, "lobby", "--graph"],
    ["log", db, "office", "--explain", "38ec7407"],
    ["contexts", db],
    ["contexts", db, "lobby"],
    ["groups", db, "office"],
    ["scan", db, "ContextDagDelta", "--limit", "3"],
    ["scan", db, "GroupMeta"],
    ["show", db, "1d439c1b"],
    ["ledger", "log", pages, "--name", "page"],
    ["ledger", "pages", pages],
  ]) {
    for (const [options, zone] of [
      [[], "-0[45]:00"],
      [["--utc"], "UTC"],
    ] as const) {
      const { status, stdout, stderr } = await cli(...words, ...options);
      expect([status, stderr], words.join(" ")).toEqual([0, ""]);
      const times = stdout.match(/\S+[ T]?\d\d:\d\d:\d\d\S*( \S+)?/g) ?? [];
      expect(times.length, words.join(" ")).toBeGreaterThan(0);
      for (const time of times)
        expect(time, words.join(" ")).toMatch(
          new RegExp(`\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d{3})? ${zone}`),
        );
    }
  }
});

it("a moment that is typed without a zone is one in UTC with --utc", async () => {
  const lastOf = async (...words: readonly string[]): Promise<string | undefined> =>
    /as of +.*?([0-9a-f]{8})/.exec((await cli(...words)).stdout)?.[1];
  for (const words of [
    ["state", db, "lobby"],
    ["contexts", db, "lobby"],
    ["log", db, "lobby"],
  ]) {
    const at = (time: string, ...more: readonly string[]) => lastOf(...words, "--at", time, ...more);
    const inUtc = await at("2026-11-21 05:51:47", "--utc");
    expect(inUtc).toBe(await at("2026-11-21 05:51:47 UTC"));
    expect(inUtc).not.toBe(await at("2026-11-21 05:51:47"));
    expect(await at("2026-11-21 00:51:47")).toBe(inUtc);
  }
  const groups = async (...words: readonly string[]) => (await cli("groups", db, "office", ...words)).stderr;
  expect(await groups("--at", "2026-11-21 06:00", "--utc")).toBe(
    await groups("--at", "2026-11-21 06:00 UTC"),
  );
});
