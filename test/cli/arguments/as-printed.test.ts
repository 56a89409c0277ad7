/** Ids, kinds and names as they are printed somewhere. */
import { expect, it } from "vitest";
import { asPrinted } from "../../../src/bytes/id.js";
import { fixturePath } from "../../support/fixtures.js";
import { cli, intoPipe } from "../run.js";

const db = fixturePath("core-0.11/node-a", "db");
const office = "fa3977a2";
const lobby = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

it.each([
  ["0xfa3977a2", office],
  ['"fa3977a2",', office],
  ["(fa3977a2…)", "fa3977a2…"],
  ["[fa3977a2]", office],
  ["office (fa3977a2)", office],
  ["#9", "9"],
  ["0x", "0x"],
  ["office", "office"],
])("%s is %s", (typed, plain) => {
  expect(asPrinted(typed)).toBe(plain);
});

it("things are found by ids as they are printed", async () => {
  const expected = await intoPipe("groups", db, "office", "--json");
  for (const typed of [`0x${office}`, `"${office}"`, `(${office}…)`, `office (${office})`, "'office'"])
    expect(await intoPipe("groups", db, typed, "--json"), typed).toEqual(expected);
  const row = await intoPipe("show", db, "ContextMeta", `contextId=${lobby}`);
  for (const typed of [`0x${lobby}`, `"${lobby}"`, "b875f1c0…", "lobby (b875f1c0)"])
    expect(await intoPipe("show", db, "contextmeta", `contextId=${typed}`), typed).toEqual(row);
});

it("an unknown name is answered with the nearest", async () => {
  const { status, stderr } = await cli("groups", db, "ofice");
  expect(status).toBe(1);
  expect(stderr).toContain('did you mean "office"?');
});

it("an operation is found by its number in a group, and no scope by its zeros", async () => {
  const id = "5b7cf7f643cc7e95628078b77a6cc6b260cd5aee6844186c6bfcc316ae30586d";
  const shown = await intoPipe("show", db, id);
  for (const typed of ["operation 28@office", "28@fa3977a2"])
    expect(shown.stdout).toContain((await intoPipe("show", db, typed)).stdout);
  const members = await intoPipe("members", db, "office", "--at", "operation 28@office", "--json");
  expect(members).toEqual(await intoPipe("members", db, "office", "--at", id, "--json"));
  const scan = (scope: string) => intoPipe("scan", db, "Alias", "aliasKind=context", `scope=${scope}`);
  expect(await scan("0000…")).toEqual(await scan("none"));
  expect((await scan("0000")).stdout).toContain("lobby");
});
