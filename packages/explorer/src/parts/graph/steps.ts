/** Ways through a history, by rows. */
import { fromHex } from "merostore";
import { graphId, type HistoryGraph } from "merostore/node";
import type { Parentage } from "../../worker/history/lanes.js";

/** Bytes of an id. */
const ID_BYTES = 32;

/** The newest row with an id that begins with these hex digits; undefined if there is none. */
export function rowOfId({ ids, size }: Pick<HistoryGraph, "ids" | "size">, id: string): number | undefined {
  if (!/^[0-9a-f]+$/i.test(id)) return undefined;
  const whole = fromHex(id.length % 2 === 0 ? id : id.slice(0, -1));
  for (let row = 0; row < size; row++) {
    let at = 0;
    while (at < whole.length && ids[row * ID_BYTES + at] === whole[at]) at++;
    if (at === whole.length && graphId({ ids }, row).startsWith(id.toLowerCase())) return row;
  }
  return undefined;
}

/** The first parent of a row; undefined if no parent is in the database. */
export function firstParent({ parents, parentsFrom, size }: Parentage, row: number): number | undefined {
  for (let edge = parentsFrom[row] as number; edge < (parentsFrom[row + 1] as number); edge++)
    if ((parents[edge] as number) < size) return parents[edge];
  return undefined;
}

/** The oldest child of a row; undefined for a head. */
export function firstFollower({ parents, parentsFrom }: Parentage, row: number): number | undefined {
  for (let other = row - 1; other >= 0; other--)
    for (let edge = parentsFrom[other] as number; edge < (parentsFrom[other + 1] as number); edge++)
      if (parents[edge] === row) return other;
  return undefined;
}
