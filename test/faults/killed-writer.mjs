// A writer to be killed: `node killed-writer.mjs DIR FIRST rocksdb|files`. Writes batch after batch from number FIRST on, through the
// engine, and prints the number of each one once it is acknowledged. Now and then it flushes.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openFilesEngine, openRocksEngine } from "../../dist/engines/index.js";
import { batchOf, FAMILIES } from "../engines/files/batches.mjs";

const [path, first, name] = process.argv.slice(2);
const isNew = !existsSync(join(path, "CURRENT"));
const created = isNew ? await openRocksEngine(path, { create: true, columns: FAMILIES }) : undefined;
if (name === "files") await created?.close();
const open = name === "files" ? openFilesEngine : openRocksEngine;
const engine =
  name === "files" || created === undefined
    ? await open(path, { writable: true, acceptLogLoss: true })
    : created;
process.stdout.write("open\n");
for (let number = Number(first); ; number++) {
  const operations = batchOf(number).map(({ column, key, value }) =>
    value === undefined ? { type: "delete", column, key } : { type: "put", column, key, value },
  );
  await engine.write(operations);
  process.stdout.write(`${number}\n`);
  if (number % 53 === 0) await engine.flush();
}
