/** Reads values. Other values of the application may exclude some of their readings. */
import { type Reading, readValues } from "../types/read-value.js";
import type { Type } from "../types/type.js";
import type { Scope } from "./scope.js";

/**
 * Reads values as a type. If a value has several readings, and the other values of the application exclude all but one,
 * it has that reading.
 */
export async function readSettled(
  scope: Scope,
  type: Type,
  values: readonly Uint8Array[],
): Promise<readonly Reading[]> {
  const lookUp = (ids: readonly Uint8Array[]) => scope.rows.live(ids);
  const readings = await readValues(type, values, lookUp);
  const ambiguous = [...readings.keys()].filter((at) => readings[at]?.outcome === "ambiguous");
  if (ambiguous.length === 0) return readings;
  const domains = await scope.domains?.();
  if (domains === undefined || domains.size === 0) return readings;
  const again = await readValues(
    type,
    ambiguous.map((at) => values[at] as Uint8Array),
    lookUp,
    domains,
  );
  const settled = new Map(ambiguous.map((at, order) => [at, again[order] as Reading] as const));
  return readings.map((reading, at) => {
    const other = settled.get(at);
    return other?.outcome === "value" ? other : reading;
  });
}
