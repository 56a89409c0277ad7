import { counted } from "../../bytes/quantity.js";
import { isPostgresUrl } from "../../engines/index.js";
import { invalidArgument, isMerostoreError, type Warning, type WarningCode } from "../../errors.js";
import { type CalimeroNode, type Named, noteUnreadState, partialStore } from "../../node/index.js";
import type { ColumnCount, Store } from "../../store/index.js";
import { command } from "../arguments/command.js";
import { shownLocation } from "../arguments/location.js";
import { flag } from "../arguments/option-kinds.js";
import { json, reading, tableLook, utc } from "../arguments/options.js";
import { openDatabase } from "../database/database.js";
import { blobsOf, databaseFolder } from "../database/database-folder.js";
import { undecodedTexts, unreadStatus } from "../database/unread.js";
import { summaryToJson } from "../node/context-page.js";
import { nodeToJson } from "../node/group-page.js";
import { Labels } from "../node/labels.js";
import { nodeAt } from "../node/options.js";
import { fieldLines } from "../output/lines.js";
import { printTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { shellWord } from "../output/text.js";
import { encryptionOf, encryptionText } from "../verify/encryption-text.js";
import {
  countFamilies,
  engineText,
  FAMILY_TABLE,
  familiesToJson,
  familyLines,
  familyRows,
  logText,
  remarkDamage,
  sum,
} from "./families.js";
import { folderSizes } from "./folder-sizes.js";
import { nextCommands } from "./next-commands.js";
import { type NodeStatus, readNodeStatus } from "./node-facts.js";
import { quickCheck } from "./quick-check.js";
import {
  checkText,
  contextLines,
  groupLines,
  type Look,
  nextLines,
  selfText,
  sizeText,
  warningLines,
} from "./screen.js";
import { FILES_TABLE, neededLogs, tableGroups, tableLines, tableRows } from "./table-files.js";

/** The greatest readable width of lines about column families. */
const WIDTH = 110;

/** Prints the identity, the content and the health of a node on one screen. */
export const status = command({
  words: "status <db>",
  description: "show the node on one screen: identity, groups, contexts, sizes, a quick check, next steps",
  options: {
    rows: flag("instead: revision, engine, column families, rows of each kind, what is only in the log"),
    files: flag("instead: these, and tables by family and level, compression, filters, logs"),
    ...reading,
    ...tableLook,
    json,
    utc,
  },
  help: `The word "status" can be left out. The group that comes first, and the context that changed last, are shown first.
"changed" is the time of a context's newest head by its author's clock; "operations" counts the log of a namespace, and
the own log (log --own) of a group below one; "pending" counts deltas that are not applied, and work on groups that the
node still has to do. The quick check is that of "merostore verify" about all column families of up to 2,000 rows. Reads
every row once to count it. A running node may go on; what it writes meanwhile does not show.

Examples:
  merostore node/data
  merostore status node/data --rows
  merostore status node/data --files
  merostore status node/data --json | jq '.contexts[] | {name, deltas, pending}'

--engine files reads RocksDB's own files, several times as fast as RocksDB; files of a kind that it does not
know are read with RocksDB, and "engine" says why.
Status 3 if a column family is damaged: its rows are counted up to the damage, and the others as always. Status 3 too if
rows do not decode, 4 if a newer node may have written them: a warning names their kinds.`,

  async run(terminal, { db }, options) {
    if (terminal.form !== undefined && !options.rows && !options.files)
      throw invalidArgument(
        `-o is for one table: status --rows, status --files, contexts and groups print one with -o ${terminal.form}`,
      );
    if (options.files && isPostgresUrl(db))
      throw invalidArgument(`${shownLocation(db)} has no files: leave out --files`);
    await using store = await openDatabase(terminal, db, options);
    const families = await countFamilies(terminal, store);
    const folder = databaseFolder(db);
    const encryption = await encryptionOf(store);
    const counted: Counted = {
      store,
      folder,
      families,
      encryption,
      ...(options.files && { tables: await tableGroups(folder), logs: await neededLogs(folder) }),
    };
    if (terminal.isForPrograms || options.rows || options.files) {
      await printFamilies(terminal, counted, options);
      return await remarkDamage(terminal, families);
    }
    const isDamaged = families.some(({ error }) => error !== undefined);
    // Without the master key, only the keys of rows can be read.
    const isSealed = encryption !== undefined && !encryption.withKey;
    const warnings: Warning[] = [...store.warnings];
    const part = partialStore(store);
    const names = await nodeAt(part, db);
    const look: Look = {
      labels: new Labels(terminal, names),
      ...{ width: terminal.width, size: terminal.size, utc: options.utc, ids: terminal.ids },
    };
    if (!isSealed) await noteUnreadState(part);
    const node = isSealed ? undefined : await nodeStatus(part, names, families, look, warnings);
    const check = isSealed ? undefined : await quickCheck(terminal, store, names, families);
    const files = await folderSizes(folder, blobsOf(db));
    const rows = sum(families, "rows");
    const bytes = sum(families, "bytes");
    const next = await nextCommands({
      ...{ db, options, isDamaged, rows, check, node, entities: store.schema.name !== "documented" },
      wordOf: (thing) => wordOf(names, thing, look),
    });
    const read = { store, node: names };
    const unread = isSealed ? [] : undecodedTexts(read);
    warnings.push(
      ...unread.map((message) => ({ code: "ROWS_UNREAD" as const, message })),
      ...warningsOf(node, families),
    );
    if (options.json) {
      await terminal.json({
        ...familiesToJson(store, folder, families, encryption),
        ...{ files: files ?? null, check: check ?? null, warnings, next },
        ...nodeStatusToJson(node),
      });
      return (await remarkDamage(terminal, families)) || (isSealed ? 0 : unreadStatus(read));
    }
    const fields = [
      ["node", node && selfText(node, look)],
      ["database", `${shownLocation(folder)}, ${store.schema.name}`],
      ["engine", engineText(store, folder)],
      ["encryption", encryption && encryptionText(encryption)],
      ["size", sizeText(rows, bytes, files, look)],
      ["check", check && checkText(check)],
    ] as const;
    const lines = [
      ...fieldLines(fields, look.width),
      ...groupLines(node?.groups ?? [], look),
      ...contextLines(node?.contexts ?? [], look),
      ...warningLines(warnings, look),
      ...nextLines(next, look),
    ];
    await terminal.lines(lines);
    return (await remarkDamage(terminal, families)) || (isSealed ? 0 : unreadStatus(read));
  },
});

/** The counted rows of a database, and its tables and logs if they are shown. */
interface Counted {
  readonly store: Store;
  readonly folder: string;
  readonly families: readonly ColumnCount[];
  readonly encryption: Awaited<ReturnType<typeof encryptionOf>>;
  readonly tables?: Awaited<ReturnType<typeof tableGroups>>;
  readonly logs?: Awaited<ReturnType<typeof neededLogs>>;
}

/** Prints the column families, and the tables and logs. */
async function printFamilies(
  terminal: Terminal,
  { store, folder, families, encryption, tables, logs }: Counted,
  { json }: { readonly json: boolean },
): Promise<void> {
  if (terminal.isForPrograms) {
    if (tables !== undefined) await printTable(terminal, tableRows(tables, terminal), FILES_TABLE);
    else await printTable(terminal, familyRows(families, terminal.sizeCell), FAMILY_TABLE);
  } else if (json)
    await terminal.json({
      ...familiesToJson(store, folder, families, encryption),
      ...(tables && { tables }),
      ...(logs && { logs }),
    });
  else {
    const width = terminal.width === undefined ? undefined : Math.min(terminal.width, WIDTH);
    const look = { width, size: terminal.size, sizeCell: terminal.sizeCell };
    const lines = familyLines(store, folder, families, encryption, look);
    if (tables !== undefined) lines.push("", ...tableLines(tables, logs, look));
    await terminal.lines(lines);
  }
}

/** The groups and contexts of a node; undefined if the rows about them cannot be read. */
async function nodeStatus(
  store: Store,
  node: CalimeroNode,
  families: readonly ColumnCount[],
  { labels }: Look,
  warnings: Warning[],
): Promise<NodeStatus | undefined> {
  try {
    const found = await readNodeStatus({ store, node }, families);
    await labels.prepare([
      found.own.device,
      found.self,
      ...found.groups.flatMap(({ node }) => [node.group, ...node.admins]),
    ]);
    await labels.prepare(found.contexts.flatMap((one) => [one.context, one.group, one.application]));
    return found;
  } catch (error) {
    if (!isMerostoreError(error)) throw error;
    warnings.push({ code: "ROWS_UNREAD", message: `groups and contexts cannot be read: ${error.message}` });
    return undefined;
  }
}

/**
 * The word for a thing in a command: its id, unless its name is unique, needs no quotes and does not look like an
 * option.
 */
async function wordOf(node: CalimeroNode, thing: Named, { labels }: Look): Promise<string> {
  const { id, name } = thing;
  if (name === undefined || name.startsWith("-") || shellWord(name) !== name) return labels.id(id);
  try {
    return (await node.resolve(name)).id === id ? name : labels.id(id);
  } catch {
    return labels.id(id); // the name is not unique
  }
}

/** The warnings for a person. */
function warningsOf(node: NodeStatus | undefined, families: readonly ColumnCount[]): Warning[] {
  const { groups = [], contexts = [] } = node ?? {};
  const pending = contexts.reduce((sum, { pending = 0 }) => sum + pending, 0);
  const forked = contexts.filter(({ heads }) => heads.length > 1).length;
  const unread = groups.reduce((sum, one) => sum + (one.node.unreadOperations ?? 0), 0);
  const unflushed = sum(families, "unflushed");
  const some = (number: number, code: WarningCode, message: string): readonly Warning[] =>
    number > 0 ? [{ code, message }] : [];
  return [
    ...some(pending, "DELTAS_PENDING", `${counted(pending, "delta is", "deltas are")} not applied`),
    ...groups.flatMap(({ work }) => work.map((message) => ({ code: "GROUP_PENDING" as const, message }))),
    ...some(
      forked,
      "HEADS_SEVERAL",
      `${counted(forked, "context has", "contexts have")} several heads: the next delta joins them`,
    ),
    ...some(
      unread,
      "OPERATIONS_SEALED",
      `${counted(unread, "operation")} cannot be read: the keys are not here`,
    ),
    ...some(unflushed, "LOG_UNFLUSHED", logText(unflushed)),
    ...families.flatMap(({ column, rows, known }) =>
      some(
        known ? 0 : rows,
        "COLUMN_UNKNOWN",
        `${counted(rows, "row is", "rows are")} in the unknown column family ${column}`,
      ),
    ),
  ];
}

function nodeStatusToJson(node: NodeStatus | undefined): object {
  if (node === undefined) return { node: null, groups: [], contexts: [] };
  const { own, self, groups, contexts } = node;
  return {
    node: {
      id: self?.id ?? null,
      name: self?.name ?? null,
      account: own.account ?? null,
      device: own.device ?? null,
      publicKeys: [...own.publicKeys],
    },
    groups: groups.map(({ node: one, above, operations, heads, work, changedAt }) => ({
      ...nodeToJson(one),
      parent: above.at(-1) ?? null,
      operations: operations ?? null,
      heads,
      pending: work,
      changedAt: changedAt ?? null,
    })),
    contexts: contexts.map((one) => ({
      ...summaryToJson(one),
      rootHash: one.rootHash ?? null,
      heads: one.heads,
      pending: one.pending ?? null,
    })),
  };
}
