/** A database of one context with a long history. */
import { core010, openStore } from "../src/index.js";
import { ContextConfig, ContextMeta } from "../src/keys/index.js";
import { keptDatabase } from "./kept-database.js";
import { Random } from "./random.js";
import { makeContextMeta } from "./rows/context.js";
import { fillDeltas } from "./rows/delta.js";
import type { Put } from "./rows/put.js";

/** Increase it if the same seed produces other rows. */
const SHAPE = 2;
const SEED = 20_261_123;
const BATCH = 1000;

/** Returns the folder of the database whose context has `deltas` deltas. `say` gets a sentence if it was made. */
export async function makeHistory(deltas: number, say: (sentence: string) => void): Promise<string> {
  const name = `core-0.10-history-${deltas}-seed-${SEED}-shape-${SHAPE}`;
  const fill = (path: string): Promise<number> => fillHistory(path, deltas);
  return (await keptDatabase({ name, columns: core010.columns, fill }, say)).path;
}

async function fillHistory(path: string, deltas: number): Promise<number> {
  await using store = await openStore(path, { create: true, schema: core010 });
  const random = new Random(SEED);
  const contextId = random.id();
  let written = 0;
  let batch = store.batch();
  const put: Put = (key, value) => void batch.put(key, value);
  const filler = fillDeltas(put, random, contextId, { deltas, entries: deltas });
  for (;;) {
    const { done, value: end } = filler.next();
    if (done === true) {
      put(new ContextMeta({ contextId }), { ...makeContextMeta(random), dagHeads: [end.head] });
      put(new ContextConfig({ contextId }), { applicationRevision: 1n, membersRevision: 1n });
    }
    if (batch.length >= BATCH || done === true) {
      written += batch.length;
      await batch.write();
      batch = store.batch();
    }
    if (done === true) return written;
  }
}
