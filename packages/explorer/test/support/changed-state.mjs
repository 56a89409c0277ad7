/** A copy of node A with another state of the lobby: a value, and the hash of an entity, differ. */
import { cpSync } from "node:fs";
import { openStore } from "../../../../dist/index.js";
import { EntityIndex011 } from "../../../../dist/payloads/index.js";
import { database } from "../../../../test/browser/compare.mjs";

const flipped = (hash) => Uint8Array.from(hash, (byte) => byte ^ 0xff);

function entityOf(value) {
  try {
    return EntityIndex011.decode(value);
  } catch {
    return undefined;
  }
}

/**
 * Copies the database to a folder.
 *
 * @param change the text of an entry, and another one of the same length
 * @param rehashed the text of an entry whose entity gets another hash
 */
export async function changedState(folder, contextId, change, rehashed) {
  cpSync(database("core-0.11/node-a"), folder, { recursive: true });
  const store = await openStore(folder, { writable: true });
  try {
    const rows = [];
    for await (const { key, value } of store.raw.scan("State"))
      if (Buffer.from(key).toString("hex").startsWith(contextId))
        rows.push({ key: Uint8Array.from(key), value: Buffer.from(value) });
    // An entry ends with the id of its entity.
    const idOf = (text) => rows.find(({ value }) => value.includes(text)).value.subarray(-32);
    const others = [idOf(change[0]), idOf(rehashed)];
    const operations = [];
    for (const { key, value } of rows) {
      const entity = entityOf(value);
      const at = entity === undefined ? value.indexOf(change[0]) : -1;
      if (at >= 0) value.write(change[1], at);
      else if (entity === undefined) continue;
      const isOther = others.some((id) => entity !== undefined && id.equals(entity.id));
      operations.push({
        ...{ type: "put", column: "State", key },
        value:
          entity === undefined
            ? value
            : EntityIndex011.encode({
                ...entity,
                fullHash: flipped(entity.fullHash),
                ownHash: isOther ? flipped(entity.ownHash) : entity.ownHash,
              }),
      });
    }
    await store.raw.write(operations);
  } finally {
    await store.close();
  }
}
