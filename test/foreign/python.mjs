/** Python with the package rocksdict, and the programs of this folder that it runs. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./", import.meta.url));

/** A program that runs longer hangs; write.py itself ends a session that does. */
const LONGEST_MS = 600_000;

/** The version of rocksdict that the suite was made with. */
export const pinned = /^rocksdict==(\S+)$/m.exec(readFileSync(`${folder}requirements.txt`, "utf8"))[1];

/** Finds a Python that has rocksdict: `{ program, version }`, or `{ missing }` with the reason there is none. */
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

/** Runs one of the programs; returns what it printed. Throws an Error with its last words if it fails. */
export function python(program, script, ...args) {
  const { status, signal, stdout, stderr, error } = run(program, [`${folder}${script}`, ...args]);
  if (status === 0) return stdout;
  const why = error?.code === "ETIMEDOUT" ? "did not end" : `ended with ${status ?? signal}`;
  throw new Error(`${script} ${why}: ${stderr?.trim().split("\n").slice(-3).join(" / ")}`);
}

function run(program, args) {
  return spawnSync(program, args, {
    encoding: "utf8",
    timeout: LONGEST_MS,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
}
