/** Compares two databases, or exports of them. */
import { fromHex } from "../../bytes/hex.js";
import { invalidArgument } from "../../errors.js";
import { CalimeroNode, type Names } from "../../node/index.js";
import type { Store } from "../../store/index.js";
import { command, type OptionValues } from "../arguments/command.js";
import { choice, flag, text } from "../arguments/option-kinds.js";
import { json, reading, selection, tableForm, utc } from "../arguments/options.js";
import { parseSelection, remarkNoRows, type SelectedIds, selectsIds } from "../arguments/selection.js";
import { sideNames } from "../arguments/side-names.js";
import { leftOutOf, remarkLeftOut, selectionOf, without } from "../database/left-out.js";
import { withRemarks } from "../database/unread.js";
import { idText } from "../output/id-look.js";
import { withNames } from "../output/names-of-thing.js";
import type { Terminal } from "../output/terminal.js";
import { diffAt } from "../state/diff-at.js";
import { type Differing, diffData } from "../state/diff-data.js";
import { manifestOptions } from "../state/manifest-file.js";
import { dataFlag, manifestsOf } from "../state/manifests.js";
import { checkRecorded, recorded } from "../state/used-state.js";
import { printAll, printContexts, printGroups, printRows } from "./print.js";
import { openSide, type Side, storesOf } from "./sides.js";

const options = {
  ...selection,
  rows: flag("each row that differs, and its fields"),
  by: choice("<what>", ["context", "group"], "what differs, by context or by group", {
    conflicts: ["column", "member", "rows"],
  }),
  abi: text(
    "<file>",
    "with --by context: also which data of the application differs, by this manifest; with --at: its types",
    {
      conflicts: ["column", "group"],
    },
  ),
  data: dataFlag,
  at: text(
    "<moment>",
    "which data of the applications differed then: a time, or the id of a delta that both have",
    { conflicts: ["column", "group", "member", "by", "data", "rows"] },
  ),
  recorded,
  blobs: manifestOptions.blobs,
  json,
  utc,
  ...reading,
  output: tableForm("by", "at"),
};

type Options = OptionValues<typeof options>;

/** Compares two databases, or exports of them. Status 1 when they differ. */
export const diff = command({
  words: "diff <a> <b>",
  description: "show the differences between two databases, or exports of them",
  options,
  help: `Each context has a verdict: same, ahead or behind (how many deltas, and since when), diverged, or only in one of them.
Groups and other rows that differ follow. "merostore why" tells why.

--rows lists the rows: < only in the first, > only in the second, ~ in both and different, with the fields that differ.
A remark follows a difference that is expected between correct nodes, as in their own keys and clocks. Secrets are
never shown.
Some rows of an export without secrets have no values: only their keys are compared, and the summary counts them. The
fields of a value of more than 4 MiB are not compared: its size and the offset of the first byte that differs are shown.

Examples:
  merostore diff node-a/data node-b/data
  merostore diff node-a/data node-b/data --by context
  merostore diff node-a/data node-b/data --by group
  merostore diff node-a/data node-b/data --group office
  merostore diff node-a/data node-b/data --by context --context lobby --abi kv_store.json
  merostore diff node-a/data node-b/data --by context --data
  merostore diff node-a/data node-b/data --context lobby --at 2026-11-21T05:51:40Z
  merostore diff node/data yesterday.ndjson.gz --rows
  merostore diff node-a/data node-b/data --rows --context lobby --column State Delta

With --by context the verdict stands first: two nodes agree on a context if they have the same state and the same
deltas, and all other differences are expected. Older deltas that a node lacks are expected if it applied others that
follow them, as after a snapshot. Rows that name no context are listed, and do not count; --by group compares them.

--at replays the deltas of both as "merostore state --at" does, and says whether each state is proven.

Status 0 if the nodes agree on all contexts, groups and other rows, and differ only as correct nodes do; with --by and
--at, if they agree on what is compared; with --rows, if all rows are equal. Otherwise 1, or if no row names the
context, the group or the member.`,

  async run(terminal, given, options) {
    const asked = modeOf(options, terminal.form !== undefined);
    await using a = await openSide(terminal, given.a, options);
    await using b = await openSide(terminal, given.b, options);
    using progress = terminal.progress("diff", "rows");
    const stores = [a, b].flatMap(({ store }) => store ?? []);
    const named = await parseSelection(options, ...stores);
    const only = selectsIds(named) ? undefined : selectionOf(a.rows, b.rows);
    if (only !== undefined)
      terminal.remark("the export has the rows of one context, group or member: no others are compared");
    const selection = { ...named, ...only };
    const sides = sideNames(given.a, given.b);
    if (options.at !== undefined) {
      const [first, second] = storesOf(a, b);
      const nodes = [
        { name: sides[0], db: given.a, store: first },
        { name: sides[1], db: given.b, store: second },
      ] as const;
      const read = nodes.map(({ name, store }) => ({ name, store, node: new CalimeroNode(store) }));
      const how = { ...options, at: options.at };
      return await withRemarks(terminal, read, () => diffAt(terminal, nodes, selection.contextId, how));
    }
    const leftOut = leftOutOf(a.rows, b.rows, options.column);
    remarkLeftOut(terminal, leftOut);
    const mode = only === undefined ? asked : modeWithin(only, asked);
    const names = mode === "rows" ? [] : await namesOf(stores);
    const { agree, summary, isUnread } = await print[mode](terminal, {
      a: without(a.rows, leftOut),
      b: without(b.rows, leftOut),
      how: { ...selection, onProgress: progress.show },
      options,
      sides,
      label: (kind, id) => withNames(names, kind, id, idText(id, terminal.ids)),
      differingIn: await differing(terminal, given.a, a, b, selection.contextId, options),
    });
    if (selectsIds(selection) && summary.a + summary.b === 0) {
      remarkNoRows(terminal, selection);
      return 1;
    }
    return isUnread === true || leftOut.length > 0 ? 3 : agree ? 0 : 1;
  },
});

/** The ways to compare. */
const print = { rows: printRows, all: printAll, context: printContexts, group: printGroups } as const;

type Mode = keyof typeof print;

/**
 * The way to compare that options request. `--at` is handled before.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` if options do not go together
 */
function modeOf(options: Options, isForPrograms: boolean): Mode {
  const { by, rows } = options;
  if (options.abi !== undefined && by !== "context" && options.at === undefined)
    throw invalidArgument("--abi goes with --by context or --at");
  if (by === "context" && options.group !== undefined)
    throw invalidArgument("--by context cannot be used with --group: all rows of a context are compared");
  checkRecorded(options);
  if (options.data && by !== "context")
    throw invalidArgument("--data is for --by context: rows have no names of entries");
  const selected = (["column", "member", "group"] as const).find((name) => options[name] !== undefined);
  const isOfGroup = by === "group" || (by === undefined && !rows && selected === "group" && !isForPrograms);
  if (selected !== undefined && !rows && by === undefined && !isOfGroup)
    throw invalidArgument(`--${selected} selects rows: it goes with --rows`);
  if (isOfGroup && options.context !== undefined)
    throw invalidArgument("--by group cannot be used with --context: all rows of a group are compared");
  return rows ? "rows" : isOfGroup ? "group" : (by ?? "all");
}

/** The way to compare with an export of one context, group or member. */
function modeWithin({ groupId, memberIds }: SelectedIds, asked: Mode): Mode {
  if (memberIds !== undefined) return "rows";
  return groupId !== undefined && asked === "all" ? "group" : asked;
}

/** The names in the databases, each once. */
function namesOf(stores: readonly Store[]): Promise<readonly Names[]> {
  return Promise.all([...new Set(stores)].map((store) => new CalimeroNode(store).names()));
}

async function differing(
  terminal: Terminal,
  db: string,
  a: Side,
  b: Side,
  context: Uint8Array | undefined,
  { abi, blobs, data }: Options,
): Promise<Differing> {
  if (abi === undefined && !data) return async () => undefined;
  const [first, second] = storesOf(a, b);
  const manifests = await manifestsOf(terminal, db, [first, second], context, { abi, blobs });
  return async ({ contextId, ...context }) => {
    if (context.a === undefined || context.b === undefined) return undefined;
    const manifest = await manifests(fromHex(contextId));
    return manifest && diffData([first, second], fromHex(contextId), manifest);
  };
}
