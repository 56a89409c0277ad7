import { deserialize, serialize } from "@dao-xyz/borsh";
import type { Codec } from "../src/codec/index.js";
import { revisions } from "../src/index.js";
import { modelOf } from "./borsh-models.js";
import { readCases } from "./cases.js";
import { interleave, keep, type Measured } from "./measure.js";
import { type Question, ratesLine } from "./question.js";

/** Values of one type, used in turn. */
const VALUES = 64;
/** Uses in one run, for types with few values too: a run must outlast the compiler. */
const USES = 6400;

export default {
  name: "types",
  asks: "How fast are encoding and decoding of every type of all revisions that the other library can express?",
  against: "@dao-xyz/borsh 5.2.4, with classes made from the types' layouts",
  wanted: "≥ 1.20 each",
  async *answer({ options }) {
    const cases = readCases();
    const ratios: { readonly name: string; readonly ratio: number }[] = [];
    for (const { name: revision, types } of revisions) {
      for (const [type, codec] of Object.entries(types)) {
        const encoded = (cases.get(`${revision}/${type}`) ?? []).slice(0, VALUES);
        const model = modelOf(codec);
        if (model === undefined || encoded.length === 0) continue;
        for (const [doing, sides] of Object.entries(sidesOf(codec, model, encoded))) {
          const plan = { runs: options.runs, warmUps: 3 };
          const [ours, theirs] = (await interleave(sides, plan)) as [Measured, Measured];
          ratios.push({ name: `${doing} ${revision} ${type}`, ratio: ours.rate / theirs.rate });
        }
      }
    }
    yield ratesLine("codecs of every type against @dao-xyz/borsh", ratios, 1.2);
  },
} satisfies Question;

function sidesOf(codec: Codec<unknown>, model: new () => object, encoded: readonly Uint8Array[]) {
  const values = encoded.map((bytes) => codec.decode(bytes));
  const theirs = encoded.map((bytes) => deserialize(bytes, model));
  const many = (work: (index: number) => number) => () => {
    for (let used = 0; used < USES; used++) keep(work(used % encoded.length));
    return USES;
  };
  return {
    encode: [
      { name: "ours", run: many((index) => codec.encode(values[index]).length) },
      { name: "theirs", run: many((index) => serialize(theirs[index]).length) },
    ],
    decode: [
      { name: "ours", run: many((index) => (codec.decode(encoded[index] as Uint8Array) === null ? 0 : 1)) },
      {
        name: "theirs",
        run: many((index) => (deserialize(encoded[index] as Uint8Array, model) === null ? 0 : 1)),
      },
    ],
  };
}
