/** The layouts of State, with the revisions that have each. */
import { ContextPrivateState011, ContextState011 } from "../../keys/index.js";
import { core010, core011 } from "../../schemas/index.js";
import { indexes, indexes010 } from "./entities.js";
import type { StateLayout } from "./state-layout.js";
import { twoRows } from "./two-rows.js";

export const stateLayouts: readonly StateLayout[] = [
  twoRows([core010], [ContextState011], indexes010),
  twoRows([core011], [ContextState011, ContextPrivateState011], indexes),
];
