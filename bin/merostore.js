#!/usr/bin/env node
// Runs the command line. In a checkout, it builds first if a source is newer than the program.
import { existsSync } from "node:fs";

const builder = new URL("../scripts/build.mjs", import.meta.url);

// A package contains the program, and not the scripts that build it.
if (existsSync(builder)) {
  const { buildFor } = await import(builder).catch(() => {
    console.error("merostore: this checkout is not installed: run `npm ci` first");
    process.exit(3);
  });
  await buildFor(process.argv.slice(2));
}
await import("../dist/cli/merostore.js");
