/** What borsh-rs says of thousands of byte strings, and what our codecs say of the same. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import type { Codec } from "../../src/codec/index.js";
import { isMerostoreError } from "../../src/errors.js";
import { core010, documented } from "../../src/schemas/index.js";
import { type Vector, vectors } from "../support/fixtures.js";
import { payloadsAsHex } from "../support/payloads.js";

function verdict(codec: Codec<unknown>, bytes: Uint8Array): { value: unknown } | { error: unknown } {
  try {
    return { value: codec.decode(bytes) };
  } catch (error) {
    return { error };
  }
}

function disagreement(codec: Codec<unknown>, vector: Vector): string | undefined {
  const bytes = fromHex(vector.hex);
  const result = verdict(codec, bytes);
  if ("error" in result) {
    if (!isMerostoreError(result.error, "DECODE_FAILED")) return `threw ${String(result.error)}`;
    return vector.accept ? `refused: ${String(result.error)}` : undefined;
  }
  if (!vector.accept) return `accepted, Rust says ${vector.error}`;
  const reencoded = toHex(codec.encode(result.value));
  if (reencoded !== vector.reencoded) return `written back as ${reencoded}`;
  if (codec.canonical(bytes) !== (vector.hex === vector.reencoded)) return "canonical is wrong";
  if (vector.decoded === undefined) return undefined;
  const expected = JSON.stringify(payloadsAsHex(vector.type, vector.decoded, result.value));
  const json = codec.toJson(result.value);
  if (JSON.stringify(json) !== expected) return `JSON is ${JSON.stringify(json)}`;
  const back = toHex(codec.encode(codec.fromJson(json)));
  return back === vector.reencoded ? undefined : `JSON gives ${back}`;
}

/** Payload types of core-0.10: their layouts are those that the document names. */
const { Action, ChildInfo, CrdtType, Metadata, StorageType } = documented.types;

describe.each([
  { revision: "documented", types: documented.types, total: 4_000, covered: 4_000 },
  {
    revision: "core-0.10",
    types: { ...core010.types, Action, ChildInfo, CrdtType, Metadata, StorageType },
    total: 6_000,
    covered: 3_630,
  },
])("vectors of borsh-rs, $revision", ({ revision, types, total, covered }) => {
  const all = vectors(revision);
  const codecs = new Map(
    Object.entries(types).flatMap(([name, codec]) => (codec === undefined ? [] : [[name, codec]])),
  );
  const known = all.filter(({ type }) => codecs.has(type));

  it("are all there", () => {
    expect(all.length).toBe(total);
    expect(known.length).toBeGreaterThanOrEqual(covered);
  });

  it.each([...new Set(known.map(({ type }) => type))])("%s: same verdict, value and re-encoding", (type) => {
    const codec = codecs.get(type) as Codec<unknown>;
    const failures = known
      .filter((vector) => vector.type === type)
      .flatMap((vector) => {
        const failure = disagreement(codec, vector);
        return failure === undefined ? [] : [`${vector.hex}: ${failure}`];
      });
    expect(failures).toEqual([]);
  });
});
