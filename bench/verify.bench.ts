import { availableParallelism } from "node:os";
import { verify as verifyOne } from "../src/crypto/index.js";
import { groupOpSigningBytes010 } from "../src/digests/index.js";
import type { Store } from "../src/index.js";
import { GroupOpLog } from "../src/keys/index.js";
import type { Core010 } from "../src/schemas/index.js";
import { allRules, type Rule, verifyStore, type Work, workerThreads } from "../src/verify/index.js";
import { interleave, keep, type Measured } from "./measure.js";
import { peakMemory, type Question, rateLine } from "./question.js";
import { openRaw } from "./raw.js";
import { scanAll } from "./raw-scan.js";

const signatures = allRules.filter(({ name }) => name.endsWith("-operation-signature"));
const others = allRules.filter((rule) => !signatures.includes(rule));

export default {
  name: "verify",
  asks: "How fast is a database verified without signatures, how fast are signatures, and what memory does it take?",
  against: "the binding's scan of all rows; node:crypto in one thread, times the cores",
  wanted: "≥ 0.5, ≥ 0.9",
  async *answer({ options, database }) {
    const { path, open } = await database();
    await using store = await open();
    const runs = Math.min(options.runs, 3);
    const plan = { runs, warmUps: 1 };
    const raw = await openRaw(path, "read");
    const [checked, binding] = (await interleave(
      [
        { name: "verify", run: async () => (await summary(store, others)).rows },
        { name: "raw binding, all rows", run: () => scanAll(raw) },
      ],
      plan,
    )) as [Measured, Measured];
    await raw.close();
    const what = "verify without signatures";
    yield rateLine(checked, binding, { what, unit: "rows", runs, wanted: "≥ 0.5" });
    await using work = workerThreads({ patience: 0 });
    const [signed, one] = (await interleave(
      [
        { name: "verify", run: async () => (await summary(store, signatures, work)).signatures },
        { name: "node:crypto in one thread", run: () => verifySome(store) },
      ],
      plan,
    )) as [Measured, Measured];
    const cores = availableParallelism();
    const all = { ...one, name: `node:crypto × ${cores} cores`, rate: cores * one.rate };
    yield rateLine(signed, all, { what: "verify signatures", unit: "signatures", runs, wanted: "≥ 0.9" });
    yield `verify: ${peakMemory("verify", path).toFixed(0)} MB of memory at most, wanted ≤ 200 MB`;
  },
} satisfies Question;

async function summary(store: Store<Core010>, rules: readonly Rule[], work?: Work) {
  const { rows, rules: done } = await verifyStore(store, { rules, work }).summary();
  return { rows, signatures: done.reduce((sum, { checked }) => sum + checked, 0) };
}

/** Signatures that one thread verifies in a run. */
const SOME = 10_000;

/** Verifies the first operations of the groups' logs. */
async function verifySome(store: Store<Core010>): Promise<number> {
  let count = 0;
  for await (const { value } of store.table(GroupOpLog).scan({ limit: SOME })) {
    const operation = value?.value;
    if (operation === undefined) continue;
    const { signer, signature } = operation;
    keep(verifyOne(signer, groupOpSigningBytes010(operation), signature, { strict: false }) ? 1 : 0);
    count++;
  }
  return count;
}
