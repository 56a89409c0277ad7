#!/usr/bin/env node
// Runs the command line. In a checkout, where sources are newer than what was built, it builds first.
import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const project = new URL("tsconfig.build.json", root);
const built = new URL("dist/.tsbuildinfo", root);

// A package has no project file: what it holds is built.
if (existsSync(project) && isOld()) await build();
// Node 22 keeps the compiled program beside other temporary files, which makes the next start faster.
nodeModule.enableCompileCache?.();
await import("../dist/cli/merostore.js");

/** Whether a source is newer than the last build. */
function isOld() {
  if (!existsSync(built) || !existsSync(new URL("dist/cli/merostore.js", root))) return true;
  const time = statSync(built).mtimeMs;
  if (statSync(project).mtimeMs > time) return true;
  const sources = fileURLToPath(new URL("src/", root));
  return readdirSync(sources, { recursive: true, encoding: "utf8" }).some(
    (file) => file.endsWith(".ts") && statSync(`${sources}${file}`).mtimeMs > time,
  );
}

async function build() {
  const { spawnSync } = await import("node:child_process");
  const compiler = fileURLToPath(new URL("node_modules/typescript/bin/tsc", root));
  if (!existsSync(compiler)) {
    console.error("merostore: this checkout is not built: run `npm ci` first");
    process.exit(3);
  }
  console.error("merostore: building the checkout …");
  for (const words of [
    [compiler, "-p", fileURLToPath(project)],
    [fileURLToPath(new URL("scripts/bundle-cli.mjs", root))],
  ]) {
    // The output of a command is its own: what the steps print goes to stderr.
    const { status } = spawnSync(process.execPath, words, { stdio: ["ignore", 2, 2] });
    if (status !== 0) process.exit(3);
  }
  // The compiler leaves the file alone where nothing changed.
  if (existsSync(built)) utimesSync(built, new Date(), new Date());
}
