import { randomBytes } from "node:crypto";
import { median } from "../../../bench/measure.js";
import type { Question } from "../../../bench/question.js";
import { temporaryFolder } from "../../../bench/temporary-folder.js";
import { cpuSince, keyOf } from "./ledger-values.js";
import { ledger, level, sqlite } from "./peers/databases.js";
import { automerge, loro, yjs } from "./peers/documents.js";
import type { Entry, OpenPeer } from "./peers/peer.js";

const ENTRIES = 10_000;
/** Entries of a transaction while they are loaded. */
const LOADED = 1000;
const CHANGED = 500;
const PUTS = 200;
const SYNCED = 640;

const PEERS: Readonly<Record<string, OpenPeer>> = {
  "ledger, history kept": ledger("keep", "immediate"),
  "ledger, history pruned": ledger("prune", "immediate"),
  "ledger, eventual": ledger("prune", "eventual"),
  "classic-level": level,
  "better-sqlite3": sqlite,
  Yjs: yjs,
  Loro: loro,
  Automerge: automerge,
};

const entry = (at: number): Entry => [keyOf(at), new Uint8Array(randomBytes(100))];
const some = (count: number): Entry[] =>
  Array.from({ length: count }, () => entry(Math.floor(Math.random() * ENTRIES)));

export default {
  name: "ledger-peers",
  asks: `What do ${ENTRIES} entries of 100 bytes cost in the Ledger and its peers, by CPU? Only if named; for all: npm install --no-save better-sqlite3 yjs loro-crdt @automerge/automerge`,
  against: "each other",
  wanted: "put ≤ 2 ms (eventual); load ≤ 3 × LevelDB; transaction ≤ 60 ms; scan ≤ 1.5 × LevelDB",
  onlyNamed: true,
  async *answer() {
    for (const [name, open] of Object.entries(PEERS)) yield `${name}: ${await costsOf(open)}`;
  },
} satisfies Question;

async function costsOf(open: OpenPeer): Promise<string> {
  const folder = temporaryFolder();
  const peer = await open(folder).catch((error: { readonly code?: string }) => {
    if (error.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  });
  if (peer === undefined) return "not installed";
  const costs: string[] = [];
  const measure = async (what: string, work: () => Promise<unknown>, of = 1): Promise<void> => {
    const start = process.cpuUsage();
    const said = await work();
    const bytes = typeof said === "number" ? `, ${Math.round(said / 1000)} kB` : "";
    costs.push(`${what} ${(cpuSince(start) / of).toFixed(of === 1 ? 0 : 2)} ms${bytes}`);
  };
  const all = Array.from({ length: ENTRIES }, (_, at) => entry(at));
  await measure("load", async () => {
    for (let at = 0; at < ENTRIES; at += LOADED) await peer.put(all.slice(at, at + LOADED));
  });
  await measure(
    "put",
    async () => {
      for (const one of some(PUTS)) await peer.put([one]);
      await peer.flush?.();
    },
    PUTS,
  );
  await measure(`transaction of ${CHANGED}`, () => peer.put(some(CHANGED)));
  const scans: number[] = [];
  for (let run = 0; run < 5; run++) {
    const start = process.cpuUsage();
    if ((await peer.scan()) !== ENTRIES) throw new Error("entries are missing");
    scans.push(cpuSince(start));
  }
  costs.push(`scan ${median(scans).toFixed(0)} ms`);
  await measure(
    "get",
    async () => {
      for (const [key] of some(1000)) await peer.get(key);
    },
    1000,
  );
  const changes = some(SYNCED).map((one) => [one]);
  if (peer.sync !== undefined) await measure(`sync of ${SYNCED} puts`, async () => peer.sync?.(changes));
  await peer.close();
  return costs.join(", ");
}
