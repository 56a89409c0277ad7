/** The vectors of operations and deltas of core-1.0. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import type { Codec } from "../../src/codec/index.js";
import { fixturePath } from "../support/fixtures.js";

/** A line of the vectors of upstream. */
export interface UpstreamVector {
  readonly type: string;
  readonly bytes: string;
  readonly value: unknown;
  readonly source: string;
  readonly invalid?: true;
  readonly opHash?: string;
  readonly digest?: string;
  readonly property?: string;
  readonly preimage?: string;
  readonly intentHash?: string;
}

const lines = readFileSync(fixturePath("core-1.0", "upstream-vectors.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as UpstreamVector);

/** The lines of a type. There must be some. */
export function upstream(type: string): readonly UpstreamVector[] {
  const found = lines.filter((line) => line.type === type);
  if (found.length === 0) throw new Error(`no lines of type ${type}`);
  return found;
}

/** Checks that bytes decode, and that the value encodes to the bytes, from JSON too. */
export function roundTrip<T>(codec: Codec<T>, bytes: Uint8Array): T {
  const value = codec.decode(bytes);
  expect(toHex(codec.encode(value))).toBe(toHex(bytes));
  expect(toHex(codec.encode(codec.fromJson(codec.toJson(value))))).toBe(toHex(bytes));
  expect(codec.canonical(bytes)).toBe(true);
  return value;
}

/** The bytes of a line. */
export const bytesOf = ({ bytes }: UpstreamVector): Uint8Array => fromHex(bytes);
