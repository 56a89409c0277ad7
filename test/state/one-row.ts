/** The context of 10,000 entities that `fixtures/core-1.0/state/generate.py` made, in memory. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fromHex } from "../../src/bytes/hex.js";
import type { WriteOperation } from "../../src/engine/engine.js";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import { core10 } from "../../src/schemas/index.js";
import { type Manifest, parseManifest, type State, stateOf } from "../../src/state/index.js";
import { type Store, storeOn } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";

const folder = fixturePath("core-1.0", "state");

/** The context that the program made in a folder. */
export function contextIn(folder: string) {
  const file = (name: string): Buffer => readFileSync(join(folder, name));
  return {
    /** The numbers of the context. */
    about: JSON.parse(file("about.json").toString()) as {
      readonly context: string;
      readonly rootHash: string;
      readonly entities: number;
      /** Deleted entities. */
      readonly deleted: number;
      readonly rows: number;
      readonly private: Readonly<Record<string, string>>;
    },
    /** The fields of the state as JSON. */
    expected: JSON.parse(gunzipSync(file("expected.json.gz")).toString()) as Readonly<
      Record<string, unknown>
    >,
    /** All rows. */
    rows: gunzipSync(file("rows.txt.gz"))
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => {
        const [column, key, value] = line.split(" ") as [string, string, string];
        return { type: "put", column, key: fromHex(key), value: fromHex(value) } as const;
      }),
  };
}

export const { about, expected, rows } = contextIn(folder);

/** The manifest of the application. */
export const manifest: Manifest = parseManifest(readFileSync(join(folder, "abi.json")));
/** The types of its private structs. */
export const privateTypes: Manifest = parseManifest(readFileSync(join(folder, "private.json")));

/** A store with the rows and these changes. */
export async function storeOf(changes: readonly WriteOperation[] = [], all = rows): Promise<Store> {
  const engine = openMemoryEngine({ columns: core10.columns });
  await engine.write([...all, ...changes]);
  return storeOn(engine, { schema: core10 });
}

/** The state in a store. */
export function stateIn(store: Store): Promise<State> {
  return stateOf(store, about.context, { manifest });
}
