/** Private structs: what an application keeps on one node. Everything in them is secret. */
import { toHex } from "../bytes/hex.js";
import { privateStateKey } from "../digests/index.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";
import type { Scope } from "./collections/scope.js";
import { fieldsOfStruct, type StateField } from "./fields.js";
import type { Manifest } from "./manifest/manifest.js";
import type { StateProblem } from "./problem.js";

/** A private struct of an application on this node. Everything in it is secret. */
export interface PrivateStruct {
  /** The name of its Rust type. */
  readonly name: string;
  /** Its state key, 64 hex digits: SHA-256 of the name. */
  readonly key: string;
  /** Its fields, with lazy collections in them. */
  readonly fields: readonly StateField[];
  /** What is wrong with the whole; undefined where nothing is. */
  readonly problem: StateProblem | undefined;
}

/** Reads the private structs of the types in a manifest that are there. Nodes of core-0.10 keep their collections in State. */
export async function readPrivateStructs(
  _reader: StoreReader<Schema>,
  scope: Scope,
  manifest: Manifest,
): Promise<readonly PrivateStruct[]> {
  const structs: PrivateStruct[] = [];
  const rows = scope.rows.in("PrivateState");
  for (const name of manifest.types.keys()) {
    const type = scope.types.named(name);
    if (type?.kind !== "record") continue;
    const key = privateStateKey(name);
    const data = await rows.valueAt(key);
    if (data === undefined) continue;
    const found = await fieldsOfStruct(scope, type, data, { path: name, isNamed: false });
    structs.push({ name, key: toHex(key), ...found });
  }
  return structs;
}
