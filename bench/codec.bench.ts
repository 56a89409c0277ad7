import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "@dao-xyz/borsh";
import { type Codec, u32 } from "../src/codec/index.js";
import { ContextDagDeltaValue010, ContextMetaValue, GroupMetaValue010 } from "../src/values/index.js";
import { BorshDelta, BorshGroupMeta, BorshMeta } from "./borsh-classes.js";
import { interleave, keep, type Measured, median, type Side } from "./measure.js";
import { type Question, rateLine } from "./question.js";
import { Random } from "./random.js";
import { makeContextMeta } from "./rows/context.js";
import { makeDelta } from "./rows/delta.js";
import { makeGroupMeta } from "./rows/group.js";
import { RUST_PROGRAMS } from "./rust-programs.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Different values of each type. */
const VALUES = 256;
/** How often one run goes through all of them. */
const PASSES = 100;
/** Runs are short: this many times the runs of a scan. */
const MORE = 3;

export default {
  name: "codec",
  asks: "How fast are encoding and decoding of a delta, a group and a context?",
  against:
    "@dao-xyz/borsh 5.2.4, with classes of the same fields; first it is checked that both write the same bytes. borsh-rs for deltas (cargo build --release in fixtures/rust)",
  wanted: "≥ 1.20; ≥ 0.5",
  async *answer({ options }) {
    const random = new Random(4);
    const delta = (): ContextDagDeltaValue010 =>
      makeDelta(random, [random.id(), random.id()], random.bytes(600), random.id(), random.u64());
    const pairs = [
      pairOf("Delta", ContextDagDeltaValue010, delta, (value) => new BorshDelta(value), BorshDelta),
      pairOf(
        "GroupMeta",
        GroupMetaValue010,
        () => makeGroupMeta(random),
        (value) => new BorshGroupMeta(value),
        BorshGroupMeta,
      ),
      pairOf(
        "ContextMeta",
        ContextMetaValue,
        () => makeContextMeta(random),
        (value) => new BorshMeta(value),
        BorshMeta,
      ),
    ];
    const runs = MORE * options.runs;
    // All types are warm before the first is measured: in a program that reads a database they all are.
    for (const { encode, decode } of pairs) {
      await interleave([...encode, ...decode], { runs: 1, warmUps: 2 });
    }
    for (const { name, encode, decode } of pairs) {
      for (const [doing, sides] of [
        ["encode", encode],
        ["decode", decode],
      ] as const) {
        const [ours, theirs] = (await interleave(sides, { runs, warmUps: 3 })) as [Measured, Measured];
        yield rateLine(ours, theirs, { what: `${doing} ${name}`, unit: "values", runs, wanted: "≥ 1.20" });
      }
    }
    yield* againstRust(Array.from({ length: VALUES }, delta), runs);
  },
} satisfies Question;

/** By turns with a program of its own. */
function* againstRust(values: readonly ContextDagDeltaValue010[], runs: number): Generator<string> {
  const program = join(RUST_PROGRAMS, "codec");
  if (!existsSync(program)) {
    yield `Delta against borsh-rs: not measured, ${program} is not built (cargo build --release in fixtures/rust)`;
    return;
  }
  const encoded = values.map((value) => ContextDagDeltaValue010.encode(value));
  const file = join(temporaryFolder(), "deltas");
  writeFileSync(file, Buffer.concat(encoded.flatMap((bytes) => [u32.encode(bytes.length), bytes])));
  const works = {
    decode: () => passes(encoded, (bytes) => ContextDagDeltaValue010.decode(bytes).parents.length),
    encode: () => passes(values, (value) => ContextDagDeltaValue010.encode(value).length),
  };
  const rates = {
    decode: { here: [] as number[], rust: [] as number[] },
    encode: { here: [] as number[], rust: [] as number[] },
  };
  for (let run = 0; run < runs; run++) {
    const { stdout } = spawnSync(program, [file], { encoding: "utf8" });
    const rust = JSON.parse(stdout) as Record<keyof typeof works, number>;
    for (const doing of ["decode", "encode"] as const) {
      works[doing](); // the other program has emptied the processor's caches
      const start = performance.now();
      const count = works[doing]();
      rates[doing].here.push((1000 * count) / (performance.now() - start));
      rates[doing].rust.push(rust[doing]);
    }
  }
  const side = (name: string, of: number[]): Measured => ({ name, rate: median(of), time: 0 });
  for (const doing of ["decode", "encode"] as const)
    yield rateLine(side("here", rates[doing].here), side("borsh-rs", rates[doing].rust), {
      what: `${doing} Delta`,
      unit: "values",
      runs,
      wanted: "≥ 0.5",
    });
}

interface Pair {
  readonly name: string;
  readonly encode: readonly Side[];
  readonly decode: readonly Side[];
}

/** Both codecs of a type, after checking that they write the same bytes. */
function pairOf<T, B extends object>(
  name: string,
  codec: Codec<T>,
  make: () => T,
  toClass: (value: T) => B,
  borshClass: new (value: T) => B,
): Pair {
  const values = Array.from({ length: VALUES }, make);
  const objects = values.map(toClass);
  const bytes = values.map((value) => codec.encode(value).slice());
  bytes.forEach((one, index) => {
    assert.deepEqual(Uint8Array.from(serialize(objects[index] as B)), one, `${name}: other bytes`);
    assert.deepEqual(
      Uint8Array.from(serialize(deserialize(one, borshClass))),
      one,
      `${name}: decoded otherwise`,
    );
  });
  return {
    name,
    encode: [
      { name: "merostore", run: () => passes(values, (value) => codec.encode(value).length) },
      { name: "@dao-xyz/borsh", run: () => passes(objects, (object) => serialize(object).length) },
    ],
    decode: [
      { name: "merostore", run: () => passes(bytes, (one) => (codec.decode(one) === null ? 0 : 1)) },
      {
        name: "@dao-xyz/borsh",
        run: () => passes(bytes, (one) => (deserialize(one, borshClass) === null ? 0 : 1)),
      },
    ],
  };
}

function passes<T>(list: readonly T[], work: (one: T) => number): number {
  for (let pass = 0; pass < PASSES; pass++) {
    for (let index = 0; index < list.length; index++) keep(work(list[index] as T));
  }
  return PASSES * list.length;
}
