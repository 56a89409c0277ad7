/** Findings about rows that do not decode. */
import type { RowFinding } from "./finding.js";

/**
 * The finding about a row that does not decode. Beside rows of a newer node it may be one of those: no node is known that
 * fails on it.
 *
 * @param writer the newer node, in words; undefined if no row shows one
 */
export function unreadable(
  reason: string,
  writer: string | undefined,
): Pick<RowFinding, "message" | "severity"> {
  return writer === undefined
    ? { message: `a node cannot read it: ${reason}` }
    : {
        message: `not checked: ${writer} may have written it, or it is damaged: ${reason}`,
        severity: "warning",
      };
}
