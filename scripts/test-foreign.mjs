/**
 * `npm run test:foreign`: databases that a foreign writer makes, the Python package rocksdict with its own RocksDB, are
 * read as RocksDB reads them, or refused by name; then they are written without RocksDB and by RocksDB in turn, read by RocksDB each time,
 * and compacted by it at last. Each seed stands for one database with random options. Needs Python with rocksdict (CONTRIBUTING.md); without
 * it nothing runs. Prints totals at the end.
 *
 *   --databases N   how many databases (60)
 *   --seed S        the seed of the first; each further one has the next number. Random without it
 *   --rounds N      how often each database is written without RocksDB (2)
 *   --keep          keep all databases, not only those of failures
 *
 * The environment variable PYTHON names the Python to use.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fifoProblem } from "../test/foreign/fifo.mjs";
import { findPython, pinned, runHere } from "../test/foreign/programs.mjs";
import { justified, mayRefuse } from "../test/foreign/refusals.mjs";

const { values: options } = parseArgs({
  options: {
    databases: { type: "string", default: "60" },
    seed: { type: "string" },
    rounds: { type: "string", default: "2" },
    keep: { type: "boolean", default: false },
  },
});
const count = wholeNumber("databases", options.databases);
const rounds = wholeNumber("rounds", options.rounds);
const firstSeed = wholeNumber("seed", options.seed ?? String(Math.floor(Math.random() * 2 ** 32)));

function wholeNumber(name, text) {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  console.error(`test-foreign: --${name} must be a whole number`);
  process.exit(2);
}

const totals = { rows: 0, columns: 0, failed: 0, corrupt: 0, unwritten: 0 };
const forms = new Map();
/** The results by reader. */
const kinds = {
  files: { equal: 0, refused: 0, failed: 0 },
  openEngine: { equal: 0, refused: 0, failed: 0 },
};
/** The rounds of writing: batches and flushes, and those that were refused, by the code of the error. */
const written = { rounds: 0, batches: 0, flushes: 0, turns: 0, compactions: 0, refused: new Map() };
/** The number of databases that the engine files refused, by reason, and how many of them RocksDB read instead. */
const refusals = new Map();

/** Creates and reads the database of a seed; returns the problems. */
function examine(python, seed, folder) {
  const plan = runHere(python, "write.py", String(seed), folder);
  if (JSON.parse(plan) === null) {
    totals.unwritten++;
    return undefined;
  }
  writeFileSync(join(folder, "plan.json"), plan);
  try {
    runHere(python, "read.py", String(seed), folder);
  } catch (error) {
    if (!/Corruption: /.test(error.message)) throw error;
    totals.corrupt++; // the RocksDB of the killed writer cannot read the database either, so there is nothing to compare
    return undefined;
  }
  const { rows, columns, outcomes } = JSON.parse(
    runHere(process.execPath, "examine.mjs", String(seed), folder),
  );
  totals.rows += rows;
  totals.columns += columns;
  const has = JSON.parse(plan).forms;
  for (const form of has) forms.set(form, (forms.get(form) ?? 0) + 1);
  judge(outcomes, has);
  const problems = [];
  for (const [name, { kind, why }] of Object.entries(outcomes)) {
    kinds[name][kind]++;
    if (kind === "failed") problems.push(`${name}: ${why}`);
  }
  // A database does not say that new tables belong into another folder.
  if (outcomes.files.kind === "equal" && !has.includes("db_paths")) {
    const problem = rewritten(python, seed, folder, JSON.parse(plan));
    if (problem !== undefined) problems.push(problem);
  }
  return problems.length === 0 ? undefined : [...problems, `forms: ${has.join(", ")}`].join("\n  ");
}

/** Writes without RocksDB what RocksDB then reads, in turn with RocksDB itself. Returns the problem. */
function rewritten(python, seed, folder, { finish, sessions, columns, forms: has }) {
  const file = (name) => readFileSync(join(folder, name));
  for (let round = 1; round <= rounds; round++) {
    const { refused, why, batches, flushes } = JSON.parse(
      runHere(process.execPath, "rewrite.mjs", String(seed), folder, String(round)),
    );
    if (refused !== undefined) {
      // Writes without a log leave gaps between logs, as a missing log does.
      const mayBeGap = refused === "LOG_MISSING" && has.includes("writes without a write-ahead log");
      if (!mayBeGap && !["FORMAT_UNSUPPORTED", "LOG_DAMAGED", "ROW_TOO_LARGE"].includes(refused))
        return `writing: ${why}`;
      written.refused.set(refused, (written.refused.get(refused) ?? 0) + 1);
      return undefined;
    }
    written.rounds++;
    written.batches += batches;
    written.flushes += flushes;
    runHere(python, "read.py", String(seed), folder);
    if (!file("expected.bin").equals(file("rows.bin")))
      return `RocksDB reads other rows than were written, in round ${round}`;
    if (round === rounds) break;
    // A checkpoint has its logs elsewhere than the plan says.
    if (finish === "checkpoint") continue;
    writeInTurn(python, seed, folder, sessions.length + round);
    written.turns++;
  }
  const problem = fifoProblem(python, seed, folder, columns);
  if (problem !== undefined) return problem;
  const rows = file("rows.bin");
  runHere(python, "compact.py", String(seed), folder, "all");
  runHere(python, "read.py", String(seed), folder);
  written.compactions++;
  return rows.equals(file("rows.bin")) ? undefined : "RocksDB reads other rows after a compaction of all";
}

/** A turn of RocksDB, which may be killed. */
function writeInTurn(python, seed, folder, session) {
  try {
    runHere(python, "write.py", String(seed), folder, String(session));
  } catch (error) {
    if (!/ended with (77|SIGALRM)/.test(error.message)) throw error;
  }
  runHere(python, "read.py", String(seed), folder);
}

/** Counts refusals. A refusal without a reason in the database is a failure. */
function judge({ files, openEngine }, has) {
  const fail = (one) => {
    one.kind = "failed";
    one.why = `it is refused, which its forms do not justify: ${one.code}: ${one.why}`;
  };
  const reason = files.kind === "refused" ? justified(files, has) : undefined;
  if (openEngine.kind === "refused" && !mayRefuse(openEngine, files, has)) fail(openEngine);
  if (files.kind !== "refused") return;
  if (reason === undefined) {
    fail(files);
    return;
  }
  const row = refusals.get(reason) ?? { refused: 0, read: 0 };
  row.refused++;
  if (openEngine.kind === "equal") row.read++;
  refusals.set(reason, row);
}

function report(seconds) {
  console.log(`\n${count} databases, ${totals.rows} rows in ${totals.columns} column families`);
  if (totals.unwritten > 0) console.log(`${totals.unwritten} whose writer hung or crashed: not compared`);
  if (totals.corrupt > 0)
    console.log(`${totals.corrupt} that the writer's RocksDB itself cannot read: not compared`);
  for (const [name, { equal, refused, failed }] of Object.entries(kinds)) {
    console.log(`${name.padEnd(10)} ${equal} read equal, ${refused} refused, ${failed} failed`);
  }
  if (refusals.size > 0) console.log("\nrefused by files  read by RocksDB instead  reason");
  for (const [reason, { refused, read }] of [...refusals].sort(([, a], [, b]) => b.refused - a.refused)) {
    console.log(`${String(refused).padStart(16)}  ${String(read).padStart(23)}  ${reason}`);
  }
  console.log(
    `\nwritten without RocksDB: ${written.rounds} rounds, ${written.batches} batches, ${written.flushes} flushes; by RocksDB in between: ${written.turns} times; compacted by it: ${written.compactions}`,
  );
  for (const [code, times] of written.refused) console.log(`${String(times).padStart(16)}  refused: ${code}`);
  const covered = [...forms].sort(([, a], [, b]) => b - a).map(([form, times]) => `${form} ${times}`);
  console.log(`\nforms: ${covered.join(", ")}`);
  console.log(`\n${Math.round(seconds)} s, seed ${firstSeed}`);
  console.log(`${count - totals.failed} passed, ${totals.failed} failed`);
}

function main(python) {
  const begin = performance.now();
  const root = mkdtempSync(join(tmpdir(), "merostore-foreign-"));
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const folder = join(root, String(seed));
    mkdirSync(folder);
    let problem;
    try {
      problem = examine(python, seed, folder);
    } catch (error) {
      problem = error.message;
    }
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
  main(program);
}
