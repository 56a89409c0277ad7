import { createHash } from "node:crypto";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { interleave, keep, type Measured } from "../../../bench/measure.js";
import { type Question, rateLine } from "../../../bench/question.js";
import { Random } from "../../../bench/random.js";
import { temporaryFolder } from "../../../bench/temporary-folder.js";
import { openLedger, type Page } from "../src/index.js";
import { split } from "../src/pieces/splitter.js";
import { growing } from "./ledger-growth.js";
import { type Batch, recordingPlace, replay } from "./ledger-place.js";
import { cpuSince, keyOf, VALUE_SIZE } from "./ledger-values.js";

const VALUES = 1000;
const TRANSACTION = 100;
/** Entries that are read: 10 MB, which the caches hold, and 100 MB, which they do not. */
const READ = [10_000, 100_000] as const;
const SPLIT_SIZE = 64 << 20;
/** Puts that are awaited together. */
const TOGETHER = 500;

export default {
  name: "ledger",
  asks: "How fast are puts into a ledger's page, splitting and reading, and what does a put cost as a page grows?",
  against: "classic-level writing and reading the same bytes; SHA-256 of node:crypto",
  wanted: "≥ 0.6 for splitting, ≥ 0.5 for reading",
  async *answer({ options }) {
    const runs = Math.min(options.runs, 5);
    yield await putting(runs, 1);
    yield await putting(runs, TRANSACTION);
    yield await splitting(runs);
    for (const entries of READ) yield await reading(runs, entries);
    yield await together();
    for (const inline of [true, false])
      for (const history of [undefined, "keep"] as const)
        yield* growing({ from: 1000, upTo: Math.min(options.rows, 100_000), inline, history });
  },
} satisfies Question;

const random = new Random(11);

function values(count: number): Uint8Array[] {
  return Array.from({ length: count }, () => random.bytes(VALUE_SIZE));
}

/** Puts values, so many in a commit, and writes the batches that this made once more without the ledger. */
async function putting(runs: number, perCommit: number): Promise<string> {
  const folder = temporaryFolder();
  let batches: Batch[] = [];
  const put = async (round: number): Promise<number> => {
    batches = [];
    const place = recordingPlace(join(folder, `ledger-${round}`), batches);
    await using ledger = await openLedger(place, { name: "bench" });
    await using page = await ledger.rootPage();
    await putAll(page, values(VALUES), perCommit);
    return VALUES;
  };
  await put(-1);
  const made = batches;
  const again = async (round: number): Promise<number> => {
    await replay(join(folder, `raw-${round}`), made);
    return VALUES;
  };
  const sides = [
    { name: "ledger", run: put },
    { name: "classic-level, the same batches", run: again },
  ];
  const [ours, raw] = (await interleave(sides, { runs, warmUps: 1 })) as [Measured, Measured];
  const rows = made.reduce((sum, { operations }) => sum + operations.length, 0);
  const what = `put of ${VALUES} values of 1 KB, ${perCommit} in a commit (${(rows / VALUES).toFixed(0)} rows written for each)`;
  return rateLine(ours, raw, { what, unit: "values", runs });
}

async function putAll(page: Page, all: readonly Uint8Array[], perCommit: number): Promise<void> {
  for (let at = 0; at < all.length; at += perCommit) {
    const some = all.slice(at, at + perCommit);
    if (perCommit === 1) await page.put(keyOf(at), some[0] as Uint8Array);
    else
      await page.transaction(async (transaction) => {
        for (const [index, value] of some.entries()) await transaction.put(keyOf(at + index), value);
      });
  }
}

async function splitting(runs: number): Promise<string> {
  const content = random.bytes(SPLIT_SIZE);
  const sides = [
    {
      name: "splitting",
      run: () => {
        split(content, "blob", { rollingHash: "V3", keyIndex: 1 }, (piece) => keep(piece.content.length));
        return SPLIT_SIZE / 1e6;
      },
    },
    {
      name: "SHA-256 of node:crypto",
      run: () => {
        keep(createHash("sha256").update(content).digest()[0] as number);
        return SPLIT_SIZE / 1e6;
      },
    },
  ];
  const [ours, hash] = (await interleave(sides, { runs, warmUps: 1 })) as [Measured, Measured];
  return rateLine(ours, hash, { what: "split 64 MiB", unit: "MB", runs, wanted: "≥ 0.6" });
}

/** All entries of a page, against LevelDB's iterator over as many values. */
async function reading(runs: number, entries: number): Promise<string> {
  const folder = temporaryFolder();
  const all = values(entries);
  await using ledger = await openLedger(join(folder, "ledger"), { name: "bench" });
  await using page = await ledger.rootPage();
  await putAll(page, all, 1000);
  const level = new ClassicLevel<string, Uint8Array>(join(folder, "raw"), { valueEncoding: "view" });
  await level.batch(all.map((value, index) => ({ type: "put", key: keyOf(index), value })));
  await using snapshot = await page.snapshot();
  const sides = [
    {
      name: "entries().chunks()",
      run: async () => {
        let count = 0;
        for await (const entries of snapshot.entries().chunks()) {
          for (const { value } of entries) keep(value?.length ?? 0);
          count += entries.length;
        }
        return count;
      },
    },
    {
      name: "classic-level's iterator",
      run: async () => {
        let count = 0;
        const iterator = level.iterator();
        for (let rows = await iterator.nextv(1000); rows.length > 0; rows = await iterator.nextv(1000)) {
          for (const [, value] of rows) keep(value.length);
          count += rows.length;
        }
        await iterator.close();
        return count;
      },
    },
  ];
  const [ours, raw] = (await interleave(sides, { runs, warmUps: 2 })) as [Measured, Measured];
  await level.close();
  return rateLine(ours, raw, {
    what: `read ${entries} entries of 1 KB`,
    unit: "entries",
    runs,
    wanted: "≥ 0.5",
  });
}

/** Puts that are awaited together, against as many in one transaction, by CPU time of all threads. */
async function together(): Promise<string> {
  const all = values(TOGETHER);
  const ways: Record<string, (page: Page) => Promise<unknown>> = {
    "awaited together": (page) => Promise.all(all.map((value, index) => page.put(keyOf(index), value))),
    "each awaited, eventual": (page) => putAll(page, all, 1).then(() => page.flush()),
    "in one transaction": (page) => putAll(page, all, TOGETHER),
  };
  const times: string[] = [];
  for (const [way, put] of Object.entries(ways)) {
    await using ledger = await openLedger(temporaryFolder(), { name: "bench" });
    await using page = await ledger.rootPage({
      durability: way.includes("eventual") ? "eventual" : "immediate",
    });
    const start = process.cpuUsage();
    await put(page);
    times.push(`${way} ${cpuSince(start).toFixed(0)} ms of CPU`);
  }
  return `${TOGETHER} puts: ${times.join(", ")} (wanted ≤ 3 times the last)`;
}
