/** `merostore ledger …`: the commands of the package merostore-ledger. */
import { isMerostoreError } from "../errors.js";
import { command } from "./arguments/command.js";

const PACKAGE = "merostore-ledger";

/** The module of the package that runs its commands. */
interface LedgerCommands {
  /** Runs a command line that begins with `ledger`, and returns its exit status. */
  runCommandLine(words: readonly string[]): Promise<number>;
}

/** The command in the list of commands. `main.ts` passes its words to the package before they are parsed. */
export const ledger = command({
  words: "ledger [words...]",
  description:
    "read, write and check a Ledger repository: pages of versioned key-value data (package merostore-ledger)",
  options: {},
  help: `Example:
  merostore ledger pages data            # ledgers and pages of a repository`,
  async run(_terminal, { words }) {
    return (await runLedger(["ledger", ...words])) === 0 ? 0 : 3;
  },
});

/** Returns true for a command about ledgers, its help, or its completion. */
export function isLedger([first, second]: readonly string[]): boolean {
  return first === "ledger" || (second === "ledger" && (first === "help" || first === "__complete"));
}

/** Runs a command line of the package, if it is installed. Returns the exit status. */
export async function runLedger(words: readonly string[]): Promise<number> {
  let commands: LedgerCommands;
  try {
    commands = (await import(`${PACKAGE}/commands`)) as LedgerCommands;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (isMerostoreError(error) || !code.endsWith("MODULE_NOT_FOUND")) throw error;
    process.stderr.write(
      `merostore: commands about ledgers are in another package: npm install ${PACKAGE}\n`,
    );
    return 3;
  }
  return commands.runCommandLine(words);
}
