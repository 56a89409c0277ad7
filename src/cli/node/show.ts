import { asPrinted } from "../../bytes/id.js";
import { isMerostoreError, MerostoreError } from "../../errors.js";
import { type Named, operationToJson, wholeId } from "../../node/index.js";
import { revisions } from "../../schemas/index.js";
import { AuthorViews } from "../../state/index.js";
import { command } from "../arguments/command.js";
import { GROUPS } from "../arguments/ids.js";
import { revealSecrets, tableLook } from "../arguments/options.js";
import { openDatabase } from "../database/database.js";
import type { Terminal } from "../output/terminal.js";
import { keyBytes, printRow } from "../rows/one-row.js";
import { deltaData, viewsFor } from "../state/delta-changes.js";
import { manifestOptions } from "../state/manifest-file.js";
import { hints, type StateOptionValues } from "../state/used-state.js";
import { printContext } from "./context-page.js";
import { deletionOf } from "./existing.js";
import { printGroup } from "./group-page.js";
import { deltaLines, operationLines } from "./history-lines.js";
import { idInRows } from "./ids-in-rows.js";
import { deltaJson } from "./log.js";
import { operationsOf } from "./moment.js";
import { printOccurrences, printRowCounts } from "./occurrences.js";
import { nodeOptions, type OpenNode, type PageOptions, withNode } from "./options.js";
import { printApplication, printBlob, printMember } from "./thing-pages.js";

/** Prints the thing with an id or a name, and the rows that contain it. */
export const show = command({
  words: "show <db> [thing] [parts...]",
  description: "describe the thing that an id or a name stands for; or show one row",
  options: { ...keyBytes, ...manifestOptions, hints, ...nodeOptions, revealSecrets, bytes: tableLook.bytes },
  help: `A thing is a group, context, member, application, device, blob, operation, delta, group key or state entry: given by
its name, its id, or at least four first characters of its id in hex or base58. Any other id, or its first eight hex
digits or more, is looked up in all rows: a public key, a root hash, an entity of a state. Reads every row once to count
those that have the id.

A row is given as KIND part=value, its ids in hex or base58, or as a name; "merostore schema" lists the kinds and their
parts. In JSON dates are numbers.

Examples:
  merostore show node/data office
  merostore show node/data fa3977a2
  merostore show node/data lobby --json
  merostore show node/data ContextMeta contextId=DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp
  merostore show node/data Alias aliasKind=context scope=none name=lobby
  merostore show node/data --column Meta --key b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443

Status 1 if the row does not exist, or nothing has the name or id; 2 if several things have it; 3 if the row's value
does not decode.`,

  async run(terminal, { db, thing, parts }, options) {
    const { column, key } = options;
    if (
      column !== undefined ||
      key !== undefined ||
      thing === undefined ||
      parts.length > 0 ||
      isKind(thing)
    ) {
      await using store = await openDatabase(terminal, db, options);
      return await printRow(terminal, store, { kind: thing, parts, column, key }, options);
    }
    return withNode(terminal, db, { ...options, partial: true }, async (open) => {
      await printFound(terminal, open, thing, options);
      return 0;
    });
  },
});

/** Kinds in small letters with at most so many letters may also be names of things: alias, generic. */
const LONGEST_NAMELIKE = 7;

/** Returns whether a word is the kind of a row in some revision. Those in small letters can be names. */
function isKind(word: string): boolean {
  const kind = word.toLowerCase();
  return revisions.some(({ rows }) =>
    rows.some(
      (row) => row.kind === word || (kind.length > LONGEST_NAMELIKE && row.kind.toLowerCase() === kind),
    ),
  );
}

/** Prints the meaning of a text: a thing with a page, or an id that only occurs in rows. */
async function printFound(
  terminal: Terminal,
  open: OpenNode,
  typed: string,
  options: PageOptions & StateOptionValues,
): Promise<void> {
  const whole = wholeId(typed);
  let found: Named;
  try {
    found = await open.node.resolve(typed);
  } catch (error) {
    if (!isMerostoreError(error, "UNKNOWN_NAME")) throw error;
    const numbered = await operationsOf(open.node, typed);
    for (const { id } of numbered)
      await printThing(terminal, open, { kind: "operation", id, name: undefined }, options);
    if (numbered.length > 0) return;
    const id = whole ?? (await idInRows(terminal, open, asPrinted(typed)));
    if (id !== undefined && (await printOccurrences(terminal, open, id, options))) return;
    throw error;
  }
  // A public key means the member that signs with it.
  if (whole !== undefined && whole !== found.id) {
    await printOccurrences(terminal, open, whole, options, "public key");
    if (!options.json) await terminal.line("");
  }
  if (await printThing(terminal, open, found, options))
    await printRowCounts(terminal, open, found.id, options);
  else if (!(await printOccurrences(terminal, open, found.id, options, found.kind, await endOf(open, found))))
    throw new MerostoreError("UNKNOWN_NAME", `${found.kind} ${found.id}: no row has it`);
}

/** The fate of a thing without a page: a group may have been deleted. */
async function endOf(open: OpenNode, thing: Named): Promise<string | undefined> {
  return GROUPS.includes(thing.kind) ? deletionOf(open, thing) : undefined;
}

/** Prints the page of a thing. Returns false if it has none. */
async function printThing(
  terminal: Terminal,
  open: OpenNode,
  thing: Named,
  options: PageOptions & StateOptionValues,
): Promise<boolean> {
  const { node, labels } = open;
  const { json, utc } = options;
  const how = { labels, width: terminal.width, utc, patch: true };
  switch (thing.kind) {
    case "namespace":
    case "group":
      if ((await node.groupDetails(thing.id)) === undefined) return false;
      await printGroup(terminal, open, thing.id, options);
      return true;
    case "context":
      if ((await node.context(thing.id)) === undefined) return false;
      await printContext(terminal, open, thing.id, options);
      return true;
    case "operation": {
      const operation = await node.operation(thing.id);
      if (operation === undefined) return false;
      if (json) await terminal.json(operationToJson(operation));
      else await terminal.lines(await operationLines(operation, how));
      return true;
    }
    case "delta": {
      const delta = await node.delta(thing.id);
      if (delta === undefined) return false;
      const { id } = delta.context;
      const views = AuthorViews.areOf(open.store) ? await viewsFor(terminal, open, id, options) : undefined;
      const dataOf = await deltaData(terminal, open, id, options, views);
      const data = await dataOf(delta.id);
      if (json) await terminal.line(deltaJson(delta, data));
      else await terminal.lines(await deltaLines(delta, how, data));
      return true;
    }
    case "application":
      await printApplication(terminal, open, thing, options);
      return true;
    case "member":
      await printMember(terminal, open, thing, options);
      return true;
    case "blob":
      return printBlob(terminal, open, thing, options);
    default:
      return false;
  }
}
