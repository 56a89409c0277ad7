#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { reportFailure } from "./failure.js";
import { program } from "./program.js";
import { Stopped, Terminal } from "./terminal.js";

const terminal = new Terminal(process.stdout, process.stderr);
process.once("SIGINT", () => terminal.stop(130));
process.once("SIGTERM", () => terminal.stop(143));
// Node would print the message and its stack as they are.
process.once("uncaughtException", (error) => process.exit(reportFailure(terminal, error)));

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

process.exitCode = await main();

async function main(): Promise<number> {
  let status = 0;
  try {
    await program(terminal, version, (result) => {
      status = result;
    }).parseAsync();
    await terminal.flush();
    return status;
  } catch (error) {
    // Output that the reader has not taken would keep the process alive. The database is closed already.
    if (error instanceof Stopped) process.exit(error.status);
    // Print what the command found before it failed.
    await terminal.flush().catch(() => undefined);
    return reportFailure(terminal, error);
  }
}
