/** The names of a thing that several nodes know. */
import type { Names } from "../../node/index.js";
import { printable } from "./text.js";

/**
 * Returns the names that several nodes give a thing, before its id: `lobby / Lobby 6 (b875…)`.
 *
 * @param shown the id in its shown form
 */
export function withNames(
  names: readonly Names[],
  kind: "context" | "group",
  id: string,
  shown = id,
): string {
  const found = new Set(names.flatMap((one) => one.as(kind, id).name ?? []));
  return found.size === 0 ? shown : `${[...found].map(printable).join(" / ")} (${shown})`;
}
