/** Shows the writes of a running node as they come. */
import { toHex } from "../../bytes/hex.js";
import { toJsonLine } from "../../bytes/visible.js";
import { differingFields } from "../../diff/index.js";
import { invalidArgument } from "../../errors.js";
import { eitherSignal } from "../../progress.js";
import {
  dateText,
  findPrivateEntities,
  keepsPrivateApart,
  PrivateEntities,
  type RowJson,
  selectRows,
} from "../../schemas/index.js";
import type { StateChange } from "../../state/index.js";
import type { Change, Changes, Store } from "../../store/index.js";
import { command } from "../arguments/command.js";
import { flag, text } from "../arguments/option-kinds.js";
import { json, reading, revealSecrets, selection, utc } from "../arguments/options.js";
import { parseSelection } from "../arguments/selection.js";
import { openDatabase } from "../database/database.js";
import { changeText } from "../diff/lines.js";
import type { IdLook } from "../output/id-look.js";
import type { Terminal } from "../output/terminal.js";
import { clip, printable, rowCells, short } from "../output/text.js";
import { type RowOptions, rowForm } from "../rows/rows.js";
import { changesToJson, historyFor } from "../state/delta-changes.js";
import { manifestOptions } from "../state/manifest-file.js";
import { hints } from "../state/used-state.js";
import { findingRow } from "../verify/finding-row.js";
import { RootRecord } from "./record.js";
import { Sentences } from "./sentences.js";
import { StateWatch } from "./verify.js";

/** Signs of written rows: `~` replaces a row, `+` is a new row, `*` may be either. */
const SIGNS = { true: "~", false: "+", undefined: "*" } as const;

/** The most bytes of a database whose rows are compared after a loss of changes, which takes a second or two. */
const COMPARED = 128 * 1024 * 1024;

const NO_VALUE = new Uint8Array(0);

/** Prints each row that a running node writes or deletes, until Ctrl-C. */
export const watch = command({
  words: "watch <db> [kinds...]",
  description: "show each row that a running node adds, changes or deletes, as it arrives",
  options: {
    ...selection,
    patch: flag("below a delta each action: which entries of the application's data it sets, and to what"),
    ...manifestOptions,
    hints,
    verify: flag("compare the state after each delta with the replay of the deltas; end at a difference"),
    record: text("<file>", "add each context's root hash after each delta to a file, as a line of JSON"),
    rows: flag("only rows, without the sentences about operations and deltas"),
    ...reading,
    json,
    utc,
    revealSecrets,
  },
  help: `Each line shows the time, a sign, the kind, the parts of the key and the value. The sign is + for a new row, ~ for a
row that is written over, with the fields that changed if the former value is known, - for a deleted row. While much is
written, * stands for + and ~. With --json each line is the row as "scan --json" shows it, and "time", "type" (put,
delete, deleteRange or rescan), "existed", "before" and "sequence", which rows that are written together share.
A sentence below the row of a new operation or delta tells what it did; not while much is written. With --patch, each
action of a delta follows; the manifest of the application comes from --abi, else from the code that the context runs.
With --patch and --json the line of a new delta has "changes", as "log --json --patch" has them, when a sentence would.
A node deletes its log from time to time; a program that opens, writes and closes the database (put) deletes it at once.
If that happens before the command reads the log, or if another database replaces this one, a remark and "rescan" say
so. In a database of up to 128 MiB, the next lines show how the rows differ from before; in a larger one, rows may have
changed without a line. Ctrl-C ends the command with status 0.

--verify replays the deltas of each context that changes. The first entity that differs from the replay
for two seconds is printed as "verify" prints it, and ends the command with status 1. --record adds
the root hash and the heads of each context to a file, first as they are, then at each change: deltas of
core-1.0 carry no root hash, and the record proves later which state the node had: state --at, bisect and log --patch
take it with --recorded.

Of nodes of core-0.10 the values of State and Delta are redacted: whether they are private may be known only later.

Examples:
  merostore watch node/data
  merostore watch node/data GroupMember ContextMeta
  merostore watch node/data ContextDagDelta --patch --abi kv_store.json
  merostore watch node/data --verify --record roots.ndjson
  merostore watch node/data --context DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp --json`,

  async run(terminal, { db, kinds }, options) {
    const stopped = terminal.untilStopped();
    const differs = new AbortController();
    const signal = eitherSignal(stopped, differs.signal);
    await using store = await openDatabase(terminal, db, options);
    if (store.raw.capabilities.engine === "memory")
      throw invalidArgument("an export cannot be watched: name the folder of a database");
    await using second = options.verify ? await openDatabase(terminal, db, options) : undefined;
    const { columns, ...ids } = await parseSelection(options, store);
    const selected = selectRows(ids);
    for (const column of columns ?? []) await store.raw.approximateSize(column); // throws for an unknown column family
    const shown = { ...options, privateEntities: await entitiesToHide(store, options) };
    const how = { signal, existed: true, compare: COMPARED };
    const states = second && new StateWatch(second, ids.contextId);
    const record = options.record === undefined ? undefined : await RootRecord.open(options.record, store);
    const more = [
      ...(states === undefined ? [] : StateWatch.kinds),
      ...(record === undefined ? [] : ["ContextMeta"]),
    ];
    const changes: Changes<Change> =
      kinds.length === 0 ? store.watch(how) : store.watch({ ...how, kinds: [...kinds, ...more] });
    terminal.remark(`watching ${db}; Ctrl-C ends it`);
    const difference = states?.first(signal).then((found) => {
      if (found !== undefined) differs.abort();
      return found;
    });
    difference?.catch(() => differs.abort()); // the end of the command awaits it
    const isShown = (change: Change): boolean => {
      if (change.type === "rescan") return true;
      if (kinds.length > 0 && "kind" in change && !kinds.includes(change.kind ?? "")) return false;
      if (columns !== undefined && !columns.includes(change.column)) return false;
      if (change.type === "deleteRange") return true;
      if (change.type === "delete" && change.existed === false) return false;
      return selected.has(store.schema, change.column, bytesOf(change.key));
    };
    const sentences =
      options.rows || (options.json && !options.patch)
        ? undefined
        : new Sentences(terminal, store, {
            lines: !options.json,
            utc: options.utc,
            historyOf: options.patch
              ? (context) =>
                  historyFor(terminal, { db, store }, context, { ...options, revealSecrets: false })
              : undefined,
            deltas: shown.privateEntities !== PrivateEntities.unknown,
          });
    for await (const chunk of changes.chunks()) {
      states?.note(chunk);
      for (const change of chunk) record?.add(change);
      if (chunk.some(({ type }) => type === "rescan")) {
        await states?.noteAll();
        await record?.addAll(store);
      }
      const selected = chunk.filter(isShown);
      const said = await sentences?.of(selected);
      for (const change of selected) {
        const { lines = [], changes: data } = said?.get(change) ?? {};
        await print(terminal, store, change, { ...shown, data });
        await terminal.lines(lines);
      }
      await terminal.flush();
    }
    const found = await difference;
    if (found === undefined) return 0;
    const text = `${found.rule}: ${printable(found.message)}; ${findingRow(store.schema, found, terminal.ids)}`;
    await terminal.line(options.json ? toJsonLine({ type: "difference", ...found }) : text);
    return 1;
  },
});

/**
 * The private entities of a database. If nodes keep them beside public ones, all may be private, because the row that
 * shows it may be written later.
 */
async function entitiesToHide(
  { raw, schema }: Store,
  { revealSecrets }: RowOptions,
): Promise<PrivateEntities> {
  if (revealSecrets === true) return PrivateEntities.none;
  if (!keepsPrivateApart(schema)) return PrivateEntities.unknown;
  const found = await findPrivateEntities(raw, schema);
  return found.size === 0 ? PrivateEntities.none : PrivateEntities.unknown;
}

async function print(
  terminal: Terminal,
  store: Store,
  change: Change,
  options: RowOptions & { readonly data: readonly StateChange[] | undefined },
): Promise<void> {
  const time = new Date();
  if (change.type === "rescan")
    terminal.remark(
      `${
        change.replaced ? "another database replaced this one" : "the node deleted the log before it was read"
      }; ${
        change.compared
          ? "the next lines show how the rows differ from before"
          : "rows may have changed without a line"
      }`,
    );
  const form = formOf(store, change, options);
  const before = beforeOf(store, change, options);
  if (options.json) {
    const more = options.data && { changes: changesToJson(options.data) };
    return terminal.json({ time: time.toISOString(), ...form, ...(before && { before }), ...more });
  }
  const changed = form.type === "put" ? changesText(before, form, terminal.ids) : undefined;
  if (form.type === "rescan") return;
  const clock = dateText(time, options.utc ?? false, true);
  const cells =
    form.type === "deleteRange"
      ? [
          "-",
          form.column,
          `all keys from ${short(form.from, terminal.ids)} to before ${short(form.to, terminal.ids)}`,
        ]
      : [
          form.type === "delete" ? "-" : SIGNS[`${form.existed}`],
          ...(changed === undefined
            ? rowCells(form, { keysOnly: form.type === "delete", ids: terminal.ids })
            : [...rowCells(form, { keysOnly: true, ids: terminal.ids }), changed]),
        ];
  await terminal.line(clip([clock, ...cells].join("  "), terminal.width));
}

/** The previous value of a change, in the form of the row's own value. */
function beforeOf(
  { schema }: Store,
  change: Change,
  options: RowOptions,
): Pick<RowJson, "value" | "decoded" | "error"> | undefined {
  if (!("before" in change) || change.before === undefined || change.type !== "put") return undefined;
  const row = { key: bytesOf(change.key), value: change.before };
  const { value, decoded, error } = rowForm(schema, change.column, row, options);
  return {
    ...(value !== undefined && { value }),
    ...(decoded !== undefined && { decoded }),
    ...(error && { error }),
  };
}

/** `role: Member → Admin`: the differing fields; undefined if a value is hidden, or if none differs. */
function changesText(
  before: Pick<RowJson, "decoded"> | undefined,
  { decoded }: Pick<RowJson, "decoded">,
  ids: IdLook,
): string | undefined {
  if (before?.decoded === undefined || decoded === undefined) return undefined;
  const { fields, more } = differingFields(before.decoded, decoded);
  if (fields.length === 0) return undefined;
  return [...fields.map((field) => changeText(field, ids)), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** The JSON form of a change. */
function formOf({ schema }: Store, change: Change, options: RowOptions) {
  const { type, sequence } = change;
  if (type === "rescan")
    return { type, sequence, compared: change.compared, ...(change.replaced && { replaced: true }) };
  const { column } = change;
  if (type === "deleteRange")
    return { type, sequence, column, from: toHex(change.gte), to: toHex(change.lt) };
  const key = bytesOf(change.key);
  if (type === "delete") {
    const row = rowForm(schema, column, { key, value: NO_VALUE }, { ...options, keysOnly: true });
    return { type, sequence, ...row };
  }
  const value = "bytes" in change ? change.bytes : (change.value ?? NO_VALUE);
  const { existed } = change;
  return { type, sequence, existed, ...rowForm(schema, column, { key, value }, options) };
}

function bytesOf(key: Uint8Array | { readonly bytes: Uint8Array }): Uint8Array {
  return key instanceof Uint8Array ? key : key.bytes;
}
