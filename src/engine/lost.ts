/** Databases with known missing writes. */

import { MerostoreError } from "../errors.js";
import type { EngineReader } from "./engine.js";

/** Throws if rows are known to be missing. @throws MerostoreError DATABASE_DAMAGED */
export function refuseLost({ lost = [] }: Pick<EngineReader, "lost">): void {
  if (lost.length === 0) return;
  throw new MerostoreError(
    "DATABASE_DAMAGED",
    `${lost.join(". ")}. What is made of the rest would look complete: nothing was made`,
  );
}
