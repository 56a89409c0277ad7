// A device to be killed: `node folder-device.mjs LEDGER FIRST SHARE KEY DEVICE SEED`. Makes step after step from number FIRST
// on while it syncs with the folder SHARE, and prints the number of each one once it is acknowledged. The folder is slow, is
// full now and then, and fails to be read: with a SEED of 0 it does not.
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../../../test/differential/random.mjs";
import { stepOf } from "./folder-steps.mjs";

const [path, first, share, key, device, seed] = process.argv.slice(2);
if (seed !== "0") spoilFiles(share, new Random(Number(seed)));
const { folderCloud, openLedger } = await import("../../dist/index.js");
const cloud = folderCloud(share, { interval: 15, ...(key !== "" && { key }) });
const ledger = await openLedger(path, { name: "folder", cloud });
const page = await ledger.rootPage();
process.stdout.write("open\n");
for (let number = Number(first); ; number++) {
  const changes = stepOf(Number(device), number);
  await page.transaction(async (tx) => {
    for (const [name, value] of changes)
      if (value === null) await tx.delete(name);
      else await tx.put(name, value);
  });
  process.stdout.write(`${number}\n`);
  await sleep(8);
}

/** Lets the opening and writing of files in a folder fail and take time. */
function spoilFiles(folder, random) {
  const open = promises.open;
  promises.open = async (file, flags, mode) => {
    if (!`${file}`.startsWith(folder)) return open(file, flags, mode);
    const chance = random.word() / 2 ** 32;
    if (chance < 0.2) await sleep(random.below(12));
    if (chance > 0.97) throw failure(flags === "wx" ? "ENOSPC" : "EIO");
    const handle = await open(file, flags, mode);
    if (flags !== "wx") return handle;
    const writeFile = handle.writeFile.bind(handle);
    handle.writeFile = async (bytes) => {
      // A disk that becomes full in the middle.
      if (random.below(20) > 0) return writeFile(bytes);
      await writeFile(bytes.subarray(0, random.below(bytes.length)));
      throw failure("ENOSPC");
    };
    return handle;
  };
  syncBuiltinESMExports();
}

function failure(code) {
  return Object.assign(new Error(`${code}: made by the test`), { code });
}
