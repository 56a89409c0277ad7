#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { complete, completionLines } from "./complete.js";
import { reportFailure } from "./failure.js";
import { takeKeyFromEnvironment } from "./master-key.js";
import { pagerOf } from "./pager.js";
import { merostore, program } from "./program.js";
import { Stopped, Terminal } from "./terminal.js";

takeKeyFromEnvironment();
// For every command, wherever it stands: it says nothing about what a command does.
const words = process.argv.filter((word, at) => at < 2 || word !== "--no-pager");
const startPager = words.length === process.argv.length ? pagerOf() : undefined;
const terminal = new Terminal(process.stdout, process.stderr, startPager);
process.once("SIGINT", () => stop(130));
process.once("SIGTERM", () => stop(143));
// Node would print the message and its stack as they are.
process.once("uncaughtException", (error) => process.exit(reportFailure(terminal, error)));

/** Milliseconds in which a command that was stopped may close what it opened. */
const CLOSING_MS = 500;

/** Stops the command. One that waits, for a server or another thread, does not notice: the process ends without it. */
function stop(status: number): void {
  terminal.stop(status);
  setTimeout(async () => {
    await terminal.close();
    process.exit(terminal.stopped);
  }, CLOSING_MS).unref();
}

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

process.exitCode = await main();

async function main(): Promise<number> {
  let status = 0;
  try {
    const [, , first, ...rest] = process.argv;
    if (first === "__complete") {
      // Words of a command line that is not finished: no parser would take them.
      const lines = completionLines(await complete(merostore, rest));
      await terminal.text(lines.map((line) => `${line}\n`).join(""));
      return 0;
    }
    await program(terminal, version, (result) => {
      status = result;
    }).parseAsync(words);
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
