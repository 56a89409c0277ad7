/** The actions of all deltas of the real nodes' databases as changes of the applications' data. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import type { Action010, Action011 } from "../../src/payloads/index.js";
import { type StateChange, StateChanges, stateOf } from "../../src/state/index.js";
import type { Store } from "../../src/store/index.js";
import { contextStartingWith, contextsWithManifest, fixtureStore, manifestsOf } from "./support.js";

type AnyAction = Action011 | Action010;

/** The actions of a context's deltas, in the order of their clocks. */
async function deltasOf(store: Store, context: Uint8Array): Promise<readonly (readonly AnyAction[])[]> {
  const deltas: { readonly time: bigint; readonly actions: readonly AnyAction[] }[] = [];
  for await (const { value } of store.table("ContextDagDelta").scan({ prefix: { contextId: context } })) {
    if (value === undefined) continue;
    const { actions, hlc } = value as { actions: { value: readonly AnyAction[] }; hlc: { time: bigint } };
    deltas.push({ time: hlc.time, actions: actions.value });
  }
  return deltas.sort((a, b) => (a.time < b.time ? -1 : 1)).map(({ actions }) => actions);
}

interface Explained {
  readonly changes: readonly StateChange[];
  readonly actions: readonly AnyAction[];
}

async function explained(name: string, context: string, secrets = false): Promise<Explained> {
  await using store = await fixtureStore(name);
  const id = await contextStartingWith(store, context);
  const state = await stateOf(store, id, { ...manifestsOf(name, context), secrets });
  const explainer = new StateChanges(state);
  const deltas = await deltasOf(store, id);
  const changes: StateChange[] = [];
  for (const actions of deltas) changes.push(...(await explainer.explain(actions)));
  return { changes, actions: deltas.flat() };
}

/** Actions with data whose change is unknown. */
function unknown({ changes, actions }: Explained): readonly StateChange[] {
  const withData = new Set(actions.filter((action) => "data" in action).map(({ id }) => toHex(id)));
  return changes.filter(({ problem, entity }) => problem !== undefined && withData.has(entity));
}

it.each([
  // Collections that existed only inside one delta, and were put into others later.
  ["core-0.11/node-a", 719, 3],
  // The private map.
  ["core-0.10/node-a", 396, 1],
])("%s: all of %i actions with data are explained but %i", async (name, withData, left) => {
  const all = await Promise.all(contextsWithManifest(name).map((context) => explained(name, context)));
  const actions = all.flatMap((one) => one.actions.filter((action) => "data" in action));
  expect([actions.length, all.flatMap(unknown).length]).toEqual([withData, left]);
});

/** The changes of an application: `path = value`, `delete path` or `create path`. */
function lines({ changes }: Explained): readonly string[] {
  return changes.flatMap(({ kind, path, value }) => {
    if (kind === "none" || path === undefined) return [];
    return kind === "set" ? `${path} = ${JSON.stringify(value)}` : `${kind} ${path}`;
  });
}

describe("changes", () => {
  it("of a map name the keys, and so do deletions", async () => {
    const found = lines(await explained("core-0.11/node-a", "b875f1c0"));
    expect(found).toEqual(
      expect.arrayContaining(["create items", 'items["a10"] = "first 10"', 'delete items["a5"]']),
    );
  });

  it("of collections inside others have whole paths", async () => {
    const found = lines(await explained("core-0.11/node-a", "a2a4613d"));
    expect(found).toEqual(
      expect.arrayContaining([
        'metadata["o"]["i1"] = "z"',
        'registers["r1"] = "x"',
        'sorted_scores["s1"] = "10"',
        'create tags["t"]',
        'tags["t"]["g1"] = "g1"',
      ]),
    );
    expect(found.filter((line) => /^create metrics\[\d\]$/.test(line))).toHaveLength(3);
  });

  it("of user, frozen and shared storage", async () => {
    const account = "de2a2d2033c99ec1fb2c35d355963cff50bc699a347bf3b9acf54b7f4d689033";
    expect(lines(await explained("core-0.11/node-a", "dfdbd9a9"))).toEqual(
      expect.arrayContaining([
        `user_items_simple["${account}"] = "u3"`,
        'frozen_items["e9155bcf1044da14c1ed490548326ed20a9e95dba4ae38cb6efa268c0bd85f6b"] = "ice 1"',
      ]),
    );
    expect(lines(await explained("core-0.11/node-a", "d0d840d7"))).toEqual(
      expect.arrayContaining(['shared_value = "due"', 'shared_map["k"] = "v"']),
    );
  });

  it("of private collections are explained only where secrets were asked for", async () => {
    const hidden = await explained("core-0.10/node-a", "50294aa1");
    expect(JSON.stringify(hidden.changes)).not.toContain("made-up secret");
    const shown = await explained("core-0.10/node-a", "50294aa1", true);
    expect(
      shown.changes.filter(({ isSecret }) => isSecret).map(({ path, value }) => [path, value]),
    ).toContainEqual(['Secrets.secrets["g"]', "made-up secret"]);
    expect(unknown(shown)).toEqual([]);
  });
});
