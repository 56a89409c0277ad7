import { mkdir, rm } from "node:fs/promises";
import { ClassicLevel } from "classic-level";
import { openLevelEngine } from "../src/engines/level/index.js";
import { openRocksEngine } from "../src/engines/rocksdb/index.js";
import { DATA } from "./kept-database.js";
import { interleave, type Measured } from "./measure.js";
import { type Question, rateLine } from "./question.js";

const FOLDER = `${DATA}/synced`;
/** Batches of one run. */
const BATCHES = 320;
/** Bytes of the value of a batch. */
const VALUE = 200;

/** Writes one batch, durable when it settles. */
type Write = (key: Uint8Array, value: Uint8Array) => Promise<void>;

export default {
  name: "sync",
  asks: "How many synced batches a second do the engines write, with 1 caller and with 16 that wait at the same time?",
  against: "classic-level with sync: true on the same disk",
  wanted: "≥ 0.80 for RocksDB",
  async *answer({ options: { runs } }) {
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    await using rocks = await openRocksEngine(`${FOLDER}/rocksdb`, { create: true, columns: [] });
    await using level = await openLevelEngine(`${FOLDER}/leveldb`, { create: true });
    const raw = new ClassicLevel<Uint8Array, Uint8Array>(`${FOLDER}/raw`, {
      keyEncoding: "view",
      valueEncoding: "view",
    });
    await raw.open();
    const put = (key: Uint8Array, value: Uint8Array) => ({ type: "put" as const, key, value });
    const writes: Readonly<Record<string, Write>> = {
      "engine rocksdb": (key, value) =>
        rocks.write([{ ...put(key, value), column: "default" }], { sync: true }),
      "engine level": (key, value) =>
        level.write([{ ...put(key, value), column: "default" }], { sync: true }),
      "classic-level": (key, value) => raw.batch([put(key, value)], { sync: true }),
    };
    for (const callers of [1, 16]) {
      const sides = Object.entries(writes).map(([name, write]) => ({
        name,
        run: (round: number) => writeAll(write, callers, round),
      }));
      const plan = { runs: 3 * runs, warmUps: 2 };
      const [ofRocks, ofLevel, other] = (await interleave(sides, plan)) as [Measured, Measured, Measured];
      const waiting = callers === 1 ? "1 caller" : `${callers} callers waiting`;
      for (const { name, rate, time } of [ofRocks, ofLevel]) {
        const what = `synced batches with ${waiting}, ${name}`;
        const wanted = name === "engine rocksdb" ? "≥ 0.80" : undefined;
        yield rateLine({ name, rate, time }, other, {
          what,
          unit: "batches",
          runs: plan.runs,
          ...(wanted && { wanted }),
        });
      }
    }
    await raw.close();
    await rocks.close();
    await level.close();
    await rm(FOLDER, { recursive: true, force: true });
  },
} satisfies Question;

/** Callers that each write one batch after another. */
async function writeAll(write: Write, callers: number, round: number): Promise<number> {
  const value = new Uint8Array(VALUE).fill(round);
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let at = caller; at < BATCHES; at += callers) {
        const key = new Uint8Array(8);
        new DataView(key.buffer).setUint32(0, at);
        await write(key, value);
      }
    }),
  );
  return BATCHES;
}
