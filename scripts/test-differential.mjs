/**
 * `npm run test:differential`: the library and borsh-rs say of the same bytes whether they are a value, and what they
 * are written back as. Bytes of values that the library makes up and of values that Rust makes up, half each, most of
 * them spoilt. Needs Rust, as fixtures/rust says. Ends with the totals.
 *
 *   --cases N       cases altogether, at least (1,000,000)
 *   --seed S        a seed printed by an earlier run: the same cases
 *   --type T        one type only: GroupOp or core-0.10/GroupOp
 *   --hex H         of that type one case only
 *   --record N F    writes N cases with Rust's answers to the file F, for the tests without Rust; compares them, too
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { fromHex, revisions, toHex } from "../dist/index.js";
import { disagreement } from "../test/differential/compare.mjs";
import { mutate } from "../test/differential/mutate.mjs";
import { hash, inventedBytes, Random } from "../test/differential/random.mjs";
import { build, madeByRust, Rust, types } from "../test/differential/rust.mjs";

/** Cases that are made, asked and compared at once; bounds the memory. */
const BATCH = 2_048;

/** Disagreements that are listed; more are only counted. */
const LISTED = 20;

/** How many of the cases are spoilt. */
const SPOILT = 0.7;

/** Longer values are not recorded: the file is for the repository. */
const RECORDED_LENGTH = 1_500;

/** Of each type so many cases are recorded beside the others that Rust accepts and writes back differently. */
const RECORDED_REWRITTEN = 8;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: "string", default: "1000000" },
    seed: { type: "string" },
    type: { type: "string" },
    hex: { type: "string" },
    record: { type: "string" },
  },
});
const seed = wholeNumber("seed", options.seed ?? String(Math.floor(Math.random() * 2 ** 32)));
const recording = options.record !== undefined;
const wanted = wholeNumber("record or cases", options.record ?? options.cases);
if (positionals.length !== (recording ? 1 : 0))
  usage("--record needs a number and a file; nothing else needs a file");
if (options.hex !== undefined && options.type === undefined) usage("--hex needs --type");

function usage(problem) {
  console.error(`test-differential: ${problem}`);
  process.exit(2);
}

function wholeNumber(name, text) {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) usage(`--${name} must be a whole number`);
  return number;
}

/** The values of a batch that are made up, half by us and half by Rust; where we make up none, all by Rust. */
function madeUp(type, codec, random, count) {
  const made = madeByRust(type, random.word(), count);
  for (let index = 0; index < count; index += 2) made[index] = inventedBytes(codec, random) ?? made[index];
  return made;
}

function casesOf(type, codec, random, count) {
  const made = madeUp(type, codec, random, count);
  return made.map((bytes) =>
    random.chance(SPOILT) ? mutate(codec, bytes, random, random.pick(made)) : bytes,
  );
}

/** All types of both sides: `{ revision, type, index, number, codec }`, and the names that only one side has. */
function commonTypes() {
  const byName = new Map(revisions.map((schema) => [schema.name, schema]));
  const answered = types().filter(({ revision }) => byName.has(revision));
  const both = [];
  const onlyRust = [];
  for (const type of answered) {
    const known = byName.get(type.revision).types;
    if (Object.hasOwn(known, type.type)) both.push({ ...type, codec: known[type.type] });
    else onlyRust.push(`${type.revision}/${type.type}`);
  }
  const names = new Set(answered.map(({ revision, type }) => `${revision}/${type}`));
  const onlyHere = revisions.flatMap((schema) =>
    Object.keys(schema.types)
      .map((type) => `${schema.name}/${type}`)
      .filter((name) => !names.has(name)),
  );
  return { both, onlyRust, onlyHere };
}

/** More cases for types with more inside: 1 for a bare id, 6 or so for an operation with thirty variants. */
function weight({ codec }) {
  const inside = new Set();
  const visit = (one) => {
    if (inside.has(one)) return;
    inside.add(one);
    for (const inner of one.inner) visit(inner);
  };
  visit(codec);
  return 1 + Math.floor(Math.log2(inside.size));
}

const total = { cases: 0, accepted: 0, disagreements: 0 };
const recorded = [];

async function compare(rust, type, cases, counts) {
  const answers = await rust.answers(type, cases);
  for (const [index, bytes] of cases.entries()) {
    const answer = answers[index];
    counts.cases++;
    if (answer.accept) counts.accepted++;
    const { accept, reencoded } = answer;
    const rewritten = accept && !reencoded.equals(bytes);
    if (recording && bytes.length <= RECORDED_LENGTH && counts[rewritten ? "rewritten" : "recorded"] > 0) {
      counts[rewritten ? "rewritten" : "recorded"]--;
      const line = { revision: type.revision, type: type.type, hex: toHex(bytes), accept };
      recorded.push(JSON.stringify(accept ? { ...line, reencoded: toHex(reencoded) } : line));
    }
    const how = disagreement(type.codec, bytes, answer);
    if (how === undefined) continue;
    counts.disagreements++;
    if (total.disagreements + counts.disagreements > LISTED) continue;
    const name = `${type.revision}/${type.type}`;
    console.log(`DISAGREEMENT ${name}: ${how}\n  seed ${seed}; again: --type ${name} --hex ${toHex(bytes)}`);
  }
}

/** Whether the library and Rust agree about all cases of a type. */
async function agrees(rust, type, share) {
  const name = `${type.revision}/${type.type}`;
  const random = new Random(hash(`${seed} ${name}`));
  const counts = { cases: 0, accepted: 0, disagreements: 0, recorded: share, rewritten: RECORDED_REWRITTEN };
  if (options.hex !== undefined) {
    await compare(rust, type, [fromHex(options.hex)], counts);
  } else {
    while (counts.cases < share || (recording && counts.recorded > 0)) {
      const count = recording ? BATCH : Math.min(BATCH, share - counts.cases);
      await compare(rust, type, casesOf(type, type.codec, random, count), counts);
    }
  }
  total.cases += counts.cases;
  total.accepted += counts.accepted;
  total.disagreements += counts.disagreements;
  const { cases, accepted, disagreements } = counts;
  console.log(
    `${disagreements === 0 ? "ok  " : "FAIL"} ${name}: ${cases} cases, ${accepted} accepted, ${disagreements} disagreements`,
  );
  return disagreements === 0;
}

let passed = 0;
let failed = 0;
try {
  build();
  const { both, onlyRust, onlyHere } = commonTypes();
  const chosen = both.filter(
    ({ revision, type }) =>
      options.type === undefined || options.type === type || options.type === `${revision}/${type}`,
  );
  if (chosen.length === 0) throw new Error(`no type ${options.type} that both sides have`);
  console.log(`seed ${seed}, ${chosen.length} types of ${revisions.map(({ name }) => name).join(", ")}`);
  const begin = performance.now();
  const rust = new Rust();
  // The share of a type is that of a whole run, so that one type alone gets the same cases.
  const weights = both.reduce((sum, type) => sum + weight(type), 0);
  for (const type of chosen) {
    if (await agrees(rust, type, Math.ceil((wanted * weight(type)) / weights))) passed++;
    else failed++;
  }
  await rust.close();
  const seconds = (performance.now() - begin) / 1000;
  if (options.type === undefined) {
    console.log(`only here: ${onlyHere.join(", ") || "none"}`);
    console.log(`only in Rust: ${onlyRust.join(", ") || "none"}`);
  }
  if (recording && total.disagreements === 0) {
    writeFileSync(positionals[0], gzipSync(`${recorded.join("\n")}\n`, { level: 9 }));
    console.log(`${recorded.length} cases recorded`);
  }
  console.log(`${Math.round(total.cases / seconds)} cases a second, seed ${seed}`);
} catch (error) {
  failed++;
  console.log(`FAIL ${error.stack}`);
}
console.log(`${total.cases} cases, ${total.accepted} accepted, ${total.disagreements} disagreements`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
