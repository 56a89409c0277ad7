// `npm run test:rust`: the library reads databases that Rust wrote, and Rust reads databases that the library wrote,
// with the crates that the node uses. Needs Rust, a C++ compiler and libclang; with `-- published` only Rust, for rows of
// State and manifests. Prints totals at the end.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { core010, core011, documented, fromHex, openStore, rowToJson } from "../dist/index.js";
import { decryptDatabase, exchangeValues } from "./encryption-by-rust.mjs";
import { printTable } from "./print-table.mjs";
import { checkPublished } from "./published-crates.mjs";
import { importTypeScript } from "./typescript.mjs";

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));
const crate = join(fixtures, "rust");
const programs = join(process.env.CARGO_TARGET_DIR ?? join(crate, "target"), "release");
const folder = mkdtempSync(join(tmpdir(), "merostore-rust-"));
let passed = 0;
let failed = 0;

function run(program, args, options = {}) {
  const { status, stdout, error } = spawnSync(program, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });
  if (error) throw new Error(`${program}: ${error.message}`);
  return { status, stdout };
}

function report(what, ok, detail = "") {
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? "ok  " : "FAIL"} ${what}${detail === "" ? "" : `: ${detail.trim()}`}`);
}

/** Reads a database that Rust wrote and compares every row with the rows that Rust listed. */
async function readHere(name, path, schema, file) {
  const expected = readFileSync(file, "utf8").trimEnd().split("\n");
  const store = await openStore(path);
  const found = [];
  for (const column of store.columns) {
    for await (const row of store.raw.scan(column)) {
      found.push(JSON.stringify(rowToJson(store.schema, column, row, { revealSecrets: true })));
    }
  }
  await store.close();
  const different =
    expected.filter((line, at) => line !== found[at]).length + Math.abs(found.length - expected.length);
  report(
    `${name}: read here`,
    store.schema === schema && different === 0,
    `rows ${found.length}, different ${different}`,
  );
}

/** Writes the rows to a new database through the typed store, and lets Rust compare every row. */
async function checkedByRust(name, schema, file) {
  const path = join(folder, name.replaceAll("/", "-"));
  const store = await openStore(path, { create: true, schema });
  const batch = store.batch();
  for (const line of readFileSync(file, "utf8").trimEnd().split("\n")) {
    const { column, kind, key, value, decoded } = JSON.parse(line);
    if (kind === null) {
      await store.raw.write([{ type: "put", column, key: fromHex(key), value: fromHex(value) }]);
      continue;
    }
    const row = schema.row(kind);
    const bytes = fromHex(value);
    if (row.value.canonical(bytes)) {
      // From JSON. Index rows of the state are shown decoded.
      const shown = row.alternative !== undefined && typeof decoded === "object";
      batch.put(
        row.key.fromBytes(fromHex(key)),
        shown ? row.alternative.encode(row.alternative.fromJson(decoded)) : row.value.fromJson(decoded),
      );
    } else {
      await store.raw.write([{ type: "put", column, key: fromHex(key), value: bytes }]);
    }
  }
  await batch.write();
  await store.close();
  const revision = schema === documented ? "documented" : "raw";
  const { status, stdout } = run(join(programs, "check"), [path, file, "--revision", revision]);
  report(`${name}: written here, checked by Rust`, status === 0, stdout);
}

/** All databases, with the crate `rocksdb`. */
async function checkDatabases() {
  const build = run("cargo", ["build", "--release"], { cwd: crate, stdio: "inherit" });
  if (build.status !== 0) throw new Error("cargo build failed");
  for (const seed of ["1", "2", "3"]) {
    const made = join(folder, `seed-${seed}`);
    if (run(join(programs, "write"), [made, "--seed", seed]).status !== 0) throw new Error("write failed");
    const rows = join(made, "rows.jsonl");
    await readHere(`rust seed ${seed}`, join(made, "db"), documented, rows);
    await checkedByRust(`rust seed ${seed}`, documented, rows);
  }
  for (const [name, schema] of [
    ["documented/log-and-tables", documented],
    ["documented/tables", documented],
    ["core-0.10/log-and-tables", core010],
    ["core-0.10/node-a", core010],
    ["core-0.10/node-b", core010],
    ["core-0.11/log", core011],
    ["core-0.11/every-kind-log", core011],
    ["core-0.11/node-a", core011],
    ["core-0.11/node-b", core011],
    ["core-0.11/node-c", core011],
  ]) {
    await checkedByRust(name, schema, join(fixtures, name, "rows.jsonl"));
  }
  const decrypt = join(programs, "decrypt");
  const { values, different } = await exchangeValues(decrypt, 40);
  report(
    "encryption: values of both directions",
    different === 0,
    `values ${values}, different ${different}`,
  );
  for (const name of ["core-0.10/tables", "core-0.11/log"]) {
    const [database, rows] = [join(fixtures, name, "db"), join(fixtures, name, "rows.jsonl")];
    const found = await decryptDatabase(decrypt, database, rows, folder);
    report(
      `${name}: encrypted here, decrypted by Rust`,
      found.different === 0,
      `rows ${found.rows}, different ${found.different}`,
    );
  }
  const { compareRepairs } = await importTypeScript("test/faults/recovery/repair.ts");
  const repairs = await compareRepairs(fixtures, folder, join(programs, "repair"), 1);
  printTable(repairs.table);
  report(
    "recovery of damaged databases, beside RocksDB's repair",
    repairs.recovered === repairs.outside,
    `databases ${repairs.cases}, rows outside of damage ${repairs.outside}, recovered ${repairs.recovered}, ` +
      `by RocksDB ${repairs.repaired}`,
  );
}

try {
  await checkPublished(fixtures, report);
  if (!process.argv.includes("published")) await checkDatabases();
} catch (error) {
  report("test:rust", false, error.stack);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
