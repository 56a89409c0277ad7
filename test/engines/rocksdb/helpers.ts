import type { EngineReader } from "../../../src/engines/index.js";

export function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

/** The rows of all column families. */
export async function countRows(engine: EngineReader): Promise<number> {
  let count = 0;
  for (const column of engine.columns) {
    for await (const rows of engine.scan(column).chunks()) count += rows.length;
  }
  return count;
}
