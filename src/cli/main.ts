#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { isLedger, runLedger } from "./ledger.js";
import { merostore } from "./program.js";
import { runCommands } from "./run-commands.js";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const words = process.argv.slice(2);

process.exitCode = isLedger(words) ? await runLedger(words) : await runCommands(merostore, version, words);
