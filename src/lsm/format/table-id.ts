/** The identity of a table. The MANIFEST has it too, and RocksDB opens no other table in its place. */

import type { TableFile } from "./manifest.js";
import { readCreation, type TableCreation } from "./properties.js";

/** The message about a table for which {@link isAnother} is true. */
export const ANOTHER_TABLE = "it is another table than the one that the MANIFEST names";

/** The number of digits in the lower half of a session's name. */
const LOWER_DIGITS = 12;

const SESSION = /^[0-9A-Z]{13,24}$/;

/** The hash of the last session. The tables of a session share it. */
let last: { readonly key: string; readonly hash: Promise<bigint> } | undefined;

/** Returns true if a table is not the one that the MANIFEST names. @throws MalformedBytes */
export async function isAnother(
  properties: Uint8Array,
  { number, uniqueId }: Pick<TableFile, "number" | "uniqueId">,
): Promise<boolean> {
  const creation = readCreation(properties);
  if (uniqueId === undefined || !isNamed(creation)) return false;
  const id = new DataView(uniqueId.buffer, uniqueId.byteOffset, uniqueId.length);
  const [high, low] = halvesOf(creation.session);
  if (id.getBigUint64(0, true) !== low) return true;
  // A session creates only one file with a number. Only an ingested or imported table has another number than its file.
  if (creation.number === number) return false;
  const key = `${creation.database} ${high}`;
  if (last?.key !== key) last = { key, hash: highHalf(creation.database, high >> 2n) };
  return id.getBigUint64(8, true) !== ((await last.hash) ^ BigInt(creation.number));
}

/** Returns true if the properties have the database, the session and the number of the file. */
function isNamed({ database, session, number }: TableCreation): boolean {
  return database !== "" && number !== 0 && SESSION.test(session);
}

/** Returns the halves of a session's name, the lower one as in the id of a table. */
function halvesOf(session: string): readonly [high: bigint, low: bigint] {
  const high = base36(session.slice(0, -LOWER_DIGITS));
  return [high, (base36(session.slice(-LOWER_DIGITS)) & (2n ** 62n - 1n)) | BigInt.asUintN(64, high << 62n)];
}

function base36(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}

/** Returns the high half of the 128-bit XXH3 hash. */
async function highHalf(text: string, seed: bigint): Promise<bigint> {
  const { default: library } = await import("hash-wasm/dist/xxhash128.umd.min.js");
  const hasher = await library.createXXHash128(
    Number(seed & 0xffff_ffffn),
    Number((seed >> 32n) & 0xffff_ffffn),
  );
  const digest = hasher.init().update(text).digest("binary");
  return new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);
}
