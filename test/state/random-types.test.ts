/** Random types of manifests with random values: a value decodes as it was encoded, or is reported as ambiguous. */
import { describe, expect, it } from "vitest";
import { equalBytes } from "../../src/bytes/order.js";
import { PairsValue, parseManifest, RegisterValue, VariantValue } from "../../src/state/index.js";
import { codecOf } from "../../src/state/types/codec-of.js";
import { TypeTable } from "../../src/state/types/from-manifest.js";
import { readUnchecked } from "../../src/state/types/read-value.js";
import { isExact, type Type } from "../../src/state/types/type.js";
import { randomNumbers, randomValue } from "../support/random-values.js";

type Json = Readonly<Record<string, unknown>>;

/** A type in a manifest, and the Rust type that it stands for. */
interface Pair {
  readonly abi: Json;
  rust: string;
}

const WIDTHS: Readonly<Record<string, readonly string[]>> = {
  u32: ["u8", "u16", "u32", "usize"],
  i32: ["i8", "i16", "i32", "isize"],
};

class Types {
  readonly definitions: Record<string, Json> = {};
  readonly hints: Record<string, string> = {};
  readonly #random: () => number;
  readonly #hidden: boolean;
  #number = 0;

  constructor(random: () => number, hidden: boolean) {
    this.#random = random;
    this.#hidden = hidden;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  type(depth: number): Pair {
    const scalar = (): Pair => {
      const kind = this.pick(["bool", "u32", "i32", "u64", "i64", "f32", "f64", "string"]);
      const rust = WIDTHS[kind] === undefined ? kind : this.pick(WIDTHS[kind]);
      return { abi: { kind }, rust: rust === "string" ? "String" : rust };
    };
    if (depth === 0) return scalar();
    const inner = (): Pair => this.#maybeOption(this.type(depth - 1));
    switch (this.pick(["scalar", "list", "map", "tuple", "record", "variant", "bytes", "raw", "register"])) {
      case "list": {
        const items = inner();
        // Lists of u8 are bytes in manifests.
        if (items.rust === "u8") items.rust = "u16";
        return { abi: { kind: "list", items: items.abi }, rust: `Vec<${items.rust}>` };
      }
      case "map": {
        const value = inner();
        return {
          abi: { kind: "map", key: { kind: "string" }, value: value.abi },
          rust: `BTreeMap<String, ${value.rust}>`,
        };
      }
      case "tuple": {
        const elements = [inner(), inner()];
        return {
          abi: { kind: "tuple", elements: elements.map(({ abi }) => abi) },
          rust: `(${elements.map(({ rust }) => rust).join(", ")})`,
        };
      }
      case "register": {
        const of = inner();
        return {
          abi: { kind: "record", fields: [], crdt_type: "lww_register", inner_type: of.abi },
          rust: `LwwRegister<${of.rust}>`,
        };
      }
      case "bytes":
        return { abi: { kind: "bytes" }, rust: "Vec<u8>" };
      case "raw":
        return { abi: { kind: "bytes", size: 5 }, rust: "[u8; 5]" };
      case "record":
        return this.record(depth);
      case "variant": {
        const name = `Enum${this.#number++}`;
        const payload = inner();
        this.definitions[name] = {
          kind: "variant",
          variants: [{ name: "None" }, { name: "Some", payload: payload.abi }],
        };
        this.hints[`${name}.Some`] = payload.rust;
        return { abi: { $ref: name }, rust: name };
      }
      default:
        return scalar();
    }
  }

  record(depth: number): Pair {
    const name = `Record${this.#number++}`;
    const fields = Array.from({ length: 1 + Math.floor(this.#random() * 4) }, (_, at) => {
      const { abi, rust } = this.type(depth - 1);
      this.hints[`${name}.f${at}`] = rust;
      return { name: `f${at}`, type: abi, ...(this.#random() < 0.2 ? { nullable: true } : {}) };
    });
    this.definitions[name] = { kind: "record", fields };
    return { abi: { $ref: name }, rust: name };
  }

  /** Manifests do not tell that these values are optional. */
  #maybeOption({ abi, rust }: Pair): Pair {
    return this.#hidden && this.#random() < 0.2 ? { abi, rust: `Option<${rust}>` } : { abi, rust };
  }
}

/** The same value with possible times in its registers. */
function dated(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(dated);
  if (value instanceof RegisterValue)
    return new RegisterValue(dated(value.value), 1_700_000_000n << 32n, value.clock, value.node);
  if (value instanceof VariantValue) return new VariantValue(value.name, dated(value.payload));
  if (value instanceof PairsValue)
    return new PairsValue(value.pairs.map(([key, one]) => [key, dated(one)] as const));
  const record = Object.create(null) as Record<string, unknown>;
  for (const [name, one] of Object.entries(value)) record[name] = dated(one);
  return record;
}

describe.each([
  // A value that may be an option in secret counts as both, or it could be read as another value.
  { hidden: true, name: "options that the manifest does not announce, all counted" },
  { hidden: false, name: "no such options" },
])("random types: $name", ({ hidden }) => {
  it("are read with hints as they were written, and without hints never as another value", () => {
    const outcomes = { value: 0, ambiguous: 0, none: 0 };
    for (let seed = 1; seed <= 400; seed++) {
      const random = randomNumbers(seed);
      const types = new Types(random, hidden);
      types.record(3);
      const root = Object.keys(types.definitions).at(-1) as string;
      const manifest = parseManifest({
        schema_version: "wasm-abi/1",
        types: types.definitions,
        methods: [],
        events: [],
        state_root: root,
      });
      const exact = new TypeTable(manifest, types.hints).named(root) as Type;
      expect(isExact(exact)).toBe(true);
      const codec = codecOf(exact);
      const open = new TypeTable(manifest, {}, hidden).named(root) as Type;
      for (let round = 0; round < 3; round++) {
        const value = dated(randomValue(codec, random));
        const bytes = Uint8Array.from(codec.encode(value));
        expect(readUnchecked(exact, bytes)).toEqual({ outcome: "value", type: exact, value });
        const reading = readUnchecked(open, bytes);
        outcomes[reading.outcome]++;
        if (reading.outcome !== "value") continue;
        expect(reading.value).toEqual(value);
        // The exact type that was found writes the same bytes.
        expect(equalBytes(codecOf(reading.type).encode(reading.value), bytes)).toBe(true);
      }
    }
    // Both occur often, so that the test means something.
    expect([outcomes.value > 300, outcomes.ambiguous > 20, outcomes.none]).toEqual([true, true, 0]);
  });
});
