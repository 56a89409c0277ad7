#!/usr/bin/env node
import { runCommandLine } from "../dist/commands.js";

process.exitCode = await runCommandLine(["ledger", ...process.argv.slice(2)]);
