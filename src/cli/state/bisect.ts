import { fromHex } from "../../bytes/hex.js";
import { toJsonLine } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument, orUndefined } from "../../errors.js";
import { Node } from "../../node/index.js";
import { parsePath, StateError, stateOf, valueJson } from "../../state/index.js";
import { command } from "../command.js";
import { openDatabase } from "../database.js";
import { remarkEncrypted } from "../encrypted.js";
import { text } from "../option-kinds.js";
import { json, reading, utc } from "../options.js";
import { clip, printable } from "../text.js";
import { manifestOptions } from "./manifest-file.js";
import { Moments, positionJson, positionText } from "./replayed.js";
import { hints, hintsIn, manifestIfAny } from "./used-state.js";

/** Prints the first delta after which something holds. */
export const bisect = command({
  words: "bisect <db> <context> [condition]",
  description:
    "since when an entry of the application's data has its value: the first delta after which it holds",
  options: {
    entry: text("<path>", "since when there is anything at a path"),
    ...manifestOptions,
    hints,
    ...reading,
    json,
    utc,
  },
  help: `The condition is a path, =, and a value in JSON. It must hold now; the search halves the deltas, so it finds a delta
before which it did not hold and after which it did. A condition may begin to hold several times: it finds one of them.

Examples:
  merostore bisect node/data lobby 'items["a8"] = "first 8"'
  merostore bisect node/data lobby --entry items.a10
  merostore bisect node/data lobby --entry items.a10 --json

Status 1 if it does not hold now, or held before the first delta that the database has.`,

  async run(terminal, { db, context, condition }, options) {
    const wanted = conditionOf(condition, options.entry);
    await using store = await openDatabase(terminal, db, options);
    if (await remarkEncrypted(terminal, store, options)) return 3;
    const contextId = fromHex((await new Node(store).resolve(context, ["context"])).id);
    const manifest = await manifestIfAny(terminal, db, store, contextId, options);
    const how = { manifest, hints: hintsIn(options.hints) };
    const moments = await Moments.of(store, contextId, how);
    const valueAfter = async (count: number): Promise<Json | undefined> => {
      const state = await stateOf(await moments.afterFirst(count), contextId, how);
      // A map that is not there yet has no entries.
      if (state.fields.length === 0) return undefined;
      try {
        const found = await state.get(wanted.path);
        return found === undefined ? undefined : (await valueJson(found)).json;
      } catch (error) {
        if (error instanceof StateError && (count < 2 || error.problem.name === "EntryMissing"))
          return undefined;
        throw error;
      }
    };
    const holds = async (count: number): Promise<boolean> => wanted.holds(await valueAfter(count));
    let [low, high] = [0, moments.replay.length];
    if (!(await holds(high))) {
      const now = await valueAfter(high);
      terminal.remark(
        `merostore: it does not hold now: ${printable(wanted.path)} is ${now === undefined ? "not there" : toJsonLine(now)}`,
      );
      return 1;
    }
    if (await holds(0)) {
      terminal.remark(
        `merostore: it held before the first delta that the database has: ${printable(wanted.path)}`,
      );
      return 1;
    }
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (await holds(middle)) high = middle;
      else low = middle;
    }
    const [before, after] = [await valueAfter(low), await valueAfter(high)];
    const position = await moments.replay.position(high);
    if (options.json) {
      await terminal.line(
        toJsonLine({ ...positionJson(position), before: before ?? null, after: after ?? null }),
      );
      return 0;
    }
    for (const line of [
      `since ${positionText(position, options.utc)}`,
      `before  ${before === undefined ? "nothing" : toJsonLine(before)}`,
      `after   ${after === undefined ? "nothing" : toJsonLine(after)}`,
    ])
      await terminal.line(clip(line, terminal.width));
    return 0;
  },
});

interface Condition {
  readonly path: string;
  holds(value: Json | undefined): boolean;
}

function conditionOf(condition: string | undefined, entry: string | undefined): Condition {
  if (entry !== undefined && condition === undefined)
    return { path: entry, holds: (value) => value !== undefined };
  if (condition === undefined || entry !== undefined)
    throw invalidArgument('give a condition, as items["a7"] = "x", or --entry with a path');
  for (let at = condition.indexOf("="); at >= 0; at = condition.indexOf("=", at + 1)) {
    const [path, typed] = [condition.slice(0, at).trim(), condition.slice(at + 1).trim()];
    const value = orUndefined(() => ({ path: parsePath(path), json: JSON.parse(typed) as Json }));
    if (value === undefined || path === "") continue;
    const wanted = toJsonLine(value.json);
    // Counters and wide integers are text in JSON.
    const asText = typeof value.json === "number" ? toJsonLine(String(value.json)) : wanted;
    const holds = (found: Json | undefined): boolean =>
      found !== undefined && [wanted, asText].includes(toJsonLine(found));
    return { path, holds };
  }
  throw invalidArgument(
    'a condition is a path, = and a value in JSON, as items["a7"] = "x", with its quotes',
  );
}
