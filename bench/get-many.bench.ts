import type { Store } from "../src/index.js";
import { ContextDagDelta, ContextState011 } from "../src/keys/index.js";
import type { Core010 } from "../src/schemas/index.js";
import { interleave, keep, type Measured } from "./measure.js";
import { type Question, rateLine } from "./question.js";
import { Random } from "./random.js";
import { openRaw, type RawSession } from "./raw.js";
import type { Put } from "./rows/put.js";

const KEYS = 1000;
/** Calls in one run. */
const CALLS = 10;
/** Different draws of keys, used in turn. */
const DRAWS = 50;
/** Reads are short: this many times the runs of a scan. */
const MORE = 3;

type Key = Parameters<Put>[0] & (ContextDagDelta | ContextState011);

export default {
  name: "get-many",
  asks: "How fast is store.getMany of 1000 random keys?",
  against: "one read batch: 1000 × get, tryFlush, Promise.all",
  wanted: "≥ 0.90",
  async *answer({ options, database }) {
    const { path, open } = await database();
    await using store = await open();
    const raw = await openRaw(path, "read");
    const runs = MORE * options.runs;
    for (const of of [ContextDagDelta, ContextState011]) {
      const draws = await drawKeys(store, of);
      const session = raw.session({ columnFamily: of.COLUMN });
      const sides = [
        { name: "typed", run: (round: number) => calls(draws, round, (keys) => readTyped(store, keys)) },
        {
          name: "raw read batch",
          run: (round: number) => calls(draws, round, (keys) => readRaw(session, keys)),
        },
      ];
      const plan = { runs, warmUps: 2 * MORE };
      const [typed, binding] = (await interleave(sides, plan)) as [Measured, Measured];
      const what = `typed getMany of ${KEYS} random ${of.COLUMN} keys`;
      yield rateLine(typed, binding, { what, unit: "rows", runs, wanted: "≥ 0.90" });
    }
    await raw.close();
  },
} satisfies Question;

/** Draws of random keys from all rows of a kind. */
async function drawKeys(
  store: Store<Core010>,
  of: typeof ContextDagDelta | typeof ContextState011,
): Promise<readonly (readonly Key[])[]> {
  const all: Key[] = [];
  for await (const chunk of store.table(of).scan().keys().chunks()) {
    all.push(...chunk);
  }
  const random = new Random(2);
  return Array.from({ length: DRAWS }, () => Array.from({ length: KEYS }, () => random.pick(all)));
}

async function calls(
  draws: readonly (readonly Key[])[],
  round: number,
  read: (keys: readonly Key[]) => Promise<number>,
): Promise<number> {
  let rows = 0;
  for (let call = 0; call < CALLS; call++) {
    rows += await read(draws[(round * CALLS + call) % DRAWS] as readonly Key[]);
  }
  return rows;
}

async function readTyped(store: Store<Core010>, keys: readonly Key[]): Promise<number> {
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
