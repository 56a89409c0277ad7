import { readFileSync } from "node:fs";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import { core011 } from "../../src/schemas/index.js";
import { type ContextReplay, type Manifest, readerAt } from "../../src/state/index.js";
import { parseManifest } from "../../src/state/manifest/parse.js";
import { openStore, type Store, type StoreReader, storeOn } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";

/** A manifest of the fixtures: `core-0.11/kv-store`. */
export function manifestOf(name: string): Manifest {
  return parseManifest(readFileSync(fixturePath("abi", `${name}.json`)));
}

const contexts = JSON.parse(readFileSync(fixturePath("abi", "contexts.json"), "utf8")) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/** The contexts of a fixture's database whose application is known, by the first digits of their ids. */
export const contextsWithManifest = (fixture: string): readonly string[] =>
  Object.keys(contexts[fixture] ?? {});

/** The manifest of a context's application, and that of its private structs if it has any. */
export function manifestsOf(fixture: string, context: string) {
  const [first = "", second] = (contexts[fixture]?.[context] ?? "")
    .split(" + ")
    .map((file) => manifestOf(`${fixture.split("/")[0]}/${file.replace(".json", "")}`));
  return { manifest: first as Manifest, privateTypes: second };
}

/** The store of a fixture's database. */
export function fixtureStore(name: string): Promise<Store> {
  return openStore(fixturePath(name, "db"));
}

/** The store of the zoo's rows. */
export async function zooStore(): Promise<Store> {
  const engine = openMemoryEngine({ columns: core011.columns });
  const rows = readFileSync(fixturePath("abi", "zoo", "rows.txt"), "utf8")
    .trimEnd()
    .split("\n");
  await engine.write(
    rows.map((row) => {
      const [key, value] = row.split(" ") as [string, string];
      return { type: "put", column: "State", key: fromHex("c7".repeat(32) + key), value: fromHex(value) };
    }),
  );
  return storeOn(engine, { schema: core011 });
}

/**
 * A database whose node deleted an entity and no longer knows that: no row has the entity, and no hash includes it. The
 * replay changes.
 */
export function forgetting(store: Store, replay: ContextReplay, entity: string): Promise<StoreReader> {
  const tree = replay.tree.byNumber;
  const number = tree.numberOf(fromHex(entity));
  tree.dropChild(tree.get(number)?.parent as number, number);
  tree.remove(number);
  return readerAt(store, replay);
}

/** The contexts that have rows in State. */
export async function contextsOf(store: Store): Promise<readonly Uint8Array[]> {
  const contexts = new Map<string, Uint8Array>();
  for await (const { key } of store.raw.scan("State", {}, { keysOnly: true }))
    contexts.set(toHex(key.subarray(0, 32)), new Uint8Array(key.subarray(0, 32)));
  return [...contexts.values()];
}

/** The context whose id begins with these digits. */
export async function contextStartingWith(store: Store, digits: string): Promise<Uint8Array> {
  const found = (await contextsOf(store)).find((id) => toHex(id).startsWith(digits));
  if (found === undefined) throw new Error(`no context ${digits}`);
  return found;
}
