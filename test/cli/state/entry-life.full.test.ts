/** The life of every entry against its last write, and against the data after each delta. */
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import {
  AuthorViews,
  entryChanges,
  pastValueAt,
  type State,
  StateCollection,
  StateMap,
} from "../../../src/state/index.js";
import { openStore } from "../../../src/store/index.js";
import { appsDatabase, appsId } from "../../support/apps.js";
import { fixturePath } from "../../support/fixtures.js";
import { cli, linesOf } from "../run.js";

const nodeA = fixturePath("core-0.11/node-a/db");
const old = fixturePath("core-0.10/node-a/db");

async function json(...words: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await cli(...words, "--json");
  return linesOf(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
}

it("agrees with --blame and with the data of now, for every entry", async () => {
  for (const [database, context] of [
    [nodeA, "nested"],
    [nodeA, "user"],
    [nodeA, "sorted"],
    [old, "user"],
  ] as const)
    for (const { path, value, delta } of await json("state", database, context, "--blame")) {
      const [last] = await json("log", database, context, "--entry", String(path), "--limit", "1");
      expect(last).toMatchObject({ path, after: value });
      // Writes within a set or map that is an entry are writes of the entry too.
      if (typeof value === "string") expect(last).toMatchObject({ delta, verdict: "proven" });
    }
});

it("finds every delta after which an entry of three busy nodes is another one", async () => {
  using apps = appsDatabase("healed-n1");
  await using store = await openStore(apps.path);
  for (const context of ["trees"]) {
    const views = await AuthorViews.of(store, fromHex(appsId("contexts", context)));
    const state = await views.now();
    const paths = await entryPaths(state);
    expect(paths.length).toBeGreaterThan(2);
    const changed = new Map<string, string[]>(paths.map((path) => [path, []]));
    for (const { delta } of await views.replay.positions()) {
      const around = await views.around(delta);
      if (around === undefined) throw new Error("a replayed delta has no views");
      for (const path of paths) {
        const [before, after] = [
          await pastValueAt(around.before, path),
          await pastValueAt(around.after, path),
        ];
        if (!isDeepStrictEqual(before, after)) changed.get(path)?.push(delta);
      }
    }
    for (const path of paths) {
      const life: string[] = [];
      for await (const { position, before, after } of entryChanges(views, state, path))
        if (!isDeepStrictEqual(before, after)) life.push(position.delta);
      expect([context, path, life]).toEqual([context, path, changed.get(path)]);
    }
  }
});

/** The paths of some fields and entries, of each kind. */
async function entryPaths(state: State): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { path, value } of state.fields) {
    if (!(value instanceof StateCollection)) paths.push(path);
    if (!(value instanceof StateMap)) continue;
    let left = 2;
    for await (const entry of value.entries()) if (left-- > 0) paths.push(entry.path);
  }
  return paths;
}
