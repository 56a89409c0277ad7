/** Every entity of the databases is accounted for: decoded, deleted, or listed as out of reach. */
import { describe, expect, it } from "vitest";
import { type StateSurvey, stateOf, surveyState } from "../../src/state/index.js";
import { contextStartingWith, contextsOf, fixtureStore, manifestOf, manifestsOf } from "./support.js";

/** By context: the numbers of entities and of accounted ones. */
const WITH_MANIFEST: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>> = {
  "core-0.11/node-a": {
    "321161a6": [4, 4],
    "8d587abf": [3, 3],
    a2a4613d: [28, 28],
    b875f1c0: [154, 154],
    cf58de10: [27, 27],
    d0d840d7: [10, 10],
    dfdbd9a9: [12, 12],
  },
  "core-0.10/node-a": { "1e75c022": [115, 115], "44e2e0de": [11, 11], "50294aa1": [6, 6] },
};

const accounted = ({ decoded, tombstones }: StateSurvey): number => decoded + tombstones;

describe.each(Object.entries(WITH_MANIFEST))("%s", (name, expected) => {
  it.each(Object.entries(expected))("context %s with its manifest", async (context, [entities, reached]) => {
    await using store = await fixtureStore(name);
    const { manifest, privateTypes } = manifestsOf(name, context);
    const id = await contextStartingWith(store, context);
    const secrets = privateTypes !== undefined;
    const survey = await surveyState(await stateOf(store, id, { manifest, privateTypes, secrets }));
    expect([survey.entities, accounted(survey)]).toEqual([entities, reached]);
    expect([survey.unreachable, survey.problems]).toEqual([[], []]);
  });
});

/** Snapshots that were interrupted: no root, and entries that have not come yet. */
const INTERRUPTED = {
  "core-0.11": { RootMissing: 1, EntryMissing: 1 },
  "core-0.10": { RootMissing: 1, CollectionMissing: 1 },
};

/** By database: manifest, entities, accounted entities in complete contexts, and the problems. */
const TOTALS: readonly (readonly [
  string,
  string | undefined,
  number,
  number,
  Readonly<Record<string, number>>,
])[] = [
  // Without a manifest, only values of the application's own structs are left.
  ["core-0.11/node-a", undefined, 238, 235, { TypeUnknown: 1 }],
  ["core-0.10/node-a", undefined, 132, 127, { TypeUnknown: 1 }],
  ["core-0.11/log", "core-0.11/crate-fixture", 131, 120, INTERRUPTED["core-0.11"]],
  ["core-0.10/tables", "core-0.10/crate-fixture", 82, 74, INTERRUPTED["core-0.10"]],
  // An empty shared text is four zero bytes, like the number 0, and no row tells which.
  ["core-0.11/log", undefined, 131, 118, { ...INTERRUPTED["core-0.11"], Ambiguous: 2 }],
  ["core-0.10/tables", undefined, 82, 74, INTERRUPTED["core-0.10"]],
];

it.each(TOTALS)("%s, manifest %s", async (name, manifest, entities, reached, problems) => {
  await using store = await fixtureStore(name);
  const sums = { entities: 0, accounted: 0 };
  const counts: Record<string, number> = {};
  for (const context of await contextsOf(store)) {
    const state = await stateOf(store, context, {
      manifest: manifest === undefined ? undefined : manifestOf(manifest),
    });
    const survey = await surveyState(state);
    const isWhole = !survey.problems.some((one) => one.name === "RootMissing");
    expect(accounted(survey) + survey.undecoded + survey.unreachableCount).toBe(survey.entities);
    sums.entities += survey.entities;
    if (isWhole) sums.accounted += accounted(survey);
    for (const one of survey.problems) counts[one.name] = (counts[one.name] ?? 0) + 1;
  }
  expect([sums, counts]).toEqual([{ entities, accounted: reached }, problems]);
});
