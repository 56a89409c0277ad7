/** Reading a whole database, and the result. */

import type { Engine, RawRow } from "../../../../src/engines/index.js";

/** The result of one way to read one family: its rows, or the error and the rows before it. */
export interface FamilyReading {
  readonly rows: RawRow[];
  error?: unknown;
}

/** The result of reading a whole database. */
export interface Reading {
  /** Opening failed; the rest is empty then. */
  readonly opening?: { readonly error: unknown };
  readonly warnings: Engine["warnings"];
  readonly forward: ReadonlyMap<string, FamilyReading>;
  /** Absent for some databases. */
  readonly backward: ReadonlyMap<string, FamilyReading>;
  /** By the keys of all rows of the undamaged database; absent for some databases. */
  readonly byKey: ReadonlyMap<string, FamilyReading>;
}

/** Keys of each family. */
export type Keys = ReadonlyMap<string, readonly Uint8Array[]>;

/** @param keys to read backward and by these keys as well */
export async function readAll(open: () => Promise<Engine>, keys?: Keys): Promise<Reading> {
  const forward = new Map<string, FamilyReading>();
  const backward = new Map<string, FamilyReading>();
  const byKey = new Map<string, FamilyReading>();
  let engine: Engine;
  try {
    engine = await open();
  } catch (error) {
    return { opening: { error }, warnings: [], forward, backward, byKey };
  }
  try {
    for (const column of engine.columns) {
      forward.set(column, await scan(engine, column, false));
      if (keys === undefined) continue;
      backward.set(column, await scan(engine, column, true));
      byKey.set(column, await getAll(engine, column, keys.get(column) ?? []));
    }
    return { warnings: engine.warnings, forward, backward, byKey };
  } finally {
    await engine.close();
  }
}

async function scan(engine: Engine, column: string, reverse: boolean): Promise<FamilyReading> {
  const reading: FamilyReading = { rows: [] };
  try {
    for await (const rows of engine.scan(column, {}, { reverse }).chunks()) reading.rows.push(...rows);
  } catch (error) {
    reading.error = error;
  }
  return reading;
}

async function getAll(engine: Engine, column: string, keys: readonly Uint8Array[]): Promise<FamilyReading> {
  const reading: FamilyReading = { rows: [] };
  try {
    const values = await engine.getMany(column, keys);
    for (const [at, value] of values.entries()) {
      if (value !== undefined) reading.rows.push({ key: keys[at] as Uint8Array, value });
    }
  } catch (error) {
    reading.error = error;
  }
  return reading;
}

/** Returns whether `rows` are the first of `of`. */
export function isPrefix(rows: readonly RawRow[], of: readonly RawRow[]): boolean {
  return (
    rows.length <= of.length &&
    rows.every(({ key, value }, at) => {
      const row = of[at] as RawRow;
      return Buffer.compare(key, row.key) === 0 && Buffer.compare(value, row.value) === 0;
    })
  );
}

export function equalRows(rows: readonly RawRow[], others: readonly RawRow[]): boolean {
  return rows.length === others.length && isPrefix(rows, others);
}
