#!/usr/bin/env node
import { isLedger, runLedger } from "./ledger.js";
import { merostore } from "./program.js";
import { runCommands } from "./run-commands.js";
import { version } from "./version.js";

const words = process.argv.slice(2);

process.exitCode = isLedger(words) ? await runLedger(words) : await runCommands(merostore, version, words);
