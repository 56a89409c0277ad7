/** A check with all rules of only the smaller column families, which takes seconds at most. */

import { fromHex } from "../../bytes/hex.js";
import type { CalimeroNode } from "../../node/index.js";
import type { ColumnCount, Store } from "../../store/index.js";
import { allRules, type Finding, verifyStore } from "../../verify/index.js";
import type { Terminal } from "../output/terminal.js";

/** The most rows of a checked column family. */
const MOST_ROWS = 2_000;

/** The result of a quick check. */
export interface QuickCheck {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  /** Rows that were checked. */
  readonly rows: number;
  /**
   * The column families that are too large for a quick check. If empty, everything except files of blobs was checked.
   */
  readonly leftOut: readonly string[];
  /** Rules that were not checked, because an export leaves out rows that they need. */
  readonly lacking: number;
}

/** The rule about rows that do not decode. */
const DECODES = "row-decodes";

/**
 * Checks a database, and adds the rows that do not decode to the unread rows of the node. A replay of logs or deltas
 * reads several families, so it is left out if one of them is large.
 */
export async function quickCheck(
  terminal: Terminal,
  store: Store,
  node: Pick<CalimeroNode, "unread">,
  families: readonly ColumnCount[],
): Promise<QuickCheck> {
  using progress = terminal.progress("check");
  const leftOut = families.filter(({ rows }) => rows > MOST_ROWS).map(({ column }) => column);
  const columns = store.columns.filter((column) => !leftOut.includes(column));
  const rules =
    leftOut.length === 0 ? allRules : allRules.filter(({ checks }) => checks.every((one) => "run" in one));
  const how = { rules, leftOut: node.unread.leftOut, onProgress: progress.show };
  const verification = verifyStore({ raw: store.raw, schema: store.schema, columns }, how);
  const undecoded: Finding[] = [];
  for await (const finding of verification) if (finding.rule === DECODES) undecoded.push(finding);
  const { errors, warnings, infos, rows, rules: found, maybeNewer } = await verification.summary();
  for (const { kind, column, key, severity } of undecoded)
    if (kind !== null && key !== null && (severity === "error" || maybeNewer > 0))
      node.unread.add(kind, { COLUMN: column, bytes: fromHex(key) }, severity !== "error");
  const lacking = found.filter((rule) => rule.lacking).length;
  return { errors, warnings, infos, rows, leftOut, lacking };
}
