import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { core010, openStore, type Store } from "../src/index.js";
import type { Question } from "./question.js";

/** Rows in a second, and how long. */
const FEW = { rate: 20, seconds: 10 };
const MANY = { rate: 50_000, seconds: 10 };
const IDLE_SECONDS = 20;
/** If nothing more comes for this long, the writer has ended, and all was seen. */
const QUIET_MS = 3_000;

interface Seen {
  /** Rows that were written, and that were seen. */
  readonly written: number;
  readonly rows: number;
  /** Milliseconds from the write of a row to its change, ascending. */
  readonly delays: readonly number[];
  /** Share of a processor that the watcher took while the writer ran. */
  readonly load: number;
  readonly rescans: number;
}

export default {
  name: "watch",
  asks: "How soon does store.watch() report a row, what does it cost while nothing is written, does it keep up with 50,000 rows a second from another process, with existed too?",
  against: "nothing",
  wanted: "≤ 500 ms, < 1 % of a core, all rows",
  async *answer() {
    const folder = await mkdtemp(join(tmpdir(), "merostore-watch-"));
    try {
      const path = join(folder, "db");
      await (await openStore(path, { create: true, schema: core010 })).close();
      yield `watch, idle: ${(await idle(path)).toFixed(2)} % of a core, wanted < 1`;
      yield line("watch, latency", await beside(path, FEW, false), "≤ 500 ms");
      for (const existed of [false, true]) {
        const what = `watch, keeping up${existed ? ", with existed" : ""}`;
        yield line(what, await beside(path, MANY, existed), "all, ≥ 50000 rows/s");
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
} satisfies Question;

function line(what: string, { written, rows, delays, load, rescans }: Seen, wanted: string): string {
  const at = (share: number): string =>
    `${(delays[Math.floor(share * (delays.length - 1))] ?? 0).toFixed(0)} ms`;
  const seen = `${rows} of ${written} rows seen, ${rescans} rescans`;
  return `${what}: ${seen}, delay ${at(0.5)} median, ${at(0.99)} p99, ${at(1)} most, ${(100 * load).toFixed(0)} % of a core, wanted ${wanted}`;
}

/** Percent of a processor that watching takes while nothing is written. */
async function idle(path: string): Promise<number> {
  await using store = await openStore(path, { schema: core010 });
  const control = new AbortController();
  const ended = drain(store, control.signal, false, () => undefined);
  await sleep(1000);
  const before = process.cpuUsage();
  await sleep(1000 * IDLE_SECONDS);
  const { user, system } = process.cpuUsage(before);
  control.abort();
  await ended;
  return (user + system) / 1e4 / IDLE_SECONDS;
}

/** Watches while a process writes. */
async function beside(
  path: string,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
  existed: boolean,
): Promise<Seen> {
  await using store = await openStore(path, { schema: core010 });
  const control = new AbortController();
  const delays: number[] = [];
  let last = performance.now();
  let rescans = 0;
  const ended = drain(store, control.signal, existed, (bytes) => {
    last = performance.now();
    if (bytes === undefined) rescans++;
    else {
      const at = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0);
      delays.push(performance.timeOrigin + last - at);
    }
  });
  const program = new URL("watch-writer.js", import.meta.url).pathname;
  const writer = spawn(process.execPath, [program, path, String(rate), String(seconds)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let written = "";
  writer.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  const before = process.cpuUsage();
  await once(writer, "close");
  const { user, system } = process.cpuUsage(before);
  while (performance.now() - last < QUIET_MS) await sleep(100);
  control.abort();
  await ended;
  const load = (user + system) / 1e6 / seconds;
  return {
    written: Number(written),
    rows: delays.length,
    delays: delays.toSorted((a, b) => a - b),
    load,
    rescans,
  };
}

/** @param take gets the value of each row that was written; undefined for a rescan */
async function drain(
  store: Store<typeof core010>,
  signal: AbortSignal,
  existed: boolean,
  take: (bytes: Uint8Array | undefined) => void,
): Promise<void> {
  for await (const changes of store.watch({ signal, existed }).chunks())
    for (const change of changes) {
      if (change.type === "rescan") take(undefined);
      else if (change.type === "put" && change.kind !== undefined) take(change.bytes);
    }
}
