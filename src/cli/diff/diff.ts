import { fromHex } from "../../bytes/hex.js";
import { idHex } from "../../bytes/id.js";
import {
  type ContextsDifference,
  type DiffOptions,
  diffByContext,
  diffByGroup,
  diffRows,
  kindSentences,
  type RowSource,
  rowsOfExport,
  rowsOfStore,
  type SideNames,
} from "../../diff/index.js";
import { invalidArgument, MerostoreError } from "../../errors.js";
import { CalimeroNode, type Names } from "../../node/index.js";
import { revisionOf } from "../../schemas/index.js";
import type { Store } from "../../store/index.js";
import { command, type OptionValues } from "../arguments/command.js";
import { kindOfLocation } from "../arguments/location.js";
import { choice, flag, text } from "../arguments/option-kinds.js";
import { json, reading, selection, tableForm, utc } from "../arguments/options.js";
import { parseSelection, remarkNoRows, selectsIds } from "../arguments/selection.js";
import { sideNames } from "../arguments/side-names.js";
import { openDatabase, refuseLost } from "../database/database.js";
import {
  leftOutOf,
  remarkLeftOut,
  selectionOf,
  sentencesBeside,
  unlessLeftOut,
  without,
} from "../database/left-out.js";
import { inFile, packedFile } from "../database/packed-file.js";
import { withRemarks } from "../database/unread.js";
import { idText } from "../output/id-look.js";
import { withNames } from "../output/names-of-thing.js";
import { SentenceLook } from "../output/sentence-look.js";
import { programRows } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { clip } from "../output/text.js";
import { diffAt } from "../state/diff-at.js";
import { type Differing, dataJson, dataLines, diffData } from "../state/diff-data.js";
import { manifestOptions } from "../state/manifest-file.js";
import { dataFlag, manifestsOf } from "../state/manifests.js";
import { checkRecorded, recorded } from "../state/used-state.js";
import { printCounts, rowCells, rowLines } from "./lines.js";
import { agreementText, isUndecided, printSummary, type SummaryOptions, type Verdict } from "./summary.js";

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
    if (options.abi !== undefined && options.by !== "context" && options.at === undefined)
      throw invalidArgument("--abi goes with --by context or --at");
    if (options.by === "context" && options.group !== undefined)
      throw invalidArgument("--by context cannot be used with --group: all rows of a context are compared");
    checkRecorded(options);
    if (options.data && options.by !== "context")
      throw invalidArgument("--data is for --by context: rows have no names of entries");
    const needsRows = (["column", "member", "group"] as const).find((name) => options[name] !== undefined);
    const isOfGroup = needsRows === "group" && terminal.form === undefined;
    let by = options.by ?? (isOfGroup && !options.rows ? "group" : undefined);
    if (needsRows !== undefined && !options.rows && by === undefined)
      throw invalidArgument(`--${needsRows} selects rows: it goes with --rows`);
    if (by === "group" && options.context !== undefined)
      throw invalidArgument("--by group cannot be used with --context: all rows of a group are compared");
    await using a = await openSide(terminal, given.a, options);
    await using b = await openSide(terminal, given.b, options);
    using progress = terminal.progress("diff", "rows");
    const stores = [a, b].flatMap(({ store }) => store ?? []);
    const named = await parseSelection(options, ...stores);
    const only = selectsIds(named) ? undefined : selectionOf(a.rows, b.rows);
    if (only !== undefined)
      terminal.remark("the export has the rows of one context, group or member: no others are compared");
    const selection = { ...named, ...only };
    const rows = options.rows || only?.memberIds !== undefined;
    if (only?.groupId !== undefined && !rows) by ??= "group";
    const how: DiffOptions = {
      ...selection,
      onProgress: progress.show,
    };
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
    const [rowsA, rowsB] = [a, b].map(({ rows }) => without(rows, leftOut)) as [RowSource, RowSource];
    const names = rows ? [] : await namesOf(stores);
    const label: Comparison["label"] = (kind, id) => withNames(names, kind, id, idText(id, terminal.ids));
    const comparison = { a: rowsA, b: rowsB, how, options, sides, label };
    const { agree, summary, isUnread } = rows
      ? await printRows(terminal, comparison)
      : by === undefined
        ? await printSides(terminal, comparison)
        : by === "context"
          ? await printContexts(
              terminal,
              comparison,
              await differing(terminal, given.a, a, b, selection.contextId, options),
            )
          : await printGroups(terminal, comparison);
    if (selectsIds(selection) && summary.a + summary.b === 0) {
      remarkNoRows(terminal, selection);
      return 1;
    }
    return isUnread === true || leftOut.length > 0 ? 3 : agree ? 0 : 1;
  },
});

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

interface Side extends AsyncDisposable {
  readonly rows: RowSource;
  /** The database; undefined for an export. */
  readonly store?: Store;
}

function storesOf(a: Side, b: Side): readonly [Store, Store] {
  if (a.store !== undefined && b.store !== undefined) return [a.store, b.store];
  throw invalidArgument("the data of an application is compared in databases, not in exports");
}

async function openSide(terminal: Terminal, path: string, options: Options): Promise<Side> {
  const kind = kindOfLocation(path);
  if (kind === "missing") throw new MerostoreError("DATABASE_NOT_FOUND", `${path} does not exist`);
  if (kind !== "file") {
    const store = await openDatabase(terminal, path, options);
    try {
      refuseLost(store);
    } catch (error) {
      await store.close();
      throw error;
    }
    return { rows: rowsOfStore(store), store, [Symbol.asyncDispose]: () => store.close() };
  }
  const rows = await exportRows(path, options);
  return { rows, [Symbol.asyncDispose]: async () => rows.close?.() };
}

/** The rows of an export. Errors name the file, because there may be two. */
async function exportRows(path: string, { revision }: Options): Promise<RowSource> {
  const { open } = packedFile(path);
  const named = revision === undefined ? undefined : revisionOf(revision);
  const fail = (error: unknown): never => {
    throw inFile(path, error);
  };
  const source = await rowsOfExport(open, named).catch(fail);
  return {
    schema: source.schema,
    columns: source.columns,
    leftOut: source.leftOut,
    selection: source.selection,
    async *rows(column, ranges) {
      try {
        yield* source.rows(column, ranges);
      } catch (error) {
        fail(error);
      }
    },
    privateEntities: () => source.privateEntities().catch(fail),
    finish: async () => source.finish?.().catch(fail),
    close: async () => source.close?.(),
  };
}

/** A comparison that is to be printed. */
interface Comparison {
  readonly a: RowSource;
  readonly b: RowSource;
  readonly how: DiffOptions;
  readonly options: Options;
  /** The names of the databases. */
  readonly sides: SideNames;
  /** The id of a context or group with its names. */
  readonly label: SummaryOptions["label"];
}

async function printRows(
  terminal: Terminal,
  { a, b, how, options: { json }, sides }: Comparison,
): Promise<Verdict> {
  const rows = diffRows(a, b, how);
  const print = await programRows(terminal, ["row", "column family", "difference", "fields", "expected"]);
  let next = await rows.next();
  for (; next.done !== true; next = await rows.next()) {
    try {
      if (json) await terminal.json(next.value);
      else if (print !== undefined) await print(rowCells(next.value, terminal.ids, sides));
      else
        for (const line of rowLines(next.value, terminal.ids))
          await terminal.line(clip(line, terminal.width));
    } catch (error) {
      await rows.throw(error);
    }
  }
  if (json) await terminal.json({ summary: next.value });
  else if (print === undefined) await printCounts(terminal, next.value, sides);
  const { onlyInA, onlyInB, different } = next.value;
  return { summary: next.value, agree: onlyInA + onlyInB + different === 0 };
}

async function printSides(
  terminal: Terminal,
  { a, b, how: { contextId, onProgress }, options: { json, utc }, sides, label }: Comparison,
): Promise<Verdict> {
  const verdict = await printSummary(terminal, a, b, { contextId, onProgress, label, sides, json, utc });
  if (!json && !terminal.isForPrograms) await printCounts(terminal, verdict.summary, sides);
  return verdict;
}

async function printContexts(
  terminal: Terminal,
  { a, b, how: { contextId, onProgress }, options: { json }, sides, label }: Comparison,
  differingIn: Differing,
): Promise<Verdict> {
  const found = await diffByContext(a, b, { contextId, onProgress });
  const { elsewhere, summary } = found;
  const contexts = found.contexts.map((one) => unlessLeftOut(one, a));
  const only = contextId === undefined ? undefined : idHex(contextId);
  const shown = contexts.filter((context) => only === undefined || context.contextId === only);
  const agree = shown.every((context) => context.agree);
  const isUnread = shown.some(isUndecided);
  if (json) {
    for (const context of shown) {
      const data = await differingIn(context);
      const more = data && dataJson(data);
      await terminal.json({ ...context, sentences: sentencesBeside(context, sides, a), ...more });
    }
    await terminal.json({ elsewhere, agree, sides, summary });
    return { agree, summary, isUnread };
  }
  const look = new SentenceLook(terminal, []);
  const there = shown.filter(({ a, b, agree: agrees }) => a !== undefined || b !== undefined || !agrees);
  await terminal.wrapped(agreementText(there, "context", a), 6);
  for (const context of shown) {
    await terminal.wrapped(`context ${label("context", context.contextId)}`, 6);
    look.learn([context.a, context.b].flatMap((side) => [side?.rootHash ?? [], side?.dagHeads ?? []].flat()));
    for (const sentence of sentencesBeside(context, sides, a))
      await terminal.wrapped(`  ${await look.show(sentence)}`, 4);
    const data = await differingIn(context);
    for (const line of data === undefined ? [] : dataLines(data))
      await terminal.line(clip(`    ${line}`, terminal.width));
  }
  await printRest(terminal, "context", found, sides);
  return { agree, summary, isUnread };
}

async function printGroups(
  terminal: Terminal,
  { a, b, how: { groupId, onProgress }, options: { json }, sides, label }: Comparison,
): Promise<Verdict> {
  const found = await diffByGroup(a, b, { groupId, onProgress });
  const { groups, elsewhere, agree, summary } = found;
  if (json) {
    for (const group of groups) await terminal.json({ ...group, sentences: kindSentences(group, sides) });
    await terminal.json({ elsewhere, agree, sides, summary });
    return { agree, summary };
  }
  await terminal.wrapped(agreementText(groups, "group"), 6);
  for (const group of groups) {
    await terminal.wrapped(`group ${label("group", group.groupId)}`, 6);
    for (const sentence of kindSentences(group, sides)) await terminal.wrapped(`  ${sentence}`, 4);
  }
  await printRest(terminal, "group", found, sides);
  return { agree, summary };
}

/** Prints the differences in rows that name no such thing, and the numbers of rows. */
async function printRest(
  terminal: Terminal,
  what: "context" | "group",
  { elsewhere, summary }: Pick<ContextsDifference, "elsewhere" | "summary">,
  sides: SideNames,
): Promise<void> {
  const others = kindSentences(elsewhere, sides);
  if (others.length > 0) await terminal.line(`in rows that name no ${what}`);
  for (const sentence of others) await terminal.wrapped(`  ${sentence}`, 4);
  await printCounts(terminal, summary, sides);
}
