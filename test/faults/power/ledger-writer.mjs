// A program whose power fails: `node ledger-writer.mjs leveldb|rocksdb FOLDER STEPS`. Makes step after step on a ledger's
// page, and prints the number of each one once it is acknowledged; then makes a second page and deletes it.
import { writeSync } from "node:fs";
import { openLedger } from "../../../packages/ledger/dist/index.js";
import { stepOf } from "../../../packages/ledger/test/faults/ledger-steps.mjs";

const [engine, folder, steps] = process.argv.slice(2);
const acknowledge = (what) => writeSync(1, `${what}\n`);

async function make(connection, number) {
  const { changes, clear } = stepOf(number);
  await connection.startTransaction();
  if (clear) await connection.clear();
  for (const [key, value] of changes)
    if (value === null) await connection.delete(key);
    else await connection.put(key, value);
  return () => connection.commit();
}

let ledger = await openLedger(folder, { name: "power", engine });
let page = await ledger.rootPage();
acknowledge(0);
for (let number = 1; number <= Number(steps); number++) {
  if (number % 5 === 3) {
    const other = await ledger.rootPage();
    const [one, two] = [await make(page, number), await make(other, number + 1)];
    await one();
    acknowledge(number);
    await two();
    number++;
    await page.waitForConflictResolution();
    await other.close();
  } else await (await make(page, number))();
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
