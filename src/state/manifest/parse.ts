/** Manifests from JSON. */
import { isBytes } from "../../bytes/bytes.js";
import { fromHex } from "../../bytes/hex.js";
import { quoted } from "../../bytes/visible.js";
import { orUndefined } from "../../errors.js";
import { checkArgument } from "../../options.js";
import { endlessType } from "./endless.js";
import { isModestJson } from "./json-text.js";
import {
  type EventDefinition,
  isManifest,
  type Manifest,
  type Method,
  type Migration,
  type PrivateStructType,
  type TypeDefinition,
} from "./manifest.js";
import { ManifestError } from "./manifest-error.js";
import { JsonPlace } from "./place.js";
import { TypeParser } from "./type-parser.js";

/** Bytes of JSON that are read as a manifest: the largest of the sample applications has 60 KB. */
const MOST_BYTES = 8 * 1024 * 1024;

const VERSION = /^wasm-abi\/(\d{1,9})(?:\.\d{1,9})?$/;

/**
 * A manifest from its JSON: UTF-8 bytes, a text, or a value from `JSON.parse`. Unknown members are ignored, and the
 * order of methods and events means nothing.
 *
 * @throws ManifestError `ABI_INVALID`, `ABI_UNSUPPORTED_VERSION`, `ABI_UNKNOWN_KIND`, `ABI_UNKNOWN_CRDT` or
 * `ABI_TYPE_NOT_FOUND`, with the place in the JSON
 */
export function parseManifest(input: unknown): Manifest {
  const root = JsonPlace.root(typeof input === "string" || isBytes(input) ? parsed(input) : input);
  const version = root.member("schema_version");
  checkVersion(version);
  const parser = new TypeParser();
  const types = new Map(
    root
      .member("types")
      .entries()
      .map(([name, place]) => [name, parser.definition(place)]),
  );
  const methods = root.itemsOf("methods").map((place) => method(place, parser));
  const events = root.itemsOf("events").map((place) => event(place, parser));
  const stateRoot = root.optional("state_root");
  const privateStructs = root.itemsOf("private").map((place) => privateStruct(place, types));
  for (const { name, place } of parser.references) checkType(types, name, place);
  if (stateRoot !== undefined) checkType(types, stateRoot.text(), stateRoot);
  const endless = endlessType(types);
  if (endless !== undefined)
    throw root
      .member("types")
      .member(endless)
      .wrong("ABI_INVALID", "the type contains itself without an end, or is an alias of too many others");
  return {
    schemaVersion: version.text(),
    types,
    methods,
    events,
    stateRoot: stateRoot?.text(),
    stateVersion: root.optional("state_version")?.u32() ?? 1,
    migrations: root.itemsOf("migrations").map(migration),
    privateStructs,
  };
}

/**
 * The name of the type of a manifest's state.
 *
 * @throws ManifestError `ABI_NO_STATE_ROOT` if the manifest names none
 */
export function stateRootOf(manifest: Manifest): string {
  checkArgument("stateRootOf", manifest, isManifest);
  const { stateRoot } = manifest;
  if (stateRoot !== undefined) return stateRoot;
  throw new ManifestError("ABI_NO_STATE_ROOT", "$", '"state_root" is missing: the application has no state');
}

function parsed(input: string | Uint8Array): unknown {
  const wrong = (problem: string): ManifestError => new ManifestError("ABI_INVALID", "$", problem);
  if (input.length > MOST_BYTES) throw wrong(`longer than ${MOST_BYTES} bytes`);
  const text =
    typeof input === "string"
      ? input
      : orUndefined(() => new TextDecoder("utf-8", { fatal: true }).decode(input));
  if (text === undefined) throw wrong("not a text in UTF-8");
  if (!isModestJson(text)) throw wrong("nested too deeply, or more values than any manifest has");
  try {
    return JSON.parse(text);
  } catch {
    throw wrong("not JSON"); // the message of the parser quotes the text
  }
}

function checkVersion(place: JsonPlace): void {
  const major = VERSION.exec(place.text())?.[1];
  if (major === undefined)
    throw place.wrong("ABI_INVALID", `expected wasm-abi/1, found ${quoted(place.value)}`);
  if (Number(major) !== 1)
    throw place.wrong(
      "ABI_UNSUPPORTED_VERSION",
      `version ${Number(major)} of manifests is unknown; this package reads version 1`,
    );
}

function method(place: JsonPlace, parser: TypeParser): Method {
  parser.count(place);
  return {
    name: place.member("name").text(),
    params: parser.fields(place.member("params")),
    returns: parser.optional(place, "returns"),
    returnsNullable: place.optional("returns_nullable")?.flag() ?? false,
    errors: place.itemsOf("errors").map((error) => {
      parser.count(error);
      return { code: error.member("code").text(), payload: parser.optional(error, "payload") };
    }),
    intent: place.optional("intent")?.choice(["read_only", "mutating"] as const),
    xcallCallable: place.optional("xcall_callable")?.flag(),
    xcallCallers: place.optional("xcall_callers")?.text(),
  };
}

function event(place: JsonPlace, parser: TypeParser): EventDefinition {
  parser.count(place);
  return { name: place.member("name").text(), payload: parser.optional(place, "payload") };
}

function migration(place: JsonPlace): Migration {
  return { method: place.member("method").text(), fromVersion: place.member("fromVersion").u32() };
}

function privateStruct(place: JsonPlace, types: ReadonlyMap<string, TypeDefinition>): PrivateStructType {
  const type = place.member("type");
  checkType(types, type.text(), type);
  const key = place.optional("key");
  const bytes = key && orUndefined(() => fromHex(key.text()));
  if (key !== undefined && bytes?.length !== 32)
    throw key.wrong("ABI_INVALID", "a state key is 64 hex digits");
  return { type: type.text(), key: bytes };
}

function checkType(types: ReadonlyMap<string, TypeDefinition>, name: string, place: JsonPlace): void {
  if (!types.has(name)) throw place.wrong("ABI_TYPE_NOT_FOUND", `there is no type ${quoted(name)}`);
}
