// A program whose power fails: `node transfer.mjs import|into|copy|backup SOURCE TARGET`. Prints `done` when it is.
import { createReadStream, writeSync } from "node:fs";
import { backupDatabase } from "../../../dist/engines/index.js";
import { copyDatabase, importExport } from "../../../dist/transfer/index.js";

const [what, source, target] = process.argv.slice(2);
const works = {
  import: () => importExport(() => createReadStream(source), target),
  into: () => importExport(() => createReadStream(source), target, { intoExisting: true }),
  copy: () => copyDatabase(source, target),
  backup: () => backupDatabase(source, target),
};
await works[what]();
writeSync(1, "done\n");
