/** Reads values of single keys with the native package's read batches. */

import { plain } from "../../engine/native.js";
import type { NativeReadBatch, NativeSession } from "./binding.js";

/** Batches up to this capacity return to a pool of the package, so they must not be modified. */
const POOLED = 16;

/** Reads the value of a key. */
export async function readOne(session: NativeSession, key: Uint8Array): Promise<Uint8Array | undefined> {
  const batch = session.read({ capacity: 1, autoDestroy: true });
  const reading = batch.get(key);
  batch.tryFlush();
  const value = await reading;
  return value === null ? undefined : plain(value);
}

/** Reads the values of several keys in one batch. */
export async function readMany(
  session: NativeSession,
  keys: readonly Uint8Array[],
): Promise<(Uint8Array | undefined)[]> {
  const batch = session.read({ capacity: keys.length, autoDestroy: true });
  if (keys.length > POOLED) return readAtOnce(batch, keys);
  const reading = Promise.all(keys.map((key) => batch.get(key)));
  batch.tryFlush();
  return (await reading).map((value) => (value === null ? undefined : plain(value)));
}

/** Reads all keys with one promise, instead of a promise and a Buffer for each key. */
async function readAtOnce(
  batch: NativeReadBatch,
  keys: readonly Uint8Array[],
): Promise<(Uint8Array | undefined)[]> {
  let found: (Uint8Array | undefined)[] = [];
  batch._enqueuePromise = () => batch._promises.push(null);
  batch._onread = (errors, values) => {
    found = values.map((value) => (value ? new Uint8Array(value) : undefined));
    batch._onfinished(errors.find((error) => error) ?? null);
  };
  for (const key of keys) void batch.get(key);
  await batch.flush();
  return found;
}
