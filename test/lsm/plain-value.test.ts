/** Values within entries that hold more: each is the value that RocksDB returns for the row. */

import { describe, expect, it } from "vitest";
import { openFiles } from "../../src/engines/files/index.js";
import { MalformedBytes, UnsupportedFormat } from "../../src/lsm/format/byte-cursor.js";
import { EntryType } from "../../src/lsm/format/internal-key.js";
import { plainValue } from "../../src/lsm/format/plain-value.js";
import {
  type Bytes,
  internalKey,
  join,
  prefixed,
  toBytes,
  u64,
  varint,
} from "../engines/files/fuzz/byte-writer.js";
import { database } from "../engines/files/fuzz/databases.js";
import { batch } from "../engines/files/fuzz/logs.js";
import { block, table } from "../engines/files/fuzz/tables.js";
import { MemoryFiles } from "../engines/files/memory-files.js";
import { bytes } from "../engines/rocksdb/helpers.js";
import { rejection } from "../support/rejection.js";

/** An entity: version, number of columns, their names and sizes, then their values. */
function entity(columns: Readonly<Record<string, Bytes>>, version = 1): Uint8Array {
  const entries = Object.entries(columns);
  return join(
    varint(version),
    varint(entries.length),
    ...entries.flatMap(([name, value]) => [prefixed(name), varint(toBytes(value).length)]),
    ...entries.map(([, value]) => value),
  );
}

function shownOf(type: number, content: Uint8Array): string | undefined {
  const around = join("before", content, "after");
  const found = plainValue(type, around, 6, 6 + content.length);
  return found && new TextDecoder().decode(around.subarray(found.start, found.end));
}

describe("wide columns", () => {
  const value = (columns: Readonly<Record<string, Bytes>>) => shownOf(EntryType.WideColumns, entity(columns));

  it("have the value of the one without a name", () => {
    expect(value({ "": "plain" })).toBe("plain");
    expect(value({ "": "plain", colour: "red", size: "large" })).toBe("plain");
    expect(value({ "": "", colour: "red" })).toBe("");
  });

  it("have an empty value without it", () => {
    expect(value({ colour: "red", size: "large" })).toBe("");
    expect(value({})).toBe("");
  });

  it("are left to RocksDB in another version", () => {
    expect(() => shownOf(EntryType.WideColumns, entity({ "": "plain" }, 2))).toThrow(UnsupportedFormat);
  });

  it("are damaged if they are truncated anywhere", () => {
    const whole = entity({ "": "plain", colour: "red" });
    for (let length = 0; length < whole.length; length++)
      expect(() => shownOf(EntryType.WideColumns, whole.subarray(0, length))).toThrow(MalformedBytes);
    expect(() => shownOf(EntryType.WideColumns, join(whole, "x"))).toThrow(MalformedBytes);
  });
});

describe("a value with a preferred sequence number", () => {
  it("is without it", () => {
    expect(shownOf(EntryType.PreferredSequence, join("value", u64(7)))).toBe("value");
    expect(shownOf(EntryType.PreferredSequence, u64(7))).toBe("");
    expect(() => shownOf(EntryType.PreferredSequence, bytes(1, 2, 3, 4, 5, 6, 7))).toThrow(MalformedBytes);
  });
});

describe("entries of other types", () => {
  it("have no inner value", () => {
    for (const type of [0, 1, 2, 7, 15, 17, 99])
      expect(shownOf(type, entity({ "": "plain" }))).toBe(undefined);
  });
});

describe("a database", () => {
  const rows = { key100: "one", key101: "", key102: "three", key103: "four" };
  const contents: readonly (readonly [string, number, Uint8Array])[] = [
    ["key100", EntryType.WideColumns, entity({ "": "one", colour: "red" })],
    ["key101", EntryType.WideColumns, entity({ colour: "red" })],
    ["key102", EntryType.PreferredSequence, join("three", u64(1))],
    ["key103", EntryType.Value, join("four")],
  ];
  const inTable = () => {
    const entries = contents.map(([key, type, value]) => ({ key: internalKey(key, 5, type), value }));
    return database({ tables: [{ bytes: table({ data: [{ contents: block(entries) }] }) }] });
  };
  const inLog = () => {
    const tags: Readonly<Record<number, number>> = { 22: 23, 24: 25, 1: 5 };
    const changes = contents.map(([key, type, value]) =>
      join(bytes(tags[type] as number), varint(1), prefixed(key), prefixed(value)),
    );
    return database({ batches: [batch(5, changes.length, ...changes)] });
  };

  it.each([
    ["in a table", inTable],
    ["in the log", inLog],
  ])("has these rows %s", async (_, files) => {
    await using engine = await openFiles(new MemoryFiles(files(), true));
    const text = (value: Uint8Array | undefined) => value && new TextDecoder().decode(value);
    for (const reverse of [false, true]) {
      const found = await engine.scan("a", {}, { reverse }).toArray();
      expect(Object.fromEntries(found.map(({ key, value }) => [text(key), text(value)]))).toEqual(rows);
      expect(found).toHaveLength(4);
    }
    const keys = Object.keys(rows).map((key) => toBytes(key));
    expect((await engine.getMany("a", keys)).map(text)).toEqual(Object.values(rows));
  });

  it("is damaged where such an entry is", async () => {
    const cut = entity({ "": "one" }).subarray(0, 3);
    const contents = block([{ key: internalKey("key100", 5, EntryType.WideColumns), value: cut }]);
    const files = database({ tables: [{ bytes: table({ data: [{ contents }] }) }] });
    await using engine = await openFiles(new MemoryFiles(files, true));
    await rejection(engine.get("a", toBytes("key100")), "DATABASE_DAMAGED");
    await rejection(engine.scan("a").chunks().next(), "DATABASE_DAMAGED");
  });
});
