/** Contexts of core-1.0 of random sizes from a program in Python: collections with no, one or many entries. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { entityDetails, stateJson, stateOf, surveyState } from "../../src/state/index.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";
import { contextIn, manifest, storeOf } from "./one-row.js";

const python = process.env.PYTHON ?? "python3";
const program = fixturePath("core-1.0", "state", "generate.py");
const folder = temporaryFolder();

function made(seed: number) {
  const at = join(folder.path, `${seed}`);
  mkdirSync(at);
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  execFileSync(python, [program, `${seed}`, at], { env });
  return contextIn(at);
}

describe.skipIf(spawnSync(python, ["--version"]).status !== 0)("a context of random sizes", () => {
  // In 6, 18 and 19 a map has one entry, a number whose width the manifest does not say.
  it.each([2, 6, 10, 18, 19])(
    "is shown as it was written, under the hash of its root (seed %i)",
    async (seed) => {
      const { about, expected, rows } = made(seed);
      await using store = await storeOf([], rows);
      const state = await stateOf(store, about.context, { manifest });
      const { json, problems } = await stateJson(state);
      expect(problems).toEqual([]);
      expect(json.state).toEqual(expected);
      expect((await entityDetails(state, fromHex(about.context)))?.fullHash).toBe(about.rootHash);
      expect(await surveyState(state)).toMatchObject({
        entities: about.entities,
        tombstones: about.deleted,
        undecoded: 0,
        unreachableCount: 0,
      });
    },
  );
});
