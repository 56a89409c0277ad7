/** The application's data before and after a conversion. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Manifest, stateJson, stateOf } from "../../src/state/index.js";
import type { Store } from "../../src/store/index.js";
import { openStore } from "../../src/store/index.js";
import { manifestOf } from "../state/support.js";
import { fixturePath } from "../support/fixtures.js";
import { conversion, type Name, source } from "./support.js";

interface Expected {
  readonly context: string;
  readonly manifest: string;
}

const cases = (["node-a", "node-b"] as const).flatMap((name) =>
  readdirSync(fixturePath("abi/expected/core-0.10", name)).map((file) => [name, file] as const),
);

const privateTypes = manifestOf("core-0.10/private_data.private");

/** Reads the state by the types of a manifest, private data included. */
async function read(store: Store, { context }: Expected, manifest: Manifest) {
  const state = await stateOf(store, context, { manifest, privateTypes, secrets: true });
  const { json, problems } = await stateJson(state);
  expect(problems).toEqual([]);
  return JSON.parse(JSON.stringify(json)) as { readonly state: Readonly<Record<string, object>> };
}

async function both(name: Name, file: string, asBytes: boolean) {
  const expected = JSON.parse(
    readFileSync(fixturePath("abi/expected/core-0.10", name, file), "utf8"),
  ) as Expected;
  const manifest = manifestOf(`core-0.10/${expected.manifest.replace(".json", "")}`);
  await using old = await openStore(source(name));
  await using store = await openStore((await conversion(name, asBytes)).path);
  return { before: await read(old, expected, manifest), after: await read(store, expected, manifest) };
}

describe.each(cases)("%s %s", (name, file) => {
  it("has the same data, with what belongs to public keys", async () => {
    const { before, after } = await both(name, file, true);
    expect(after).toEqual(before);
  });

  it("has the same data by default, but for what belongs to public keys", async () => {
    const { before, after } = await both(name, file, false);
    const { state } = before;
    const owned = Object.keys(state).filter((field) => field.startsWith("user_"));
    expect(owned).toEqual(file.startsWith("44e2e0de") ? ["user_items_simple", "user_items_nested"] : []);
    const without = Object.fromEntries(owned.map((field) => [field, {}]));
    expect(after).toEqual({ ...before, state: { ...state, ...without } });
  });
});
