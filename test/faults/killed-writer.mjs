// A writer to be killed: `node killed-writer.mjs DIR FIRST`. Writes batch after batch from number FIRST on, through the
// engine, and prints the number of each one once it is acknowledged. Now and then it flushes.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openRocksEngine } from "../../dist/engines/index.js";
import { batchOf, FAMILIES } from "../engines/files/batches.mjs";

const [path, first] = process.argv.slice(2);
const isNew = !existsSync(join(path, "CURRENT"));
const engine = await openRocksEngine(
  path,
  isNew ? { create: { columns: FAMILIES } } : { writable: true, acceptLogLoss: true },
);
process.stdout.write("open\n");
for (let number = Number(first); ; number++) {
  const operations = batchOf(number).map(({ column, key, value }) =>
    value === undefined ? { type: "delete", column, key } : { type: "put", column, key, value },
  );
  await engine.write(operations);
  process.stdout.write(`${number}\n`);
  if (number % 53 === 0) await engine.flush();
}
