/** Runs commands about ledgers in this process. */
import { runners } from "../../../../test/cli/run.js";
import { ledgerCommands } from "../../src/commands/program.js";

export const { onTerminal, intoPipe, played } = runners(ledgerCommands);
