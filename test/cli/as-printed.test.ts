/** Ids, kinds and names as they are printed somewhere. */
import { expect, it } from "vitest";
import { asPrinted } from "../../src/bytes/id.js";
import { fixturePath } from "../support/fixtures.js";
import { cli, intoPipe } from "./run.js";

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
  expect(status).toBe(2);
  expect(stderr).toContain('did you mean "office"?');
});
