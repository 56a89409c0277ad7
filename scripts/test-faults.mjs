// `npm run test:faults`: what happens to a database when things go wrong, in numbers. Ends with the totals.
//
//   --kills N          how often a writer is killed (1,000)
//   --ledger-kills N   how often a writer of a ledger is killed (300)
//   --seed S           the random moments of an earlier run
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../test/differential/random.mjs";
import { killWriters } from "../test/faults/kills.mjs";
import { killLedgerWriters } from "../test/faults/ledger-kills.mjs";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    "ledger-kills": { type: "string", default: "300" },
    seed: { type: "string" },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const random = new Random(seed);
const folder = mkdtempSync(join(tmpdir(), "merostore-faults-"));
let passed = 0;
let failed = 0;

async function report(what, run) {
  try {
    console.log(`ok   ${what}: ${JSON.stringify(await run())}`);
    passed++;
  } catch (error) {
    console.log(`FAIL ${what} (seed ${seed}): ${error.message}`);
    failed++;
  }
}

await report("kills of a writer", () =>
  killWriters(folder, Number(values.kills), () => random.word() / 2 ** 32),
);
await report("ledger kills", () =>
  killLedgerWriters(folder, Number(values["ledger-kills"]), () => random.word() / 2 ** 32),
);
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
