/** The list of rows that were not read, and the behaviour of a store over damaged tables. */
import { expect, it } from "vitest";
import { openMemoryEngine } from "../../src/engines/index.js";
import { Unread } from "../../src/node/tables/unread.js";
import { PendingReader } from "../../src/store/pending.js";

const ID = "ab".repeat(32);

it("keeps one range of a column family that has too many damaged ones, and those of the others", () => {
  const unread = new Unread();
  unread.addDamaged({ column: "Delta", after: "00", before: "01", message: "" });
  for (let at = 0; at < 1_500; at++) {
    const key = at.toString(16).padStart(8, "0");
    unread.addDamaged({ column: "State", after: key, before: key, message: "" });
  }
  expect(unread.damaged.map(({ column, after }) => [column, after])).toEqual([
    ["Delta", "00"],
    ["State", undefined],
  ]);
  expect(unread.isOfContext(ID)).toBe(true);
});

it("damage leaves open only what it can be about", () => {
  const unread = new Unread();
  for (const column of ["Alias", "Application", "Blobs"])
    unread.addDamaged({ column, after: undefined, before: undefined, message: "" });
  expect([unread.isOfContext(ID), unread.isOfGroup(ID), unread.isOfRest]).toEqual([false, false, true]);
});

it("rows of a group of which not all are kept leave no context open", () => {
  const unread = new Unread();
  for (let at = 0; at < 1_001; at++)
    unread.add("GroupMember", { COLUMN: "Group", bytes: Uint8Array.of(at >> 8, at) }, false);
  expect([unread.isOfContext(ID), unread.isOfGroup(ID), unread.isOfRest]).toEqual([false, true, false]);
});

it("an overlay has the strict reader beneath it, with its own changes", async () => {
  const key = Uint8Array.of(1);
  const strict = openMemoryEngine({ columns: ["Alias"] });
  expect(new PendingReader(strict).strict).toBeUndefined();
  const partial = new Proxy(strict, {
    get: (of, name) => (name === "strict" ? of : Reflect.get(of, name, of)),
  });
  const overlay = new PendingReader(partial);
  overlay.add({ type: "put", column: "Alias", key, value: Uint8Array.of(2) });
  expect(await overlay.strict?.get("Alias", key)).toEqual(Uint8Array.of(2));
});
