/** The part of a database that a command is about. */

import { toHex } from "../bytes/hex.js";
import { isMerostoreError, MerostoreError } from "../errors.js";
import type { ThingKind } from "../node/index.js";
import type { RowSelection } from "../schemas/index.js";
import type { Store } from "../store/index.js";
import { GROUPS, idIn } from "./ids.js";
import type { Terminal } from "./terminal.js";

export interface SelectionOptions {
  readonly column?: readonly string[] | undefined;
  readonly context?: string | undefined;
  readonly group?: string | undefined;
}

/**
 * The column families and ids of the options. An id is whole, or the name or the first digits of one in a database.
 *
 * @param stores where names are looked up, one after another
 */
export async function parseSelection(
  { column, context, group }: SelectionOptions,
  ...stores: readonly Store[]
): Promise<RowSelection & { readonly columns: readonly string[] | undefined }> {
  return {
    columns: column,
    contextId: await idOf("--context", context, ["context"], stores),
    groupId: await idOf("--group", group, GROUPS, stores),
  };
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

async function idOf(
  option: string,
  text: string | undefined,
  kinds: readonly ThingKind[],
  stores: readonly Store[],
): Promise<Uint8Array | undefined> {
  if (text === undefined) return undefined;
  try {
    return await idIn(text, kinds, stores);
  } catch (cause) {
    if (!isMerostoreError(cause)) throw cause;
    throw new MerostoreError(cause.code, `${option}: ${cause.message}`, { cause });
  }
}
