#!/usr/bin/env node
/**
 * Starts the program. V8 takes most of the time of a short command to compile a megabyte. Node caches the compiled code
 * from version 22 on; for Node 20 this file caches it beside the program.
 */
import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { version } from "./version.js";

/** The SHA-256 of the program, 64 hex digits, which the build inserts. */
declare const PROGRAM_HASH: string;

const program = fileURLToPath(new URL("program.cjs", import.meta.url));
const require = nodeModule.createRequire(import.meta.url);

if (process.argv.length === 3 && ["--version", "-V"].includes(process.argv[2] as string))
  process.stdout.write(`${version}\n`);
else if ("enableCompileCache" in nodeModule) {
  (nodeModule.enableCompileCache as () => void)();
  require(program);
} else runWithCache(`${program}.cache`);

/**
 * Runs the program with the cache. The cache begins with the hash of the program and the versions of Node and its
 * parts, because V8's own check is not enough: two releases of Node with the same V8 accept each other's code, and
 * crash.
 */
function runWithCache(cache: string): void {
  const source = readFileSync(program, "utf8"); // only ASCII, which Node reads without a copy
  const origin = Buffer.from(`${PROGRAM_HASH} ${process.arch} ${JSON.stringify(process.versions)}\n`);
  const cachedData = cachedCode(cache, origin);
  const script = new Script(`(function(require,__filename,importModule){${source}\n})`, {
    filename: program,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (cachedData === undefined || script.cachedDataRejected === true)
    // At the exit, when V8 has compiled all functions of a command.
    process.once("exit", () => keep(cache, () => [origin, script.createCachedData()]));
  (script.runInThisContext() as (...context: readonly unknown[]) => void)(
    require,
    program,
    (name: string) => import(name),
  );
}

function cachedCode(cache: string, origin: Buffer): Buffer | undefined {
  try {
    const bytes = readFileSync(cache);
    return bytes.subarray(0, origin.length).equals(origin) ? bytes.subarray(origin.length) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the cache if the folder is writable: other processes see the old file or the new one. */
function keep(cache: string, parts: () => readonly Buffer[]): void {
  const made = `${cache}.${process.pid}`;
  try {
    accessSync(dirname(cache), constants.W_OK); // first, because making the cache takes time
    writeFileSync(made, Buffer.concat(parts()), { flag: "wx" });
    renameSync(made, cache);
  } catch {
    rmSync(made, { force: true });
  }
}
