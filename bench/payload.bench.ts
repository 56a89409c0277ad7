import { b32, b64, bytes, type Codec, struct, u64 } from "../src/codec/index.js";
import { SignedGroupOp011 } from "../src/payloads/index.js";
import { interleave, keep, type Measured } from "./measure.js";
import { type Question, rateLine } from "./question.js";
import { Random } from "./random.js";

/** Values decoded in one run. */
const VALUES = 200_000;
const MORE = 3;

const Flat = struct("Flat", { id: b32, hash: b32, root: b32, signature: b64, size: u64, data: bytes });

export default {
  name: "payload",
  asks: "How fast is a signed group operation decoded?",
  against: "a flat struct of twice its bytes",
  wanted: "500,000 values/s",
  async *answer({ options }) {
    const random = new Random(5);
    const operation = SignedGroupOp011.encode({
      version: 10,
      groupId: random.id(),
      parentOpHashes: [random.id()],
      signer: random.id(),
      nonce: 7n,
      op: { kind: "MemberAdded", member: random.id(), role: "Member" },
      signature: random.bytes(64),
    });
    const flat = Flat.encode({
      id: random.id(),
      hash: random.id(),
      root: random.id(),
      signature: random.bytes(64),
      size: 422n,
      data: random.bytes(250),
    });
    const runs = MORE * options.runs;
    const sides = [
      { name: "SignedGroupOp", run: () => decodeMany(SignedGroupOp011, operation) },
      { name: `a flat struct of ${flat.length} bytes`, run: () => decodeMany(Flat, flat) },
    ];
    const [ours, plain] = (await interleave(sides, { runs, warmUps: 3 })) as [Measured, Measured];
    const what = `decode SignedGroupOp of ${operation.length} bytes`;
    yield rateLine(ours, plain, { what, unit: "values", runs, wanted: "500 k values/s" });
  },
} satisfies Question;

function decodeMany<T extends object>(codec: Codec<T>, encoded: Uint8Array): number {
  for (let count = 0; count < VALUES; count++) keep(Object.keys(codec.decode(encoded)).length);
  return VALUES;
}
