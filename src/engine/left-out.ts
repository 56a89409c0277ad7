/**
 * Rows that an export leaves out. Readers of the export cannot distinguish them from rows that the node does not have.
 */
import type { Bounds, EngineReader } from "./engine.js";

/**
 * Returns the reason why rows of a range may be missing, as a sentence without a full stop; undefined if none is left
 * out.
 */
export type LeftOut = (column: string, bounds: Bounds) => string | undefined;

/** Returns a reader that reports the reason whenever a read touches rows that are left out. */
export function telling(
  reader: EngineReader,
  leftOut: LeftOut,
  tell: (reason: string) => void,
): EngineReader {
  const ask = (column: string, bounds: Bounds): void => {
    const reason = leftOut(column, bounds);
    if (reason !== undefined) tell(reason);
  };
  return {
    columns: reader.columns,
    revision: reader.revision,
    lost: reader.lost,
    get(column, key) {
      ask(column, { gte: key, lte: key });
      return reader.get(column, key);
    },
    getMany(column, keys) {
      for (const key of keys) ask(column, { gte: key, lte: key });
      return reader.getMany(column, keys);
    },
    scan(column, bounds = {}, options) {
      ask(column, bounds);
      return reader.scan(column, bounds, options);
    },
  };
}
