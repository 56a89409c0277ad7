import { fromHex } from "../../bytes/hex.js";
import { count, counted } from "../../bytes/quantity.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument } from "../../errors.js";
import { CalimeroNode, type Named } from "../../node/index.js";
import {
  parsePath,
  problemJson,
  type State,
  StateError,
  stateJson,
  stateOf,
  surveyState,
  valueJson,
  type WithProblems,
} from "../../state/index.js";
import type { Store } from "../../store/index.js";
import { command, type ExitStatus } from "../arguments/command.js";
import { typedName } from "../arguments/ids.js";
import { flag, text, wholeNumber } from "../arguments/option-kinds.js";
import { json, reading, utc } from "../arguments/options.js";
import { isEncrypted, openDatabase } from "../database/database.js";
import { isSmall } from "../database/small.js";
import { withRemarks } from "../database/unread.js";
import { idText } from "../output/id-look.js";
import type { Terminal } from "../output/terminal.js";
import { clip, printable } from "../output/text.js";
import { remarkOtherRows } from "./beside-rows.js";
import { momentJson, momentLines, momentText, printBlame, printChanges } from "./past-state.js";
import { Moments, type ReplayedMoment } from "./replayed.js";
import { StateLines } from "./state-lines.js";
import {
  checkRecorded,
  knowledgeOf,
  recorded,
  recordIn,
  type StateOptionValues,
  stateOptions,
  usedState,
} from "./used-state.js";

/** The default limit of entries of each collection in text. */
const ENTRIES = 10;

/** The most listed entities that the state does not reach. */
const UNREACHABLE = 20;

/** Prints the data of an application in its own types. */
export const state = command({
  words: "state <db> [context] [path]",
  usage: "[options] <db> <context> [path]",
  description: "show the application's own data: fields, maps, lists and counters",
  options: {
    limit: wholeNumber(
      "<n>",
      `at most this many entries of each collection, of --diff in all; as text of the state ${ENTRIES} unless given`,
    ),
    metadata: flag(
      "also times, owners, writers and ids of entities, and those that the state does not reach",
      { conflicts: ["json"] },
    ),
    at: text("<moment>", "as of then: the id of a delta, its number from 1, or a time"),
    diff: text("<moment>", "with --at: what changed from then to this moment", {
      conflicts: ["metadata", "blame"],
    }),
    blame: flag("each entry of maps, sets and lists with the delta that wrote it", {
      conflicts: ["metadata"],
    }),
    ...stateOptions,
    recorded,
    ...reading,
    json,
    utc,
  },
  help: `A context is given by its name, its id, or at least four first digits of its id. A path leads into the data:
items.alice, items["a b"][0]. The manifest of the application comes from --abi, else from the code that the context
runs. Without one, the types in the rows show all but the application's own structs, and a field whose name no row
has is shown by its place: "@288" begins at byte 288 of the bytes that hold the application's fields.

Nothing is guessed: bytes that have several readings are shown as they are, with the number of readings, until other
rows of the same type or --hints exclude all but one. A part that cannot be shown has the name of its problem; the
rest is shown all the same. With --json, {"$problem": NAME, "bytes": SIZE} stands for such a part, and "$more" is the
number of entries that --limit leaves out; the sentences about problems go to stderr.

--at replays the deltas of the context, and says whether the state is proven: a delta carries the root hash that its
author had, and the time of its author's clock. Deltas of core-1.0 carry no hash: their states agree with the rows
of now and with checkpoints, and --recorded proves those of which "watch --record" kept the root hash. --at means the
end of the day, minute or second that it names.

Application data cannot be written: a change needs a delta that a member signs, so call a method of the application
through a node.

Examples:
  merostore state node/data lobby --abi kv_store.json
  merostore state node/data lobby items.a10
  merostore state node/data lobby items --limit 3 --metadata
  merostore state node/data lobby --json
  merostore state node/data lobby --at 20
  merostore state node/data lobby --at 20 --diff 30
  merostore state node/data lobby --blame --limit 5

Status 1 if something cannot be shown, or nothing is at the path; 2 for a manifest that cannot be used.`,

  async run(terminal, { db, context, path: typed }, options) {
    await using store = await openDatabase(terminal, db, options);
    if (await isEncrypted(store, options)) return 3;
    const node = new CalimeroNode(store);
    return await withRemarks(terminal, [{ store, node }], async () => {
      const named = await node.resolve(await typedName(node, context, ["context"]), ["context"]);
      const path = typed === undefined || parsePath(typed).length === 0 ? undefined : typed;
      checkTogether(options, path);
      const shown = { db, store, node, named, contextId: fromHex(named.id), path, options };
      return options.at === undefined && !options.blame
        ? printNow(terminal, shown)
        : printReplayed(terminal, shown);
    });
  },
});

/** A context whose state is shown. */
interface Shown {
  readonly db: string;
  readonly store: Store;
  readonly node: CalimeroNode;
  readonly named: Named;
  readonly contextId: Uint8Array;
  readonly path: string | undefined;
  readonly options: StateOptionValues & PrintOptions & Requested;
}

/** The options that request other states than that of now. */
interface Requested {
  readonly at: string | undefined;
  readonly diff: string | undefined;
  readonly blame: boolean;
}

/** @throws MerostoreError `INVALID_ARGUMENT` if options do not go together */
function checkTogether(options: Shown["options"], path: string | undefined): void {
  const { at, diff, blame } = options;
  if (diff !== undefined && at === undefined)
    throw invalidArgument("--diff goes with --at: the first of the two moments");
  checkRecorded(options);
  if (path !== undefined && (diff !== undefined || blame))
    throw invalidArgument(
      "--diff and --blame take no path: they show all entries; for the history of one: merostore log DB CONTEXT --entry PATH",
    );
  if (options.revealSecrets && (at !== undefined || blame))
    throw invalidArgument("--at and --blame cannot be used with --reveal-secrets: no delta has private data");
}

async function printNow(terminal: Terminal, shown: Shown): Promise<ExitStatus> {
  const { store, contextId, path, options } = shown;
  const state = await usedState(terminal, shown, contextId, options);
  const status = await printState(terminal, shown, state);
  const isText = path === undefined && !options.json;
  if (isText && (options.metadata || (await isSmall(store, "State"))))
    await printUnreachable(terminal, state);
  return status;
}

/** Prints the state of a replay: at a moment, with its changes until another one, or with the authors of entries. */
async function printReplayed(terminal: Terminal, shown: Shown): Promise<ExitStatus> {
  const { store, node, contextId, path, options } = shown;
  const { at, diff, blame, utc } = options;
  const how = await knowledgeOf(terminal, shown, contextId, options, "silently");
  const moments = await Moments.of(store, contextId, utc, { ...how, record: recordIn(options.recorded) });
  const { replay } = moments;
  await remarkOtherRows(terminal, store, replay);
  const then = at === undefined ? undefined : await moments.at(at);
  const reader = then?.reader ?? (await moments.afterFirst(replay.length));
  const state = await usedState(terminal, shown, contextId, options, reader);
  if (blame || then === undefined) return printBlame(terminal, node, moments, state, options);
  if (diff !== undefined) {
    const other = await moments.at(diff);
    const to = { state: await stateOf(other.reader, contextId, how), moment: other };
    return printChanges(terminal, replay, { state, moment: then }, to, options);
  }
  if (path !== undefined) terminal.remark(momentText(then, utc, terminal.ids));
  return printState(terminal, shown, state, then);
}

/** Prints a state, or the value at the path. */
async function printState(
  terminal: Terminal,
  { node, named, path, options }: Shown,
  state: State,
  then?: ReplayedMoment,
): Promise<ExitStatus> {
  if (path !== undefined) return printPath(terminal, state, path, options);
  if (options.json) return printJson(terminal, state, options, then && momentJson(then));
  const id = idText(named.id, terminal.ids, await node.digitsFor(named.id));
  await terminal.line(`context ${named.name === undefined ? id : `${printable(named.name)} (${id})`}`);
  if (then !== undefined) await terminal.lines(momentLines(then, options.utc, terminal));
  return printText(terminal, state, options);
}

interface PrintOptions {
  readonly limit: number | undefined;
  readonly metadata: boolean;
  readonly json: boolean;
  readonly utc: boolean;
}

async function printText(terminal: Terminal, state: State, options: PrintOptions): Promise<ExitStatus> {
  const lines = linesOf(terminal, state, options);
  const ofFields = new Set(state.fields.map(({ problem }) => problem));
  for (const problem of state.problems)
    if (!ofFields.has(problem)) await terminal.lines(lines.problem("", problem, 0));
  for (const field of state.fields) await terminal.lines(lines.part(`${printable(field.name)}: `, field, 0));
  for (const { name, fields, problem } of state.privateStructs) {
    await terminal.line("");
    await terminal.line(`private ${printable(name)}`);
    if (problem !== undefined) await terminal.lines(lines.problem("", problem, 1));
    for (const field of fields) await terminal.lines(lines.part(`${printable(field.name)}: `, field, 1));
  }
  return lines.problems === 0 ? 0 : 1;
}

/** Prints the entities that no field reaches: collections that lost their owner, and remains of merges. */
async function printUnreachable(terminal: Terminal, state: State): Promise<void> {
  const { unreachable, unreachableCount } = await surveyState(state);
  if (unreachableCount === 0) return;
  await terminal.line("");
  await terminal.line(`the state does not reach ${counted(unreachableCount, "entity", "entities")}`);
  for (const { id, name, children } of unreachable.slice(0, UNREACHABLE)) {
    const stored = name === undefined ? "" : `, stored as ${printable(name)}`;
    const shown = idText(id, terminal.ids, 16);
    await terminal.line(
      clip(`  ${shown}, ${counted(children, "child", "children")}${stored}`, terminal.width),
    );
  }
  if (unreachableCount > UNREACHABLE)
    await terminal.line(`  … ${count(unreachableCount - UNREACHABLE)} more`);
}

async function printJson(
  terminal: Terminal,
  state: State,
  { limit }: PrintOptions,
  moment?: { readonly [name: string]: Json },
): Promise<ExitStatus> {
  const { json, ...wrong } = await stateJson(state, { limit });
  const { context, ...shown } = json;
  await terminal.json({ context, ...moment, ...shown });
  return remarks(terminal, wrong);
}

/** Prints the value at a path. */
async function printPath(
  terminal: Terminal,
  state: State,
  path: string,
  options: PrintOptions,
): Promise<ExitStatus> {
  const lines = linesOf(terminal, state, options);
  let found: unknown;
  try {
    found = await state.get(path);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    if (options.json) {
      await terminal.json(problemJson(error.problem));
      return remarks(terminal, { problems: [error.problem], problemCount: 1 });
    }
    await terminal.lines(lines.problem("", error.problem, 0));
    return 1;
  }
  if (found === undefined) {
    terminal.remark(`nothing is at ${printable(path)}`);
    return 1;
  }
  if (options.json) {
    const { json, ...wrong } = await valueJson(found, { limit: options.limit });
    await terminal.json(json);
    return remarks(terminal, wrong);
  }
  await terminal.lines(lines.value("", found, 0));
  return lines.problems === 0 ? 0 : 1;
}

function linesOf(
  terminal: Terminal,
  state: State,
  { limit = ENTRIES, metadata, utc }: PrintOptions,
): StateLines {
  return new StateLines(state, { width: terminal.width, ids: terminal.ids, limit, metadata, utc });
}

/** Prints problems on stderr. They contain no values. */
function remarks(
  terminal: Terminal,
  { problems, problemCount }: Pick<WithProblems<unknown>, "problems" | "problemCount">,
): ExitStatus {
  for (const { name, path, message } of problems)
    terminal.remark(`${printable(path)}: ${name}: ${printable(message)}`);
  const more = problemCount - problems.length;
  if (more > 0) terminal.remark(counted(more, "more problem", "more problems"));
  return problemCount === 0 ? 0 : 1;
}
