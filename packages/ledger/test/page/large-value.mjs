// Puts a large value at a key, then reads it: `node --expose-gc large-value.mjs FOLDER MEBIBYTES`. Prints what was put and
// what was read, as hashes, and how many bytes more than at first were in use meanwhile.
import { createHash } from "node:crypto";
import { openLedger } from "../../dist/index.js";

const [folder, mebibytes] = process.argv.slice(2);
const MEBIBYTE = 1 << 20;
const used = () => {
  global.gc();
  global.gc(); // the first leaves dead buffers to a thread, and counts them until it has freed them
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = used();
let peak = before;
const look = () => {
  peak = Math.max(peak, used());
};

const written = createHash("sha256");
/** No two mebibytes are alike, and none has pieces twice. */
async function* value() {
  const words = new Uint32Array(MEBIBYTE / 4);
  let state = 1;
  for (let sent = 0; sent < Number(mebibytes); sent++) {
    for (let at = 0; at < words.length; at++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      words[at] = state ^ (state >>> 15) ^ sent;
    }
    const bytes = new Uint8Array(words.buffer.slice(0));
    written.update(bytes);
    if (sent % 16 === 8) look();
    yield bytes;
  }
}

const ledger = await openLedger(folder, { name: "large" });
const page = await ledger.rootPage();
await page.put("video", value(), { priority: "lazy" });
look();
const read = createHash("sha256");
let size = 0;
const snapshot = await page.snapshot();
for await (const chunk of snapshot.stream("video")) {
  read.update(chunk);
  if (Math.floor(size / MEBIBYTE) % 16 === 8 && (size + chunk.length) % MEBIBYTE < chunk.length) look();
  size += chunk.length;
}
look();
const lastByte = (await snapshot.getPartial("video", -1, 1)).length;
await snapshot.close();
await ledger.close();
console.log(
  JSON.stringify({
    written: written.digest("hex"),
    read: read.digest("hex"),
    size,
    lastByte,
    grown: peak - before,
  }),
);
