/**
 * `npm run test:foreign`: databases that a foreign writer makes, the Python package rocksdict with its own RocksDB, are
 * read here as RocksDB reads them, or refused by name. Each seed stands for one database with random options. Needs
 * Python with rocksdict (CONTRIBUTING.md); without it nothing is run. Ends with the totals.
 *
 *   --databases N   how many databases (60)
 *   --seed S        the seed of the first; each further one has the next number. Random without it
 *   --keep          keep all databases, not only those of failures
 *
 * The environment variable PYTHON names the Python to use.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openEngine, openFilesEngine } from "../dist/engine/index.js";
import { isMerostoreError } from "../dist/index.js";
import { hash, Random } from "../test/differential/random.mjs";
import { difference, parseRows } from "../test/foreign/compare.mjs";
import { findPython, pinned, python } from "../test/foreign/python.mjs";
import { isExpected, reasonOf } from "../test/foreign/refusals.mjs";

/** The two ways in which a database is opened: by its files, and as a user does. */
const READERS = {
  files: (path) => openFilesEngine(path),
  openEngine: (path) => openEngine(path, { readOnly: true }),
};

const { values: options } = parseArgs({
  options: {
    databases: { type: "string", default: "60" },
    seed: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const count = wholeNumber("databases", options.databases);
const firstSeed = wholeNumber("seed", options.seed ?? String(Math.floor(Math.random() * 2 ** 32)));

function wholeNumber(name, text) {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  console.error(`test-foreign: --${name} must be a whole number`);
  process.exit(2);
}

const totals = { rows: 0, columns: 0, failed: 0 };
const forms = new Map();
/** For each reader what became of the databases: `equal`, `refused` and `failed`. */
const outcomes = Object.fromEntries(
  Object.keys(READERS).map((name) => [name, { equal: 0, refused: 0, failed: 0 }]),
);
/** For each reason how many databases were refused by the engine files, and what openEngine made of them. */
const refusals = new Map();

/** Reads a database in one way: `{ kind, why, message }`. */
async function outcomeOf(open, path, expected, plan, random) {
  try {
    const engine = await open(path);
    try {
      const why = unexpectedWarning(engine, plan) ?? (await difference(engine, expected, random));
      return why === undefined ? { kind: "equal" } : { kind: "failed", why };
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (!isMerostoreError(error)) return { kind: "failed", why: error.stack };
    if (error.code !== "FORMAT_UNSUPPORTED")
      return { kind: "failed", why: `${error.code}: ${error.message}` };
    return { kind: "refused", why: reasonOf(error), message: error.message };
  }
}

/** A refusal that nothing in the database justifies is a failure. What the files bear, openEngine bears too. */
function judged(found, { forms }) {
  const { files, openEngine } = found;
  const unjustified = (one) => ({
    kind: "failed",
    why: `it is refused, which its forms do not justify: ${one.message}`,
  });
  if (files.kind === "refused" && !isExpected(files.why, forms)) found.files = unjustified(files);
  if (openEngine.kind === "refused" && files.kind !== "refused") found.openEngine = unjustified(openEngine);
}

/** Only a log whose end the writer never wrote is cut. */
function unexpectedWarning(engine, plan) {
  const [warning] = plan.forms.includes("buffered log") ? [] : engine.warnings;
  return warning === undefined ? undefined : `it warns without a cause: ${warning}`;
}

/** Makes and reads the database of a seed; returns what is wrong. */
async function examine(program, seed, folder) {
  const plan = JSON.parse(python(program, "write.py", String(seed), folder));
  python(program, "read.py", String(seed), folder);
  const expected = parseRows(readFileSync(join(folder, "rows.bin")));
  totals.columns += expected.size;
  for (const rows of expected.values()) totals.rows += rows.length;
  for (const form of plan.forms) forms.set(form, (forms.get(form) ?? 0) + 1);
  const found = {};
  for (const [name, open] of Object.entries(READERS)) {
    const random = new Random(hash(`${seed} ${name}`));
    found[name] = await outcomeOf(open, join(folder, "db"), expected, plan, random);
  }
  judged(found, plan);
  const problems = [];
  for (const [name, { kind, why }] of Object.entries(found)) {
    outcomes[name][kind]++;
    if (kind === "failed") problems.push(`${name}: ${why}`);
  }
  if (found.files.kind === "refused") {
    const row = refusals.get(found.files.why) ?? { refused: 0, read: 0 };
    row.refused++;
    if (found.openEngine.kind === "equal") row.read++;
    refusals.set(found.files.why, row);
  }
  return problems.length === 0 ? undefined : problems.join("\n  ");
}

function report(seconds) {
  console.log(`\n${count} databases, ${totals.rows} rows in ${totals.columns} column families`);
  for (const [name, { equal, refused, failed }] of Object.entries(outcomes)) {
    console.log(`${name.padEnd(10)} ${equal} read equal, ${refused} refused, ${failed} failed`);
  }
  if (refusals.size > 0) console.log("\nrefused by files  read by openEngine instead  reason");
  for (const [reason, { refused, read }] of [...refusals].sort(([, a], [, b]) => b.refused - a.refused)) {
    console.log(`${String(refused).padStart(16)}  ${String(read).padStart(26)}  ${reason}`);
  }
  const covered = [...forms].sort(([, a], [, b]) => b - a).map(([form, times]) => `${form} ${times}`);
  console.log(`\nforms: ${covered.join(", ")}`);
  console.log(`\n${Math.round(seconds)} s, seed ${firstSeed}`);
  console.log(`${count - totals.failed} passed, ${totals.failed} failed`);
}

async function main(program) {
  const begin = performance.now();
  const root = mkdtempSync(join(tmpdir(), "merostore-foreign-"));
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const folder = join(root, String(seed));
    mkdirSync(folder);
    const problem = await examine(program, seed, folder).catch((error) => error.stack);
    if (problem !== undefined) {
      totals.failed++;
      console.log(`FAIL seed ${seed}: ${problem}`);
      console.log(`  the database: ${join(folder, "db")}`);
      console.log(`  again: npm run test:foreign -- --seed ${seed} --databases 1`);
    } else if (!options.keep) rmSync(folder, { recursive: true });
  }
  if (totals.failed === 0 && !options.keep) rmdirSync(root);
  else console.log(`the databases are kept in ${root}`);
  report((performance.now() - begin) / 1000);
  process.exitCode = totals.failed === 0 ? 0 : 1;
}

const { program, version, missing } = findPython();
if (missing !== undefined) {
  console.log(`not run: ${missing}. Set PYTHON to a Python that has it: pip install rocksdict==${pinned}`);
} else {
  if (version !== pinned)
    console.log(`rocksdict ${version} is not ${pinned}: the same seed may make another database`);
  console.log(`rocksdict ${version}, seed ${firstSeed}, ${count} databases`);
  await main(program);
}
