/** The prompt of SQL: statements that end with a semicolon, and commands that begin with a dot. */
import type { Readable } from "node:stream";
import { isMerostoreError } from "../../errors.js";
import type { SqlDatabase } from "../../sql/index.js";
import { wrapped } from "../output/lines.js";
import { Stopped, type Terminal } from "../output/terminal.js";

const HELP = [
  "A statement ends with a semicolon and may take several lines.",
  ".tables          the views, and the tables: one for each kind of row",
  ".schema [TABLE]  the columns of a table, or of all, with their types",
  ".help            this list",
  ".quit            the end, as Ctrl-D is",
];

/** Runs a statement and prints its answer. */
export type RunStatement = (sql: string, signal: AbortSignal) => Promise<void>;

/**
 * Reads statements and runs them, until the input ends or `.quit`. Ctrl-C ends a running statement, and discards a
 * typed one.
 *
 * @returns whether a statement failed
 */
export async function promptForSql(
  terminal: Terminal,
  input: Readable,
  sql: SqlDatabase,
  run: RunStatement,
): Promise<boolean> {
  const lines = terminal.reader(input);
  let typed = "";
  let running: AbortController | undefined;
  let failed = false;
  lines.on("SIGINT", () => {
    typed = "";
    if (running === undefined) ask();
    else running.abort(new Stopped(130));
  });
  const ask = (): void => {
    if (!terminal.interactive) return;
    lines.setPrompt(typed === "" ? "sql> " : "...> ");
    lines.prompt();
  };
  const report = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      await terminal.flush();
    } catch (error) {
      terminal.check();
      if (error instanceof Stopped) terminal.remark("the statement was ended");
      else if (isMerostoreError(error)) {
        failed = true;
        terminal.remark(error.message);
      } else throw error;
    }
  };
  if (terminal.interactive)
    await terminal.line(".help shows what can be typed; a statement ends with a semicolon");
  await terminal.flush();
  const execute = async (text: string): Promise<void> => {
    running = new AbortController();
    const { signal } = running;
    await report(() => run(text, signal));
    running = undefined;
  };
  try {
    ask();
    for await (const line of lines) {
      const word = line.trim();
      if (typed === "" && word.startsWith(".")) {
        if (word === ".quit" || word === ".exit") break;
        await report(() => dotCommand(terminal, sql, word));
      } else if (typed !== "" || word !== "") {
        typed += `${line}\n`;
        if (word.endsWith(";")) {
          const text = typed;
          typed = "";
          await execute(text);
        }
      }
      ask();
    }
    // A pipe may end without a semicolon.
    if (typed.trim() !== "" && !terminal.interactive) await execute(typed);
  } finally {
    lines.close();
  }
  return failed;
}

/** Runs a command that begins with a dot. */
export async function dotCommand(terminal: Terminal, sql: SqlDatabase, word: string): Promise<void> {
  const [name, table] = word.replace(/;$/, "").split(/\s+/);
  if (name === ".tables") {
    for (const tables of [sql.views, sql.tables])
      await terminal.lines(wrapped(tables.map((one) => one.name).join(" "), terminal.width ?? 80));
    return;
  }
  if (name === ".schema") {
    const tables = [...sql.views, ...sql.tables].filter(
      (one) => table === undefined || one.name.toLowerCase() === table.toLowerCase(),
    );
    if (tables.length === 0) terminal.remark(`unknown table ${table}; .tables lists all tables`);
    for (const { name: kind, columns } of tables) {
      await terminal.line(kind);
      for (const column of columns) await terminal.line(`  ${column.name} ${column.type}`);
    }
    return;
  }
  if (name !== ".help") terminal.remark(`${word} is unknown`);
  await terminal.lines(HELP);
}
