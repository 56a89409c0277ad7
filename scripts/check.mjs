// `npm run check`: types, lint, format, build, package. Runs in two lanes, so that two cores are busy, and prints what each
// step said and how long it took. Types and lint share one program: building it and its types takes most of the time of
// both.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const packed = mkdtempSync(join(tmpdir(), "merostore-check-"));
const typesAndLint = [process.execPath, "scripts/types-and-lint.mjs"];
const isWindows = process.platform === "win32";
let failed = 0;

/** Runs a program; its output is printed when it has ended. */
function run(name, program, ...args) {
  const begin = performance.now();
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], shell: isWindows });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => output.push(bytes));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
      if (status !== 0) {
        failed++;
        process.stdout.write(Buffer.concat(output));
      }
      resolve(status === 0);
    });
  });
}

async function checkPackage() {
  await run("format", "npx", "biome", "check", "--error-on-warnings");
  if (!(await run("build", "npm", "run", "--silent", "build"))) return;
  // Without scripts: the package is built already.
  if (!(await run("pack", "npm", "pack", "--ignore-scripts", "--pack-destination", packed))) return;
  const archive = join(packed, readdirSync(packed)[0]);
  // The explorer sees the package as its users do: as it is built.
  await run("types and lint of the explorer", ...typesAndLint, "explorer/tsconfig.json", "explorer");
  await run("publint", "npx", "publint", "run", archive, "--strict");
  await run("attw", "npx", "attw", archive, "--profile", "esm-only");
}

try {
  await Promise.all([
    run("types and lint", ...typesAndLint, "tsconfig.json", "src", "test", "bench"),
    checkPackage(),
  ]);
} finally {
  rmSync(packed, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
