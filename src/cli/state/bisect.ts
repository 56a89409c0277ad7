import { fromHex } from "../../bytes/hex.js";
import { counted } from "../../bytes/quantity.js";
import { toJsonLine } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument, orUndefined } from "../../errors.js";
import { CalimeroNode } from "../../node/index.js";
import { type Certainty, type PastValue, parsePath, pastValueAt, stateOf } from "../../state/index.js";
import { command } from "../command.js";
import { openDatabase } from "../database.js";
import { isEncrypted } from "../encrypted.js";
import { type IdLook, idText } from "../id-look.js";
import { wrapped } from "../lines.js";
import { text } from "../option-kinds.js";
import { json, reading, utc } from "../options.js";
import type { Terminal } from "../terminal.js";
import { clip, printable } from "../text.js";
import { withRemarks } from "../unread.js";
import { remarkOtherRows } from "./beside-rows.js";
import { manifestOptions } from "./manifest-file.js";
import { pastJson, valueText } from "./past-value.js";
import { certaintyJson, certaintyText, isProven, Moments, positionJson, positionText } from "./replayed.js";
import { hints, knowledgeOf, recorded, recordIn } from "./used-state.js";

/** Characters of a path or a value in a sentence. */
const MOST_SAID = 80;
/** Spaces before the rest of a line, which are as many as the name of its value has cells. */
const INDENT = 8;

/** Prints the first delta after which something holds. */
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
      const how = await knowledgeOf(terminal, db, store, contextId, options);
      const past = { ...how, record: recordIn(options.recorded) };
      const moments = await Moments.of(store, contextId, options.utc, past);
      await remarkOtherRows(terminal, store, moments.replay);
      const valueAfter = async (count: number): Promise<PastValue> => {
        const state = await stateOf(await moments.afterFirst(count), contextId, how);
        const value = await pastValueAt(state, wanted.path);
        // The first deltas make the fields one after another.
        return value.kind === "problem" && count < 2 && !moments.replay.isJoined
          ? { kind: "nothing" }
          : value;
      };
      const certainties = new Map<number, Certainty>();
      const holds = async (count: number): Promise<boolean> => {
        terminal.check();
        const value = await valueAfter(count);
        certainties.set(count, await moments.replay.certaintyOfFirst(count));
        return wanted.holds(value);
      };
      let [low, high] = [0, moments.replay.length];
      const now = await pastValueAt(await stateOf(store, contextId, how), wanted.path);
      const [holdsNow, holdsAfterAll] = [wanted.holds(now), await holds(high)];
      const byDeltas = await valueAfter(high);
      const leadTo =
        valueText(byDeltas) === valueText(now) ? "" : `, and the deltas lead to ${inSentence(byDeltas)}`;
      const path = clip(printable(wanted.path), MOST_SAID);
      const is = `${path} is ${inSentence(now)}${leadTo}`;
      if (!holdsNow || !holdsAfterAll) {
        const what = holdsNow
          ? "it holds now, and the deltas that the database has do not lead to it"
          : "it does not hold now";
        terminal.remark(`merostore: ${what}: ${is}; log --entry lists its values until now`);
        return 1;
      }
      if (leadTo !== "") terminal.remark(`merostore: ${is}`);
      if (await holds(0)) {
        terminal.remark(`merostore: it held before the first delta that the database has: ${path}`);
        return 1;
      }
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (await holds(middle)) high = middle;
        else low = middle;
      }
      const [before, after] = [await valueAfter(low), await valueAfter(high)];
      const position = await moments.replay.position(high);
      const lost = moments.replay.lostBefore(high);
      const all = [...certainties.values()];
      const agreeing = all.filter(({ verdict }) => verdict === "agrees").length;
      const compared = { states: all.length, proven: all.filter(isProven).length, agreeing };
      const [certaintyBefore, certaintyAfter] = [certainties.get(low), certainties.get(high)] as [
        Certainty,
        Certainty,
      ];
      if (options.json) {
        await terminal.json({
          ...positionJson(position),
          lost,
          now: pastJson(now),
          before: pastJson(before),
          after: pastJson(after),
          proven: { before: isProven(certaintyBefore), after: isProven(certaintyAfter) },
          certainty: { before: certaintyJson(certaintyBefore), after: certaintyJson(certaintyAfter) },
          compared,
        });
        return 0;
      }
      const side = (name: string, value: PastValue, certainty: Certainty): string =>
        `${name}${fittedValue(value, terminal)} (${certaintyText(certainty, terminal.ids)})`;
      for (const line of [
        `since ${positionText(position, options.utc, terminal.ids)}${lostText(lost, terminal.ids)}`,
        side("before  ", before, certaintyBefore),
        side("after   ", after, certaintyAfter),
        `compared ${counted(compared.states, "state")}, ${comparedText(compared)}`,
      ])
        await terminal.lines(wrapped(line, terminal.width, INDENT));
      return 0;
    });
  },
});

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

interface Compared {
  readonly states: number;
  readonly proven: number;
  readonly agreeing: number;
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

interface Condition {
  readonly path: string;
  holds(value: PastValue): boolean;
}

function conditionOf(condition: string | undefined, entry: string | undefined): Condition {
  if (entry !== undefined && condition === undefined)
    return { path: entry, holds: ({ kind }) => kind !== "nothing" };
  if (entry !== undefined) throw invalidArgument("give a condition or --entry, not both");
  if (condition === undefined)
    throw invalidArgument('give a condition, as items["a7"] = "x", or --entry with a path');
  for (let at = condition.indexOf("="); at >= 0; at = condition.indexOf("=", at + 1)) {
    const [path, typed] = [condition.slice(0, at).trim(), condition.slice(at + 1).trim()];
    const value = orUndefined(() => ({ path: parsePath(path), json: JSON.parse(typed) as Json }));
    if (value === undefined || path === "") continue;
    const wanted = toJsonLine(value.json);
    // Counters and wide integers are text in JSON.
    const asText = typeof value.json === "number" ? toJsonLine(String(value.json)) : wanted;
    const holds = (found: PastValue): boolean =>
      found.kind === "value" && [wanted, asText].includes(toJsonLine(found.json));
    return { path, holds };
  }
  throw invalidArgument(
    'a condition is a path, = and a value in JSON, as items["a7"] = "x", with its quotes',
  );
}
