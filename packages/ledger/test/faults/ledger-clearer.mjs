// A writer to be killed: `node ledger-clearer.mjs FOLDER FIRST`. Fills a page at every odd step and clears it at every even
// one, and prints the number of each step once it is acknowledged.
import { openLedger } from "../../dist/index.js";
import { entriesAfter } from "./ledger-clears.mjs";

const [folder, first] = process.argv.slice(2);
const ledger = await openLedger(folder, { name: "kills" });
const page = await ledger.rootPage();
process.stdout.write("open\n");

for (let number = Number(first); ; number++) {
  const entries = entriesAfter(number);
  await page.transaction(async (transaction) => {
    await transaction.clear();
    for (const [key, value] of entries) await transaction.put(key, value);
  });
  process.stdout.write(`${number}\n`);
}
