/** The properties of every named type of every revision. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { type Codec, DecodeError, identity, secret, type Trace, Untagged } from "../../src/codec/index.js";
import { revisions } from "../../src/schemas/index.js";
import { randomNumbers, randomValue } from "../support/random-values.js";

const SEED = 20_260_408;

const types = revisions.flatMap((schema) =>
  Object.entries(schema.types).map(([name, codec]) => ({
    name: `${schema.name} ${name}`,
    codec: codec as Codec<unknown>,
  })),
);
/** Types whose bytes can be too few or too many: the last field does not take whatever is left. */
const framed = types.filter(
  ({ codec }) =>
    !codec.signature.startsWith(identity.signature) &&
    !(codec instanceof Untagged) &&
    codec.type !== "EntityRow",
);

/** Types with forms that nodes read and do not write; random values have these forms too. */
const LOOSE = ["ChildTrieRow"];

/** Lengths at which the one lenient type may end: keys of older nodes. */
const lenient: Readonly<Record<string, readonly number[]>> = {
  "core-0.11 GroupKeyValue": [40, 48],
  "core-1.0 GroupKeyValue": [40, 48],
};

/** The offsets of lengths and counts in a value. */
function lengthOffsets(codec: Codec<unknown>, bytes: Uint8Array): number[] {
  const offsets: number[] = [];
  // No event opens a bare list, text or byte string: its length comes first.
  if (/^(\[|str|bytes)/.test(codec.signature)) offsets.push(0);
  const trace: Trace = {
    open: (_, type, at) => {
      if (/^(str|bytes)$/.test(type)) offsets.push(at);
      if (/^(str|bytes)\?$/.test(type) && bytes[at] === 1) offsets.push(at + 1);
    },
    close: () => undefined,
    note: (name, _, at) => {
      if (name === "count") offsets.push(at);
    },
  };
  codec.decode(bytes, trace);
  return offsets;
}

function refusal(codec: Codec<unknown>, bytes: Uint8Array): unknown {
  try {
    codec.decode(bytes);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Checks a property of encodings of random values; a failure names the seed that shows it. */
function forEncodings(
  codec: Codec<unknown>,
  runs: number,
  check: (bytes: Uint8Array, byte: number) => void,
): void {
  const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
  const property = fc.property(seeds, fc.integer({ min: 0, max: 255 }), (seed, byte) => {
    check(codec.encode(randomValue(codec, randomNumbers(seed))), byte);
  });
  fc.assert(property, { numRuns: runs, seed: SEED });
}

describe.each(types)("$name", ({ codec }) => {
  it("is equal after a round trip through bytes and through JSON", () => {
    forEncodings(codec, 60, (bytes) => {
      const value = codec.decode(bytes);
      expect(toHex(codec.encode(value))).toBe(toHex(bytes));
      if (!LOOSE.includes(codec.signature)) expect(codec.canonical(bytes)).toBe(true);
      expect(codec.fromJson(JSON.parse(JSON.stringify(codec.toJson(value))))).toEqual(value);
      expect(codec.fromJson(codec.toJson(value, { base58: true }))).toEqual(value);
    });
  });

  it("is validated without being created, with the same errors as decoding", () => {
    const numbers = randomNumbers(SEED);
    const outcome = (read: (bytes: Uint8Array) => unknown, bytes: Uint8Array): string | undefined => {
      try {
        read(bytes);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    forEncodings(codec, 60, (bytes, byte) => {
      const changed = Uint8Array.from(bytes);
      if (changed.length > 0) changed[byte % changed.length] = Math.floor(256 * numbers());
      for (const tried of [bytes, changed, bytes.subarray(0, -1), Uint8Array.of(...bytes, byte)])
        expect(outcome((of) => codec.validate(of), tried)).toBe(outcome((of) => codec.decode(of), tried));
    });
  });

  it("has the declared size", () => {
    forEncodings(codec, 60, (bytes) => {
      expect(bytes.length).toBeGreaterThanOrEqual(codec.size.min);
      expect(bytes.length).toBeLessThanOrEqual(codec.size.max ?? Number.POSITIVE_INFINITY);
    });
  });
});

describe.each(framed)("$name refuses", ({ name, codec }) => {
  it("every truncation and any trailing byte", () => {
    forEncodings(codec, 12, (bytes, byte) => {
      const lengths = Array.from(bytes.keys());
      const accepted = lengths.filter(
        (length) => !(refusal(codec, bytes.subarray(0, length)) instanceof DecodeError),
      );
      expect(accepted).toEqual(lenient[name] ?? []);
      expect(refusal(codec, Uint8Array.of(...bytes, byte))).toMatchObject({
        code: "DECODE_FAILED",
        expected: "the end",
      });
    });
  });

  it("hostile lengths, before allocating anything", () => {
    const before = process.memoryUsage();
    forEncodings(codec, 12, (bytes) => {
      for (const offset of lengthOffsets(codec, bytes)) {
        const hostile = bytes.slice();
        hostile.fill(0xff, offset, offset + 4);
        expect(refusal(codec, hostile)).toBeInstanceOf(DecodeError);
        expect(refusal(codec, hostile.subarray(0, offset + 4))).toBeInstanceOf(DecodeError);
      }
    });
    const after = process.memoryUsage();
    // Generous, and still a thousandth of what one length of 4 × FF would take.
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(4_000_000);
  });
});

describe("secrets", () => {
  it("are redacted wherever they are, and marked on everything that holds them", () => {
    const holders = types.filter(({ codec }) => codec.secret).map(({ name }) => name);
    expect(holders).toEqual([
      "documented ContextIdentity",
      "documented ContextPrivateState",
      "documented GroupSigningKeyValue",
      "documented NamespaceIdentityValue",
      "documented GroupKeyEntry",
      "core-0.10 ContextIdentity",
      "core-0.10 ContextPrivateState",
      "core-0.10 GroupMemberValue",
      "core-0.10 GroupSigningKeyValue",
      "core-0.10 NamespaceIdentityValue",
      "core-0.10 GroupKeyValue",
      "core-0.11 ContextIdentity",
      "core-0.11 ContextPrivateState",
      "core-0.11 GroupMemberValue",
      "core-0.11 GroupKeyValue",
      "core-0.11 NodeDeviceIdentityValue",
      "core-0.11 NodeAccountRootValue",
      "core-0.11 NodeIdentityValue",
      "core-1.0 ContextIdentity",
      "core-1.0 ContextPrivateState",
      "core-1.0 GroupMemberValue",
      "core-1.0 GroupKeyValue",
      "core-1.0 NodeDeviceIdentityValue",
      "core-1.0 NodeAccountRootValue",
      "core-1.0 NodeIdentityValue",
    ]);
    expect(secret(identity).toJson(Uint8Array.of(1, 2), { redactSecrets: true })).toBe("redacted");
    expect(secret(identity).toJson(Uint8Array.of(1, 2))).toBe("0102");
  });
});
