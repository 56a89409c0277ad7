/** Tables of level 0 in a database that RocksDB repaired: they hold the same entries, and have no order in time. */

import { expect, it } from "vitest";
import { openFiles } from "../../../src/engines/files/index.js";
import { rejection } from "../../support/rejection.js";
import { internalKey } from "./fuzz/byte-writer.js";
import { database } from "./fuzz/databases.js";
import { block, dataBlock, handle, table } from "./fuzz/tables.js";
import { MemoryFiles } from "./memory-files.js";

const keys = Array.from({ length: 20 }, (_, at) => `key${100 + at}`);
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

/** A table of all keys in two blocks; the first block has `first` of them. */
const tableOf = (first: number) =>
  table({
    data: [keys.slice(0, first), keys.slice(first)].map((part) => ({ contents: dataBlock(part, 7) })),
    index: (places) =>
      block(
        places.map(({ offset, size }, at) => ({
          key: at === 0 ? (keys[first - 1] as string) : "key119",
          value: handle(offset, size),
        })),
      ),
  });

it("are refused by name when one deletes ranges, unless they were written one after another", async () => {
  const rangeDeletions = block([{ key: internalKey("key105", 5, 15), value: "key112" }]);
  const open = (smallestSequence: number, largestSequence: number) => {
    const deleting = { bytes: table({ data: [{ contents: dataBlock(keys, 5) }], rangeDeletions }) };
    return openFiles(
      new MemoryFiles(
        database({
          tables: [
            { ...deleting, smallestSequence: 5, largestSequence: 6 },
            { bytes: tableOf(10), smallestSequence, largestSequence },
          ],
        }),
        true,
      ),
    );
  };
  await rejection(open(4, 7), "FORMAT_UNSUPPORTED");
  await using engine = await open(7, 7);
  expect(await engine.getMany("a", [])).toEqual([]);
});

it.each([
  [10, 10],
  [10, 10, 10],
  [1, 19],
  [19, 7, 1],
])("are read once, forward, backward and key by key: %s, %s", async (...firsts) => {
  const files = database({ tables: firsts.map((first) => ({ bytes: tableOf(first) })) });
  await using engine = await openFiles(new MemoryFiles(files, true));
  for (const reverse of [false, true]) {
    const found: string[] = [];
    for await (const { key, value } of engine.scan("a", {}, { reverse })) found.push(text(key) + text(value));
    const wanted = keys.map((key) => `${key}value of ${key}`);
    expect(found).toEqual(reverse ? wanted.reverse() : wanted);
  }
  const values = await engine.getMany(
    "a",
    keys.map((key) => new TextEncoder().encode(key)),
  );
  expect(values.map(text)).toEqual(keys.map((key) => `value of ${key}`));
});
