/** The forms of moments, periods, URLs and numbers on the command line. */
import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/index.js";
import { fixturePath } from "../../support/fixtures.js";
import { cli, sharedCopy } from "../run.js";

const db = sharedCopy("core-0.11/node-a");

describe("--at", () => {
  it.each([
    ["members", "office"],
    ["log", "office"],
    ["groups", "office"],
  ])("of %s refuses the number of a delta", async (word, thing) => {
    const { status, stderr } = await cli(word, db, thing, "--at", "delta 28");
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr:
        "merostore: --at: delta 28 is of a context, and groups have operations: name one by its number or id, or give a time\n",
    });
    expect(await cli(word, db, thing, "--at", "operation 28")).toMatchObject({ status: 0 });
  });

  it("lists the forms of a time when it refuses a word", async () => {
    const { status, stderr } = await cli("members", db, "office", "--at", "tomorrow");
    expect(status).toBe(2);
    expect(stderr).toContain("a time is given as 2026-11-21, 2026-11-21T05:51Z, 2d, 12h, today or yesterday");
  });

  it("ends with one status for what has nothing from then", async () => {
    for (const words of [
      ["contexts", db],
      ["contexts", db, "--json"],
      ["members", db, "office"],
    ])
      expect(await cli(...words, "--at", "2020-01-01T00:00Z")).toMatchObject({ status: 2, stdout: "" });
  });
});

it("no operation about a group is from before the group", async () => {
  const none = "merostore: the log has no such operation\n";
  expect(await cli("log", db, "office", "--until", "2020-01-01")).toEqual({
    status: 1,
    stdout: "",
    stderr: none,
  });
  expect(await cli("log", db, "office", "--until", "2100-01-01")).toMatchObject({ status: 0 });
});

it("the answer for a context without deltas depends on the filter", async () => {
  const words = ["log", fixturePath("core-1.0/every-kind", "db"), "5f1137d8"];
  const answer = (text: string) => ({ status: 1, stdout: "", stderr: `merostore: ${text}\n` });
  expect(await cli(...words)).toEqual(answer("the context has no delta"));
  expect(await cli(...words, "--since", "2020-01-01")).toEqual(answer("the context has no such delta"));
});

it("a URL that nothing reads is named as such", async () => {
  for (const url of ["ftp://host/node", new URL("s3://bucket/node")])
    await expect(openStore(url)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(
        /^the path of a database is a URL of (ftp|s3): only those of http, https, file and postgres are read$/,
      ) as string,
    });
});
