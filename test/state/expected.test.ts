/** The state of every context in the real nodes' databases, against an independent program's. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stateJson, stateOf } from "../../src/state/index.js";
import { fixturePath } from "../support/fixtures.js";
import { fixtureStore, manifestOf } from "./support.js";

interface Expected {
  readonly context: string;
  readonly manifest: string;
  readonly state: object;
  readonly private?: object;
}

const revisions = ["core-0.10", "core-0.11"];
const cases = revisions.flatMap((revision) =>
  readdirSync(fixturePath("abi", "expected", revision)).flatMap((node) =>
    readdirSync(fixturePath("abi", "expected", revision, node)).map((file) => ({ revision, node, file })),
  ),
);

it("compares fifteen contexts", () => expect(cases).toHaveLength(15));

describe.each(cases)("$revision/$node $file", ({ revision, node, file }) => {
  const expected = JSON.parse(
    readFileSync(fixturePath("abi", "expected", revision, node, file), "utf8"),
  ) as Expected;
  const manifest = manifestOf(`${revision}/${expected.manifest.replace(".json", "")}`);

  it("is the state of the independent program", async () => {
    await using store = await fixtureStore(`${revision}/${node}`);
    const secrets = expected.private !== undefined;
    const privateTypes = secrets ? manifestOf(`${revision}/private_data.private`) : undefined;
    const state = await stateOf(store, expected.context, { manifest, privateTypes, secrets });
    const { json, problems } = await stateJson(state);
    expect(problems).toEqual([]);
    expect(JSON.parse(JSON.stringify(json))).toEqual({
      context: expected.context,
      state: expected.state,
      ...(secrets ? { private: expected.private } : {}),
    });
  });
});
