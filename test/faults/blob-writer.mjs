// A writer to be killed: `node blob-writer.mjs HOME FIRST`. Adds blob after blob, and deletes every third again; prints the
// number of each step once it is done.
import { join } from "node:path";
import { blobFolder, deleteBlob, putBlob } from "../../dist/blobs/index.js";
import { openStore } from "../../dist/store/index.js";
import { contentOf } from "./blob-steps.mjs";

const [home, first] = process.argv.slice(2);
const store = await openStore(join(home, "data"), { writable: true });
const folder = await blobFolder(join(home, "blobs"));
process.stdout.write("open\n");
for (let number = Number(first); ; number++) {
  const { blobId } = await putBlob(store, folder, contentOf(number));
  if (number % 3 === 0) await deleteBlob(store, folder, Buffer.from(blobId, "hex"));
  process.stdout.write(`${number}\n`);
}
