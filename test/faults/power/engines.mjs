// The engines that write to folders, with the same rows: LevelDB has no column families, their names begin its keys.
import { openFilesEngine, openRocksEngine } from "../../../dist/engines/index.js";
import { openLevelEngine } from "../../../dist/engines/level/index.js";
import { COUNT, FAMILIES, rowsAfter } from "../../engines/files/batches.mjs";

export const engines = {
  rocksdb: {
    create: (path) => openRocksEngine(path, { create: true, columns: FAMILIES }),
    open: (path) => openRocksEngine(path, { writable: true, acceptLogLoss: true }),
  },
  files: {
    create: async (path) => {
      await (await openRocksEngine(path, { create: true, columns: FAMILIES })).close();
      return engines.files.open(path);
    },
    open: (path) => openFilesEngine(path, { writable: true, acceptLogLoss: true }),
  },
  leveldb: {
    create: (path) => openLevelEngine(path, { create: true }),
    open: (path) => openLevelEngine(path, { writable: true, acceptLogLoss: true }),
  },
};

/** The operations of a batch for an engine. */
export function operationsFor(engine, batch) {
  return batch.map(({ column, key, value }) => {
    const place = placeOf(engine, column, key);
    return value === undefined ? { type: "delete", ...place } : { type: "put", ...place, value };
  });
}

function placeOf(engine, column, key) {
  return engine === "leveldb"
    ? { column: "default", key: Buffer.concat([Buffer.from(column), key]) }
    : { column, key };
}

/** The number of batches that a reader shows, after checking that it shows exactly these: none of them in part. */
export async function batchesIn(name, reader) {
  const { column, key } = placeOf(name, FAMILIES[0], COUNT);
  const count = await reader.get(column, key);
  const number = count === undefined ? 0 : Buffer.from(count).readUInt32BE();
  const expected = new Map();
  for (const family of FAMILIES)
    for (const row of rowsAfter(number, family)) {
      const place = placeOf(name, family, row.key);
      expected.set(place.column, [
        ...(expected.get(place.column) ?? []),
        { key: place.key, value: row.value },
      ]);
    }
  for (const family of reader.columns) {
    const rows = expected.get(family) ?? [];
    let at = 0;
    for await (const { key, value } of reader.scan(family)) {
      const row = rows[at++];
      if (row === undefined || Buffer.compare(key, row.key) !== 0 || Buffer.compare(value, row.value) !== 0)
        throw new Error(`half a batch: after batch ${number}, row ${at} of ${family} is another`);
    }
    if (at !== rows.length)
      throw new Error(`half a batch: after batch ${number}, ${family} has ${at} rows, not ${rows.length}`);
  }
  return number;
}
