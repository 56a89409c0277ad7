import type { RawRow } from "../../../src/engines/index.js";

export const FAMILIES: readonly string[];
export const COUNT: Uint8Array;
export function batchOf(
  number: number,
): readonly { readonly column: string; readonly key: Uint8Array; readonly value?: Uint8Array }[];
export function rowsAfter(number: number, column: string): readonly RawRow[];
