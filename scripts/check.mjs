// `npm run check`: types, lint, format, declarations, package, documents, examples. Runs in two lanes, so that two cores are
// busy, prints the output and the time of each step, and ends with the totals. Types and lint share one program: building it
// and its types takes most of the time of both.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const packed = mkdtempSync(join(tmpdir(), "merostore-check-"));
const typesAndLint = [process.execPath, "scripts/types-and-lint.mjs"];
const isWindows = process.platform === "win32";
let passed = 0;
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
      // A suite ends with totals of its own, which are part of those of all steps.
      const text = Buffer.concat(output).toString("utf8");
      const totals = /^(\d+) passed, (\d+) failed$/m.exec(text);
      passed += totals === null ? Number(status === 0) : Number(totals[1]);
      failed += totals === null ? Number(status !== 0) : Number(totals[2]);
      if (status !== 0) process.stdout.write(text.replace(totals?.[0] ?? "", ""));
      resolve(status === 0);
    });
  });
}

async function checkPackage() {
  await run("format", "npx", "biome", "check", "--error-on-warnings");
  // Builds the package without what earlier builds left.
  if (!(await run("build and pack", "npm", "pack", "--pack-destination", packed))) return;
  const archive = join(packed, readdirSync(packed)[0]);
  // The explorer sees the package as its users do: as it is built.
  await run(
    "types and lint of the explorer",
    ...typesAndLint,
    "packages/explorer/src/tsconfig.json",
    "packages/explorer/src",
  );
  await run("publint", "npx", "publint", "run", archive, "--strict");
  await run("attw", "npx", "attw", archive, "--profile", "esm-only");
  await run("documents, examples and types", "npx", "vitest", "run", "--project", "check");
}

try {
  await Promise.all([
    run("types and lint", ...typesAndLint, "tsconfig.json", "src", "test", "packages", "bench"),
    checkPackage(),
  ]);
} finally {
  rmSync(packed, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
