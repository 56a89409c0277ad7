/** Checks of the arguments of functions about the data of an application. */
import { hasMembers } from "../options.js";

/** A `State`. */
export const isState = hasMembers("a state, as stateOf returns it", "contextId", "fields", "scope");

/** A `ContextReplay`. */
export const isReplay = hasMembers("a replay, as readReplay returns it", "contextId", "graph", "tree");

/** A `StatePart`. */
export const isPart = hasMembers("a part of a state", "path", "value");

/** A field, an entry or a part. */
export const isTyped = hasMembers("a field or an entry of a state", "type");
