// `npm run test:faults`: what happens to a database when things go wrong, in numbers. Ends with the totals.
//
//   kills file-kills blobs encryption ledger-kills ledger-clears folder-cloud power damage recover values deletions replay histories   only these
//   --kills N          how often a writer is killed, with each engine (1,000)
//   --blob-kills N     how often a program is killed that adds and deletes blobs (300)
//   --encryption-kills N   how often a program is killed that encrypts or decrypts a database (300)
//   --ledger-kills N   how often a writer of a ledger is killed (300)
//   --ledger-clears N  how often a program is killed that clears a great page of a ledger (60)
//   --folder-cloud N   how often a device is killed that syncs a ledger through a folder (120)
//   --power N          how often the power fails (2,400); needs Linux and cc
//   --values N         how many values are spoilt (20,000)
//   --replay N         how many entities, deltas and hashes of authors are falsified in each database of a node (300)
//   --histories N      how many random histories both engines for RocksDB read alike (500)
//   --seed S           the random moments and places of an earlier run
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { killFolderDevices } from "../packages/ledger/test/faults/folder-cloud.mjs";
import { killLedgerClearers } from "../packages/ledger/test/faults/ledger-clears.mjs";
import { killLedgerWriters } from "../packages/ledger/test/faults/ledger-kills.mjs";
import { Random } from "../test/differential/random.mjs";
import { killBlobWriters } from "../test/faults/blob-kills.mjs";
import { killRewriters } from "../test/faults/encryption-kills.mjs";
import { killWriters } from "../test/faults/kills.mjs";
import { buildShim, cutPower } from "../test/faults/power/power.mjs";
import { printTable } from "./print-table.mjs";
import { importTypeScript } from "./typescript.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: "string", default: "1000" },
    "blob-kills": { type: "string", default: "300" },
    "encryption-kills": { type: "string", default: "300" },
    "ledger-kills": { type: "string", default: "300" },
    "ledger-clears": { type: "string", default: "60" },
    "folder-cloud": { type: "string", default: "120" },
    power: { type: "string", default: "2400" },
    values: { type: "string", default: "20000" },
    replay: { type: "string", default: "300" },
    histories: { type: "string", default: "500" },
    seed: { type: "string" },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const random = new Random(seed);
const root = fileURLToPath(new URL("../", import.meta.url));
const fixtures = join(root, "fixtures");
const folder = mkdtempSync(join(tmpdir(), "merostore-faults-"));
let passed = 0;
let failed = 0;

/** Runs a check and prints its result. `run` returns a summary, and throws if the check fails. */
async function ask(question, run) {
  if (positionals.length > 0 && !positionals.includes(question)) return;
  try {
    console.log(`ok   ${question}: ${await run()}`);
    passed++;
  } catch (error) {
    console.log(`FAIL ${question} (seed ${seed}): ${error.message}`);
    failed++;
  }
}

function throwIf(wrong) {
  if (wrong.length > 0) throw new Error([`${wrong.length} cases`, ...wrong.slice(0, 20)].join("\n  "));
}

/** Runs the tests of a file with a number of their own. */
function runTest(file, numbers) {
  const env = { ...process.env, ...numbers };
  const { status, stdout } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", file], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stdout);
}

await ask("kills", async () =>
  JSON.stringify(await killWriters(folder, Number(values.kills), () => random.word() / 2 ** 32)),
);
await ask("file-kills", async () =>
  JSON.stringify(await killWriters(folder, Number(values.kills), () => random.word() / 2 ** 32, "files")),
);
await ask("blobs", async () =>
  JSON.stringify(await killBlobWriters(folder, Number(values["blob-kills"]), () => random.word() / 2 ** 32)),
);
await ask("encryption", async () =>
  JSON.stringify(
    await killRewriters(folder, Number(values["encryption-kills"]), () => random.word() / 2 ** 32),
  ),
);
await ask("ledger-kills", async () =>
  JSON.stringify(
    await killLedgerWriters(folder, Number(values["ledger-kills"]), () => random.word() / 2 ** 32),
  ),
);
await ask("ledger-clears", async () =>
  JSON.stringify(
    await killLedgerClearers(folder, Number(values["ledger-clears"]), () => random.word() / 2 ** 32),
  ),
);
await ask("folder-cloud", async () =>
  JSON.stringify(
    await killFolderDevices(folder, Number(values["folder-cloud"]), () => random.word() / 2 ** 32),
  ),
);
await ask("power", async () => {
  const shim = buildShim(folder);
  if (shim === undefined) return "not run: it needs Linux and a C compiler (cc)";
  const { counts, wrong } = await cutPower(folder, Number(values.power), {
    shim,
    fixture: join(fixtures, "core-0.11/log-and-tables/db"),
    random: () => random.word() / 2 ** 32,
  });
  throwIf(wrong);
  return `${JSON.stringify(counts)}, 0 wrong`;
});
await ask("damage", async () => {
  const { damageFiles } = await importTypeScript("test/faults/damage.ts");
  const { cases, table, wrong } = await damageFiles(fixtures, folder, seed);
  printTable(table);
  throwIf(wrong);
  return `${cases} files, 0 wrong`;
});
await ask("recover", async () => {
  const { recoverDamaged } = await importTypeScript("test/faults/recovery.ts");
  const { cases, table, wrong } = await recoverDamaged(fixtures, folder, seed);
  printTable(table);
  throwIf(wrong);
  return `${cases} damaged databases, 0 rows outside of damage missing, 0 rows that were never written`;
});
await ask("values", async () => {
  const { spoilValues } = await importTypeScript("test/faults/values.ts");
  const { cases, notCaught, table, wrong } = await spoilValues(fixtures, Number(values.values), seed);
  printTable(table);
  throwIf(wrong);
  return `${cases} values, ${cases - notCaught} caught, ${notCaught} not, all in fields of which no row tells`;
});
await ask("deletions", async () => {
  const { deleteRows } = await importTypeScript("test/faults/deletions.ts");
  const { rows, noticed, infoOnly, kinds, kindsNoticed, table, wrong } = await deleteRows(fixtures, Infinity);
  printTable(table);
  throwIf(wrong);
  const unnoticed = rows - noticed - infoOnly;
  return (
    `${rows} rows deleted one at a time: ${noticed} noticed, ${infoOnly} named in an info only, ${unnoticed} not noticed; ` +
    `${kinds} kinds of rows deleted at once: ${kindsNoticed} noticed; all others are rows that nothing proves to exist`
  );
});
await ask("replay", () => {
  runTest("test/verify/one-change.full.test.ts", { CHANGES: values.replay });
  return `${values.replay} entities, deltas and hashes of authors falsified in each database, or all that it has, and named`;
});
await ask("histories", () => {
  runTest("test/engines/files/histories.full.test.ts", { MEROSTORE_HISTORIES: values.histories });
  return `${values.histories} histories, read alike by both engines`;
});
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
