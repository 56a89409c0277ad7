/** The conversion of each kind of row of core-0.10. */
import { contextRows } from "./context-rows.js";
import type { Conversions } from "./conversion.js";
import { groupRows } from "./group-rows.js";

/** One conversion for each kind. */
export const conversions: Conversions = { ...contextRows, ...groupRows };
