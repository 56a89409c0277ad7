// A program whose power fails: `node ledger-writer.mjs leveldb|rocksdb FOLDER STEPS`. Makes step after step on a ledger's
// page, and prints the number of each one once it is acknowledged; then makes a second page and deletes it.
import { writeSync } from "node:fs";
import { openLedger } from "../../../packages/ledger/dist/index.js";
import { stepOf } from "../../../packages/ledger/test/faults/ledger-steps.mjs";

const [engine, folder, steps] = process.argv.slice(2);
const acknowledge = (what) => writeSync(1, `${what}\n`);

async function make(tx, number) {
  const { changes, clear } = stepOf(number);
  if (clear) await tx.clear();
  for (const [key, value] of changes)
    if (value === null) await tx.delete(key);
    else await tx.put(key, value);
}

let ledger = await openLedger(folder, { name: "power", engine });
let page = await ledger.rootPage();
acknowledge(0);
for (let number = 1; number <= Number(steps); number++) {
  if (number % 5 === 3) {
    const other = await ledger.rootPage();
    await other.transaction(async (tx2) => {
      await page.transaction(async (tx1) => {
        await make(tx1, number);
        await make(tx2, number + 1);
      });
      acknowledge(number);
    });
    number++;
    await page.waitForConflictResolution();
    await other.close();
  } else await page.transaction((tx) => make(tx, number));
  acknowledge(number);
  if (number % 9 === 0) {
    await ledger.close();
    ledger = await openLedger(folder, { name: "power", engine });
    page = await ledger.rootPage();
  }
}
const id = new Uint8Array(16).fill(7);
const second = await ledger.page(id);
await second.put("key", "value");
acknowledge("made");
await second.close();
await ledger.close();
ledger = await openLedger(folder, { name: "power", engine });
await ledger.deletePage(id);
acknowledge("deleted");
await ledger.close();
