/** Random histories: the same operations in memory and on the server lead to the same rows at every step. */
import type {
  Engine,
  EngineReader,
  EngineSnapshot,
  ScanOptions,
  WriteOperation,
} from "../../../../src/engines/index.js";
import { openMemoryEngine } from "../../../../src/engines/index.js";
import { openPostgresEngine } from "../../src/index.js";
import { COLUMNS, check, nodeAt, withNode } from "./rows.js";

export async function compareHistories(server: string, steps: number, random: () => number) {
  const url = nodeAt(server, "histories");
  await using memory = openMemoryEngine({ columns: COLUMNS });
  return await withNode(url, openPostgresEngine(url, { create: true, columns: COLUMNS }), async (engine) => {
    const totals = { batches: 0, scans: 0, gets: 0, snapshots: 0 };
    const pairs: (readonly [EngineSnapshot, EngineSnapshot])[] = [];
    for (let step = 0; step < steps; step++) {
      const choice = random();
      if (choice < 0.45) {
        const batch = operations(random);
        await Promise.all([memory.write(batch), engine.write(batch)]);
        totals.batches++;
      } else if (choice < 0.5 && pairs.length < 3) {
        pairs.push([await memory.snapshot(), await engine.snapshot()]);
        totals.snapshots++;
      } else if (choice < 0.53) {
        const [first, second] = pairs.shift() ?? [];
        await first?.close();
        await second?.close();
      } else {
        const pair = pairs[Math.floor(random() * (pairs.length + 1))] ?? ([memory, engine] as const);
        if (choice < 0.8) await compareScans(pair, random, step);
        else await compareGets(pair, random, step);
        totals[choice < 0.8 ? "scans" : "gets"]++;
      }
    }
    for (const pair of [...pairs, [memory, engine] as const])
      for (const column of COLUMNS) await sameScan(pair, column, {}, {}, steps);
    return totals;
  });
}

type Pair = readonly [EngineReader | Engine, EngineReader | Engine];

/** Few different keys, so that operations meet: some begin alike, some are empty. */
function key(random: () => number): Uint8Array {
  const length = Math.floor(random() * 4);
  return Uint8Array.from(
    { length },
    () => [0, 1, 0x5c, 0x7f, 0x80, 0xff][Math.floor(random() * 6)] as number,
  );
}

function operations(random: () => number): WriteOperation[] {
  return Array.from({ length: 1 + Math.floor(random() * 30) }, (): WriteOperation => {
    const column = COLUMNS[Math.floor(random() * COLUMNS.length)] as string;
    const choice = random();
    if (choice < 0.6) {
      const size = random() < 0.05 ? 20_000 + Math.floor(random() * 50_000) : Math.floor(random() * 40);
      const value = Uint8Array.from({ length: size }, () => Math.floor(random() * 256));
      return { type: "put", column, key: key(random), value };
    }
    if (choice < 0.85) return { type: "delete", column, key: key(random) };
    return { type: "deleteRange", column, gte: key(random), lt: key(random) };
  });
}

async function compareScans(pair: Pair, random: () => number, step: number): Promise<void> {
  const column = COLUMNS[Math.floor(random() * COLUMNS.length)] as string;
  const range = { ...(random() < 0.5 && { gte: key(random) }), ...(random() < 0.5 && { lt: key(random) }) };
  const limit = random() < 0.3 ? Math.floor(random() * 200) : undefined;
  await sameScan(pair, column, range, { reverse: random() < 0.5, keysOnly: random() < 0.3, limit }, step);
}

async function sameScan(
  [expected, found]: Pair,
  column: string,
  range: Parameters<EngineReader["scan"]>[1],
  options: ScanOptions,
  step: number,
): Promise<void> {
  const [wanted, got] = [[], []] as [string[], string[]];
  for (const [reader, lines] of [
    [expected, wanted],
    [found, got],
  ] as const)
    for await (const row of reader.scan(column, range, options))
      lines.push(`${Buffer.from(row.key).toString("hex")}=${Buffer.from(row.value).toString("hex")}`);
  check(wanted.join() === got.join(), `step ${step}: a scan of ${column} has other rows`);
}

async function compareGets([expected, found]: Pair, random: () => number, step: number): Promise<void> {
  const column = COLUMNS[Math.floor(random() * COLUMNS.length)] as string;
  const keys = Array.from({ length: 1 + Math.floor(random() * 20) }, () => key(random));
  const show = (values: readonly (Uint8Array | undefined)[]) =>
    values.map((value) => (value === undefined ? "none" : Buffer.from(value).toString("hex"))).join();
  check(
    show(await expected.getMany(column, keys)) === show(await found.getMany(column, keys)),
    `step ${step}: getMany of ${column} has other values`,
  );
}
