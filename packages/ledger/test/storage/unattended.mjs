// Opens a page, lets it remove what nothing needs, and ends: with `tidy` when that is done, with `leave` at once.
import { openLedger } from "../../dist/index.js";
import { folderPlace } from "../../dist/places/folder-place.js";
import { PageStorage } from "../../dist/storage/page-storage.js";

const [folder, how] = process.argv.slice(2);
if (how === "tidy") {
  const engine = await folderPlace(folder, "leveldb").openPage("test", new Uint8Array(16), { create: false });
  const options = { rollingHash: "V3", keyIndex: 1, prune: true, collection: "eager-live-references" };
  const storage = await PageStorage.open(engine, options);
  await storage.collectGarbage();
  await storage.close();
} else {
  const ledger = await openLedger(folder, { name: "test" });
  const page = await ledger.rootPage();
  await page.transaction(async (transaction) => {
    for (let at = 0; at < 2_000; at++) await transaction.put(`key${at}`, `value ${at} `.repeat(10));
  });
  await page.clear();
  await page.put("kept", "value");
}
process.stdout.write("done");
