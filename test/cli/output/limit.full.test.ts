/** Output that --limit cuts: JSON ends with a line that says so. */
import { describe, expect, it } from "vitest";
import { cli, linesOf, sharedCopy } from "../run.js";

const db = sharedCopy("core-0.11/node-a");
const MORE = '{"$more":true}';

describe.each([
  ["scan", db],
  ["scan", db, "GroupMember", "--reverse"],
  ["scan", db, "--group", "office"],
  ["find", db, "lobby"],
  ["log", db, "office"],
  ["log", db, "office", "--own"],
  ["log", db, "lobby", "--patch"],
  ["log", db, "office", "--member", "38ec7407"],
])("%s", (...words) => {
  it(words.slice(2).join(" "), async () => {
    const all = linesOf((await cli(...words, "--json")).stdout);
    expect(all.length).toBeGreaterThan(2);
    const limited = async (most: number, ...more: readonly string[]) =>
      linesOf((await cli(...words, "--limit", String(most), ...more)).stdout);
    for (const most of [0, 1, all.length - 1])
      expect(await limited(most, "--json")).toEqual([...all.slice(0, most), MORE]);
    for (const most of [all.length, all.length + 1]) expect(await limited(most, "--json")).toEqual(all);
    expect((await limited(1)).join()).not.toContain("$more");
  });
});

it("log --explain leaves out the oldest", async () => {
  const words = ["log", db, "office", "--explain", "e8e04d8c", "--json"];
  const all = linesOf((await cli(...words)).stdout);
  expect(linesOf((await cli(...words, "--limit", "2")).stdout)).toEqual([...all.slice(-2), MORE]);
  expect(linesOf((await cli(...words, "--limit", "0")).stdout)).toEqual([MORE]);
  expect(linesOf((await cli(...words, "--limit", String(all.length))).stdout)).toEqual(all);
});
