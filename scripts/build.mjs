// `npm run build`: JavaScript of every module, the command line in one file, and the explorer; only what is older than its
// sources. Declarations are made by `npm run declarations`.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = `${root}dist/`;
/** Starts the program, and is written last. */
const commandLine = `${dist}cli/merostore.js`;
const program = `${dist}cli/program.cjs`;

const { optionalDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** What all files have in common. Worker threads and the explorer load modules one by one; all use the same output. */
const common = {
  platform: "node",
  target: "node20",
  format: "esm",
  logLevel: "warning",
};

/** Makes modules that look for files beside them look beside the file in `dist` that is their own. */
const ownPlace = {
  name: "own-place",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!path.startsWith(`${root}src`) || !text.includes("import.meta.url")) return undefined;
      const module = `${dist}${relative(`${root}src`, path).replace(/\.ts$/, ".js")}`;
      const place = relative(dirname(commandLine), module);
      return {
        loader: "ts",
        contents: text.replaceAll(
          "import.meta.url",
          `new URL(${JSON.stringify(place)}, placeOfProgram).href`,
        ),
      };
    });
  },
};

/** Writes each module of `src`, but not those of the folders `without`, which are in the command line. */
async function buildModules(src, outdir, without) {
  const entryPoints = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !without.some((folder) => name.startsWith(folder)))
    .map((name) => `${src}/${name}`);
  // Without indentation: a sixth of the package. Node prints the line of an error that nobody catches: it is not long.
  await build({
    ...common,
    entryPoints,
    outbase: src,
    outdir,
    bundle: false,
    lineLimit: 120,
    minifyWhitespace: true,
    minifySyntax: true,
  });
}

/**
 * What command lines in one file have in common: one file starts three times as fast as hundreds of modules. Packages that
 * may not be installed are loaded when they are used.
 */
const oneFile = {
  ...common,
  bundle: true,
  external: Object.keys(optionalDependencies),
  minify: true,
  plugins: [ownPlace],
};

/** Modules of Node that few commands need: `lazily` loads one when something of it is first used. */
const RARE = /\brequire\(("node:(?:child_process|http|net|readline|worker_threads|zlib)")\)/g;
const LAZILY = "lazily=(name)=>new Proxy({},{get:(_,key)=>require(name)[key]})";

/** Writes the command line: a program whose compiled code is kept, and what starts it. */
async function buildCommandLine() {
  const { outputFiles } = await build({
    ...oneFile,
    entryPoints: [`${root}src/cli/main.ts`],
    format: "cjs",
    banner: {
      js: `"use strict";var importModule=importModule??((name)=>import(name)),placeOfProgram=require("node:url").pathToFileURL(__filename).href,${LAZILY};`,
    },
    write: false,
  });
  const [banner, ...rest] = outputFiles[0].text.split("\n");
  // V8 does not import for code that it did not compile itself, and keeps text of one byte a character in half the room.
  const text = rest
    .join("\n")
    .replaceAll(/\bimport\(/g, "importModule(")
    .replaceAll(RARE, "lazily($1)")
    .replaceAll(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  mkdirSync(dirname(program), { recursive: true });
  const whole = `${banner}\n${text}`;
  writeFileSync(program, whole);
  const define = { PROGRAM_HASH: JSON.stringify(createHash("sha256").update(whole).digest("hex")) };
  const start = { entryPoints: [`${root}src/cli/start.ts`], outfile: commandLine, bundle: true, define };
  await build({ ...common, ...start, minify: true });
}

/** Writes the commands of the Ledger, which are a module: those of merostore import them. */
async function buildLedgerCommands(main, outfile) {
  await build({
    ...oneFile,
    entryPoints: [main],
    outfile,
    // For packages that are CommonJS.
    banner: {
      js: 'import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url),placeOfProgram=import.meta.url;',
    },
  });
}

/** Returns whether a file in `folders` is newer than the output. */
function isStale(output, folders) {
  const time = statSync(output, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return folders.some((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true }).some(
      (name) => statSync(`${root}${folder}/${name}`).mtimeMs > time,
    ),
  );
}

/** Builds the modules and the command line, if a source has changed. */
async function buildProgram() {
  if (!isStale(commandLine, ["src"])) return;
  // The server of the explorer is a part of the command line only.
  const modules = buildModules(`${root}src`, dist, ["cli/", "explore/"]);
  await Promise.all([modules, buildCommandLine()]);
}

/** Builds the modules and the commands of the Ledger, if a source has changed. */
async function buildLedger() {
  const ledger = `${root}packages/ledger/`;
  const commands = `${ledger}dist/commands.js`;
  if (!isStale(commands, ["src", "packages/ledger/src"])) return;
  const modules = buildModules(`${ledger}src`, `${ledger}dist`, ["commands/"]);
  await Promise.all([modules, buildLedgerCommands(`${ledger}src/commands/program.ts`, commands)]);
}

/** Builds the package that opens databases on servers, if a source has changed. */
async function buildPostgres() {
  const postgres = `${root}packages/postgres/`;
  if (isStale(`${postgres}dist/index.js`, ["packages/postgres/src"]))
    await buildModules(`${postgres}src`, `${postgres}dist`, []);
}

/** Builds the explorer, if a source has changed. */
async function buildExplorer() {
  if (
    !isStale(`${dist}explorer/explorer.html`, ["packages/explorer/src", "packages/explorer/scripts", "src"])
  )
    return;
  const { writeExplorer } = await import("../packages/explorer/scripts/build.mjs");
  await writeExplorer();
}

/** Builds what a command line of merostore runs. */
export async function buildFor(words) {
  await Promise.all([buildProgram(), buildPostgres()]);
  if (words.slice(0, 2).includes("ledger")) await buildLedger();
  if (words[0] === "explore") await buildExplorer();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await Promise.all([buildProgram(), buildLedger(), buildPostgres()]);
  await buildExplorer();
}
