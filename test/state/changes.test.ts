/** The actions of all deltas of the real nodes' databases as changes of the applications' data. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import type { Action, Action010 } from "../../src/payloads/index.js";
import { type StateChange, StateChanges, stateOf } from "../../src/state/index.js";
import type { Store } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";
import { contextStartingWith, fixtureStore, manifestOf } from "./support.js";

type AnyAction = Action | Action010;

const contexts = JSON.parse(readFileSync(fixturePath("abi", "contexts.json"), "utf8")) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/** The actions of a context's deltas, in the order of their clocks. */
async function deltasOf(store: Store, context: Uint8Array): Promise<readonly (readonly AnyAction[])[]> {
  const deltas: { readonly time: bigint; readonly actions: readonly AnyAction[] }[] = [];
  for await (const { key, value } of store.scan("ContextDagDelta")) {
    if (value === undefined || toHex(key.contextId) !== toHex(context)) continue;
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
  const revision = name.split("/")[0] as string;
  const [first = "", second] = (contexts[name]?.[context] ?? "").split(" + ");
  const manifest = manifestOf(`${revision}/${first.replace(".json", "")}`);
  const privateTypes = second === undefined ? undefined : manifestOf(`${revision}/${second.replace(".json", "")}`);
  const id = await contextStartingWith(store, context);
  const state = await stateOf(store, id, { manifest, privateTypes, secrets });
  const explainer = new StateChanges(state);
  const deltas = await deltasOf(store, id);
  const changes: StateChange[] = [];
  for (const actions of deltas) changes.push(...(await explainer.explain(actions)));
  return { changes, actions: deltas.flat() };
}

/** Actions with data of which the change is not known. */
function unknown({ changes, actions }: Explained): readonly StateChange[] {
  const withData = new Set(actions.filter((action) => "data" in action).map(({ id }) => toHex(id)));
  return changes.filter(({ problem, entity }) => problem !== undefined && withData.has(entity));
}

describe.each(["core-0.11/node-a", "core-0.10/node-a"])("%s", (name) => {
  it("explains all actions but those of collections that nothing names", async () => {
    let withData = 0;
    const left: StateChange[] = [];
    for (const context of Object.keys(contexts[name] as object)) {
      const one = await explained(name, context);
      withData += one.actions.filter((action) => "data" in action).length;
      left.push(...unknown(one));
    }
    console.log(name, withData, left);
  });
});
