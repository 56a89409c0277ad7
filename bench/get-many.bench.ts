/** Question 2: how fast are 1000 typed reads in one call, compared with one read batch of the native binding? */
import { ContextDagDelta, ContextState, type Store } from "../src/index.js";
import { interleave, keep, type Measured } from "./measure.js";
import { type Question, rateLine } from "./question.js";
import { Random } from "./random.js";
import { openRaw, type RawSession } from "./raw.js";
import type { Put, Rows } from "./rows/put.js";

const KEYS = 1000;
/** Reads are short: this many times the runs of a scan. */
const MORE = 5;

type Key = Parameters<Put>[0] & (ContextDagDelta | ContextState);

export default {
  name: "get-many",
  async *answer({ options, database }) {
    const { path, open } = await database();
    await using store = await open();
    const raw = await openRaw(path, "read");
    const runs = MORE * options.runs;
    for (const of of [ContextDagDelta, ContextState]) {
      const keys = await allKeys(store, of);
      const random = new Random(options.rows);
      const warmUps = 2 * MORE;
      const draws = Array.from({ length: warmUps + runs }, () =>
        Array.from({ length: KEYS }, () => random.pick(keys)),
      );
      const session = raw.session({ columnFamily: of.COLUMN });
      const sides = [
        { name: "typed", run: (round: number) => readTyped(store, draws[round] as Key[]) },
        { name: "raw read batch", run: (round: number) => readRaw(session, draws[round] as Key[]) },
      ];
      const [typed, binding] = (await interleave(sides, { runs, warmUps })) as [Measured, Measured];
      const what = `typed getMany of ${KEYS} random ${of.COLUMN} keys`;
      yield rateLine(typed, binding, { what, unit: "rows", runs, wanted: "≥ 0.90" });
    }
    await raw.close();
  },
} satisfies Question;

async function allKeys(
  store: Store<Rows>,
  of: typeof ContextDagDelta | typeof ContextState,
): Promise<readonly Key[]> {
  const keys: Key[] = [];
  for await (const chunk of store.scan(of, { keysOnly: true }).chunks()) {
    for (const { key } of chunk) keys.push(key);
  }
  return keys;
}

async function readTyped(store: Store<Rows>, keys: readonly Key[]): Promise<number> {
  const values = await store.getMany(keys);
  for (const value of values) keep(value === undefined ? 0 : "parents" in value ? value.parents.length : 1);
  return values.length;
}

async function readRaw(session: RawSession, keys: readonly Key[]): Promise<number> {
  const batch = session.read({ capacity: keys.length, autoDestroy: true });
  const reading = Promise.all(keys.map((key) => batch.get(key.bytes)));
  batch.tryFlush();
  const values = await reading;
  for (const value of values) keep(value === null ? 0 : value.length);
  return values.length;
}
