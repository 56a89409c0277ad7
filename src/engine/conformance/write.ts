import type { Engine, RawRow } from "../engine.js";
import { rejects, same, sameBytes, sameRows } from "./assert.js";
import {
  bytes,
  columnsOf,
  drain,
  EMPTY,
  type EngineBehaviour,
  numberedRows,
  numberKey,
  put,
  puts,
  utf8,
} from "./suite.js";

export const writeBehaviour: EngineBehaviour = (test, factory) => {
  const columns = columnsOf(factory);
  const [a] = columns;
  const key = utf8("key");
  const remove = { type: "delete", column: a, key } as const;

  test("puts, overwrites and deletes", [], async (engine) => {
    await engine.write([put(a, key, utf8("1"))]);
    sameBytes(await engine.get(a, key), utf8("1"), "after a put");
    await engine.write([put(a, key, utf8("2"))]);
    sameBytes(await engine.get(a, key), utf8("2"), "after another put");
    await engine.write([remove]);
    sameBytes(await engine.get(a, key), undefined, "after a delete");
    await engine.write([remove]);
    sameBytes(await engine.get(a, key), undefined, "after a delete of nothing");
  });

  for (const reverse of [false, true])
    test(
      `hands out rows that may be changed while the scan goes on${reverse ? ", in reverse" : ""}`,
      puts(a, numberedRows(1500)),
      async (engine) => {
        await engine.flush();
        const rows = numberedRows(1500).map(({ key }) => ({ key, value: key }));
        await engine.write(puts(a, rows));
        const wanted = reverse ? rows.toReversed() : rows;
        let at = 0;
        for await (const chunk of engine.scan(a, {}, { reverse }).chunks()) {
          sameRows(chunk, wanted.slice(at, at + chunk.length), `from row ${at}`);
          at += chunk.length;
          for (const { key, value } of chunk) for (const given of [key, value]) given.fill(0xff);
        }
        same(at, wanted.length, "number of rows");
      },
    );

  test("writes what it is given at the call, whatever becomes of it afterwards", [], async (engine) => {
    const [first, value, from, to] = [utf8("k1"), utf8("value"), utf8("x"), utf8("y")];
    await engine.write([put(a, utf8("x1"), value), put(a, utf8("y1"), value)]);
    const operations = [put(a, first, value), { type: "deleteRange", column: a, gte: from, lt: to } as const];
    const writing = engine.write(operations);
    for (const used of [first, value, from, to]) used.fill(0xff);
    operations.push(put(a, utf8("late"), utf8("late")));
    await writing;
    sameBytes(await engine.get(a, utf8("k1")), utf8("value"), "the row");
    sameBytes(await engine.get(a, utf8("x1")), undefined, "the row in the range");
    sameBytes(await engine.get(a, utf8("y1")), utf8("value"), "the row after the range");
    sameBytes(await engine.get(a, utf8("late")), undefined, "an operation that came later");
    sameBytes(await engine.get(a, bytes(0xff, 0xff)), undefined, "the key that came later");
  });

  test("writes batches that are not awaited in the order of the calls", [], async (engine) => {
    for (let round = 0; round < 50; round++) {
      const writes = [1, 2, 3].map((number) => engine.write([put(a, key, bytes(round, number))]));
      await Promise.all(writes);
      sameBytes(await engine.get(a, key), bytes(round, 3), `round ${round}`);
    }
  });

  test("keeps the order of batches of unlike cost that are not awaited", [], async (engine) => {
    const [large, small] = [new Uint8Array(100_000).fill(1), bytes(2)];
    const others = Array.from({ length: 40 }, (_, at) => put(a, numberKey(at), large.subarray(0, 1000)));
    const range = { type: "deleteRange", column: a, gte: EMPTY, lt: bytes(0xff) } as const;
    const all = [...others, put(a, key, large)];
    for (let round = 0; round < 10; round++) {
      await Promise.all([all, [remove]].map((batch) => engine.write(batch)));
      sameBytes(await engine.get(a, key), undefined, "puts, then a delete");
      await Promise.all([all, [range]].map((batch) => engine.write(batch)));
      sameRows(await drain(engine.scan(a)), [], "puts, then a deleteRange");
      await Promise.all([all, [range], [put(a, key, small)]].map((batch) => engine.write(batch)));
      sameRows(await drain(engine.scan(a)), [{ key, value: small }], "puts, a deleteRange, a put");
      await Promise.all([[put(a, key, large)], [put(a, key, small)]].map((batch) => engine.write(batch)));
      sameBytes(await engine.get(a, key), small, "a large value, then a small one");
      await Promise.all([engine.write(all), engine.write([remove], { sync: true }), engine.write([range])]);
      sameRows(await drain(engine.scan(a)), [], "puts, a delete that syncs, a deleteRange");
    }
  });

  test("flushes the writes before it, awaited or not", [], async (engine) => {
    const writes = Array.from({ length: 50 }, (_, at) => engine.write([put(a, numberKey(at), key)]));
    await engine.flush();
    if (engine.unflushed !== undefined)
      same((await engine.unflushed(a)).entries, 0, "entries in the log only");
    await Promise.all(writes);
  });

  test("applies operations in their order", [], async (engine) => {
    await engine.write([put(a, key, utf8("1")), remove]);
    sameBytes(await engine.get(a, key), undefined, "put, then delete");
    await engine.write([remove, put(a, key, utf8("2"))]);
    sameBytes(await engine.get(a, key), utf8("2"), "delete, then put");
    await engine.write([put(a, key, utf8("3")), put(a, key, utf8("4"))]);
    sameBytes(await engine.get(a, key), utf8("4"), "put, then put");
  });

  test("applies a deleteRange between puts", puts(a, numberedRows(10)), async (engine) => {
    await engine.write([
      put(a, numberKey(3), utf8("before")),
      { type: "deleteRange", column: a, gte: numberKey(2), lt: numberKey(8) },
      put(a, numberKey(4), utf8("after")),
    ]);
    const [zero, one, , , , , , , eight, nine] = numberedRows(10);
    const four = { key: numberKey(4), value: utf8("after") };
    sameRows(await drain(engine.scan(a)), [zero, one, four, eight, nine].map(defined), "what is left");
  });

  test(
    "deletes ranges across many rows, and nothing for an empty or inverted range",
    puts(a, numberedRows(4000)),
    async (engine) => {
      const range = (from: Uint8Array, to: Uint8Array) =>
        ({ type: "deleteRange", column: a, gte: from, lt: to }) as const;
      await engine.write([
        range(numberKey(5), numberKey(5)),
        put(a, numberKey(4000), utf8("in the same batch")),
        range(numberKey(9), numberKey(3)),
        range(EMPTY, EMPTY),
      ]);
      same((await drain(engine.scan(a))).length, 4001, "number of rows");
      await engine.write([range(numberKey(10), numberKey(3990)), range(EMPTY, numberKey(1))]);
      const wanted = numberedRows(4000).filter((_, at) => (at >= 1 && at < 10) || at >= 3990);
      sameRows((await drain(engine.scan(a))).slice(0, -1), wanted, "what is left");
      sameBytes(await engine.get(a, numberKey(10)), undefined, "the first of the range");
      sameBytes(await engine.get(a, numberKey(3990)), utf8("value 3990"), "the end of the range");
    },
  );

  test("applies nothing when one operation is impossible", [], async (engine) => {
    const other = columns.at(-1) as string;
    const wrong = [
      put("nowhere", key, key),
      { type: "put", column: other, key, value: "text" },
      { type: "merge", column: other, key },
    ] as Parameters<Engine["write"]>[0];
    for (const operation of wrong) {
      const code = operation.column === "nowhere" ? "UNKNOWN_COLUMN_FAMILY" : "INVALID_ARGUMENT";
      const batch = [put(a, key, key), operation, put(other, bytes(1), key)];
      await rejects(() => engine.write(batch), code, "the batch");
    }
    for (const column of columns) sameRows(await drain(engine.scan(column)), [], column);
  });

  test("writes nothing", [], async (engine) => {
    await engine.write([]);
    await engine.write([], { sync: true });
  });

  test("takes the option to sync, whether it can or not", [], async (engine) => {
    await engine.write([put(a, key, utf8("1"))], { sync: true });
    await engine.write([put(a, bytes(1), utf8("2"))], { sync: false });
    await engine.write([{ type: "deleteRange", column: a, gte: bytes(0), lt: bytes(2) }], { sync: true });
    sameRows(await drain(engine.scan(a)), [{ key, value: utf8("1") }], "the rows");
  });

  test("keeps the order of writes that sync and writes that do not", [], async (engine) => {
    const value = (number: number) => bytes(number);
    const writes = Array.from({ length: 40 }, (_, at) =>
      engine.write([put(a, key, value(at)), put(a, numberKey(at), value(at))], { sync: at % 3 !== 0 }),
    );
    await Promise.all(writes);
    sameBytes(await engine.get(a, key), value(39), "the last one");
    const found = await engine.getMany(
      a,
      Array.from({ length: 40 }, (_, at) => numberKey(at)),
    );
    same(found.filter((one) => one === undefined).length, 0, "rows that are missing");
  });

  test("deletes a range as it is when the write has its turn", puts(a, numberedRows(3)), async (engine) => {
    const range = { type: "deleteRange", column: a, gte: numberKey(0), lt: numberKey(9) } as const;
    await Promise.all([
      engine.write([put(a, numberKey(5), utf8("before"))]),
      engine.write([put(a, numberKey(6), utf8("in the batch")), range, put(a, numberKey(1), utf8("1"))]),
      engine.write([put(a, numberKey(7), utf8("after"))]),
    ]);
    const wanted = [
      { key: numberKey(1), value: utf8("1") },
      { key: numberKey(7), value: utf8("after") },
    ];
    sameRows(await drain(engine.scan(a)), wanted, "what is left");
  });

  test("keeps the order of writes that nobody awaits in between", [], async (engine) => {
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => engine.write([put(a, numberKey(at), utf8(`value ${at}`))])),
    );
    sameRows(await drain(engine.scan(a)), numberedRows(100), "all rows");
  });

  test("keeps its own copy of what was written once a write has settled", [], async (engine) => {
    const reused = utf8("key");
    const value = utf8("value");
    await engine.write([put(a, reused, value)]);
    reused.fill(0);
    value.fill(0);
    sameBytes(await engine.get(a, key), utf8("value"), "the value");
  });

  test("takes 10,000 rows in random order, in batches that overlap", [], async (engine) => {
    const rows = numberedRows(10_000);
    const shuffled = rows.map((_, at) => defined(rows[(at * 7919) % rows.length]));
    for (let at = 0; at < shuffled.length; at += 900) {
      await engine.write(puts(a, shuffled.slice(at, at + 1000)));
    }
    sameRows(await drain(engine.scan(a)), rows, "all rows");
  });

  test(
    "shows a scan the state at the moment when its iteration starts",
    puts(a, numberedRows(3000)),
    async (engine) => {
      const scan = engine.scan(a);
      await engine.write([{ type: "put", column: a, key: numberKey(1), value: utf8("before the start") }]);
      const chunks = scan.chunks();
      const first = chunks.next();
      await engine.write([
        { type: "deleteRange", column: a, gte: numberKey(0), lt: numberKey(2500) },
        { type: "put", column: a, key: numberKey(2999), value: utf8("after the start") },
        { type: "put", column: a, key: numberKey(5000), value: utf8("after the start") },
      ]);
      const rows = [...((await first).value as RawRow[])];
      for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) rows.push(...chunk);
      const wanted = numberedRows(3000);
      wanted[1] = { key: numberKey(1), value: utf8("before the start") };
      sameRows(rows, wanted, "the rows at the start");
      same((await drain(engine.scan(a))).length, 501, "number of rows afterwards");
    },
  );

  test("estimates sizes, 0 for an empty range", puts(a, numberedRows(1000)), async (engine) => {
    await engine.flush();
    const size = await engine.approximateSize(a);
    same(Number.isFinite(size) && size >= 0, true, `${size} is a size`);
    same(await engine.approximateSize(a, { gte: bytes(2), lt: bytes(1) }), 0, "an empty range");
  });

  if (factory.columns === "one") return;

  test("writes to several column families at once", [], async (engine) => {
    await engine.write([
      put("a", key, utf8("a")),
      put("b", key, utf8("b")),
      put("default", key, utf8("d")),
      put("a", bytes(1), utf8("a")),
    ]);
    for (const [column, value] of [
      ["a", "a"],
      ["b", "b"],
      ["default", "d"],
    ] as const) {
      sameBytes(await engine.get(column, key), utf8(value), column);
    }
    sameBytes(await engine.get("a", bytes(1)), utf8("a"), "the second in a");
  });
};

function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a row is missing");
  return value;
}
