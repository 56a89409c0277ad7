// `node scripts/executable.mjs [FILE]`: the command line and Node in one file, for the platform that this runs on. The page of
// `explore` and threads are left out. Optional packages are taken from a folder `node_modules` beside the file.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const { version, optionalDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const file = resolve(process.argv[2] ?? `${root}build/merostore-${process.platform}-${process.arch}`);

/** The marker of Node's documents for the place of the program in a copy of Node. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

function run(command, ...words) {
  const { status, stderr } = spawnSync(command, words, {
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}: ${stderr}`);
}

/** The version in place of its reading from package.json. */
const fixedVersion = {
  name: "fixed-version",
  setup({ onLoad }) {
    const contents = `export const version = ${JSON.stringify(version)};`;
    onLoad({ filter: /cli[\\/]version\.ts$/ }, () => ({ contents }));
  },
};

const made = mkdtempSync(join(tmpdir(), "merostore-executable-"));
try {
  const program = join(made, "program.cjs");
  await build({
    entryPoints: [`${root}src/cli/main.ts`],
    outfile: program,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "warning",
    // Packages of pure JavaScript are inside; native ones cannot be.
    external: Object.keys(optionalDependencies).filter((name) => !["fflate", "snappyjs"].includes(name)),
    // `import` is not there in such a program, and its \`require\` knows modules of Node alone.
    supported: { "dynamic-import": false },
    plugins: [fixedVersion],
    define: { "import.meta.url": "placeOfProgram" },
    banner: {
      js: 'var require=require("node:module").createRequire(process.execPath),placeOfProgram=require("node:url").pathToFileURL(process.execPath).href;',
    },
  });
  const settings = join(made, "sea.json");
  const blob = join(made, "program.blob");
  const config = { main: program, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true };
  writeFileSync(settings, JSON.stringify(config));
  run(process.execPath, "--experimental-sea-config", settings);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(process.execPath, file);
  chmodSync(file, 0o755);
  run("npx", "--yes", "postject@1.0.0-alpha.6", file, "NODE_SEA_BLOB", blob, "--sentinel-fuse", FUSE);
} finally {
  rmSync(made, { recursive: true, force: true });
}
console.log(file);
