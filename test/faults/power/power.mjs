// Power failures: programs run with a shim that writes down what they do to a folder (shim.c), and each cut rebuilds the
// folder as a disk may have it (disk.mjs). What was acknowledged as synced must be there.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openEngine } from "../../../dist/engines/index.js";
import { openStore } from "../../../dist/store/index.js";
import { exportStore } from "../../../dist/transfer/index.js";
import { checkBatches, checkInto, checkLedger, checkTarget, rowsOf } from "./checks.mjs";
import { Disk } from "./disk.mjs";
import { readEvents } from "./events.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Cuts of one run of a program; then it runs again, with other random choices. */
const CUTS_OF_A_RUN = 60;

/**
 * Builds the shim.
 *
 * @returns its path; undefined where it cannot be built: without Linux or `cc`
 */
export function buildShim(folder) {
  if (process.platform !== "linux") return undefined;
  const path = join(folder, "shim.so");
  const { status } = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", path, here("shim.c"), "-lpthread"], {
    stdio: "ignore",
  });
  return status === 0 ? path : undefined;
}

/**
 * Cuts the power so many times, in turn in every scenario. Throws when something was lost.
 *
 * @param options.shim the path of the built shim
 * @param options.fixture a database of core-0.11 that is imported and copied
 * @param options.random returns numbers in [0, 1)
 * @param options.scenarios names of those to run; all unless given
 * @param options.ignores events that the disk does not follow: shows that the checks find what is lost
 * @returns cuts by scenario, and what was found
 */
export async function cutPower(folder, cuts, { shim, fixture, random, scenarios: names, ignores }) {
  const all = await scenarios(folder, fixture);
  const chosen = all.filter(({ name }) => names === undefined || names.includes(name));
  const counts = { cuts: 0, acknowledged: 0 };
  const wrong = [];
  for (const [index, scenario] of chosen.entries()) {
    let left = Math.floor(cuts / chosen.length) + (index < cuts % chosen.length ? 1 : 0);
    counts[scenario.name] = left;
    while (left > 0) {
      const most = Math.min(left, CUTS_OF_A_RUN);
      const found = await cutRun(folder, scenario, most, { shim, random, ignores });
      counts.cuts += most;
      counts.acknowledged += found.acknowledged;
      wrong.push(...found.wrong);
      left -= most;
    }
  }
  return { counts, wrong };
}

/** Runs a program once, and cuts its power at random moments. */
async function cutRun(
  folder,
  { name, prepare, program, words, check, namesWithFiles },
  cuts,
  { shim, random, ignores },
) {
  const root = join(folder, "disk");
  const log = join(folder, "events");
  const cut = join(folder, "cut");
  for (const path of [root, log]) rmSync(path, { recursive: true, force: true });
  mkdirSync(root);
  prepare?.(root);
  const disk = new Disk(root, namesWithFiles);
  const { status, stderr } = spawnSync(process.execPath, [here(program), ...words(root, random)], {
    env: { ...process.env, LD_PRELOAD: shim, POWER_FOLDER: root, POWER_LOG: log, UV_USE_IO_URING: "0" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name}: the program ended with ${status}: ${stderr}`);
  const events = readEvents(readFileSync(log));
  const moments = Array.from({ length: cuts }, () => momentIn(events.length, random));
  const wrong = [];
  let printed = "";
  let at = 0;
  for (const moment of moments.sort((a, b) => a - b)) {
    for (; at < moment; at++) {
      const event = events[at];
      if (event.type === "ack") printed += event.a.toString();
      else if (ignores?.(event) !== true) disk.apply(event);
    }
    rmSync(cut, { recursive: true, force: true });
    disk.cut(cut, random);
    const acknowledged = printed.split("\n").filter((line) => line !== "");
    try {
      await check(cut, acknowledged);
    } catch (error) {
      wrong.push(`${name}, after event ${moment} of ${events.length}: ${error.message}`);
      if (process.env.POWER_KEEP)
        cpSync(cut, join(process.env.POWER_KEEP, `${name}-${moment}-${wrong.length}`), { recursive: true });
    }
  }
  return { acknowledged: printed.split("\n").length - 1, wrong };
}

/** Any moment, but often one near the end, or the end itself: programs that copy acknowledge their work there. */
function momentIn(events, random) {
  const all = events + 1;
  const last = Math.min(all, 30);
  const kind = random();
  if (kind < 0.1) return events;
  return kind < 0.4 ? all - 1 - Math.floor(random() * last) : Math.floor(random() * all);
}

async function scenarios(folder, fixture) {
  const exported = join(folder, "export.ndjson");
  const source = join(folder, "source");
  const existing = join(folder, "existing");
  for (const path of [source, existing]) rmSync(path, { recursive: true, force: true });
  cpSync(fixture, source, { recursive: true });
  const store = await openStore(source);
  const pieces = [];
  for await (const piece of exportStore(store, { revealSecrets: true })) pieces.push(piece);
  await store.close();
  writeFileSync(exported, Buffer.concat(pieces));
  const expected = await rowsOf(await openEngine(source));
  const columns = (await openEngineColumns(source)).filter((column) => column !== "default");
  await (await openEngine(existing, { create: true, columns })).close();
  const into = { before: "", after: expected };
  const target = (what, from) => ({
    name: what,
    program: "transfer.mjs",
    words: (root) => [what, from, join(root, "new", "target")],
    check: (root, acknowledged) => checkTarget(join(root, "new", "target"), expected, acknowledged),
  });
  const writer = (engine) => ({
    name: engine,
    namesWithFiles: engine === "leveldb",
    program: "writer.mjs",
    words: (root, random) => [engine, join(root, "db"), "120", `${Math.floor(random() * 2 ** 31)}`],
    check: (root, acknowledged) => checkBatches(engine, join(root, "db"), acknowledged),
  });
  const ledger = (engine) => ({
    name: `ledger-${engine}`,
    namesWithFiles: engine === "leveldb",
    program: "ledger-writer.mjs",
    words: (root) => [engine, join(root, "ledger"), "20"],
    check: (root, acknowledged) => checkLedger(engine, join(root, "ledger"), acknowledged),
  });
  return [
    ...[writer("rocksdb"), writer("files"), writer("leveldb"), ledger("leveldb"), ledger("rocksdb")],
    ...[target("import", exported), target("copy", source), target("backup", source)],
    {
      name: "import-into",
      program: "transfer.mjs",
      prepare: (root) => cpSync(existing, join(root, "db"), { recursive: true }),
      words: (root) => ["into", exported, join(root, "db")],
      check: (root, acknowledged) => checkInto(join(root, "db"), into, acknowledged),
    },
  ];
}

async function openEngineColumns(path) {
  const engine = await openEngine(path);
  await engine.close();
  return engine.columns;
}
