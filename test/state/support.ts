import { readFileSync } from "node:fs";
import type { Manifest } from "../../src/state/index.js";
import { parseManifest } from "../../src/state/manifest/parse.js";
import { openStore, type Store } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";

/** A manifest of the fixtures: `core-0.11/kv-store`. */
export function manifestOf(name: string): Manifest {
  return parseManifest(readFileSync(fixturePath("abi", `${name}.json`)));
}

/** The store of a fixture's database. */
export function fixtureStore(name: string): Promise<Store> {
  return openStore(fixturePath(name, "db"));
}
