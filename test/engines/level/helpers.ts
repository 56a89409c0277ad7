import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import type { WriteOperation } from "../../../src/engines/index.js";
import { openLevelEngine } from "../../../src/engines/level/index.js";
import { bytes } from "../rocksdb/helpers.js";
import { temporaryFolder } from "../temporary.js";

export function put(key: Uint8Array, value: Uint8Array): WriteOperation {
  return { type: "put", column: "default", key, value };
}

/** The two bytes of a number, which sort like the number. */
export function key(number: number): Uint8Array {
  return bytes(number >> 8, number & 0xff);
}

/** A database with 200 rows in a table and 100 in the log; closed. */
export async function makeDatabase(): Promise<string> {
  const path = join(temporaryFolder(), "db");
  const engine = await openLevelEngine(path, { create: true });
  for (let at = 0; at < 200; at++) await engine.write([put(key(at), new Uint8Array(100).fill(at))]);
  await engine.flush();
  for (let at = 200; at < 300; at++) await engine.write([put(key(at), new Uint8Array(100).fill(at))]);
  await engine.close();
  return path;
}

/** `classic-level` itself on a folder, with keys and values as bytes. */
export function plainLevel(path: string): ClassicLevel<Uint8Array, Uint8Array> {
  return new ClassicLevel<Uint8Array, Uint8Array>(path, { keyEncoding: "view", valueEncoding: "view" });
}

/** All rows as `classic-level` reads them. */
export async function rowsOf(path: string): Promise<[Uint8Array, Uint8Array][]> {
  const level = plainLevel(path);
  const rows = await level.iterator().all();
  await level.close();
  return rows.map(([rowKey, value]) => [Uint8Array.from(rowKey), Uint8Array.from(value)]);
}
