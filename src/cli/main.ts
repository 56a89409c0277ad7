/** The command line as a program: `start.ts` runs it. */
import { isLedger, runLedger } from "./ledger.js";
import { merostore } from "./program.js";
import { runCommands } from "./run-commands.js";
import { version } from "./version.js";

const words = process.argv.slice(2);

void (isLedger(words) ? runLedger(words) : runCommands(merostore, version, words)).then((status) => {
  process.exitCode = status;
});
