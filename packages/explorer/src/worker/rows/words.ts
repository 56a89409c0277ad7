/** Rows of deltas and operations in words, as the histories have them. */
import { isMerostoreError } from "merostore";
import type { RowJson } from "merostore/internal";
import type { Named } from "merostore/node";
import type { Database } from "../database/database.js";
import { isId } from "../database/text.js";
import { deltaWords, type Word } from "../database/words.js";
import { stateHistoryOf, tellsChanges } from "../state/context-changes.js";

/** The kinds of rows with words: the part of the key with the delta or operation, and the part with its context. */
const KINDS: ReadonlyMap<string | null, readonly [part: string, within?: string]> = new Map([
  ["ContextDagDelta", ["deltaId", "contextId"]],
  ["NamespaceGovOp", ["deltaId"]],
  ["ScopeUnifiedOp", ["deltaId"]],
]);

/** The change by a row, as a text; undefined for rows of other kinds, and for unreadable rows. */
export async function rowWords(database: Database, form: RowJson): Promise<string | undefined> {
  try {
    return await wordsOf(database, form);
  } catch (error) {
    if (isMerostoreError(error)) return undefined; // damage elsewhere does not hide the row
    throw error;
  }
}

async function wordsOf(database: Database, { kind, parts }: RowJson): Promise<string | undefined> {
  const [part = "", within] = KINDS.get(kind) ?? [];
  const [id, context] = [parts?.[part], within && parts?.[within]];
  if (typeof id !== "string" || !isId(id)) return undefined;
  if (typeof context !== "string") return textOf((await database.node.operation(id))?.sentence);
  const [delta] = await database.node.deltasOf(context, [id]);
  if (delta === undefined) return undefined;
  const history = (await tellsChanges(database)) ? await stateHistoryOf(database, context) : undefined;
  return textOf(deltaWords(delta, await history?.changes(id)));
}

function textOf(words: readonly Word[] | undefined): string | undefined {
  return words
    ?.map((word) => (typeof word === "string" ? word : "code" in word ? word.code : nameOf(word)))
    .join("");
}

function nameOf({ id, name }: Named): string {
  return name ?? id.slice(0, 8);
}
