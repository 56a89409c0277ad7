/** The command line of the package, for `merostore ledger` and `merostore-ledger`. */
import { readFileSync } from "node:fs";
import { runCommands } from "merostore/internal/commands";
import { ledgerCommands } from "./program.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/**
 * Runs a command line.
 *
 * @param words `ledger`, and the words after it
 * @returns the exit status
 */
export function runCommandLine(words: readonly string[]): Promise<number> {
  return runCommands(ledgerCommands, version, words);
}
