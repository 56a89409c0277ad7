import { same, sameBytes } from "./assert.js";
import {
  bytes,
  columnsOf,
  EMPTY,
  numberedRows,
  numberKey,
  put,
  puts,
  type ReaderBehaviour,
  utf8,
} from "./suite.js";

export const getBehaviour: ReaderBehaviour = (test, factory) => {
  const [a] = columnsOf(factory);
  const one = put(a, utf8("key"), utf8("value"));

  test("gets the value at a key", [one], async (reader) => {
    sameBytes(await reader.get(a, utf8("key")), utf8("value"), "the value");
  });

  test("gives undefined for a missing key, a prefix of a key and a longer key", [one], async (reader) => {
    for (const key of ["other", "ke", "key!", ""]) sameBytes(await reader.get(a, utf8(key)), undefined, key);
  });

  test("has the column family default", [put("default", bytes(1), bytes(2))], async (reader) => {
    sameBytes(await reader.get("default", bytes(1)), bytes(2), "in default");
    const wanted = new Set([...columnsOf(factory), "default"]);
    same([...reader.columns].sort().join(), [...wanted].join(), "the column families");
  });

  test(
    "keeps an empty value and an empty key",
    [put(a, EMPTY, utf8("of the empty key")), put(a, bytes(1), EMPTY)],
    async (reader) => {
      sameBytes(await reader.get(a, EMPTY), utf8("of the empty key"), "the value at the empty key");
      sameBytes(await reader.get(a, bytes(1)), EMPTY, "the empty value");
    },
  );

  test(
    "reads keys and values that are part of a larger buffer",
    [put(a, utf8("xkeyx").subarray(1, 4), utf8("xvaluex").subarray(1, 6))],
    async (reader) => {
      sameBytes(await reader.get(a, utf8("..key").subarray(2)), utf8("value"), "the value");
    },
  );

  test("keeps a value of 1 MiB", [put(a, bytes(1), bigValue())], async (reader) => {
    sameBytes(await reader.get(a, bytes(1)), bigValue(), "the big value");
  });

  test("hands out bytes that may be changed without changing the store", [one], async (reader) => {
    (await reader.get(a, utf8("key")))?.fill(0);
    sameBytes(await reader.get(a, utf8("key")), utf8("value"), "the value");
  });

  test(
    "gets many in the order of the keys, missing and duplicate ones included",
    puts(a, numberedRows(100)),
    async (reader) => {
      const keys = [99, 5, 1000, 5, 0].map(numberKey);
      const values = await reader.getMany(a, keys);
      same(values.length, 5, "number of values");
      for (const [at, expected] of ["value 99", "value 5", undefined, "value 5", "value 0"].entries()) {
        sameBytes(values[at], expected === undefined ? undefined : utf8(expected), `value ${at}`);
      }
    },
  );

  test("gets none", [one], async (reader) => {
    same((await reader.getMany(a, [])).length, 0, "number of values");
  });

  test("gets 5,000 at once", puts(a, numberedRows(5000)), async (reader) => {
    const values = await reader.getMany(
      a,
      Array.from({ length: 5000 }, (_, at) => numberKey(at)),
    );
    for (const [at, value] of values.entries()) sameBytes(value, utf8(`value ${at}`), `value ${at}`);
  });

  test("serves many gets that are under way at once", puts(a, numberedRows(200)), async (reader) => {
    const values = await Promise.all(Array.from({ length: 200 }, (_, at) => reader.get(a, numberKey(at))));
    for (const [at, value] of values.entries()) sameBytes(value, utf8(`value ${at}`), `value ${at}`);
  });

  if (factory.columns === "one") return;

  test("keeps column families apart", [one, put("b", utf8("key"), utf8("of b"))], async (reader) => {
    sameBytes(await reader.get("a", utf8("key")), utf8("value"), "in a");
    sameBytes(await reader.get("b", utf8("key")), utf8("of b"), "in b");
    sameBytes(await reader.get("c", utf8("key")), undefined, "in c");
  });
};

function bigValue(): Uint8Array {
  return Uint8Array.from({ length: 1 << 20 }, (_, at) => (at * 31 + (at >> 8)) & 0xff);
}
