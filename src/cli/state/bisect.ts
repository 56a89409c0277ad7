import { fromHex } from "../../bytes/hex.js";
import { counted } from "../../bytes/quantity.js";
import { toJsonLine } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument, orUndefined } from "../../errors.js";
import { Node } from "../../node/index.js";
import { type PastValue, parsePath, pastValueAt, stateOf } from "../../state/index.js";
import { command } from "../command.js";
import { openDatabase } from "../database.js";
import { remarkEncrypted } from "../encrypted.js";
import { wrapped } from "../lines.js";
import { text } from "../option-kinds.js";
import { json, reading, utc } from "../options.js";
import { printable } from "../text.js";
import { remarkOtherRows } from "./beside-rows.js";
import { manifestOptions } from "./manifest-file.js";
import { pastJson, valueText } from "./past-value.js";
import { Moments, positionJson, positionText } from "./replayed.js";
import { hints, knowledgeOf } from "./used-state.js";

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
A state is proven if it has the root hash that the author of its last delta had; one that no author had is not.

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
    const how = await knowledgeOf(terminal, db, store, contextId, options);
    const moments = await Moments.of(store, contextId, how);
    await remarkOtherRows(terminal, store, moments.replay);
    const valueAfter = async (count: number): Promise<PastValue> => {
      const state = await stateOf(await moments.afterFirst(count), contextId, how);
      const value = await pastValueAt(state, wanted.path);
      // The first deltas make the fields one after another.
      return value.kind === "problem" && count < 2 && !moments.replay.isJoined ? { kind: "nothing" } : value;
    };
    const proven = new Map<number, boolean>();
    const holds = async (count: number): Promise<boolean> => {
      terminal.check();
      const value = await valueAfter(count);
      proven.set(count, await moments.isProvenAfterFirst(count));
      return wanted.holds(value);
    };
    let [low, high] = [0, moments.replay.length];
    if (!(await holds(high))) {
      const now = await pastValueAt(await stateOf(store, contextId, how), wanted.path);
      const what = wanted.holds(now)
        ? "it holds now, and the deltas that the database has do not lead to it"
        : "it does not hold now";
      terminal.remark(`merostore: ${what}: ${printable(wanted.path)} is ${valueText(now)}`);
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
    const compared = { states: proven.size, proven: [...proven.values()].filter((is) => is).length };
    const [isBefore, isAfter] = [proven.get(low) === true, proven.get(high) === true];
    if (options.json) {
      await terminal.line(
        toJsonLine({
          ...positionJson(position),
          before: pastJson(before),
          after: pastJson(after),
          proven: { before: isBefore, after: isAfter },
          compared,
        }),
      );
      return 0;
    }
    const mark = (is: boolean): string => (is ? "proven" : "not proven");
    for (const line of [
      `since ${positionText(position, options.utc)}`,
      `before  ${valueText(before)} (${mark(isBefore)})`,
      `after   ${valueText(after)} (${mark(isAfter)})`,
      `compared ${counted(compared.states, "state")}, of which ${compared.proven === compared.states ? "all have" : `${compared.proven} ${compared.proven === 1 ? "has" : "have"}`} the root hash of a delta's author`,
    ])
      for (const part of wrapped(line, terminal.width, 8)) await terminal.line(part);
    return 0;
  },
});

interface Condition {
  readonly path: string;
  holds(value: PastValue): boolean;
}

function conditionOf(condition: string | undefined, entry: string | undefined): Condition {
  if (entry !== undefined && condition === undefined)
    return { path: entry, holds: ({ kind }) => kind !== "nothing" };
  if (condition === undefined || entry !== undefined)
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
