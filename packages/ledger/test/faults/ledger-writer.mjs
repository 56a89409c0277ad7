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

async function begin(connection, number) {
  const { changes, clear } = stepOf(number);
  await connection.startTransaction();
  if (clear) await connection.clear();
  for (const [key, value] of changes)
    if (value === null) await connection.delete(key);
    else await connection.put(key, value);
}

for (let number = Number(first); ; number++) {
  if (number % 5 === 3) {
    // Two connections at the same time; the page is merged while the next steps are made.
    await begin(page, number);
    await begin(other, number + 1);
    await page.commit();
    process.stdout.write(`${number}\n`);
    await other.commit();
    number++;
  } else {
    await begin(page, number);
    await page.commit();
  }
  process.stdout.write(`${number}\n`);
  if (number % 5 === 4) await page.waitForConflictResolution();
}
