/** Rows of State, keys, rules of merging and a manifest, as the crates that upstream publishes write and read them. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { applicationStateId } from "../../src/digests/index.js";
import { entityData } from "../../src/layouts/index.js";
import { manifestToJson, parseManifest } from "../../src/state/index.js";
import { oneRow } from "../../src/state/layouts/one-row.js";
import { fixturePath } from "../support/fixtures.js";
import { type KindLine, kindLine, type ManifestLine, manifestIn, type RowLine } from "./published.js";

interface KeysLine {
  readonly type: "keys";
  readonly size: number;
  readonly entity: number;
  readonly private: number;
  readonly root: string;
  readonly rootKey: string;
}

const lines = gunzipSync(readFileSync(fixturePath("core-1.0", "published-crates.jsonl.gz")))
  .toString()
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as KeysLine | KindLine | RowLine | ManifestLine);

function all<T extends { readonly type: string }>(type: T["type"], least: number): readonly T[] {
  const found = lines.filter((line) => line.type === type) as unknown as readonly T[];
  expect(found.length).toBeGreaterThanOrEqual(least);
  return found;
}

describe("the crates that upstream publishes", () => {
  it("have the keys of State", () => {
    const [keys] = all<KeysLine>("keys", 1);
    const [key] = oneRow.keysOf(applicationStateId());
    expect(keys).toEqual({
      type: "keys",
      size: key?.stateKey.length,
      entity: key?.stateKey[0],
      private: oneRow.privateKey(new Uint8Array(32))[0],
      root: toHex(applicationStateId()),
      rootKey: toHex(key?.stateKey ?? new Uint8Array()),
    });
  });

  it("read and write rules of merging in the same bytes", () => {
    const kinds = all<KindLine>("crdt-type", 40);
    expect(kinds.map(({ bytes }) => kindLine(bytes))).toEqual(kinds);
    expect(kinds.filter(({ kind }) => kind === null).length).toBeGreaterThan(5);
  });

  it("find the same data in rows of entities", () => {
    let [same, refused] = [0, 0];
    for (const { id, bytes, isRow, data } of all<RowLine>("entity-row", 1000)) {
      const found = entityData(fromHex(bytes), fromHex(id));
      const flags = Number.parseInt(bytes.slice(0, 2), 16);
      // The crate that reads the index refuses these; the published one only finds the parts.
      const isOddIndex = (flags & 8) !== 0 && ((flags & 1) === 0 || (flags & 4) !== 0);
      const isOdd = ((flags & 4) !== 0 && (flags & 3) !== 3) || isOddIndex;
      if (!isRow || isOdd) {
        expect([bytes, found]).toEqual([bytes, undefined]);
        refused++;
      } else {
        expect([bytes, found && toHex(found)]).toEqual([bytes, data ?? undefined]);
        same++;
      }
    }
    expect(same).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });

  it("build a manifest that is read, and written again with the same meaning", () => {
    for (const { wasm, manifest } of all<ManifestLine>("manifest", 1)) {
      const parsed = parseManifest(manifest as object);
      expect(manifestIn(wasm)).toEqual(manifestToJson(parsed));
      expect(parsed.stateVersion).toBe(3);
      expect(parsed.migrations).toEqual([{ method: "migrate_to_3", fromVersion: 2 }]);
      expect([...parsed.types.keys()]).toEqual(["State", "Status"]);
      const state = parsed.types.get("State");
      expect(state?.kind === "record" && state.fields.length).toBe(31);
    }
  });
});
