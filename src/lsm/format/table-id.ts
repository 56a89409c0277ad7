/** The identity of a table: the MANIFEST has it too, and RocksDB opens no other table in its place. */

import { equalBytes } from "../../bytes/order.js";
import type { TableFile } from "./manifest.js";
import { readCreation, type TableCreation } from "./properties.js";

/** What is wrong with a table that {@link isAnother} finds. */
export const ANOTHER_TABLE = "it is another table than the one that the MANIFEST names";

/** Digits of a session's name that are its lower half. */
const LOWER_DIGITS = 12;

const SESSION = /^[0-9A-Z]{13,24}$/;

/** The hash of the last session: the tables of one share it. */
let last: { readonly key: string; readonly hash: Promise<bigint> } | undefined;

/** Returns true if a table is not the one that the MANIFEST names. @throws MalformedBytes */
export async function isAnother(properties: Uint8Array, { uniqueId }: TableFile): Promise<boolean> {
  const id = uniqueId && (await tableId(readCreation(properties)));
  return id !== undefined && uniqueId !== undefined && !equalBytes(id, uniqueId);
}

/**
 * Computes the 16 bytes that the MANIFEST has for a table, from its properties; undefined if these do not name the database,
 * the session and the number of the file.
 */
async function tableId({ database, session, number }: TableCreation): Promise<Uint8Array | undefined> {
  if (database === "" || number === 0 || !SESSION.test(session)) return undefined;
  const high = base36(session.slice(0, -LOWER_DIGITS));
  const lower = (base36(session.slice(-LOWER_DIGITS)) & (2n ** 62n - 1n)) | (high << 62n);
  const key = `${database} ${high}`;
  if (last?.key !== key) last = { key, hash: highHalf(database, high >> 2n) };
  const id = new DataView(new ArrayBuffer(16));
  id.setBigUint64(0, lower, true);
  id.setBigUint64(8, (await last.hash) ^ BigInt(number), true);
  return new Uint8Array(id.buffer);
}

function base36(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}

/** The high half of the XXH3 hash of 128 bits. */
async function highHalf(text: string, seed: bigint): Promise<bigint> {
  const { default: library } = await import("hash-wasm/dist/xxhash128.umd.min.js");
  const hasher = await library.createXXHash128(
    Number(seed & 0xffff_ffffn),
    Number((seed >> 32n) & 0xffff_ffffn),
  );
  const digest = hasher.init().update(text).digest("binary");
  return new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);
}
