/** Random histories of a database from a seed: years of a node's work in a second. */

import type { EngineSnapshot, WriteOperation } from "../../../src/engines/index.js";
import { randomNumbers } from "../../support/random-values.js";
import { openTuned, type TunedDatabase, type Tuning } from "./tuned.js";

/** Random numbers from a seed, in many forms. */
export class Random {
  /** In [0, 1). */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomNumbers(seed);
  }

  /** A whole number from 0 to before `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at++) bytes[at] = this.below(256);
    return bytes;
  }
}

/** Keys that share much, among them the empty one, neighbours and runs of `ff`. */
export function makeKeys(random: Random): readonly Uint8Array[] {
  const keys: Uint8Array[] = [
    new Uint8Array(0),
    Uint8Array.of(0),
    Uint8Array.of(0xff),
    Uint8Array.of(0xff, 0xff),
  ];
  const prefixes = [random.bytes(32), random.bytes(64), random.bytes(300), new Uint8Array(0)];
  for (let count = 0; count < 150; count++) {
    const prefix = random.pick(prefixes);
    const key = new Uint8Array(prefix.length + 1 + random.below(4));
    key.set(prefix);
    key.set(random.bytes(key.length - prefix.length), prefix.length);
    keys.push(key);
  }
  return keys;
}

/** Bytes of a value: mostly few, now and then many. */
function valueSize(random: Random, largest: number): number {
  if (random.chance(0.9)) return random.below(120);
  if (random.chance(0.95)) return random.below(5000);
  return random.below(largest);
}

function operation(
  random: Random,
  column: string,
  keys: readonly Uint8Array[],
  largest: number,
): WriteOperation {
  const key = random.pick(keys);
  const kind = random.next();
  if (kind < 0.72) {
    const value = new Uint8Array(valueSize(random, largest)).fill(random.below(256));
    value.set(random.bytes(Math.min(8, value.length)));
    return { type: "put", column, key, value };
  }
  if (kind < 0.95) return { type: "delete", column, key };
  return { type: "deleteRange", column, gte: key, lt: random.pick(keys) };
}

/** The steps of a database's life. */
export interface History {
  readonly database: TunedDatabase;
  readonly keys: readonly Uint8Array[];
  /** Closes everything. */
  close(): Promise<void>;
}

/** Makes a database in a folder and lives its history. The database stays open, with rows in its log and in tables. */
export async function live(path: string, random: Random): Promise<History> {
  const tuning: Omit<Tuning, "columns"> = {
    tableBlockSize: random.pick([64, 300, 1024, 4096]),
    tableFormatVersion: random.pick([2, 3, 4, 5, 6]),
    writeBufferSize: random.pick([64 * 1024, 64 * 1024, 1024 * 1024]),
  };
  const keys = makeKeys(random);
  const largest = random.chance(0.04) ? 4 * 1024 * 1024 : 40_000;
  let columns = ["a", "b"];
  let database = await openTuned(path, { ...tuning, columns });
  const held: EngineSnapshot[] = [];
  const release = async (): Promise<void> => {
    for (const snapshot of held.splice(0)) await snapshot.close();
  };
  const steps = 4 + random.below(16);
  for (let step = 0; step < steps; step++) {
    const names = ["default", ...columns];
    const operations = Array.from({ length: 1 + random.below(80) }, () =>
      operation(random, random.pick(names), keys, largest),
    );
    await database.engine.write(operations);
    const event = random.next();
    if (event < 0.3) await database.engine.flush();
    else if (event < 0.4) await database.compact(random.pick(names), null, null);
    else if (event < 0.5) await database.compact(random.pick(names), random.pick(keys), random.pick(keys));
    else if (event < 0.6) held.push(await database.engine.snapshot());
    else if (event < 0.7) await release();
    else if (event < 0.8) {
      await release();
      await database.engine.close();
      if (random.chance(0.4)) columns = [...columns, `later-${step}`];
      database = await openTuned(path, { ...tuning, columns });
    }
  }
  return {
    database,
    keys,
    async close() {
      await release();
      await database.engine.close();
    },
  };
}
