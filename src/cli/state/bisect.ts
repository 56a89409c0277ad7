import { fromHex } from "../../bytes/hex.js";
import { counted } from "../../bytes/quantity.js";
import { invalidArgument } from "../../errors.js";
import { CalimeroNode } from "../../node/index.js";
import { type PastValue, parsePath, pastValueAt, stateOf } from "../../state/index.js";
import { command } from "../arguments/command.js";
import { text } from "../arguments/option-kinds.js";
import { json, reading, utc } from "../arguments/options.js";
import { isEncrypted, openDatabase } from "../database/database.js";
import { withRemarks } from "../database/unread.js";
import { type IdLook, idText } from "../output/id-look.js";
import { wrapped } from "../output/lines.js";
import type { Terminal } from "../output/terminal.js";
import { clip, printable } from "../output/text.js";
import { remarkOtherRows } from "./beside-rows.js";
import { type Compared, conditionOf, type FirstDelta, Search, type SearchedMoment } from "./bisect-search.js";
import { manifestOptions } from "./manifest-file.js";
import { pastJson, valueText } from "./past-value.js";
import { certaintyJson, certaintyText, isProven, Moments, positionJson, positionText } from "./replayed.js";
import { hints, knowledgeOf, recorded, recordIn } from "./used-state.js";

/** The most characters of a path or a value in a sentence. */
const MOST_SAID = 80;
/** The indentation of a line's rest: the width of the value's name. */
const INDENT = 8;

/** Prints the first delta after which a condition holds. */
export const bisect = command({
  words: "bisect <db> <context> [condition]",
  description:
    "since when an entry of the application's data has its value: the first delta after which it holds",
  options: {
    entry: text("<path>", "since when there is anything at a path"),
    ...manifestOptions,
    hints,
    recorded,
    ...reading,
    json,
    utc,
  },
  help: `The condition is a path, =, and a value in JSON. It must hold now; the search halves the deltas, so it finds a delta
before which it did not hold and after which it did. A condition may begin to hold several times: it finds one of them.
A state is proven if it has the root hash that the author of its last delta had; one that no author had is not. Deltas
of core-1.0 carry no root hash: their states agree with the rows of now, or do not; --recorded can prove them.

Examples:
  merostore bisect node/data lobby 'items["a8"] = "first 8"'
  merostore bisect node/data lobby --entry items.a10
  merostore bisect node/data lobby --entry items.a10 --json

Status 1 if it does not hold now, or held before the first delta that the database has.`,

  async run(terminal, { db, context, condition }, options) {
    const wanted = conditionOf(condition, options.entry);
    if (parsePath(wanted.path).length === 0)
      throw invalidArgument("a condition is about the path of a field or an entry, not about all data");
    await using store = await openDatabase(terminal, db, options);
    if (await isEncrypted(store, options)) return 3;
    const node = new CalimeroNode(store);
    return await withRemarks(terminal, [{ store, node }], async () => {
      const contextId = fromHex((await node.resolve(context, ["context"])).id);
      const how = await knowledgeOf(terminal, { db, store }, contextId, options);
      const past = { ...how, record: recordIn(options.recorded) };
      const moments = await Moments.of(store, contextId, options.utc, past);
      await remarkOtherRows(terminal, store, moments.replay);
      const search = new Search(terminal, moments, wanted, contextId, how);
      const now = await pastValueAt(await stateOf(store, contextId, how), wanted.path);
      const { length } = moments.replay;
      const [holdsNow, holdsAfterAll] = [wanted.holds(now), await search.holds(length)];
      const byDeltas = await search.valueAfter(length);
      const leadTo =
        valueText(byDeltas) === valueText(now)
          ? ""
          : `, and the replay of the deltas gives ${inSentence(byDeltas)}`;
      const path = clip(printable(wanted.path), MOST_SAID);
      const is = `${path} is ${inSentence(now)}${leadTo}`;
      if (!holdsNow || !holdsAfterAll) {
        const what = holdsNow
          ? "the condition holds now, but not after the deltas that the database has"
          : "the condition does not hold now";
        terminal.remark(`${what}: ${is}; log --entry lists its values until now`);
        return 1;
      }
      if (leadTo !== "") terminal.remark(is);
      if (await search.holds(0)) {
        terminal.remark(`the condition held before the first delta that the database has: ${path}`);
        return 1;
      }
      const found = await search.run();
      if (options.json) await terminal.json({ ...positionJson(found.position), ...foundJson(found, now) });
      else await terminal.lines(foundLines(found, terminal, options.utc));
      return 0;
    });
  },
});

function foundJson({ before, after, lost, compared }: FirstDelta, now: PastValue) {
  return {
    lost,
    now: pastJson(now),
    before: pastJson(before.value),
    after: pastJson(after.value),
    proven: { before: isProven(before.certainty), after: isProven(after.certainty) },
    certainty: { before: certaintyJson(before.certainty), after: certaintyJson(after.certainty) },
    compared,
  };
}

function foundLines(
  { position, before, after, lost, compared }: FirstDelta,
  terminal: Terminal,
  utc: boolean,
): string[] {
  const { ids, width } = terminal;
  const side = (name: string, { value, certainty }: SearchedMoment): string =>
    `${name}${fittedValue(value, terminal)} (${certaintyText(certainty, ids)})`;
  return [
    `since ${positionText(position, utc, ids)}${lostText(lost, ids)}`,
    side("before  ", before),
    side("after   ", after),
    `compared ${counted(compared.states, "state")}, ${comparedText(compared)}`,
  ].flatMap((line) => wrapped(line, width, INDENT));
}

/** A value, cut to a line of a terminal that does not show everything. A problem is a sentence, and stays whole. */
function fittedValue(value: PastValue, { ids, width }: Terminal): string {
  const text = valueText(value);
  return ids.whole || width === undefined || value.kind !== "value" ? text : clip(text, width - INDENT);
}

/** A value, cut: a map may be large. */
function inSentence(value: PastValue): string {
  return clip(valueText(value), MOST_SAID);
}

/** `, or a lost delta that it follows (84e23b49)` */
function lostText([first, ...others]: readonly string[], ids: IdLook): string {
  if (first === undefined) return "";
  return `, or a lost delta that it follows (${idText(first, ids)}${others.length > 0 ? ", …" : ""})`;
}

/** `of which all are proven`, `of which 2 are proven and 5 agree with root hashes before or after them`. */
function comparedText({ states, proven, agreeing }: Compared): string {
  const of = (number: number, one: string, many: string): string =>
    number === states ? `all ${many}` : `${number} ${number === 1 ? one : many}`;
  const isProven = of(proven, "is proven", "are proven");
  if (agreeing === 0) return `of which ${isProven}`;
  const agrees = of(agreeing, "agrees", "agree");
  return `of which ${proven === 0 ? "" : `${isProven} and `}${agrees} with root hashes before or after them`;
}
