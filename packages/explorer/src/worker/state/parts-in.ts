/** All parts in a part of a state. */
import type { Pause } from "merostore/internal";
import { partsIn, StateError, type StatePart } from "merostore/state";

/** Parts that are read at a time. */
const PAGE = 1_000;

/** The parts, up to a number of them; undefined if they cannot be read. */
export async function allPartsIn(
  part: StatePart,
  most: number,
  pause: Pause,
): Promise<{ readonly parts: readonly StatePart[]; readonly isWhole: boolean } | undefined> {
  const all: StatePart[] = [];
  try {
    for (;;) {
      const { parts, total } = await partsIn(part, all.length, PAGE);
      all.push(...parts);
      await pause.ifLong();
      if (parts.length === 0 || all.length >= total) return { parts: all, isWhole: true };
      if (all.length >= most) return { parts: all, isWhole: false };
    }
  } catch (error) {
    if (error instanceof StateError) return undefined;
    throw error;
  }
}
