/** The reading of rows of State and of manifests, as lines that `fixtures/rust/published` answers. */
import { concat } from "../../src/bytes/concat.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { Reader, ReadFailure, varint } from "../../src/codec/index.js";
import { entityData, entityRow } from "../../src/layouts/index.js";
import { CrdtType } from "../../src/payloads/index.js";
import { type Manifest, manifestOfWasm, manifestToJson, parseManifest } from "../../src/state/index.js";

/** A line with a rule of merging. */
export interface KindLine {
  readonly type: "crdt-type";
  readonly bytes: string;
  readonly kind: string | null;
  readonly typeId: string | null;
  readonly written: string | null;
}

/** A line with the row of an entity. */
export interface RowLine {
  readonly type: "entity-row";
  readonly id: string;
  readonly bytes: string;
  readonly isRow: boolean;
  readonly index: string | null;
  readonly data: string | null;
}

/** A line with a module of WebAssembly. */
export interface ManifestLine {
  readonly type: "manifest";
  readonly wasm: string;
  readonly manifest: object | null;
}

/** The rule that bytes name, as merostore reads and writes it. */
export function kindLine(bytes: string): KindLine {
  const found = CrdtType.readWhole(fromHex(bytes));
  if (found instanceof ReadFailure)
    return { type: "crdt-type", bytes, kind: null, typeId: null, written: null };
  return {
    type: "crdt-type",
    bytes,
    kind: "content" in found ? `${found.kind} ${found.content}` : found.kind,
    typeId: "typeId" in found ? `${found.typeId}` : null,
    written: toHex(CrdtType.encode(found)),
  };
}

/** The parts of a row of an entity, as merostore finds them. */
function rowLine(id: string, bytes: Uint8Array): RowLine {
  const reader = new Reader(bytes);
  const flags = reader.u8();
  const index = (flags & 1) === 0 ? null : toHex(reader.take(Number(varint.read(reader))));
  const data = entityData(bytes, fromHex(id));
  return { type: "entity-row", id, bytes: toHex(bytes), isRow: true, index, data: data ? toHex(data) : null };
}

const SECTION = new TextEncoder().encode("calimero_abi_v1");

/** A module that has a manifest, as merostore writes its JSON. */
function manifestLine(manifest: Manifest): ManifestLine {
  const json = manifestToJson(manifest);
  const text = new TextEncoder().encode(JSON.stringify(json));
  const size = varint.encode(BigInt(1 + SECTION.length + text.length));
  const head = fromHex("0061736d01000000" + "00");
  const wasm = concat(head, size, Uint8Array.of(SECTION.length), SECTION, text);
  return { type: "manifest", wasm: toHex(wasm), manifest: json };
}

/**
 * The lines for Rust: rows of entities read and written again, rules of merging, and manifests.
 *
 * @param rows column, key and value in hex
 * @param manifests JSON
 */
export function linesForRust(rows: readonly string[], manifests: readonly string[]): readonly object[] {
  const written = rows.flatMap((row) => {
    const [column, hex = "", value = ""] = row.split(" ");
    const key = fromHex(hex);
    if (column !== "State" || key[32] !== 0) return [];
    const id = key.subarray(33);
    const codec = entityRow(id);
    return rowLine(toHex(id), codec.encode(codec.decode(fromHex(value))));
  });
  const tags = [..."123456789ab"]
    .map((digit) => `8${digit}`)
    .concat(["8d", "8f", "90", "8000", "8001", "8002"]);
  const kinds = tags.concat("8e0102030405060708").map(kindLine);
  return [...written, ...kinds, ...manifests.map((json) => manifestLine(parseManifest(JSON.parse(json))))];
}

/** The manifest in a module, as JSON. */
export function manifestIn(wasm: string): object {
  return manifestToJson(manifestOfWasm(fromHex(wasm)));
}
