/**
 * Made-up secrets in every place that a revision has for secrets, and the search for them: in hex, base58, base64, as
 * lists of numbers, as text, and truncated.
 */
import { toBase58 } from "../../src/bytes/base58.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import type { Codec, Json } from "../../src/codec/index.js";
import { indexStateKey } from "../../src/digests/index.js";
import { scopeBytes } from "../../src/keys/generic.js";
import type { AnyRow, Schema } from "../../src/schemas/index.js";
import { type PrivateCollections, privateCollections } from "./private-collections.js";
import { randomNumbers, randomValue } from "./random-values.js";
import type { HexRow } from "./transfer.js";

/** A row with secrets in it. */
export interface Planted extends HexRow {
  /** Null for a row that no schema knows. */
  readonly kind: string | null;
  readonly canaries: readonly Uint8Array[];
  /** True if its value decodes. */
  readonly whole: boolean;
  /** True if other rows of the database make it secret: the row alone does not show that. */
  readonly byDatabase?: boolean;
}

/** The form of a value: whole, or damaged in one of three ways. */
type Form = "whole" | "short" | "long" | "half";

type Random = () => number;
type Fields = { readonly [name: string]: Json };

/**
 * Rows of a revision with secrets: rows of every kind with secrets, whole and damaged, and rows of unknown kinds. Their
 * keys are the same for every seed.
 *
 * @param alone the form of rows of kinds with a single row in a database
 */
export function plantedRows(schema: Schema, seed: number, alone: Form = "whole"): readonly Planted[] {
  const keys = randomNumbers(7);
  const random = randomNumbers(seed);
  const rows = schema.rows.flatMap((row) => [...ofKind(schema, row, keys, random, alone)]);
  const unknown = ["Meta", "Group", "Mystery"].map((column): Planted => {
    const canary = bytesOf(random, 40);
    const key = `ff${toHex(bytesOf(keys, 5))}`;
    return { column, key, value: toHex(canary), kind: null, canaries: [canary], whole: true };
  });
  return [...rows, ...unknown, ...inCollections(schema, seed)];
}

/** Rows of the context of the private collections that are not secret. */
export function openRows(): readonly HexRow[] {
  return collections(0).open;
}

/**
 * Private collections as nodes of core-0.10 write them. A node of core-0.11 may have taken them over; a node of
 * core-1.0 begins with an empty store.
 */
function inCollections(schema: Schema, seed: number): readonly Planted[] {
  if (schema.name === "core-1.0") return [];
  return collections(seed).secret.map(({ partly: _, ...row }) => ({
    ...row,
    whole: decodes(schema.row(row.kind).value, fromHex(row.value)),
    byDatabase: row.kind !== "ContextPrivateState",
  }));
}

function collections(seed: number): PrivateCollections {
  const [keys, random] = [randomNumbers(77), randomNumbers(7700 + seed)];
  return privateCollections(
    (size) => bytesOf(keys, size),
    (size) => bytesOf(random, size),
  );
}

function* ofKind(schema: Schema, row: AnyRow, keys: Random, random: Random, alone: Form): Iterable<Planted> {
  const { column, kind, value: codec, alternative } = row;
  const of = (key: Uint8Array, value: Uint8Array, canaries: readonly Uint8Array[], whole = true): Planted => {
    if (schema.identify(column, key) !== row) throw new Error(`a key of ${kind} is none`);
    if (!row.secret(row.key.fromBytes(key))) throw new Error(`${kind} is not secret`);
    return { column, kind, key: toHex(key), value: toHex(value), canaries, whole };
  };
  if (kind === "Generic") {
    const text = textOf(random);
    const certificate = new TextEncoder().encode(JSON.stringify({ cert: "public", key: text }));
    const key = new Uint8Array([...(scopeBytes("ssl_certs:server") as Uint8Array), ...bytesOf(keys, 32)]);
    yield of(key, certificate, [new TextEncoder().encode(text)]);
    const canary = bytesOf(random, 64);
    yield of(keyOf(row, keys), canary, [canary]);
  } else if (kind === "ContextPrivateState") {
    const canary = bytesOf(random, 64);
    yield of(keyOf(row, keys), canary, [canary]);
    // Since core-1.0 the row of an entity does not name it, and private data is separate.
    if (alternative?.type !== "EntityIndex") return;
    const index = privateIndex(alternative, bytesOf(keys, 32), random);
    const key = new Uint8Array([...bytesOf(keys, 32), ...index.stateKey]);
    yield of(key, index.value, index.canaries);
  } else if (codec.secret) {
    const forms: readonly Form[] = row.key.SIZE === 1 ? [alone] : ["whole", "short", "long", "half"];
    for (const form of forms) {
      const { value, canaries } = withSecrets(codec, random);
      const bytes = damaged(value, form);
      // A cut value keeps only a part of its secrets.
      const there = canaries
        .map((canary) => (form === "whole" ? canary : canary.subarray(0, 24)))
        .filter((canary) => toHex(bytes).includes(toHex(canary)));
      if (form !== "whole" && decodes(codec, bytes)) throw new Error(`${kind} is not damaged`);
      yield of(keyOf(row, keys), bytes, there, form === "whole");
    }
  }
}

function damaged(value: Uint8Array, form: Form): Uint8Array {
  if (form === "short") return value.subarray(0, -1);
  if (form === "half") return value.subarray(0, (value.length >> 1) + 9);
  return form === "long" ? new Uint8Array([...value, 0]) : value;
}

function keyOf({ key }: AnyRow, keys: Random): Uint8Array {
  const bytes = bytesOf(keys, key.SIZE);
  if (key.PREFIX !== undefined) bytes[0] = key.PREFIX;
  return bytes;
}

/** A value with made-up secrets, as many as it can have. */
function withSecrets(codec: Codec<unknown>, random: Random): { value: Uint8Array; canaries: Uint8Array[] } {
  let best: { readonly json: Json; readonly hidden: Json; readonly secrets: number } = {
    json: null,
    hidden: null,
    secrets: 0,
  };
  for (let attempt = 0; attempt < 200; attempt++) {
    const value = randomValue(codec, random);
    const hidden = codec.toJson(value, { redactSecrets: true });
    const secrets = JSON.stringify(hidden).split('"redacted"').length - 1;
    if (secrets > best.secrets) best = { json: codec.toJson(value), hidden, secrets };
  }
  const canaries: Uint8Array[] = [];
  const json = replaced(best.json, best.hidden, (text) => {
    const canary = bytesOf(random, Math.max(32, text.length / 2));
    canaries.push(canary);
    return toHex(canary);
  });
  if (canaries.length !== best.secrets || canaries.length === 0)
    throw new Error(`not all secrets of ${codec.signature} are texts`);
  return { value: codec.encode(codec.fromJson(json)), canaries };
}

/** The same JSON, with each redacted text replaced. */
function replaced(plain: Json, hidden: Json, by: (text: string) => string): Json {
  if (hidden === "redacted") return by(plain as string);
  if (typeof plain !== "object" || plain === null) return plain;
  if (Array.isArray(plain))
    return plain.map((one: Json, at) => replaced(one, (hidden as Json[])[at] as Json, by));
  return Object.fromEntries(
    Object.entries(plain as Fields).map(([name, one]) => [
      name,
      replaced(one, (hidden as Fields)[name] as Json, by),
    ]),
  );
}

/** Fields of metadata that are texts of the application. */
const TEXTS = ["fieldName", "value", "innerType", "keyType", "valueType", "elementType"];

/** An index row of the private state: every id, hash and text in it is a secret, except its own id. */
function privateIndex(codec: Codec<unknown>, id: Uint8Array, random: Random) {
  const canaries: Uint8Array[] = [];
  const planted = (size: number): string => {
    const canary = bytesOf(random, size);
    canaries.push(canary);
    return toHex(canary);
  };
  const plant = (value: Json, name = ""): Json => {
    if (typeof value === "string" && /^([0-9a-f]{64}|[0-9a-f]{128})$/.test(value))
      return planted(value.length / 2);
    if (typeof value === "string" && TEXTS.includes(name)) {
      const text = textOf(random);
      canaries.push(new TextEncoder().encode(text));
      return text;
    }
    if (Array.isArray(value)) return value.map((one: Json) => plant(one));
    if (typeof value !== "object" || value === null) return value;
    // The keys of a map of writers are secrets too.
    return Object.fromEntries(
      Object.entries(value as Fields).map(([key, one]) => [
        key.length === 64 ? planted(32) : key,
        plant(one, key),
      ]),
    );
  };
  let json: Json = null;
  for (let attempt = 0, best = -1; attempt < 3000 && best < 3; attempt++) {
    const tried = codec.toJson(randomValue(codec, random));
    const places = placesIn(tried as Fields);
    if (places > best) [json, best] = [tried, places];
  }
  const fields = plant({ ...(json as Fields), id: "" }) as Fields;
  const value = codec.encode(codec.fromJson({ ...fields, id: toHex(id) }));
  return { value, canaries, stateKey: indexStateKey(id) };
}

/** The number of kinds of places for secrets in an index row: children, a text, and the keys of a map of writers. */
function placesIn({ children, metadata }: Fields): number {
  const { fieldName, storageType } = metadata as Fields;
  const { writers } = storageType as Fields;
  const has = [
    children !== null && (children as Json[]).length > 0,
    typeof fieldName === "string" && fieldName !== "",
    writers !== undefined && Object.keys(writers as Fields).length > 0,
  ];
  return has.filter(Boolean).length;
}

function decodes(codec: Codec<unknown>, bytes: Uint8Array): boolean {
  try {
    codec.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function bytesOf(random: Random, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, () => Math.floor(random() * 256));
}

function textOf(random: Random): string {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return Array.from({ length: 24 }, () => letters[Math.floor(random() * letters.length)]).join("");
}

/** The number of characters that identify a canary: fewer would be found by chance. */
const WINDOW = 12;

/** The number of first characters of a longer text that people see before an ellipsis. */
const EXCERPT = 8;

/** Finds canaries in texts, in all forms. */
export class CanarySearch {
  /** Pieces of all forms, of `WINDOW` characters. */
  readonly #windows = new Map<string, number>();
  /** Nonzero for the beginnings of pieces, so that few other places of a text are looked up. */
  readonly #beginnings = new Uint8Array(1 << 16);
  readonly #excerpts = new Map<string, number>();
  readonly #numbers = new Map<string, number>();
  readonly #raw: readonly string[];

  constructor(canaries: readonly Uint8Array[]) {
    for (const [at, bytes] of canaries.entries()) {
      for (const form of formsOf(bytes)) {
        for (const start of [0, WINDOW, form.length - WINDOW]) {
          const piece = form.substring(start, start + WINDOW);
          this.#windows.set(piece, at);
          this.#beginnings[beginningOf(piece, 0)] = 1;
        }
      }
      for (const form of [toHex(bytes), toBase58(bytes)]) this.#excerpts.set(form.slice(0, EXCERPT), at);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let offset = 0; offset + 8 <= bytes.length; offset++) {
        for (const little of [true, false]) {
          this.#numbers.set(`${view.getUint32(offset, little)}`, at);
          this.#numbers.set(`${view.getBigUint64(offset, little)}`, at);
        }
      }
    }
    this.#raw = canaries.map((bytes) => Buffer.from(bytes).toString("utf8"));
  }

  /** The numbers of the canaries in a text. */
  find(text: string): ReadonlySet<number> {
    const found = new Set<number>();
    const note = (canary: number | undefined): void => {
      if (canary !== undefined) found.add(canary);
    };
    for (let at = 0; at + WINDOW <= text.length; at++)
      if (this.#beginnings[beginningOf(text, at)] === 1)
        note(this.#windows.get(text.substring(at, at + WINDOW)));
    for (let at = text.indexOf("…"); at >= 0; at = text.indexOf("…", at + 1))
      note(this.#excerpts.get(text.substring(at - EXCERPT, at)));
    for (const [at, raw] of this.#raw.entries()) if (text.includes(raw)) found.add(at);
    for (const [list] of text.matchAll(/\d{1,3}(?:, ?\d{1,3}){15,}/g)) {
      const hex = toHex(Uint8Array.from(list.split(","), Number));
      for (let at = 0; at + WINDOW <= hex.length; at += 2)
        note(this.#windows.get(hex.substring(at, at + WINDOW)));
    }
    // Messages may give bytes as a number, such as a wrong length. In other places, numbers have many meanings.
    for (const [said] of text.matchAll(/(?:found|expected|length|tag|byte)s? [^"\n]{0,80}/g)) {
      for (const [number] of said.matchAll(/\d[\d,]{8,}/g))
        note(this.#numbers.get(number.replaceAll(",", "")));
    }
    return found;
  }
}

/** The first characters of a piece, as a number. */
function beginningOf(text: string, at: number): number {
  return (
    (text.charCodeAt(at) ^
      (text.charCodeAt(at + 1) << 4) ^
      (text.charCodeAt(at + 2) << 7) ^
      (text.charCodeAt(at + 3) << 9)) &
    0xffff
  );
}

function formsOf(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes);
  const hex = toHex(bytes);
  // The base64 of a longer content depends on the offset of these bytes in it.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), buffer])
      .toString("base64")
      .slice(4, -4),
  );
  const url = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [hex, hex.toUpperCase(), toBase58(bytes), ...base64, ...url, buffer.toString("latin1")];
}
