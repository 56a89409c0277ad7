import { existsSync } from "node:fs";
import { blobFolder } from "../../blobs/index.js";
import { invalidArgument } from "../../errors.js";
import { CalimeroNode } from "../../node/index.js";
import type { ProgressOptions } from "../../progress.js";
import { openSql, type SqlDatabase } from "../../sql/index.js";
import { command, type ExitStatus } from "../arguments/command.js";
import { defaultDatabase } from "../arguments/default-database.js";
import { text } from "../arguments/option-kinds.js";
import { json, reading, revealSecrets } from "../arguments/options.js";
import { blobsOf } from "../database/database-folder.js";
import { withRemarks } from "../database/unread.js";
import { checkOut } from "../output/out-file.js";
import type { Terminal } from "../output/terminal.js";
import { checkForm, isTableForm, printAnswer, remarkUndecoded, untilEnded, writeAnswer } from "./answer.js";
import { named, withDatabases } from "./databases.js";
import { dotCommand, promptForSql } from "./prompt.js";

/** Answers SQL questions. Status 1 if rows of the named kinds do not decode. */
export const sql = command({
  words: "sql <db> [more...]",
  usage: "[options] <db...> [statement]",
  description: "query one or several databases in SQL, with DuckDB",
  options: {
    out: text(
      "<file>",
      "a file that ends in .parquet, .csv or .json; or csv, wide or name, as which the table is printed",
      {
        short: "o",
        conflicts: ["json"],
      },
    ),
    json,
    revealSecrets,
    ...reading,
  },
  help: `The views groups, members, contexts, deltas, log and entries tell in words, with names, what the commands of these
names and "state" tell. Each kind of row is a table; its columns are the parts of the key and the fields of the value.
Ids and bytes are text in hex, enums have a field "kind", and structs and lists are DuckDB's own. With several
databases, the column "node" names the database of each row. The command reads only the kinds that the statement names.
Several statements, with a semicolon between them, print their results one after another.
If a value does not decode, all its columns are null, "error" has the reason, and the status is 1. Rows of unknown kinds
are in UnknownRow. Secrets are null without --reveal-secrets.

Without a statement, the command prompts for statements. Then and as a statement, .tables lists the tables and
".schema TABLE" the columns of a table; .quit ends.
Statements reach no files and no network, and change no database.

Examples:
  merostore sql node/data "select member, role from members where groupName = 'office'"
  merostore sql node/data "select role, count(*) from GroupMember group by role"
  merostore sql node/data "select groupId, sequence, op.kind from GroupOpLog order by sequence desc limit 10"
  merostore sql node/data "select contextId, len(actions) from ContextDagDelta" -o deltas.parquet
  merostore sql node-a/data node-b/data "select node, count(*) from ContextMeta group by node"
  merostore sql node/data

Needs the package @duckdb/node-api (npm install @duckdb/node-api).`,

  async run(terminal, { db, more }, options) {
    const { paths, statement } = wordsOf(db, more);
    const { out } = options;
    if (out !== undefined && isTableForm(out)) terminal.show({ ...options, output: out }, "sql");
    else if (out !== undefined) {
      if (statement === undefined) throw invalidArgument("-o needs a statement");
      checkForm(out);
      checkOut(out);
    }
    return withDatabases(terminal, paths, options, async (stores) => {
      const { names, asked } = named(paths, stores);
      const folders = await Promise.all(
        paths.map(async (path) => {
          const folder = blobsOf(path);
          return folder === undefined ? undefined : blobFolder(folder);
        }),
      );
      const nodes = stores.map((store, at) => ({
        store,
        node: new CalimeroNode(store),
        name: names[at] || undefined,
      }));
      using progress = terminal.progress("sql", "rows");
      await using opened = await openSql(asked, {
        revealSecrets: options.revealSecrets,
        blobsOf: (name) => folders[names.indexOf(name)],
      });
      let status: ExitStatus = 0;
      const run = async (text: string, signal?: AbortSignal): Promise<void> => {
        if ((await answer(terminal, opened, text, options, { signal, onProgress: progress.show })) > 0)
          status = 1;
      };
      return await withRemarks(terminal, nodes, async () => {
        if (statement !== undefined && DOT_COMMAND.test(statement))
          await dotCommand(terminal, opened, statement);
        else if (statement !== undefined) await run(statement);
        else if (await promptForSql(terminal, process.stdin, opened, run))
          status = terminal.interactive ? 0 : 2;
        return status;
      });
    });
  },
});

/**
 * Splits the words of the command into databases and the statement. The last word is the statement if it contains a
 * space and is neither a URL nor an existing path.
 */
function wordsOf(
  db: string,
  more: readonly string[],
): { readonly paths: readonly string[]; readonly statement: string | undefined } {
  const fallback = defaultDatabase();
  const words = [db, ...more];
  // With a default database, a statement with a slash looks like the path of a database.
  if (words.length === 1 && isStatement(db) && fallback !== undefined)
    return { paths: [fallback], statement: db };
  const last = more.at(-1);
  if (last?.trim() === "") throw invalidArgument("the statement is empty");
  if (last === undefined || !isStatement(last)) return { paths: words, statement: undefined };
  return { paths: words.slice(0, -1), statement: last };
}

/** The commands of the prompt that are also statements. */
const DOT_COMMAND = /^\.(?:tables|schema)(?:\s|$)/;

function isStatement(word: string): boolean {
  if (DOT_COMMAND.test(word)) return true;
  return /\s/.test(word.trim()) && !/^[a-z]+:\/\//i.test(word) && !existsSync(word);
}

/** Runs a statement and shows its answer. Returns the number of rows of the named kinds that do not decode. */
async function answer(
  terminal: Terminal,
  opened: SqlDatabase,
  statement: string,
  { out, json }: { readonly out: string | undefined; readonly json: boolean },
  { signal, onProgress }: ProgressOptions,
): Promise<number> {
  return untilEnded(terminal, signal, async (stop) => {
    let answers = 0;
    let undecoded = 0;
    for await (const found of opened.queryEach(statement, { signal: stop, onProgress })) {
      ({ undecoded } = found);
      const isFile = out !== undefined && !isTableForm(out);
      if (found.hasNext && (isFile || out === "csv"))
        throw invalidArgument(
          `-o ${out} takes the rows of one statement: of several, only the last may give some`,
        );
      if (answers++ > 0 && !json && out !== "name") await terminal.line("");
      if (isFile) await writeAnswer(out, found);
      else await printAnswer(terminal, found, json, out);
    }
    remarkUndecoded(terminal, undecoded);
    return undecoded;
  });
}
