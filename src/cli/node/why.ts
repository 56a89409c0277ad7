import { fromHex } from "../../bytes/hex.js";
import { type IdLike, idHex } from "../../bytes/id.js";
import { invalidArgument, MerostoreError } from "../../errors.js";
import { type StateOptions, stateOf } from "../../state/index.js";
import {
  sameVerdicts,
  type WhyAnswer,
  type WhyOptions,
  type WhyPair,
  whyDiffer,
  wrongVerdicts,
} from "../../why/index.js";
import { command } from "../arguments/command.js";
import { kindOfLocation } from "../arguments/location.js";
import { flag, wholeNumber } from "../arguments/option-kinds.js";
import { json, reading, utc } from "../arguments/options.js";
import type { Terminal } from "../output/terminal.js";
import { type DataDifferences, diffStates } from "../state/diff-data.js";
import { manifestOptions } from "../state/manifest-file.js";
import { hints, knowledgeOfAny, recorded, recordIn, type StateOptionValues } from "../state/used-state.js";
import { meantBy, type OpenSide, withNodes } from "./options.js";
import { type Explained, WhyText } from "./why-output.js";

/** Entries and rows that are listed by default: in text, and in JSON. */
const LISTED = { text: 10, json: 1_000 };

/** Prints why nodes differ. */
export const why = command({
  words: "why <a> <b> [more...]",
  usage: "[options] <db> <db...> [context or group]",
  description: "explain why nodes differ in contexts and groups: the cause of each different row",
  options: {
    ...manifestOptions,
    hints,
    recorded,
    all: flag("compare each two nodes; otherwise each is compared with the first"),
    limit: wholeNumber("<n>", "list at most this many entries, operations and rows of each answer"),
    json,
    utc,
    ...reading,
  },
  help: `Replays the deltas and the operations of the nodes, and compares their rows. The verdict is a sentence: a node left or
was removed, does not hold the key of the group, waits for a delta, is behind, took over the older deltas with a
snapshot. A state that differs from the replay of its deltas is an error, and the replay says which node is right.
Every row that differs has one cause; the number of those without one is always printed. The last word is a context or
a group unless a database is there; without one, all contexts, groups and other rows are compared.

Examples:
  merostore why node-a/data node-c/data lobby
  merostore why node-b/data node-c/data Money
  merostore why node-a/data node-b/data node-c/data lobby
  merostore why node-a/data node-b/data
  merostore why node-a/data node-c/data lobby --json

Text lists 10 entries, operations and rows of an answer, and JSON 1,000: it counts all. Status 0 if the nodes agree, or
the reason is expected between correct nodes; 1 if a state is wrong, or a row has no cause; 3 if rows cannot be read:
then the verdict on what they belong to is "unknown". A context or group that one node alone has is expected, because
no node has to join all: "absent", with status 0. "diff" compares rows, so they differ there, with status 1.`,

  async run(terminal, { a, b, more }, options) {
    const last = more.at(-1);
    const typed = last !== undefined && kindOfLocation(last) === "missing" ? last : undefined;
    const paths = [a, b, ...(typed === undefined ? more : more.slice(0, -1))];
    const other =
      typed === undefined ? undefined : paths.slice(2).find((path) => kindOfLocation(path) === "missing");
    if (other !== undefined)
      throw invalidArgument(`one context or group may be named: no database is at ${other}, nor at ${typed}`);
    return withNodes(terminal, paths, { ...options, partial: true }, async (sides) => {
      const readers = sides.map(({ name, store, node }) => ({ name, reader: store, node }));
      const only = selectedOf(sides);
      const meant = typed === undefined ? (only ?? {}) : await thingOf(sides, typed);
      if (only !== undefined && (meant.context !== only.context || meant.group !== only.group))
        throw new MerostoreError(
          "EXPORT_INVALID",
          "the export has the rows of another context, group or member alone",
        );
      const stateOptions = knowledge(terminal, sides, options);
      using progress = terminal.progress("why", "rows");
      const onProgress = progress.show;
      const most = options.limit ?? LISTED[options.json ? "json" : "text"];
      const how = {
        all: options.all,
        rows: most,
        stateOptions,
        record: recordIn(options.recorded),
        onProgress,
      };
      const answers = await whyDiffer(readers, { ...meant, ...how });
      const text = await WhyText.prepare(terminal, sides, answers, most, options.utc);
      const names = sides.map(({ name }) => name);
      for (const answer of answers) {
        terminal.check();
        const explained: Explained[] = [];
        for (const pair of answer.pairs)
          explained.push({ pair, data: await dataOf(sides, pair, stateOptions, most) });
        if (options.json) await terminal.lines(text.json(names, answer, explained));
        else await text.print(answer, explained, typed !== undefined);
      }
      if (!options.json) await text.end();
      return answers.some(isWrong) ? 1 : 0;
    });
  },
});

function isWrong({ pairs }: WhyAnswer): boolean {
  return pairs.some(
    ({ verdict, unexplainedCount }) => wrongVerdicts.includes(verdict) || unexplainedCount > 0,
  );
}

/** The context or group to which one of the databases, an export, is limited; undefined if none is limited. */
function selectedOf(sides: readonly OpenSide[]): Pick<WhyOptions, "context" | "group"> | undefined {
  const selected = sides.map(({ node }) => node.unread.selection).find((one) => one !== undefined);
  if (selected === undefined) return undefined;
  const { contextId, groupId, memberIds } = selected;
  if (memberIds !== undefined)
    throw new MerostoreError("EXPORT_INVALID", "an export of a member's rows does not tell why nodes differ");
  return contextId === undefined ? { group: idHex(groupId as IdLike) } : { context: idHex(contextId) };
}

/** The context or group that a word means. */
async function thingOf(
  sides: readonly OpenSide[],
  typed: string,
): Promise<Pick<WhyOptions, "context" | "group">> {
  const { kind, id } = await meantBy(sides, typed, ["context", "namespace", "group"]);
  return kind === "context" ? { context: id } : { group: id };
}

/** Facts about the applications, read once for each context. */
function knowledge(
  terminal: Terminal,
  sides: readonly OpenSide[],
  options: StateOptionValues,
): (contextId: Uint8Array) => Promise<StateOptions> {
  const known = new Map<string, Promise<StateOptions>>();
  return (contextId) => {
    const id = contextId.join();
    const found = known.get(id) ?? knowledgeOfAny(terminal, sides, contextId, options);
    known.set(id, found);
    return found;
  };
}

/** Compares the entries of the application's data on two nodes. */
async function dataOf(
  sides: readonly OpenSide[],
  { of, id, verdict, nodes, entities, unexplainedCount }: WhyPair,
  stateOptions: (contextId: Uint8Array) => Promise<StateOptions>,
  most: number,
): Promise<DataDifferences | undefined> {
  const isSame = sameVerdicts.includes(verdict) && unexplainedCount === 0;
  if (of !== "context" || id === undefined || isSame || verdict === "absent" || verdict === "unknown")
    return undefined;
  const stores = nodes.map((name) => (sides.find((side) => side.name === name) as OpenSide).store);
  // The revision `documented` has no entities.
  if (stores.some(({ schema }) => schema.name === "documented")) return undefined;
  const contextId = fromHex(id);
  const options = await stateOptions(contextId);
  const [a, b] = await Promise.all(stores.map((store) => stateOf(store, contextId, options)));
  return a && b && diffStates(a, b, { most, entities });
}
