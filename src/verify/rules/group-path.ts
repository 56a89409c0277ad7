/** The way from a group up to the root of its namespace. */

import { equalBytes } from "../../bytes/order.js";
import { ContextGroupRef, GroupParentRef } from "../../keys/index.js";
import type { Since010 } from "../since.js";
import type { Tools } from "../tools.js";

/** Edges between a group and the root of its namespace, at most. */
export const MOST_LEVELS = 16;

/** Returns the group, its parent and so on, the root last. Other rules report a circle of groups: the way ends there. */
export async function pathToRoot(
  groupId: Uint8Array,
  tools: Tools<Since010>,
): Promise<readonly Uint8Array[]> {
  const path = [groupId];
  while (path.length <= MOST_LEVELS) {
    const [parent] = await tools.find([new GroupParentRef({ childGroupId: path.at(-1) as Uint8Array })]);
    const { value } = parent ?? {};
    if (value === undefined || path.some((below) => equalBytes(below, value))) break;
    path.push(value);
  }
  return path;
}

/** Returns the same from the group that a context is in; undefined where it is in none. */
export async function pathOfContext(
  contextId: Uint8Array,
  tools: Tools<Since010>,
): Promise<readonly Uint8Array[] | undefined> {
  const [group] = await tools.find([new ContextGroupRef({ contextId })]);
  return group?.value === undefined ? undefined : pathToRoot(group.value, tools);
}
