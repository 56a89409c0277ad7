/** Findings about rows that do not decode. */
import { newerWriter, revisions, type Schema } from "../schemas/index.js";
import type { RowFinding } from "./finding.js";

/** Bytes that do not decode. */
export interface Undecoded {
  /** True for a tag or flag above those that are known. */
  readonly mayBeLater?: boolean;
}

/**
 * Names the node, newer than the newest revision, that may have written an unknown tag or flag at which decoding
 * stopped. Undefined for other failures, and for rows of earlier revisions.
 */
export function laterWriter(schema: Schema, { mayBeLater }: Undecoded): string | undefined {
  const { release } = schema;
  return mayBeLater && release !== undefined && schema === revisions.at(-1)
    ? newerWriter({ release })
    : undefined;
}

/**
 * The finding about a row that does not decode. If a newer node wrote other rows of the database, it may have written
 * this one too: no known node fails on it.
 *
 * @param writer the newer node, in words; undefined if no row shows one
 */
export function unreadable(
  reason: string,
  writer: string | undefined,
): Pick<RowFinding, "message" | "severity" | "mayBeLater"> {
  return writer === undefined
    ? { message: `a node cannot read it: ${reason}` }
    : {
        message: `not checked: ${writer} may have written it, or it is damaged: ${reason}`,
        severity: "warning",
        mayBeLater: true,
      };
}
