/** The context of 10,000 entities that `fixtures/core-1.0/state/generate.py` made, in memory. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fromHex } from "../../src/bytes/hex.js";
import type { WriteOperation } from "../../src/engine/engine.js";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import { core10 } from "../../src/schemas/index.js";
import { type Manifest, parseManifest, type State, stateOf } from "../../src/state/index.js";
import { type Store, storeOn } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";

const file = (name: string): Buffer => readFileSync(fixturePath("core-1.0", "state", name));

/** The numbers of the context. */
export const about = JSON.parse(file("about.json").toString()) as {
  readonly context: string;
  readonly rootHash: string;
  readonly entities: number;
  /** Deleted entities. */
  readonly deleted: number;
  readonly rows: number;
  readonly private: Readonly<Record<string, string>>;
};

/** The fields of the state as JSON. */
export const expected = JSON.parse(gunzipSync(file("expected.json.gz")).toString()) as Readonly<
  Record<string, unknown>
>;

/** The manifest of the application. */
export const manifest: Manifest = parseManifest(file("abi.json"));
/** The types of its private structs. */
export const privateTypes: Manifest = parseManifest(file("private.json"));

/** All rows. */
export const rows: readonly (WriteOperation & { readonly type: "put" })[] = gunzipSync(file("rows.txt.gz"))
  .toString()
  .trimEnd()
  .split("\n")
  .map((line) => {
    const [column, key, value] = line.split(" ") as [string, string, string];
    return { type: "put", column, key: fromHex(key), value: fromHex(value) };
  });

/** A store with the rows and these changes. */
export async function storeOf(changes: readonly WriteOperation[] = []): Promise<Store> {
  const engine = openMemoryEngine({ columns: core10.columns });
  await engine.write([...rows, ...changes]);
  return storeOn(engine, { schema: core10 });
}

/** The state in a store. */
export function stateIn(store: Store): Promise<State> {
  return stateOf(store, about.context, { manifest });
}
