import { compareBytes, equalBytes, successor } from "../../bytes/order.js";
import type { ByteRange, RawRow, ScanOptions } from "../engine.js";
import { fail, rejects, same, sameBytes, sameRows } from "./assert.js";
import {
  bytes,
  columnsOf,
  drain,
  EMPTY,
  numberedRows,
  numberKey,
  puts,
  type ReaderBehaviour,
  utf8,
} from "./suite.js";

/** Keys in order that combine prefixes, lengths and `ff`, including the empty key. */
const EDGES: RawRow[] = [
  EMPTY,
  bytes(0),
  bytes(0, 0),
  bytes(0, 0xff),
  bytes(1),
  bytes(0x7f),
  bytes(0x80),
  bytes(0x80, 0),
  bytes(0xfe, 0xff),
  bytes(0xff),
  bytes(0xff, 0),
  bytes(0xff, 0xfe),
  bytes(0xff, 0xff),
  bytes(0xff, 0xff, 0),
  bytes(0xff, 0xff, 0xff),
].map((key, at) => ({ key, value: bytes(at) }));

export const scanBehaviour: ReaderBehaviour = (test, factory) => {
  const [a] = columnsOf(factory);
  const edges = puts(a, EDGES.toReversed());

  test("gives all rows in ascending unsigned order", edges, async (reader) => {
    sameRows(await drain(reader.scan(a)), EDGES, "all rows");
  });

  test("gives nothing of an empty column family", [], async (reader) => {
    sameRows(await drain(reader.scan(a)), [], "ascending");
    sameRows(await drain(reader.scan(a, {}, { reverse: true })), [], "descending");
  });

  test("gives all rows in descending order", edges, async (reader) => {
    sameRows(await drain(reader.scan(a, {}, { reverse: true })), EDGES.toReversed(), "all rows");
  });

  test("keeps to every pair of bounds, in both directions, with every limit", edges, async (reader) => {
    const bounds: (Uint8Array | undefined)[] = [
      undefined,
      ...EDGES.map(({ key }) => key),
      bytes(0x81),
      bytes(0xff, 1),
    ];
    for (const from of bounds) {
      for (const to of bounds) {
        for (const reverse of [false, true]) {
          const limit = bounds.indexOf(to) % 4 || undefined;
          const found = await drain(reader.scan(a, { gte: from, lt: to }, { reverse, limit }));
          sameRows(
            found,
            expected({ gte: from, lt: to }, { reverse, limit }),
            `from ${from} to ${to}, reverse ${reverse}`,
          );
        }
      }
    }
  });

  test("gives exactly the rows of a prefix", edges, async (reader) => {
    for (const prefix of [
      EMPTY,
      bytes(0),
      bytes(0x80),
      bytes(0xfe),
      bytes(0xff),
      bytes(0xff, 0xff),
      bytes(0x33),
    ]) {
      const found = await drain(reader.scan(a, { gte: prefix, lt: successor(prefix) }));
      const wanted = EDGES.filter(({ key }) => equalBytes(key.subarray(0, prefix.length), prefix));
      sameRows(found, wanted, `prefix ${prefix}`);
    }
  });

  test("gives nothing for an inverted or empty range", edges, async (reader) => {
    for (const range of [
      { gte: bytes(2), lt: bytes(1) },
      { gte: bytes(1), lt: bytes(1) },
      { gte: EMPTY, lt: EMPTY },
      { lt: EMPTY },
    ]) {
      for (const reverse of [false, true]) {
        sameRows(await drain(reader.scan(a, range, { reverse })), [], "an empty range");
      }
    }
  });

  test("gives nothing with the limit 0", edges, async (reader) => {
    for (const range of [undefined, { gte: bytes(1) }, { gte: bytes(2), lt: bytes(1) }]) {
      for (const reverse of [false, true]) {
        sameRows(await drain(reader.scan(a, range, { limit: 0, reverse })), [], "in chunks");
        for await (const _ of reader.scan(a, range, { limit: 0, reverse })) fail("a row came");
      }
    }
  });

  test(
    "gives the same rows one by one and in chunks, none of them empty",
    puts(a, numberedRows(3000)),
    async (reader) => {
      const single: RawRow[] = [];
      for await (const row of reader.scan(a)) single.push(row);
      sameRows(single, numberedRows(3000), "one by one");
      const chunked: RawRow[] = [];
      for await (const chunk of reader.scan(a).chunks()) {
        same(chunk.length > 0, true, "a chunk has rows");
        chunked.push(...chunk);
      }
      sameRows(chunked, single, "in chunks");
    },
  );

  test("keeps to limits around the size of a chunk", puts(a, numberedRows(2100)), async (reader) => {
    for (const limit of [0, 1, 2, 1023, 1024, 1025, 2047, 2048, 2049, 2100, 5000]) {
      const wanted = numberedRows(2100).slice(0, limit);
      sameRows(await drain(reader.scan(a, {}, { limit })), wanted, `limit ${limit}`);
      const last = numberedRows(2100).toReversed().slice(0, limit);
      sameRows(await drain(reader.scan(a, {}, { limit, reverse: true })), last, `limit ${limit}, reverse`);
    }
  });

  test(
    "takes bounds that are in it or not, and goes on after a key",
    puts(a, numberedRows(20)),
    async (reader) => {
      const rows = numberedRows(20);
      const [low, high] = [numberKey(3), numberKey(9)];
      sameRows(await drain(reader.scan(a, { gt: low, lte: high })), rows.slice(4, 10), "gt, lte");
      sameRows(
        await drain(reader.scan(a, { gte: low, gt: low, lt: high, lte: high })),
        rows.slice(4, 9),
        "all",
      );
      sameRows(await drain(reader.scan(a, { lt: high }, { after: low })), rows.slice(4, 9), "after");
      const down = await drain(reader.scan(a, { gte: low }, { after: high, reverse: true, limit: 2 }));
      sameRows(down, rows.slice(7, 9).toReversed(), "after, reverse");
    },
  );

  test(
    "rejects with the reason of its signal, before a row and between two",
    puts(a, numberedRows(3)),
    async (reader) => {
      const stop = new AbortController();
      const reason = new Error("enough");
      const seen: RawRow[] = [];
      for (const expected of [1, 1])
        try {
          for await (const row of reader.scan(a, {}, { signal: stop.signal })) {
            seen.push(row);
            stop.abort(reason);
          }
          fail("the scan went on");
        } catch (error) {
          same(error === reason, true, "the error is the reason");
          same(seen.length, expected, "rows");
        }
    },
  );

  for (const count of [1023, 1024, 1025, 2048]) {
    test(`ends after ${count} rows`, puts(a, numberedRows(count)), async (reader) => {
      sameRows(await drain(reader.scan(a)), numberedRows(count), "all rows");
      const limited = await drain(reader.scan(a, {}, { limit: count, reverse: true }));
      sameRows(limited, numberedRows(count).toReversed(), "all rows, reverse, with a limit");
    });
  }

  test("scans 10,000 rows", puts(a, numberedRows(10_000)), async (reader) => {
    sameRows(await drain(reader.scan(a)), numberedRows(10_000), "all rows");
  });

  test("gives keys only, with empty values", puts(a, numberedRows(1500)), async (reader) => {
    const wanted = numberedRows(1500).map(({ key }) => ({ key, value: EMPTY }));
    sameRows(await drain(reader.scan(a, {}, { keysOnly: true })), wanted, "keys only");
    const keys = await reader.scan(a, {}, { limit: 1100 }).keys().toArray();
    sameRows(
      keys.map((key) => ({ key, value: EMPTY })),
      wanted.slice(0, 1100),
      "keys()",
    );
  });

  test("can be left early, again and again", puts(a, numberedRows(5000)), async (reader) => {
    for (let round = 0; round < 20; round++) {
      for await (const { key } of reader.scan(a)) {
        if (compareBytes(key, numberKey(round * 100)) >= 0) break;
      }
      for await (const chunk of reader.scan(a).chunks()) {
        same(chunk.length > 0, true, "a chunk has rows");
        break;
      }
    }
  });

  test("can be left before it began", puts(a, numberedRows(10)), async (reader) => {
    await reader.scan(a).chunks().return?.();
    await reader.scan(a)[Symbol.asyncIterator]().return?.();
    reader.scan(a);
  });

  test("ends for good", puts(a, numberedRows(2)), async (reader) => {
    const rows = reader.scan(a)[Symbol.asyncIterator]();
    for (const done of [false, false, true, true]) same((await rows.next()).done ?? false, done, "the end");
  });

  test(
    "answers several next() that are asked for at once, in order",
    puts(a, numberedRows(1030)),
    async (reader) => {
      const rows = reader.scan(a)[Symbol.asyncIterator]();
      const found = await Promise.all(Array.from({ length: 1031 }, () => rows.next()));
      same(found[1030]?.done, true, "the end");
      for (const [at, { key }] of numberedRows(1030).entries())
        sameBytes(found[at]?.value?.key, key, `row ${at}`);
    },
  );

  test("serves two scans at once", puts(a, numberedRows(3000)), async (reader) => {
    const up = reader.scan(a)[Symbol.asyncIterator]();
    const down = reader.scan(a, {}, { reverse: true })[Symbol.asyncIterator]();
    for (let at = 0; at < 3000; at++) {
      sameBytes((await up.next()).value?.key, numberKey(at), "ascending");
      sameBytes((await down.next()).value?.key, numberKey(2999 - at), "descending");
    }
    same((await up.next()).done, true, "the end of the ascending scan");
    same((await down.next()).done, true, "the end of the descending scan");
  });

  test("can be iterated once", puts(a, numberedRows(2)), async (reader) => {
    const scan = reader.scan(a);
    await drain(scan);
    await rejects(() => drain(scan), "INVALID_ARGUMENT", "a second iteration");
    sameRows(await reader.scan(a).toArray(), numberedRows(2), "as an array");
    const begun = reader.scan(a);
    const rows = begun[Symbol.asyncIterator]();
    await rejects(() => begun.chunks(), "INVALID_ARGUMENT", "chunks of a scan that gives rows");
    await rejects(() => begun.toArray(), "INVALID_ARGUMENT", "an array of it");
    await rejects(() => begun[Symbol.asyncIterator](), "INVALID_ARGUMENT", "rows of it once more");
    sameBytes((await rows.next()).value?.key, numberKey(0), "the first iteration goes on");
  });

  for (const reverse of [false, true])
    test(
      `hands out rows that may be changed without changing the store${reverse ? ", in reverse" : ""}`,
      puts(a, numberedRows(3000)),
      async (reader) => {
        const wanted = reverse ? numberedRows(3000).toReversed() : numberedRows(3000);
        // Several rounds, because an engine may cache rows that are scanned again.
        for (let round = 0; round < 5; round++) {
          let at = 0;
          for await (const chunk of reader.scan(a, {}, { reverse }).chunks()) {
            sameRows(chunk, wanted.slice(at, at + chunk.length), `round ${round}, from row ${at}`);
            at += chunk.length;
            for (const { key, value } of chunk)
              for (const given of [key, value]) given.fill(reverse ? 0 : 0xff);
          }
          same(at, wanted.length, "number of rows");
        }
        sameBytes(await reader.get(a, numberKey(7)), utf8("value 7"), "the value");
      },
    );

  test("copies its bounds", edges, async (reader) => {
    const from = bytes(0x80);
    const scan = reader.scan(a, { gte: from });
    from.fill(0);
    sameRows(await drain(scan), expected({ gte: bytes(0x80) }, {}), "from 80");
  });
};

/** The result of a scan of the edge rows. */
function expected({ gte: from, lt: to }: ByteRange, { reverse, limit }: ScanOptions): RawRow[] {
  const rows = EDGES.filter(
    ({ key }) =>
      (from === undefined || compareBytes(key, from) >= 0) && (to === undefined || compareBytes(key, to) < 0),
  );
  return (reverse === true ? rows.toReversed() : rows).slice(0, limit);
}
