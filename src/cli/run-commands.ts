/** Running a command line to its exit status, whatever its commands are. */
import type { CommandGroup, ExitStatus } from "./command.js";
import { complete, completionLines } from "./complete.js";
import { reportFailure } from "./failure.js";
import { takeKeyFromEnvironment } from "./master-key.js";
import { pagerOf } from "./pager.js";
import { parserOf, runWords } from "./parser.js";
import { Stopped, Terminal } from "./terminal.js";

/** Milliseconds in which a command that was stopped may close what it opened. */
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
  // For every command, wherever it stands: it says nothing about what a command does.
  const words = typed.filter((word) => word !== "--no-pager");
  const startPager = words.length === typed.length ? pagerOf() : undefined;
  const terminal = new Terminal(process.stdout, process.stderr, startPager);
  process.once("SIGINT", () => stop(terminal, 130));
  process.once("SIGTERM", () => stop(terminal, 143));
  // Node would print the message and its stack as they are.
  process.once("uncaughtException", (error) => process.exit(reportFailure(terminal, error)));
  try {
    const [first, ...rest] = typed;
    if (first === "__complete") {
      // Words of a command line that is not finished: no parser would take them.
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
    // Output that the reader has not taken would keep the process alive. The database is closed already.
    if (error instanceof Stopped) {
      await terminal.close();
      process.exit(error.status);
    }
    // Print what the command found before it failed.
    await terminal.flush().catch(() => undefined);
    await terminal.close();
    return reportFailure(terminal, error);
  }
}

/** Stops the command. One that waits, for a server or another thread, does not notice: the process ends without it. */
function stop(terminal: Terminal, status: number): void {
  terminal.stop(status);
  setTimeout(() => {
    void terminal.close().finally(() => process.exit(terminal.stopped));
  }, CLOSING_MS).unref();
}
