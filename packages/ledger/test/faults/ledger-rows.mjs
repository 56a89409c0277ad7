// The rows of a page that nothing needs after its process was killed: nothing, once the next one had the time to remove it.

import { verifyPage } from "../../dist/index.js";
import { folderPlace } from "../../dist/places/folder-place.js";
import { PageStorage } from "../../dist/storage/page-storage.js";

const ROOT_PAGE = new Uint8Array(16);
const options = { rollingHash: "V3", keyIndex: 1, prune: true, collection: "eager-live-references" };

/**
 * Removes what nothing needs, and checks what is left. Throws when the rows do not agree, and for a row that nothing needs.
 *
 * @returns how many rows were removed
 */
export async function collectGarbage(path) {
  const engine = await folderPlace(path, "leveldb").openPage("kills", ROOT_PAGE, { create: false });
  if (engine === undefined) return 0;
  const storage = await PageStorage.open(engine, options);
  try {
    const before = await rowsOf(engine);
    await storage.collectGarbage();
    for await (const { key, message } of verifyPage(engine)) throw new Error(`${key}: ${message}`);
    const commits = await rowsOf(engine, "commits/");
    if (storage.heads.all.length === 1 && commits > 1) throw new Error(`${commits} commits are left`);
    return before - (await rowsOf(engine));
  } finally {
    await storage.close();
  }
}

async function rowsOf(engine, prefix = "") {
  const gte = new TextEncoder().encode(prefix);
  const range = prefix === "" ? {} : { gte, lt: new TextEncoder().encode(`${prefix.slice(0, -1)}0`) };
  let rows = 0;
  for await (const chunk of engine.scan("default", range, { keysOnly: true }).chunks()) rows += chunk.length;
  return rows;
}
