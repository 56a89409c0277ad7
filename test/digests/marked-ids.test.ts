/** The ids with marks of core-1.0, against the vectors that two other programs computed. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { concat } from "../../src/bytes/concat.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import * as digest from "../../src/digests/index.js";
import { fixturePath } from "../support/fixtures.js";

type Vector = Readonly<Record<string, string>> & {
  readonly writers: readonly (readonly [account: string, mask: number])[];
  readonly immutable: boolean;
  readonly moderators: string | null;
};

const lines = gunzipSync(readFileSync(fixturePath("core-1.0", "state-vectors.jsonl.gz")))
  .toString("utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Vector);

const ofType = (type: string): readonly Vector[] => {
  const found = lines.filter((line) => line.type === type);
  expect(found.length).toBeGreaterThan(10);
  return found;
};
const bytes = (text: string | undefined): Uint8Array => fromHex(text ?? "");
const u32 = (value: number): Uint8Array => Uint8Array.of(value, 0, 0, 0);

describe("ids with marks", () => {
  it("are those of entries and collections without marks", () => {
    for (const { parent, key, id } of ofType("id-entry"))
      expect(toHex(digest.markedEntryId(bytes(parent), bytes(key)))).toBe(id);
    for (const { parent, name, id } of ofType("id-collection"))
      expect(toHex(digest.markedCollectionId(name ?? "", parent ? bytes(parent) : undefined))).toBe(id);
  });

  it("are those of cells, their values and what is below them", () => {
    for (const { field_id, writers, anchor, value } of ofType("id-cell")) {
      const list = writers.map(([account, mask]) => concat(bytes(account), Uint8Array.of(mask)));
      const cell = digest.cellId(bytes(field_id), concat(u32(writers.length), ...list));
      expect([toHex(cell), toHex(digest.cellValueId(cell))]).toEqual([anchor, value]);
    }
    for (const { parent, key, id } of ofType("id-entry-in-cell"))
      expect(toHex(digest.markedEntryId(bytes(parent), bytes(key)))).toBe(id);
    for (const { parent, name, id } of ofType("id-collection-in-cell"))
      expect(toHex(digest.markedCollectionId(name ?? "", bytes(parent)))).toBe(id);
  });

  it("are those of fields that only trusted machines write", () => {
    for (const { field, id, value, collection } of ofType("id-tee-only")) {
      const cell = digest.teeOnlyId(field ?? "");
      expect([toHex(cell), toHex(digest.cellValueId(cell))]).toEqual([id, value]);
      expect(toHex(digest.markedCollectionId("x", cell))).toBe(collection);
    }
  });

  it("are those of owned entries, with and without keys, in cells and elsewhere", () => {
    for (const type of ["id-owned", "id-owned-in-cell"])
      for (const { slot, owner, owned, owned_keyed } of ofType(type)) {
        const [place, account] = [bytes(slot), bytes(owner)];
        const [plain, keyed] = [false, true].map((isKeyed) => digest.ownedEntryId(place, account, isKeyed));
        expect([plain, keyed].map((id) => toHex(id as Uint8Array))).toEqual([owned, owned_keyed]);
        expect([plain, keyed, place].map((id) => digest.isKeyedOwnedId(id as Uint8Array))).toEqual([
          false,
          true,
          false,
        ]);
        expect(digest.isOwnedInSlot(keyed as Uint8Array, place)).toBe(true);
        expect(digest.isOwnedInSlot(plain as Uint8Array, place)).toBe(true);
        expect(digest.isOwnedInSlot(place, place)).toBe(false);
        expect(digest.isOwnedInSlot(keyed as Uint8Array, account)).toBe(false);
      }
  });

  it("are those of seals and counts", () => {
    for (const { id, immutable, moderators, seal } of ofType("id-written-once-seal")) {
      const cell = moderators === null ? undefined : bytes(moderators);
      expect(toHex(digest.writtenOnceSealId(bytes(id), immutable, cell))).toBe(seal);
    }
    for (const { collection, id } of ofType("admitted-count-row-id"))
      expect(toHex(digest.admittedCountId(bytes(collection)))).toBe(id);
  });
});
