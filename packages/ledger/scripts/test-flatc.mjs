/**
 * `npm run test:flatc`: flatc, the compiler of FlatBuffers, reads the tables in the rows of a ledger's pages as we do, and we
 * read the tables that it writes. It knows only the schemas in test/flatc/ledger.fbs. Without flatc nothing runs.
 *
 *   --cases N   how many of each table (300)
 *   --seed S    the random contents of an earlier run
 *
 * The environment variable FLATC names the program to use.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { Random } from "../../../test/differential/random.mjs";
import { tables } from "../test/flatc/tables.mjs";

const { values } = parseArgs({
  options: { cases: { type: "string", default: "300" }, seed: { type: "string" } },
});
const flatc = process.env.FLATC ?? "flatc";
const schema = fileURLToPath(new URL("../test/flatc/ledger.fbs", import.meta.url));
const found = spawnSync(flatc, ["--version"], { encoding: "utf8" });
if (found.status !== 0) {
  console.log(
    `not run: the program ${flatc} was not found. On Debian, install it with: apt-get install flatbuffers-compiler`,
  );
  process.exit(0);
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const random = new Random(seed);
const folder = mkdtempSync(join(tmpdir(), "merostore-flatc-"));
console.log(`${found.stdout.trim()}, seed ${seed}`);
let failed = 0;

function run(...words) {
  const { status, stderr, stdout } = spawnSync(flatc, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`flatc ${words[0]} has failed: ${stderr}${stdout}`);
}

/** The JSON that flatc has written, with numbers as texts: some are too large for JavaScript. */
function shownBy(path) {
  return JSON.parse(readFileSync(path, "utf8").replaceAll(/(?<=[[:,]\s*)-?\d+(?=\s*[,\]}])/g, '"$&"'));
}

/** Each case on its own is one file; flatc gets many at once. */
function check({ name, make, encode, decode, shown }) {
  const cases = Array.from({ length: Number(values.cases) }, (_, at) => {
    const content = make(random);
    const path = join(folder, `${name}-${at}`);
    writeFileSync(`${path}.bin`, encode(content));
    return { content, path };
  });
  const root = ["--root-type", name, "-o", folder];
  run(
    "--json",
    "--strict-json",
    "--defaults-json",
    "--raw-binary",
    ...root,
    schema,
    "--",
    ...cases.map(({ path }) => `${path}.bin`),
  );
  const wrong = cases.filter(
    ({ content, path }) => !isDeepStrictEqual(shownBy(`${path}.json`), shown(content)),
  );
  for (const { path } of cases) rmSync(`${path}.bin`);
  run("--binary", ...root, schema, ...cases.map(({ path }) => `${path}.json`));
  const back = cases.filter(({ content, path }) => {
    const decoded = decode(Uint8Array.from(readFileSync(`${path}.bin`)));
    return !isDeepStrictEqual(shown(decoded), shown(content));
  });
  failed += wrong.length + back.length;
  const state = wrong.length + back.length === 0 ? "ok  " : "FAIL";
  console.log(
    `${state} ${name}: ${cases.length} of our tables read by flatc, ${wrong.length} differently; ${cases.length} of its tables read by us, ${back.length} differently`,
  );
}

try {
  for (const table of tables) check(table);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
