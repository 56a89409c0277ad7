/** The part of a database that a command is about. */
import { parseId } from "../bytes/id.js";
import { MerostoreError } from "../errors.js";
import type { RowSelection } from "../schemas/index.js";

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

function idOf(option: string, text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined;
  try {
    return parseId(text);
  } catch (cause) {
    throw new MerostoreError("INVALID_ARGUMENT", `${option}: ${(cause as Error).message}`, { cause });
  }
}
