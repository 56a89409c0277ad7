/** The programs of this folder, in processes of their own, and Python with the package rocksdict. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./", import.meta.url));

/** A program that runs longer hangs. */
const LONGEST_MS = 300_000;

/** The version of rocksdict that the suite was made with. */
export const pinned = /^rocksdict==(\S+)$/m.exec(readFileSync(`${folder}requirements.txt`, "utf8"))[1];

/** Finds a Python that has rocksdict: `{ program, version }`, or `{ missing }` with the reason. */
export function findPython() {
  const given = process.env.PYTHON;
  const problems = [];
  for (const program of given ? [given] : ["python3", "python"]) {
    const { status, stdout, error } = run(program, [
      "-c",
      "import rocksdict, importlib.metadata; print(importlib.metadata.version('rocksdict'))",
    ]);
    if (status === 0) return { program, version: stdout.trim() };
    problems.push(error ? `there is no ${program}` : `${program} has no package rocksdict`);
  }
  return { missing: problems.join(", ") };
}

/** Runs a file of this folder; returns what it printed. Throws an Error with its last words if it fails. */
export function runHere(program, file, ...args) {
  const { status, signal, stdout, stderr, error } = run(program, [`${folder}${file}`, ...args]);
  if (status === 0) return stdout;
  const why = error?.code === "ETIMEDOUT" ? "does not end" : `ended with ${status ?? signal}`;
  throw new Error(`${file} ${why}: ${stderr?.trim().split("\n").slice(-3).join(" / ")}`);
}

function run(program, args) {
  return spawnSync(program, args, {
    encoding: "utf8",
    timeout: LONGEST_MS,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
}
