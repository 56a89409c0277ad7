/** Readers that a signal can end. */

import { isMerostoreError } from "../errors.js";
import { eitherSignal } from "../progress.js";
import type { Engine, EngineReader, RawRow, RawScan } from "./engine.js";
import { RowScan } from "./scan.js";

/** The readers that {@link abortable} returned. */
const made = new WeakMap<EngineReader, { readonly of: EngineReader; readonly signal: AbortSignal }>();

/** Returns the signal that ends a reader; undefined if there is none. */
export function signalOf(reader: EngineReader): AbortSignal | undefined {
  return made.get(reader)?.signal;
}

/** Returns the reader under an abortable reader, or the reader itself. */
export function originOf(reader: EngineReader): EngineReader {
  return made.get(reader)?.of ?? reader;
}

/** Returns a reader or an engine whose reads reject with the reason of a signal after it has aborted. */
export function abortable<R extends EngineReader>(reader: R, signal: AbortSignal | undefined): R {
  if (signal === undefined) return reader;
  const inside = made.get(reader);
  if (inside !== undefined) return abortable(inside.of as R, eitherSignal(inside.signal, signal));
  const calls: Partial<Engine> = {
    scan: (column, bounds, options): RawScan => {
      const check = (): void => signal.throwIfAborted();
      const read = (keysOnly: boolean) =>
        checked(reader.scan(column, bounds, keysOnly ? { ...options, keysOnly } : options).chunks(), check);
      return new RowScan(read, check);
    },
    get: async (...of) => {
      signal.throwIfAborted();
      return reader.get(...of);
    },
    getMany: async (...of) => {
      signal.throwIfAborted();
      return reader.getMany(...of);
    },
    snapshot: async () => {
      signal.throwIfAborted();
      return abortable(await (reader as unknown as Engine).snapshot(), signal);
    },
  };
  const proxy = new Proxy(reader, {
    get(target, name) {
      if (Object.hasOwn(calls, name) && name in target) return calls[name as keyof Engine];
      const value: unknown = Reflect.get(target, name, target); // the target has the private fields
      if (name === "strict" && value !== undefined) return abortable(value as EngineReader, signal);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  made.set(proxy, { of: reader, signal });
  return proxy;
}

async function* checked(
  chunks: AsyncIterable<readonly RawRow[]>,
  check: () => void,
): AsyncGenerator<readonly RawRow[], void, undefined> {
  check();
  for await (const chunk of chunks) {
    check();
    yield chunk;
  }
}

/** Estimates the bytes of the rows of column families, by default of all; 0 if it is not known. */
export async function sizeOf(
  reader: EngineReader & Partial<Pick<Engine, "approximateSize">>,
  columns: readonly string[] = reader.columns,
): Promise<number> {
  let size = 0;
  for (const column of columns)
    try {
      if (reader.columns.includes(column)) size += (await reader.approximateSize?.(column)) ?? 0;
    } catch (error) {
      if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error; // reading reports the damage
    }
  return size;
}
