// Rows of State and manifests that merostore writes, read by the crates that upstream publishes; and their vectors.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { importTypeScript } from "./typescript.mjs";

function run(program, args, options) {
  const { status, stdout, error } = spawnSync(program, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (error) throw new Error(`${program}: ${error.message}`);
  return { status, stdout };
}

/** @param report takes a sentence, whether it holds, and a detail */
export async function checkPublished(fixtures, report) {
  const crate = join(fixtures, "rust/published");
  if (run("cargo", ["build", "--release"], { cwd: crate, stdio: "inherit" }).status !== 0)
    throw new Error("cargo build failed");
  const program = join(process.env.CARGO_TARGET_DIR ?? join(crate, "target"), "release/merostore-published");
  const read = (name) => readFileSync(join(fixtures, name));
  const stored = gunzipSync(read("core-1.0/published-crates.jsonl.gz")).toString();
  report("published crates: the stored vectors", run(program, ["write"], {}).stdout === stored);
  const { linesForRust } = await importTypeScript("test/layouts/published.ts");
  const rows = gunzipSync(read("core-1.0/state/rows.txt.gz")).toString().trimEnd().split("\n");
  const manifests = ["core-1.0/state/abi.json", "abi/core-0.11/zoo.json"].map((name) =>
    read(name).toString(),
  );
  const input = linesForRust(rows, manifests)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
  const { status, stdout } = run(program, ["check"], { input });
  report("published crates: rows, rules and manifests written here", status === 0, stdout);
}
