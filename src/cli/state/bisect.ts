import { fromHex } from "../../bytes/hex.js";
import { toJsonLine } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument } from "../../errors.js";
import { Node } from "../../node/index.js";
import { StateError, stateOf, valueJson } from "../../state/index.js";
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
before which it did not hold and after which it did. What became true and untrue several times has several.

Examples:
  merostore bisect node/data lobby 'items["a7"] = "first 7"'
  merostore bisect node/data lobby --entry items.a10
  merostore bisect node/data lobby --entry items.a10 --json

Status 1 if it does not hold now.`,

  async run(terminal, { db, context, condition }, options) {
    const wanted = conditionOf(condition, options.entry);
    await using store = await openDatabase(terminal, db, options);
    if (await remarkEncrypted(terminal, store, options)) return 3;
    const contextId = fromHex((await new Node(store).resolve(context, ["context"])).id);
    const manifest = await manifestIfAny(terminal, db, store, contextId, options);
    const how = { manifest, hints: hintsIn(options.hints) };
    const moments = await Moments.of(store, contextId, how);
    const valueAfter = async (count: number): Promise<Json | undefined> => {
      if (count === 0) return undefined;
      const state = await stateOf(await moments.afterFirst(count), contextId, how);
      try {
        const found = await state.get(wanted.path);
        return found === undefined ? undefined : (await valueJson(found)).json;
      } catch (error) {
        if (error instanceof StateError) return undefined;
        throw error;
      }
    };
    const holds = async (count: number): Promise<boolean> => wanted.holds(await valueAfter(count));
    let [low, high] = [0, moments.replay.length];
    if (!(await holds(high))) {
      terminal.remark(`merostore: it does not hold now: ${printable(wanted.path)}`);
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
  if ((condition === undefined) === (entry === undefined))
    throw invalidArgument('give a condition, as items["a7"] = "x", or --entry with a path');
  if (entry !== undefined) return { path: entry, holds: (value) => value !== undefined };
  const [, path, typed] = /^(.*?[^=\s])\s*==?\s*(.+)$/s.exec(condition ?? "") ?? [];
  if (path === undefined || typed === undefined)
    throw invalidArgument('a condition is a path, = and a value in JSON: items["a7"] = "x"');
  let value: Json;
  try {
    value = JSON.parse(typed) as Json;
  } catch {
    throw invalidArgument(`the value of a condition is JSON: "x" with its quotes, 3, true; not ${typed}`);
  }
  const wanted = toJsonLine(value);
  return { path, holds: (found) => found !== undefined && toJsonLine(found) === wanted };
}
