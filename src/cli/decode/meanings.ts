/** The meanings of bytes, numbers and JSON, in words. */
import { toBase58 } from "../../bytes/base58.js";
import { copyBytes, isZeros } from "../../bytes/bytes.js";
import { fromHex, toHex } from "../../bytes/hex.js";
import { millisOfNtp64 } from "../../bytes/ntp64.js";
import { counted } from "../../bytes/quantity.js";
import type { Json } from "../../codec/index.js";
import {
  capabilityNames,
  contextCapabilityNames,
  invitationInJson,
  type SignedThing,
  sentenceText,
  signedThing,
} from "../../node/index.js";
import { type AnyRow, explainValue, revisions, rowToJson, type Schema } from "../../schemas/index.js";
import { shortDate } from "../output/lines.js";
import { explainKind } from "../schema/kinds.js";
import type { Reading } from "./readings.js";

/** A possible meaning of a text. */
export interface Meaning {
  /** A sentence. */
  readonly text: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The fields; undefined if the facts contain them. Secret fields are the text "redacted". */
  readonly fields?: Json | undefined;
  /** False for a wrong signature. */
  readonly isSigned?: boolean;
}

/** Options for the form of meanings. */
export interface MeaningOptions {
  readonly utc: boolean;
  readonly revealSecrets: boolean;
  /** The only revision to consider; undefined for all. */
  readonly revision: string | undefined;
  readonly now: number;
}

/** The number of listed types of values, the likeliest first. */
const VALUES = 3;
/** The types of longer values are not searched. */
const LARGEST_VALUE = 65_536;
const ID_BYTES = 32;
const MASK_BYTES = 4;

/** The meanings of a reading of a text, the likeliest first. */
export function meaningsOf(reading: Reading, options: MeaningOptions): readonly Meaning[] {
  if (reading.as === "number") return numberMeanings(reading.number, options);
  if (reading.as === "JSON") return jsonMeanings(reading.json, options);
  const { bytes, as } = reading;
  if (bytes.length === ID_BYTES) return [idMeaning(bytes, as)];
  const signed = signedThing(bytes);
  if (signed !== undefined) return [signedMeaning(signed, options)];
  if (bytes.length !== MASK_BYTES || as !== "hex")
    return [
      ...keyMeanings(bytes, options),
      ...valueMeanings(bytes, options),
      ...clockMeanings(bytes, options),
    ];
  const mask = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  // A terminal shows ids with so many digits.
  const meant = isMask(mask) ? maskMeaning(mask) : idDigitsMeaning(bytes);
  return [...keyMeanings(bytes, options), meant, ...valueMeanings(bytes, options)];
}

/** The meanings of a number: a mask if each of its bits is a capability, otherwise a time since 1970. */
function numberMeanings(number: number, { utc }: MeaningOptions): readonly Meaning[] {
  if (number <= LARGEST_MASK && isMask(number)) return [maskMeaning(number)];
  const unit = UNITS.find(({ second }) => number >= FIRST_TIME * second && number < END_OF_TIME * second);
  if (unit === undefined) return [];
  const millis = Math.floor((1000 * number) / unit.second);
  const text = `a time in ${unit.name} since 1970: ${shortDate(millis, utc)}`;
  return [{ text, facts: [["UTC", new Date(millis).toISOString()]] }];
}

/**
 * The meaning as the time of a hybrid clock: u64 NTP64, then the id of the clock, which is never 0. Of random 16 bytes,
 * one in 17 looks like that.
 */
function clockMeanings(bytes: Uint8Array, { utc, now }: MeaningOptions): readonly Meaning[] {
  const since = CLOCKS[bytes.length];
  const id = copyBytes(bytes.subarray(8)).reverse();
  if (since === undefined || isZeros(id)) return [];
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  const millis = millisOfNtp64(time);
  if (millis < FIRST_CLOCK || millis > now + YEAR) return [];
  return [
    {
      text: `possibly a time of a hybrid clock ${since}: ${shortDate(millis, utc)}`,
      facts: [
        ["UTC", new Date(millis).toISOString()],
        ["NTP64", `${time}`],
        ["clock", toHex(id).replace(/^0+/, "")],
      ],
    },
  ];
}

/** The sizes of clocks in bytes, and the releases that have them. */
const CLOCKS: Readonly<Record<number, string>> = { 16: "since core-1.0", 24: "before core-1.0" };
/** The first millisecond of 2020, before the first node, and the milliseconds of a year. */
const [FIRST_CLOCK, YEAR] = [1_577_836_800_000, 31_557_600_000];

/** The first second of 2001, before any time of a node, and the first second of 2400. */
const [FIRST_TIME, END_OF_TIME] = [978_307_200, 13_569_465_600];
const LARGEST_MASK = 0xffff_ffff;
/** The units of times in rows and other programs, the likeliest first. Times in nanoseconds end in 2103. */
const UNITS = [
  { name: "2^-32 seconds (NTP64, of a hybrid clock)", second: 2 ** 32 },
  { name: "seconds", second: 1 },
  { name: "milliseconds", second: 1e3 },
  { name: "microseconds", second: 1e6 },
  { name: "nanoseconds", second: 1e9 },
];

function isMask(number: number): boolean {
  return !/0x/.test(capabilityNames(number, true));
}

function idDigitsMeaning(bytes: Uint8Array): Meaning {
  return {
    text: `the first digits of an id, or of a hash; "merostore show DB ${toHex(bytes)}" says whose`,
    facts: [],
  };
}

function maskMeaning(mask: number): Meaning {
  return {
    text: `a mask of capabilities, ${mask} or 0x${mask.toString(16)}`,
    facts: [
      ["in a group", capabilityNames(mask, true)],
      ["in a group of core-0.10", capabilityNames(mask, false)],
      ["in a context", contextCapabilityNames(mask)],
    ],
  };
}

function idMeaning(bytes: Uint8Array, as: string): Meaning {
  return {
    text: `an id, a public key or a hash: 32 bytes in ${as}; "merostore show DB ID" says whose`,
    facts: [
      ["hex", toHex(bytes)],
      ["base58", toBase58(bytes)],
    ],
  };
}

function signedMeaning(
  { what, revisions, signer, isSigned, sentence, id, expires, fields }: SignedThing,
  { utc, now }: MeaningOptions,
): Meaning {
  const article = what === "invitation" ? "an" : "a";
  const when =
    expires === undefined
      ? "never"
      : `${shortDate(expires, utc)}, ${expires < now ? "it has expired" : "it has not expired"}`;
  return {
    text: `${article} ${what} of ${revisions.join(" or ")}: ${named(sentence)}`,
    facts: [
      ["signature", `${isSigned ? "right" : "WRONG: it is not"} by ${signer}`],
      ...(id === undefined ? [["expires", when] as const] : [["id", id] as const]),
    ],
    fields,
    isSigned,
  };
}

/** The sentence with the kind before each id, unless the sentence already names the kind. */
function named(sentence: SignedThing["sentence"]): string {
  return sentenceText(sentence, ({ kind, id }) => `${kind} ${id}`).replaceAll(
    /\b(\w+) \1(?= [0-9a-f]{64})/g,
    "$1",
  );
}

/**
 * The kinds of rows that can have these bytes as key, each once. Kinds for which a byte has no known meaning come last.
 */
function keyMeanings(bytes: Uint8Array, options: MeaningOptions): readonly Meaning[] {
  const found = new Map<string, Meaning>();
  const unlikely = new Map<string, Meaning>();
  for (const schema of newestFirst(options))
    for (const column of schema.columns) {
      const row = schema.identify(column, bytes);
      if (row === undefined || found.has(row.kind) || unlikely.has(row.kind)) continue;
      // The kind accepts any bytes as key, so it says nothing about these bytes.
      const others = new Uint8Array(bytes.length).fill(0xff);
      if (row.key.VARIABLE && schema.identify(column, others) !== undefined) continue;
      const { parts } = rowToJson(schema, column, { key: bytes, value: new Uint8Array() });
      const facts = Object.entries(parts ?? {}).map(([name, part]) => [name, String(part)] as const);
      const meaning = { text: `the key of a ${row.kind}. ${purposeOf(row.kind)}`, facts };
      (isUnnamed(row, bytes) ? unlikely : found).set(row.kind, meaning);
    }
  return [...found.values(), ...unlikely.values()];
}

/** Returns whether a byte of a key, such as the tag of State, has none of its known meanings. */
function isUnnamed(row: AnyRow, bytes: Uint8Array): boolean {
  const key = row.key.fromBytes(bytes) as unknown as Readonly<Record<string, unknown>>;
  return row.key.PARTS.some(
    ({ name, type, names = [], parse }) =>
      type === "u8" && names.length > 0 && !names.some((text) => parse(text) === key[name]),
  );
}

/**
 * The types that can have these bytes as value. Types with many tags, lengths and texts come first, because random
 * bytes rarely fit them.
 */
function valueMeanings(bytes: Uint8Array, options: MeaningOptions): readonly Meaning[] {
  const { revealSecrets } = options;
  if (bytes.length === 0 || bytes.length > LARGEST_VALUE) return [];
  const found = new Map<string, FoundType>();
  for (const schema of newestFirst(options))
    for (const [name, codec] of Object.entries(schema.types)) {
      const { pieces, stopped, canonical } = explainValue(codec, bytes);
      if (stopped !== undefined || canonical === false) continue;
      const score = pieces.filter(
        ({ name, type }) => TELLING.includes(name) || TELLING.includes(type),
      ).length;
      if (score === 0) continue;
      const known = found.get(name);
      known?.revisions.push(schema.name);
      if (known !== undefined) continue;
      const rows = schema.rows.filter(({ kind, value }) => value === codec || kind === name);
      const isSecret = codec.secret || rows.some(({ value }) => value.secret);
      const purpose = rows.map(({ kind }) => purposeOf(kind))[0] ?? "";
      const fields = isSecret && !revealSecrets ? "redacted" : codec.toJson(codec.decode(bytes));
      found.set(name, { name, score, purpose, fields, revisions: [schema.name] });
    }
  const likeliest = [...found.values()].toSorted((a, b) => b.score - a.score);
  return likeliest.slice(0, VALUES).map(({ name, purpose, fields, revisions }) => ({
    text: `a value ${name} of ${revisions.join(" or ")}. ${purpose}`.trimEnd(),
    facts: [],
    fields,
  }));
}

/** A type that decodes the bytes, in the newest revision in which it does. */
interface FoundType {
  readonly name: string;
  readonly score: number;
  readonly purpose: string;
  readonly fields: Json;
  readonly revisions: string[];
}

/** Names and types of pieces that random bytes rarely fit. */
const TELLING: readonly string[] = ["tag", "count", "length", "str", "bool"];

function jsonMeanings(json: Json, options: MeaningOptions): readonly Meaning[] {
  const invitation = invitationIn(json);
  if (invitation !== undefined) return [signedMeaning(invitation, options)];
  const { revealSecrets } = options;
  const { column, key, value } = (json ?? {}) as { readonly [name: string]: Json | undefined };
  if (!isText(column) || !isHex(key)) return [];
  const bytes = isHex(value) ? fromHex(value) : undefined;
  const signed = bytes && signedThing(bytes);
  const row = { key: fromHex(key), value: bytes ?? new Uint8Array() };
  const read = newestFirst(options)
    .map((schema) => ({ name: schema.name, ...rowToJson(schema, column, row, { revealSecrets }) }))
    .filter(({ kind }) => kind !== null);
  // A row that decodes in no revision counts as a row of the newest.
  const decoding = read.filter(({ error }) => bytes === undefined || error === undefined);
  const [first] = decoding.length > 0 ? decoding : read;
  if (first === undefined) return [];
  const { kind, parts, decoded } = first;
  const fitting = decoding.filter((one) => one.kind === kind).map(({ name }) => name);
  return [
    {
      text: `a row ${kind} of ${fitting.join(" or ") || first.name}. ${purposeOf(kind ?? "")}`,
      facts: Object.entries(parts ?? {}).map(([name, part]) => [name, String(part)] as const),
      fields: bytes === undefined ? undefined : decoded,
    },
    ...(signed === undefined ? [] : [signedMeaning(signed, options)]),
  ];
}

/** An invitation, alone or within the answer of a node. */
function invitationIn(json: Json, depth = 0): SignedThing | undefined {
  if (json === null || typeof json !== "object" || Array.isArray(json) || depth > 3) return undefined;
  const found = "invitation" in json ? invitationInJson(json) : undefined;
  if (found !== undefined) return found;
  for (const inner of Object.values(json)) {
    const below = invitationIn(inner as Json, depth + 1);
    if (below !== undefined) return below;
  }
  return undefined;
}

function newestFirst({ revision }: MeaningOptions): readonly Schema[] {
  const meant = revisions.filter(({ name }) => revision === undefined || name === revision);
  return meant.toReversed() as unknown as readonly Schema[];
}

function purposeOf(kind: string): string {
  return explainKind(kind)?.purpose ?? "";
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

function isHex(value: Json | undefined): value is string {
  return typeof value === "string" && /^(?:[0-9a-f]{2})*$/.test(value);
}

/** `4 bytes in hex`, for a text without a known meaning. */
export function readingText(reading: Reading): string {
  return "bytes" in reading ? `${counted(reading.bytes.length, "byte")} in ${reading.as}` : reading.as;
}
