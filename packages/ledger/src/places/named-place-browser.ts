/** `named-place.ts` in browsers, which have no paths. */
import type * as Node from "./named-place.js";

export const namedPlace: typeof Node.namedPlace = () => undefined;

export const PLACES = "originPlace(folder), or memoryPlace()";
