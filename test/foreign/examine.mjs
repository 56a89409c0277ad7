/**
 * Reads the database that write.py left in a folder, and compares it with what read.py read: `examine.mjs SEED FOLDER`.
 * Prints what came of it as JSON: `{ rows, columns, outcomes }`. A process of its own, because reading may end it or hang.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine, openFilesEngine } from "../../dist/engines/index.js";
import { isMerostoreError } from "../../dist/errors.js";
import { hash, Random } from "../differential/random.mjs";
import { difference, parseRows } from "./compare.mjs";

/** The two ways in which a database is opened: by its files, and as a user does. */
const READERS = {
  files: (path) => openFilesEngine(path),
  openEngine: (path) => openEngine(path),
};

/** Reads a database in one way: `{ kind, why, code }`, where the kind is equal, refused or failed. */
async function outcomeOf(open, path, expected, mayWarn, random) {
  try {
    const engine = await open(path);
    try {
      const [warning] = mayWarn ? [] : engine.warnings;
      if (warning !== undefined)
        return { kind: "failed", why: `it warns without a cause: ${warning.message}` };
      const why = await difference(engine, expected, random);
      return why === undefined ? { kind: "equal" } : { kind: "failed", why };
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (!isMerostoreError(error)) return { kind: "failed", why: error.stack };
    return { kind: "refused", code: error.code, why: error.message };
  }
}

const [seed, folder] = process.argv.slice(2);
const { forms } = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8"));
const expected = parseRows(readFileSync(join(folder, "rows.bin")));
const outcomes = {};
for (const [name, open] of Object.entries(READERS)) {
  const random = new Random(hash(`${seed} ${name}`));
  // Only the end of a log that its writer never wrote is missing.
  outcomes[name] = await outcomeOf(
    open,
    join(folder, "db"),
    expected,
    forms.includes("buffered log"),
    random,
  );
}
let rows = 0;
for (const some of expected.values()) rows += some.length;
console.log(JSON.stringify({ rows, columns: expected.size, outcomes }));
