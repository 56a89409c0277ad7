/** The part of a database that a command is about. */

import { toHex } from "../bytes/hex.js";
import { parseId } from "../bytes/id.js";
import { MerostoreError } from "../errors.js";
import type { RowSelection } from "../schemas/index.js";
import type { Terminal } from "./terminal.js";

export interface SelectionOptions {
  readonly column?: readonly string[] | undefined;
  readonly context?: string | undefined;
  readonly group?: string | undefined;
}

/** The column families and ids of the options. */
export function parseSelection({
  column,
  context,
  group,
}: SelectionOptions): RowSelection & { readonly columns: readonly string[] | undefined } {
  return { columns: column, contextId: idOf("--context", context), groupId: idOf("--group", group) };
}

/** Whether only rows that name a context or a group are selected. */
export function selectsIds({ contextId, groupId }: RowSelection): boolean {
  return contextId !== undefined || groupId !== undefined;
}

/**
 * Remarks that no row names the context and the group: their ids may have been mistyped.
 *
 * @param more ends the sentence
 */
export function remarkNoRows(
  terminal: Terminal,
  { columns, contextId, groupId }: RowSelection & { readonly columns?: readonly string[] | undefined },
  more = "",
): void {
  const ids = [
    ...(contextId === undefined ? [] : [`the context ${toHex(contextId)}`]),
    ...(groupId === undefined ? [] : [`the group ${toHex(groupId)}`]),
  ];
  const where = columns === undefined ? "" : ` of ${columns.join(", ")}`;
  terminal.remark(`merostore: no row${where} names ${ids.join(" and ")}${more}`);
}

function idOf(option: string, text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined;
  try {
    return parseId(text);
  } catch (cause) {
    throw new MerostoreError("INVALID_ARGUMENT", `${option}: ${(cause as Error).message}`, { cause });
  }
}
