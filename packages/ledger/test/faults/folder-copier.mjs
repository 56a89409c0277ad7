// Copies files between two folders as programs do that copy them in place: `node folder-copier.mjs ONE OTHER STATE SEED`. A
// file grows under its own name, some have their full size from the beginning, and a file whose copier was killed is
// copied again. The names of files under way are in the folder STATE.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Random } from "../../../../test/differential/random.mjs";

/** Files that exist on one side only, or whose copy was not finished, in random order. */
function missing(from, to, state, random) {
  const names = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("unfinished"))
    .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1));
  return names
    .filter((name) => !existsSync(mark(state, from, name)) || existsSync(mark(state, to, name)))
    .filter((name) => !existsSync(join(to, name)) || existsSync(mark(state, to, name)))
    .map((name) => ({ name, order: random.word() }))
    .sort((a, b) => a.order - b.order)
    .map(({ name }) => name);
}

/** Exists while a file is copied to a folder. */
function mark(state, to, name) {
  return join(state, encodeURIComponent(join(to, name)).slice(-200));
}

/** Copies all that is missing, once. With `pause` files grow slowly. */
export async function copyMissing(one, other, state, random, pause) {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ])
    for (const name of missing(from, to, state, random)) {
      if (existsSync(mark(state, from, name))) continue; // the other way is not finished
      const bytes = readOrNothing(join(from, name));
      if (bytes === undefined) continue;
      writeFileSync(mark(state, to, name), "");
      mkdirSync(dirname(join(to, name)), { recursive: true });
      const file = openSync(join(to, name), "w");
      try {
        if (pause !== undefined && random.below(4) === 0)
          writeSync(file, Buffer.alloc(bytes.length), 0, bytes.length, 0);
        const step = pause === undefined ? bytes.length : 1 + random.below(bytes.length);
        for (let at = 0; at < bytes.length; at += step) {
          writeSync(file, bytes, at, Math.min(step, bytes.length - at), at);
          if (pause !== undefined) await sleep(random.below(pause));
        }
      } finally {
        closeSync(file);
      }
      rmSync(mark(state, to, name));
    }
}

function readOrNothing(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [one, other, state, seed] = process.argv.slice(2);
  const random = new Random(Number(seed));
  process.stdout.write("open\n");
  for (;;) {
    await copyMissing(one, other, state, random, 6);
    await sleep(5);
  }
}
