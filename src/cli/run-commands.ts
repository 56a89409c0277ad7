/** Runs a command line of any group of commands, and returns its exit status. */
import type { CommandGroup, ExitStatus } from "./arguments/command.js";
import { takeKeyFromEnvironment } from "./arguments/master-key.js";
import { parserOf, runWords } from "./arguments/parser.js";
import { complete, completionLines } from "./completion/complete.js";
import { reportFailure } from "./database/failure.js";
import { pagerOf } from "./output/pager.js";
import { Stopped, Terminal } from "./output/terminal.js";

/** The milliseconds that a stopped command has for closing its files. */
const CLOSING_MS = 500;

/**
 * Runs the command that the words name, with the output of this process.
 *
 * @param version what `--version` prints
 * @returns the exit status
 */
export async function runCommands(
  group: CommandGroup,
  version: string,
  typed: readonly string[],
): Promise<number> {
  takeKeyFromEnvironment();
  // `--no-pager` is valid for every command, at any place.
  const words = typed.filter((word) => word !== "--no-pager");
  const startPager = words.length === typed.length ? pagerOf() : undefined;
  const terminal = new Terminal(process.stdout, process.stderr, startPager);
  process.once("SIGINT", () => stop(terminal, 130));
  process.once("SIGTERM", () => stop(terminal, 143));
  // Node would print the message and its stack unescaped.
  process.once("uncaughtException", (error) => process.exit(reportFailure(terminal, error)));
  try {
    const [first, ...rest] = typed;
    if (first === "__complete") {
      // No parser accepts the words of an unfinished command line.
      const lines = completionLines(await complete(group, rest));
      await terminal.text(lines.map((line) => `${line}\n`).join(""));
      return 0;
    }
    let status: ExitStatus = 0;
    const done = (result: ExitStatus): void => {
      status = result;
    };
    const parser = parserOf(group, terminal, done, words).version(version);
    await runWords(parser, group, words);
    await terminal.flush();
    await terminal.close();
    return status;
  } catch (error) {
    // Unread output would keep the process alive. The database is already closed.
    if (error instanceof Stopped) {
      await terminal.close();
      process.exit(error.status);
    }
    // Print the output from before the failure.
    await terminal.flush().catch(() => undefined);
    await terminal.close();
    return reportFailure(terminal, error);
  }
}

/**
 * Stops the command. A command that waits for a server or a thread does not notice this, so the process ends without
 * it.
 */
function stop(terminal: Terminal, status: number): void {
  terminal.stop(status);
  setTimeout(() => {
    void terminal.close().finally(() => process.exit(terminal.stopped));
  }, CLOSING_MS).unref();
}
