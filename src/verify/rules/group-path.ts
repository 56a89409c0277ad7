/** The path from a group up to the root of its namespace. */

import { equalBytes } from "../../bytes/order.js";
import { ContextGroupRef, GroupParentRef } from "../../keys/index.js";
import type { Since010 } from "../since.js";
import type { Tools } from "../tools.js";

/** The most edges between a group and the root of its namespace. */
export const MOST_LEVELS = 16;

/**
 * Returns the group, its parent and so on, with the root last. The path ends at a cycle of groups, which other rules
 * report.
 */
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

/** Returns the path from the group of a context; undefined if the context is in no group. */
export async function pathOfContext(
  contextId: Uint8Array,
  tools: Tools<Since010>,
): Promise<readonly Uint8Array[] | undefined> {
  const [group] = await tools.find([new ContextGroupRef({ contextId })]);
  return group?.value === undefined ? undefined : pathToRoot(group.value, tools);
}
