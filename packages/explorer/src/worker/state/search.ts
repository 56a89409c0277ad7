/** The parts of a state with a text in their names or values. */
import { toHex } from "merostore";
import { Pause } from "merostore/internal";
import { fieldParts, type StatePart } from "merostore/state";
import type { Database } from "../database/database.js";
import { allPartsIn } from "./parts-in.js";
import { rowOf, type ShownValue } from "./rows.js";
import { openState } from "./source.js";

/** A part that has the text. */
export interface StateHit {
  readonly path: string;
  readonly value: ShownValue;
  /** The id of the entity, in hex; undefined for a part of an entity. */
  readonly entity: string | undefined;
}

/** The parts that have the text. */
export interface StateHits {
  /** The first parts. */
  readonly hits: readonly StateHit[];
  readonly total: number;
  /** True if the whole state was searched; otherwise there may be more parts. */
  readonly isWhole: boolean;
}

/** The most parts that are sent to the page. */
const MOST_HITS = 200;
/** The most parts that are read. */
const MOST_READ = 100_000;
/** The deepest nesting of parts. */
const MOST_DEPTH = 64;
/** The most characters of a value that are searched. */
const SOUGHT = 20_000;

/** Finds the parts, private data left out. */
export async function stateSearch(database: Database, contextId: string, text: string): Promise<StateHits> {
  const open = await openState(database, contextId, false);
  const sought = text.toLowerCase();
  const pause = new Pause();
  const hits: StateHit[] = [];
  let [read, total, isWhole] = [0, 0, true];
  const walk = async (parts: readonly StatePart[], depth: number): Promise<void> => {
    for (const part of parts) {
      if (++read > MOST_READ || depth > MOST_DEPTH) {
        isWhole = false;
        return;
      }
      await pause.ifLong();
      const row = await rowOf(open.state, part, undefined, SOUGHT);
      const isOpen = row.opens !== undefined;
      if (row.problem !== undefined || row.value.cutFrom !== undefined) isWhole = false;
      const own = isOpen || row.value.look === "count" ? row.name : `${row.name}\n${row.value.text}`;
      if (own.toLowerCase().includes(sought) && total++ < MOST_HITS) {
        const shown = row.value.text.slice(0, 200);
        hits.push({
          path: part.path,
          value: {
            ...row.value,
            text: shown,
            cutFrom: row.value.cutFrom ?? (shown === row.value.text ? undefined : row.value.text.length),
          },
          entity: part.entity && toHex(part.entity),
        });
      }
      if (!isOpen) continue;
      const inside = await allPartsIn(part, MOST_READ - read, pause);
      isWhole &&= inside?.isWhole === true;
      if (inside !== undefined) await walk(inside.parts, depth + 1);
    }
  };
  await walk(fieldParts(open.state), 0);
  return { hits, total, isWhole };
}
