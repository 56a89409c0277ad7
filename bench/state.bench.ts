import { concat } from "../src/bytes/concat.js";
import { indexStateKey } from "../src/digests/index.js";
import { ContextState011 } from "../src/keys/index.js";
import { parseManifest, type StateMap, stateOf } from "../src/state/index.js";
import { CONTEXT, openMapDatabase } from "./map-database.js";
import { interleave, keep, type Measured } from "./measure.js";
import { type Question, rateLine, timeLine } from "./question.js";
import { Random } from "./random.js";
import { FIELD, keyAt } from "./rows/map.js";

const SEED = 1;
const FIRST = 100;
const KEYS = 1000;

const text = { kind: "string" };
const register = { kind: "record", fields: [], crdt_type: "lww_register", inner_type: text };
const map = { kind: "map", key: text, value: register, crdt_type: "unordered_map" };
const manifest = parseManifest({
  schema_version: "wasm-abi/1",
  types: { State: { kind: "record", fields: [{ name: FIELD, type: map }] } },
  methods: [],
  events: [],
  state_root: "State",
});

export default {
  name: "state",
  asks: "How long does opening a map of a million entries and reading its first 100 take, how fast are all entries, and entries by key?",
  against: "a get of the map's index row, 84 MB; the typed scan of all rows; gets of missing keys",
  wanted: "≤ 50 ms, ≥ 0.25",
  async *answer({ options }) {
    const [size, runs] = [options.rows, Math.min(options.runs, 5)];
    const random = new Random(SEED);
    await using store = await openMapDatabase(size, (sentence) => console.log(sentence));
    const open = async (): Promise<StateMap> =>
      (await stateOf(store, CONTEXT, { manifest })).field(FIELD)?.value as StateMap;
    const compared = async (
      name: string,
      run: () => Promise<number>,
      against: () => Promise<number>,
    ): Promise<[Measured, Measured]> =>
      (await interleave(
        [
          { name: "state", run },
          { name, run: against },
        ],
        { runs, warmUps: 1 },
      )) as [Measured, Measured];

    const indexRow = concat(CONTEXT, indexStateKey((await open()).id));
    const first = await compared(
      "a get of its index row",
      async () => take(await open(), FIRST),
      async () => (await store.raw.get("State", indexRow))?.length ?? 0,
    );
    const what = `opening a map of ${size} entries and its first ${FIRST}`;
    yield timeLine(...first, { what, unit: "", runs, wanted: "≤ 50 ms" });

    const items = await open();
    const all = await compared(
      "typed scan of all rows",
      () => take(items),
      async () => {
        for await (const chunk of store.table(ContextState011).scan().chunks())
          for (const { value } of chunk) keep(value?.[0] ?? 0);
        return size;
      },
    );
    yield rateLine(...all, { what: "all entries of the map", unit: "entries", runs, wanted: "≥ 0.25" });

    const keys = Array.from({ length: KEYS }, () => random.below(size)).map(keyAt);
    const missing = concat(CONTEXT, random.id());
    const gets = await compared(
      "gets of missing keys",
      async () => {
        for (const key of keys) keep((await items.get(key))?.raw?.length ?? 0);
        return KEYS;
      },
      async () => {
        for (const _ of keys) keep((await store.raw.get("State", missing))?.length ?? 0);
        return KEYS;
      },
    );
    yield rateLine(...gets, { what: "entries by key", unit: "entries", runs });
  },
} satisfies Question;

async function take(items: StateMap, limit?: number): Promise<number> {
  let count = 0;
  for await (const { problem } of items.entries({ limit })) {
    if (problem !== undefined) throw new Error(problem.message);
    count++;
  }
  return count;
}
