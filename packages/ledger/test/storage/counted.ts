/** Databases that count the calls to them. */
import { type Engine, openMemoryEngine, type WriteOperation } from "merostore/engine";
import type { Place } from "../../src/index.js";
import { COLUMN } from "../../src/rows/row.js";

/** The calls to a database. */
export class Counts {
  /** Calls of `get`, `getMany` and `scan`. */
  reads = 0;
  /** The operations of each write. */
  readonly writes: (readonly WriteOperation[])[] = [];
  /** Called after each write. */
  onWrite: () => Promise<void> = async () => undefined;
}

export function counted(engine: Engine, counts: Counts): Engine {
  const { get, getMany, scan, write } = engine;
  return Object.assign(engine, {
    get(...words: Parameters<Engine["get"]>) {
      counts.reads++;
      return get.apply(engine, words);
    },
    getMany(...words: Parameters<Engine["getMany"]>) {
      counts.reads++;
      return getMany.apply(engine, words);
    },
    scan(...words: Parameters<Engine["scan"]>) {
      counts.reads++;
      return scan.apply(engine, words);
    },
    async write(...words: Parameters<Engine["write"]>) {
      await write.apply(engine, words);
      counts.writes.push(words[0]);
      await counts.onWrite();
    },
  });
}

/** A place whose pages are counted. */
export function countedPlace(place: Place, counts: Counts): Place {
  const openPage = place.openPage.bind(place);
  return Object.assign(place, {
    async openPage(...words: Parameters<Place["openPage"]>) {
      const engine = await openPage(...words);
      return engine && counted(engine, counts);
    },
  });
}

/** A database in memory with the present rows of another one, as a killed process leaves them. */
export async function copyOf(engine: Pick<Engine, "scan">): Promise<Engine> {
  const copy = openMemoryEngine({ columns: [] });
  for await (const rows of engine.scan(COLUMN).chunks())
    await copy.write(rows.map(({ key, value }) => ({ type: "put", column: COLUMN, key, value })));
  return copy;
}
