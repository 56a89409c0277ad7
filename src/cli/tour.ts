import type { RawRow } from "../engines/index.js";
import { GroupOpHead, GroupOpLog } from "../keys/index.js";
import { rowsOfKind, type Store } from "../store/index.js";
import { command } from "./command.js";
import { openDatabase } from "./database.js";
import { databaseFolder } from "./database-folder.js";
import { countFamilies, infoLines, remarkDamage } from "./info.js";
import { fitted, wrapped } from "./lines.js";
import { reading } from "./options.js";
import { rowForm, rowLines, withPrivateEntities } from "./rows.js";
import { clip, programName, shellWord, table } from "./text.js";

/** The most telling kinds of rows, and how many rows of each are shown. */
const SHOWN: readonly (readonly [kind: string, rows: number])[] = [
  ["ContextMeta", 2],
  ["ContextIdentity", 1],
  ["ContextDagDelta", 2],
  ["ApplicationMeta", 1],
  ["Alias", 2],
  ["GroupMeta", 1],
  ["GroupMember", 2],
  ["GroupKeyEntry", 1],
  ["NamespaceGovHead", 1],
];

const WIDTH = 120;

/** Shows the content of a database in a screen and a half, and the commands to try next. */
export const tour = command({
  words: "tour <db>",
  description: "a readable look at what is in a database, and what to try next",
  options: reading,
  help: `Example:
  merostore tour node/data

Reads every row once to count it.`,

  async run(terminal, { db }, options) {
    await using store = await openDatabase(terminal, db, options);
    const width = Math.min(terminal.width ?? WIDTH, WIDTH);
    const print = async (lines: readonly string[]): Promise<void> => {
      for (const line of lines) await terminal.line(clip(line, width));
    };
    const families = await countFamilies(terminal, store);
    await print(fitted(infoLines(store, databaseFolder(db), families, { brief: true }), width));
    const status = await remarkDamage(terminal, families);
    await print(["", "some rows"]);
    for (const [kind, limit] of SHOWN) {
      const range = store.schema.row(kind).key.range({});
      await print(await linesOf(store, range.column, rowsOfKind(store.raw, range, { limit })));
    }
    const log = await longestLog(store);
    if (log.length > 0)
      await print(["", "one group's operation log, in the order of its sequence numbers", ...log]);
    const run = programName();
    await print(["", "next"]);
    const database = shellWord(db);
    const next = [
      [`scan ${database} GroupMember`, "every member of every group"],
      [`scan ${database} GroupOpLog --reverse --limit 3`, "the last operations of the last log"],
      [`scan ${database} --json`, "every row as NDJSON"],
      ["schema", "how each row is laid out"],
    ];
    const lines = table(next.map(([words, what]) => [`${run} ${words}`, `# ${what}`]));
    for (const line of lines)
      for (const part of wrapped(`  ${line}`, terminal.width, 6)) await terminal.line(part);
    return status;
  },
});

async function linesOf(
  store: Store,
  column: string,
  chunks: AsyncIterable<readonly RawRow[]>,
): Promise<string[]> {
  const rows: RawRow[] = [];
  for await (const chunk of chunks) rows.push(...chunk);
  const options = await withPrivateEntities(store, column, {});
  return rowLines(rows.map((row) => rowForm(store.schema, column, row, options))).map((line) => `  ${line}`);
}

/** The first rows of the log whose head has the highest sequence number. A head may have no log. */
async function longestLog(store: Store): Promise<readonly string[]> {
  const heads: { readonly groupId: Uint8Array; readonly sequence: bigint }[] = [];
  for await (const { key, value } of store.scan(GroupOpHead)) {
    const { sequence = 0n } = (value ?? {}) as { readonly sequence?: bigint };
    heads.push({ groupId: key.groupId, sequence });
  }
  heads.sort((a, b) => (a.sequence < b.sequence ? 1 : -1));
  for (const { groupId } of heads.slice(0, 20)) {
    const range = GroupOpLog.range({ groupId });
    const lines = await linesOf(store, range.column, rowsOfKind(store.raw, range, { limit: 5 }));
    if (lines.length > 0) return lines;
  }
  return [];
}
