// Opens pages: `node many-pages.mjs leveldb|rocksdb FOLDER COUNT`. Writes to each, to all at once, then reads each and scans
// some side by side. Prints a line of JSON: the entries that are right.
import { openLedger } from "../../dist/index.js";

const [engine, folder, count] = process.argv.slice(2);
const ledger = await openLedger(folder, { name: "many", engine });
const ids = Array.from({ length: Number(count) }, (_, at) => at.toString(16).padStart(32, "0"));
const pages = [];
for (const id of ids) {
  const page = await ledger.page(id);
  await page.put("id", id);
  pages.push(page);
}
await Promise.all(pages.map((page, at) => page.put("again", ids[at])));
let right = 0;
for (const [at, page] of pages.entries()) {
  const [id, again] = [await page.get("id"), await page.get("again")];
  if (`${id && Buffer.from(id)} ${again && Buffer.from(again)}` === `${ids[at]} ${ids[at]}`) right++;
}
// Iterations hold no databases: more that wait for each other than have open files end.
const nested = async (at) => {
  for await (const { key } of pages[at].entries())
    if (at > 0 && key.length === 2) return 1 + (await nested(at - 1));
  return 1;
};
const depth = await nested(149);
await ledger.close();
console.log(JSON.stringify({ right, depth }));
