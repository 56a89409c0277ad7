/** A database that no pipe or buffer holds. */
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ContextState011 } from "../../../src/keys/index.js";
import { core010 } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { temporaryFolder } from "../../support/fixtures.js";

/** About 60 MB, which an export doubles twice. */
export const LARGE_ROWS = 60_000;
const VALUE = new Uint8Array(1000).fill(7);
const contextId = new Uint8Array(32).fill(7);

/** The folder and, made before the tests of the file, the large database in it. */
export function largeDatabase(): { readonly folder: string; readonly path: string } {
  const folder = temporaryFolder();
  const path = join(folder.path, "large");
  beforeAll(async () => {
    await using store = await openStore(path, { create: true, schema: core010 });
    for (let from = 0; from < LARGE_ROWS; from += 5_000) {
      const batch = store.batch();
      for (let index = from; index < from + 5_000; index++) {
        const stateKey = new Uint8Array(32);
        new DataView(stateKey.buffer).setUint32(0, index);
        batch.put(new ContextState011({ contextId, stateKey }), VALUE);
      }
      await batch.write();
    }
    await store.flush();
  });
  afterAll(() => folder[Symbol.dispose]());
  return { folder: folder.path, path };
}
