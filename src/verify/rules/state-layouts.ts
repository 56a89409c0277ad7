/** The layout of State in each revision, derived from the keys and the codec of its rows. */
import { ContextPrivateState011, ContextState011 } from "../../keys/index.js";
import { EntityIndex010 } from "../../payloads/index.js";
import { type AnyRow, revisions, type Schema } from "../../schemas/index.js";
import { indexes, indexes010 } from "./entities.js";
import { oneRow } from "./one-row-layout.js";
import type { StateLayout } from "./state-layout.js";
import { twoRows } from "./two-rows.js";

/** Bytes of a key since core-1.0: a context's id (32), a tag (1) and an id (32). */
const ONE_ROW_KEY = 65;

function layoutOf(revision: Schema<AnyRow>): readonly StateLayout[] {
  const state = revision.rows.find(({ kind }) => kind === ContextState011.KIND);
  if (state?.key.SIZE === ONE_ROW_KEY) return [oneRow([revision], state.key)];
  if (state?.key !== ContextState011) return [];
  return state.alternative === EntityIndex010
    ? [twoRows([revision], [ContextState011], indexes010)]
    : [twoRows([revision], [ContextState011, ContextPrivateState011], indexes)];
}

export const stateLayouts: readonly StateLayout[] = (revisions as readonly Schema<AnyRow>[]).flatMap(
  layoutOf,
);
