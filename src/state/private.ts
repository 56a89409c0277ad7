/** Private structs: data that an application keeps on one node. Everything in them is secret. */
import { toHex } from "../bytes/hex.js";
import { privateStateKey } from "../digests/index.js";
import type { Scope } from "./collections/scope.js";
import { fieldsOfStruct, type StateField, type Struct } from "./fields.js";
import type { Manifest } from "./manifest/manifest.js";
import type { StateProblem } from "./problem.js";

/** A private struct of an application on this node. Everything in it is secret. */
export interface PrivateStruct {
  /** The name of its Rust type. */
  readonly name: string;
  /** Its state key, 64 hex digits: SHA-256 of the name unless the application chose another. */
  readonly key: string;
  /** Its fields, with lazy collections in them. */
  readonly fields: readonly StateField[];
  /** The problem of the whole; undefined if there is none. */
  readonly problem: StateProblem | undefined;
}

/** A private struct, before its fields are read. */
export interface FoundStruct {
  /** The name of its Rust type. */
  readonly name: string;
  /** Its state key, 32 bytes. */
  readonly key: Uint8Array;
  /** Its bytes and their type. */
  readonly struct: Struct;
}

/**
 * Finds the private structs that are there: the structs that the manifest lists under `private`, or else its records by
 * their names.
 */
export async function findPrivateStructs(scope: Scope, manifest: Manifest): Promise<readonly FoundStruct[]> {
  const found: FoundStruct[] = [];
  const rows = scope.rows.in("PrivateState");
  const listed = manifest.privateStructs ?? [];
  const structs =
    listed.length > 0 ? listed : [...manifest.types.keys()].map((type) => ({ type, key: undefined }));
  for (const { type: name, key = privateStateKey(name) } of structs) {
    const type = scope.types.named(name);
    if (type?.kind !== "record") continue;
    const bytes = await rows.valueAt(scope.rows.layout.privateKey(key));
    if (bytes !== undefined) found.push({ name, key, struct: { type, bytes, path: name, isNamed: false } });
  }
  return found;
}

/** Reads the private structs that are there. Nodes of core-0.10 keep the collections in them in State. */
export async function readPrivateStructs(
  scope: Scope,
  manifest: Manifest,
): Promise<readonly PrivateStruct[]> {
  const read: PrivateStruct[] = [];
  for (const { name, key, struct } of await findPrivateStructs(scope, manifest))
    read.push({ name, key: toHex(key), ...(await fieldsOfStruct(scope, struct)) });
  return read;
}
