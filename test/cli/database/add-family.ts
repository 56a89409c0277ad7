import { openFilesEngine, openRocksEngine } from "../../../src/engines/index.js";
import { loadBinding, WalRecovery } from "../../../src/engines/rocksdb/binding.js";

const text = (value: string) => new TextEncoder().encode(value);

/** Adds a column family to a database, as a node of an unknown version might, and rows in it. */
export async function addFamily(
  path: string,
  name: string,
  rows: readonly (readonly [key: string, value: string])[],
): Promise<void> {
  const existing = await openFilesEngine(path);
  const { columns } = existing;
  await existing.close();
  const Native = await loadBinding();
  const native = new Native(path, {
    columnFamilies: [...columns.filter((column) => column !== "default"), name],
    readOnly: false,
    createIfMissing: false,
    createMissingColumnFamilies: true,
    walRecoveryMode: WalRecovery.AbsoluteConsistency,
  });
  await native.ready();
  await native.close();
  await using engine = await openRocksEngine(path, { writable: true });
  await engine.write(
    rows.map(([key, value]) => ({ type: "put", column: name, key: text(key), value: text(value) })),
  );
}
