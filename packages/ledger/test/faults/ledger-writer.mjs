// A writer to be killed: `node ledger-writer.mjs FOLDER FIRST`. Makes step after step from number FIRST on, and prints the
// number of each one once it is acknowledged.
import { openLedger } from "../../dist/index.js";
import { stepOf } from "./ledger-steps.mjs";

const [folder, first] = process.argv.slice(2);
const ledger = await openLedger(folder, { name: "kills" });
const page = await ledger.rootPage();
await page.waitForConflictResolution();
const other = await ledger.rootPage();
process.stdout.write("open\n");

async function make(tx, number) {
  const { changes, clear } = stepOf(number);
  if (clear) await tx.clear();
  for (const [key, value] of changes)
    if (value === null) await tx.delete(key);
    else await tx.put(key, value);
}

for (let number = Number(first); ; number++) {
  if (number % 5 === 3) {
    // Two connections at the same time; the page is merged while the next steps are made.
    await other.transaction(async (tx2) => {
      await page.transaction(async (tx1) => {
        await make(tx1, number);
        await make(tx2, number + 1);
      });
      process.stdout.write(`${number}\n`);
    });
    number++;
  } else await page.transaction((tx) => make(tx, number));
  process.stdout.write(`${number}\n`);
  if (number % 5 === 4) await page.waitForConflictResolution();
}
