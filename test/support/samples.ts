/** Databases that a RocksDB wrote with the options of a node of core-1.0, and all their rows (fixtures/core-1.0/samples). */
import { readFileSync } from "node:fs";
import { fixturePath } from "./fixtures.js";

export const samples = [
  { name: "node-zstd-dictionary", rows: 3346 },
  { name: "raw-dictionaries", rows: 1651 },
] as const;

const COLUMNS = "Meta Config Identity State Delta Blobs Application Alias Generic".split(" ");

export interface SampleRow {
  readonly column: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export const samplePath = (name: string): string => fixturePath("core-1.0/samples", name);

/** The rows, ordered by column family and key. */
export function sampleRows(name: string): SampleRow[] {
  const bytes = readFileSync(`${samplePath(name)}.truth`);
  const rows: SampleRow[] = [];
  for (let at = 0; at < bytes.length; ) {
    const column = COLUMNS[bytes.readUInt16LE(at)] as string;
    const keyEnd = at + 10 + bytes.readUInt32LE(at + 2);
    const end = keyEnd + bytes.readUInt32LE(at + 6);
    rows.push({ column, key: bytes.subarray(at + 10, keyEnd), value: bytes.subarray(keyEnd, end) });
    at = end;
  }
  const place = ({ column }: SampleRow): number => COLUMNS.indexOf(column);
  return rows.sort((a, b) => place(a) - place(b) || Buffer.compare(a.key, b.key));
}
