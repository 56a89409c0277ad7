/** Runs all benchmarks, or the named ones: `npm run bench -- scan codec --rows 100000`. */

import explorer from "../packages/explorer/bench/explorer.bench.js";
import ledger from "../packages/ledger/bench/ledger.bench.js";
import ledgerFolder from "../packages/ledger/bench/ledger-folder.bench.js";
import ledgerLarge from "../packages/ledger/bench/ledger-large.bench.js";
import ledgerNewDevice from "../packages/ledger/bench/ledger-new-device.bench.js";
import ledgerPeers from "../packages/ledger/bench/ledger-peers.bench.js";
import ledgerStorm from "../packages/ledger/bench/ledger-storm.bench.js";
import postgres from "../packages/postgres/bench/postgres.bench.js";
import blobs from "./blobs.bench.js";
import calls from "./calls.bench.js";
import codec from "./codec.bench.js";
import commands from "./commands.bench.js";
import compressed from "./compressed.bench.js";
import { makeDatabase } from "./database.js";
import detect from "./detect.bench.js";
import encryption from "./encryption.bench.js";
import entries from "./entries.bench.js";
import files from "./files.bench.js";
import filesWrite from "./files-write.bench.js";
import getMany from "./get-many.bench.js";
import http from "./http.bench.js";
import large from "./large.bench.js";
import layers from "./layers.bench.js";
import log from "./log.bench.js";
import longRow from "./long-row.bench.js";
import node from "./node.bench.js";
import open from "./open.bench.js";
import { readOptions } from "./options.js";
import payload from "./payload.bench.js";
import type { Bench, Question } from "./question.js";
import recover from "./recover.bench.js";
import replay from "./replay.bench.js";
import scan from "./scan.bench.js";
import sql from "./sql.bench.js";
import state from "./state.bench.js";
import sync from "./sync.bench.js";
import transfer from "./transfer.bench.js";
import types from "./types.bench.js";
import verify from "./verify.bench.js";
import watch from "./watch.bench.js";
import write from "./write.bench.js";

const questions: readonly Question[] = [
  scan,
  getMany,
  write,
  filesWrite,
  sync,
  codec,
  open,
  log,
  longRow,
  layers,
  detect,
  payload,
  types,
  files,
  compressed,
  transfer,
  sql,
  verify,
  blobs,
  ledger,
  node,
  state,
  recover,
  replay,
  watch,
  postgres,
  http,
  encryption,
  explorer,
  entries,
  large,
  ledgerLarge,
  ledgerFolder,
  ledgerNewDevice,
  ledgerPeers,
  ledgerStorm,
  calls,
  commands,
];

const options = readOptions(process.argv.slice(2));
const unknown = options.names.filter((name) => !questions.some((question) => question.name === name));
if (unknown.length > 0) {
  const known = questions.map(({ name }) => name).join(", ");
  throw new Error(`There is no benchmark ${unknown.join(", ")}; there are ${known}`);
}

const bench: Bench = {
  options,
  database: () => makeDatabase(options.rows, (sentence) => console.log(sentence)),
};
for (const question of questions) {
  if (options.list) {
    const { name, asks, against, wanted, onlyNamed } = question;
    console.log(`${name}${onlyNamed ? " (only if named)" : ""}: ${asks}`);
    if (against !== undefined) console.log(`    against: ${against}`);
    if (wanted !== undefined) console.log(`    wanted: ${wanted}`);
    continue;
  }
  if (!options.names.includes(question.name) && (options.names.length > 0 || question.onlyNamed)) continue;
  for await (const line of question.answer(bench)) console.log(line);
}
