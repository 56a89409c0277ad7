/** Our codecs agree with borsh-rs about thousands of byte strings. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import type { Codec } from "../../src/codec/index.js";
import { isMerostoreError } from "../../src/errors.js";
import { core010, core011, documented } from "../../src/schemas/index.js";
import { type Vector, vectors } from "../support/fixtures.js";

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
  const expected = JSON.stringify(vector.decoded);
  const json = codec.toJson(result.value);
  if (JSON.stringify(json) !== expected) return `JSON is ${JSON.stringify(json)}`;
  const back = toHex(codec.encode(codec.fromJson(json)));
  return back === vector.reencoded ? undefined : `JSON gives ${back}`;
}

describe.each([
  { schema: documented, total: 4_000 },
  { schema: core010, total: 6_000 },
  { schema: core011, total: 14_408 },
])("vectors of borsh-rs, $schema.name", ({ schema, total }) => {
  const all = vectors(schema.name);
  const types = [...new Set(all.map(({ type }) => type))];

  it("are complete, and every type is known", () => {
    expect(all.length).toBe(total);
    expect(types.filter((type) => schema.types[type] === undefined)).toEqual([]);
  });

  it.each(types)("%s: same verdict, value and re-encoding", (type) => {
    const codec = schema.type(type);
    const failures = all
      .filter((vector) => vector.type === type)
      .flatMap((vector) => {
        const failure = disagreement(codec, vector);
        return failure === undefined ? [] : [`${vector.hex}: ${failure}`];
      });
    expect(failures).toEqual([]);
  });
});
