/** Compares the application's data of two databases at one moment. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { invalidArgument, isMerostoreError } from "../../errors.js";
import { CalimeroNode } from "../../node/index.js";
import { type ReplayOptions, type StateOptions, stateOf } from "../../state/index.js";
import type { ExitStatus } from "../arguments/command.js";
import type { OpenDatabase } from "../database/database.js";
import { refuseLeftOut } from "../database/lacking-rows.js";
import { withNames } from "../output/names-of-thing.js";
import type { Terminal } from "../output/terminal.js";
import { clip, printable } from "../output/text.js";
import { remarkOtherRows } from "./beside-rows.js";
import { type DataDifferences, dataJson, dataLines, diffStates } from "./diff-data.js";
import { momentJson, momentText } from "./past-state.js";
import { Moments, REPLAYED, type ReplayedMoment } from "./replayed.js";
import { knowledgeOfAny, recordIn, type StateOptionValues } from "./used-state.js";

/** A compared database. */
interface Side extends OpenDatabase {
  readonly name: string;
}

/** A side at the moment, or the reason why its state is unknown. */
type Past = { readonly name: string } & (
  | { readonly moment: ReplayedMoment }
  | { readonly moment: undefined; readonly why: string }
);

interface Options extends StateOptionValues {
  readonly at: string;
  readonly json: boolean;
  readonly utc: boolean;
}

const NO_NUMBERS = "--at takes a time or the id of a delta here: each node has its own numbers of deltas";

/** Digits that may begin the id of a delta. */
const DIGITS = /^\d{4,64}$/;

/**
 * Prints the differing entries of the contexts that both databases have.
 *
 * @param only the context that was named
 */
export async function diffAt(
  terminal: Terminal,
  sides: readonly [Side, Side],
  only: Uint8Array | undefined,
  options: Options,
): Promise<ExitStatus> {
  if (/^\d{1,3}$/.test(options.at)) throw invalidArgument(NO_NUMBERS);
  const names = await Promise.all(sides.map(({ store }) => new CalimeroNode(store).names()));
  const record = recordIn(options.recorded);
  let agree = true;
  let refusal: string | undefined;
  let compared = 0;
  for (const contextId of only === undefined ? await commonContexts(sides) : [only]) {
    terminal.check();
    const how = await knowledgeOfAny(terminal, sides, contextId, options);
    const past = [
      await pastOf(terminal, sides[0], contextId, options, { ...how, record }),
      await pastOf(terminal, sides[1], contextId, options, { ...how, record }),
    ] as const;
    refusal = past.flatMap((side) => (side.moment === undefined ? side.why : []))[0] ?? refusal;
    if (past.every(({ moment }) => moment === undefined)) continue;
    compared++;
    const data = await dataOf(past, contextId, how);
    agree &&= data !== undefined && data.count === 0 && data.uncomparedCount === 0;
    const id = toHex(contextId);
    if (options.json) {
      await terminal.json(contextJson(id, past, data));
      continue;
    }
    await terminal.line(`context ${withNames(names, "context", id)}`);
    for (const side of past) {
      const said = side.moment === undefined ? side.why : momentText(side.moment, options.utc, terminal.ids);
      await terminal.wrapped(`  ${printable(side.name)}: ${said}`, 4);
    }
    for (const line of data === undefined ? [] : dataLines(data))
      await terminal.line(clip(`    ${line}`, terminal.width));
  }
  if (compared === 0 && refusal !== undefined)
    throw invalidArgument(DIGITS.test(options.at) ? `${refusal}; ${NO_NUMBERS}` : refusal);
  if (compared === 0) throw invalidArgument("the databases have no context in common");
  if (options.json) await terminal.json({ agree, sides: sides.map(({ name }) => name) });
  return agree ? 0 : 1;
}

async function commonContexts([a, b]: readonly [Side, Side]): Promise<readonly Uint8Array[]> {
  const joined = async ({ store }: Side): Promise<readonly string[]> =>
    (await new CalimeroNode(store).contexts()).flatMap(({ context, application }) =>
      application === undefined ? [] : context.id,
    );
  const others = new Set(await joined(b));
  return (await joined(a)).filter((id) => others.has(id)).map(fromHex);
}

async function pastOf(
  terminal: Terminal,
  { name, store }: Side,
  contextId: Uint8Array,
  { at: typed, utc }: Options,
  how: ReplayOptions,
): Promise<Past> {
  refuseLeftOut(store, REPLAYED, name);
  const moments = await Moments.of(store, contextId, utc, how);
  await remarkOtherRows(terminal, store, moments.replay, name);
  try {
    return { name, moment: await (DIGITS.test(typed) ? moments.atMoment(typed) : moments.at(typed)) };
  } catch (error) {
    if (!isMerostoreError(error, "INVALID_ARGUMENT")) throw error;
    return { name, moment: undefined, why: error.message };
  }
}

const EQUAL: DataDifferences = { differences: [], count: 0, uncompared: [], uncomparedCount: 0 };

/** The differences; undefined if one of the sides is unknown. */
async function dataOf(
  [a, b]: readonly [Past, Past],
  contextId: Uint8Array,
  how: StateOptions,
): Promise<DataDifferences | undefined> {
  if (a.moment === undefined || b.moment === undefined) return undefined;
  // The root hash covers all data, including unknown parts.
  if (a.moment.rootHash !== undefined && a.moment.rootHash === b.moment.rootHash) return EQUAL;
  return diffStates(
    await stateOf(a.moment.reader, contextId, how),
    await stateOf(b.moment.reader, contextId, how),
    { names: [a.name, b.name] },
  );
}

function contextJson(
  context: string,
  past: readonly [Past, Past],
  data: DataDifferences | undefined,
): object {
  return {
    context,
    nodes: past.map((side) => ({
      node: side.name,
      ...(side.moment === undefined ? { why: side.why } : momentJson(side.moment)),
    })),
    ...(data && dataJson(data)),
  };
}
