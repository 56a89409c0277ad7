/**
 * Databases that RocksDB wrote with the options of a node of core-1.0, and all their rows (fixtures/core-1.0/samples).
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

export const samples = [
  { name: "node-zstd-dictionary", rows: 3346 },
  { name: "raw-dictionaries", rows: 1651 },
];

const COLUMNS = "Meta Config Identity State Delta Blobs Application Alias Generic".split(" ");

/** The folder of the database. @param {string} name */
export function samplePath(name) {
  return fileURLToPath(new URL(`../../fixtures/core-1.0/samples/${name}`, import.meta.url));
}

/**
 * The rows, in no particular order.
 *
 * @param {string} name
 */
export function sampleRows(name) {
  const bytes = gunzipSync(readFileSync(`${samplePath(name)}.truth.gz`));
  const rows = [];
  for (let at = 0; at < bytes.length; ) {
    const column = COLUMNS[bytes.readUInt16LE(at)];
    const keyEnd = at + 10 + bytes.readUInt32LE(at + 2);
    const end = keyEnd + bytes.readUInt32LE(at + 6);
    rows.push({ column, key: bytes.subarray(at + 10, keyEnd), value: bytes.subarray(keyEnd, end) });
    at = end;
  }
  return rows;
}
