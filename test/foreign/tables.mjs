/** Prints the tables of each column family of a database as JSON, the newest first: `tables.mjs FOLDER`. */
import { folderFiles } from "../../dist/disk/folder.js";
import { readCatalog } from "../../dist/lsm/catalog/catalog.js";

const { manifest } = await readCatalog(folderFiles(process.argv[2]));
const tables = manifest.columns.map(({ name }) => [
  name,
  manifest.liveFiles
    .filter(({ column }) => column === name)
    .map(({ number, size, largestSequence }) => ({ number, size, largestSequence }))
    .sort((a, b) => b.largestSequence - a.largestSequence),
]);
console.log(JSON.stringify(Object.fromEntries(tables)));
