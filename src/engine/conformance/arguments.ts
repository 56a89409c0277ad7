import type { Bounds, Engine } from "../engine.js";
import { rejects, same, sameRows } from "./assert.js";
import {
  bytes,
  columnsOf,
  drain,
  type EngineBehaviour,
  numberedRows,
  numberKey,
  puts,
  type ReaderBehaviour,
} from "./suite.js";

/** Values that are no byte arrays, but that a native engine might treat as bytes, or read beyond. */
const NOT_BYTES: unknown[] = [
  undefined,
  null,
  "text",
  7,
  [1, 2],
  {},
  new ArrayBuffer(4),
  new Uint16Array(2),
  new DataView(new ArrayBuffer(2)),
];

export const readerArgumentsBehaviour: ReaderBehaviour = (test, factory) => {
  const [a] = columnsOf(factory);
  const key = numberKey(0);

  test("names the column families that there are when one is unknown", [], async (reader) => {
    const calls: Record<string, () => unknown> = {
      get: () => reader.get("nowhere", key),
      getMany: () => reader.getMany("nowhere", [key]),
      "getMany of nothing": () => reader.getMany("nowhere", []),
      scan: () => drain(reader.scan("nowhere")),
      "scan of nothing": () => drain(reader.scan("nowhere", {}, { limit: 0 })),
    };
    for (const [name, call] of Object.entries(calls)) await namesColumns(call, columnsOf(factory), name);
  });

  test("refuses keys and bounds that are not bytes", puts(a, numberedRows(3)), async (reader) => {
    for (const wrong of NOT_BYTES as Uint8Array[]) {
      await rejects(() => reader.get(a, wrong), "INVALID_ARGUMENT", `get ${typeof wrong}`);
      await rejects(() => reader.getMany(a, [key, wrong]), "INVALID_ARGUMENT", `getMany ${typeof wrong}`);
      if (wrong === undefined) continue;
      for (const range of [{ gt: wrong }, { gte: wrong }, { lt: wrong }, { lte: wrong }] as Bounds[])
        await rejects(() => drain(reader.scan(a, range)), "INVALID_ARGUMENT", `scan ${typeof wrong}`);
    }
    for (const keys of [key, undefined, null] as unknown as Uint8Array[][])
      await rejects(() => reader.getMany(a, keys), "INVALID_ARGUMENT", "getMany of no array");
    sameRows(await drain(reader.scan(a)), numberedRows(3), "the rows");
  });

  test("refuses a limit that is not a whole number from 0", puts(a, numberedRows(3)), async (reader) => {
    for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "3", null, 2n] as number[]) {
      await rejects(() => drain(reader.scan(a, {}, { limit })), "INVALID_ARGUMENT", `limit ${String(limit)}`);
    }
  });
};

export const argumentsBehaviour: EngineBehaviour = (test, factory) => {
  const [a] = columnsOf(factory);
  const key = numberKey(0);

  test("names the column families when that of a write or a size is unknown", [], async (engine) => {
    const size = () => engine.approximateSize("nowhere");
    await namesColumns(size, columnsOf(factory), "approximateSize");
    const write = () => engine.write([{ type: "delete", column: "nowhere", key }]);
    if (factory.writable) await namesColumns(write, columnsOf(factory), "write");
  });

  test("refuses bounds of a size that are not bytes", [], async (engine) => {
    for (const wrong of NOT_BYTES.slice(1) as Uint8Array[]) {
      for (const range of [{ gt: wrong }, { gte: wrong }, { lt: wrong }, { lte: wrong }] as Bounds[])
        await rejects(() => engine.approximateSize(a, range), "INVALID_ARGUMENT", `size ${typeof wrong}`);
    }
  });

  if (!factory.writable) {
    test("refuses to write, and changes nothing", puts(a, numberedRows(3)), async (engine) => {
      const calls: Record<string, () => unknown> = {
        put: () => engine.write([{ type: "put", column: a, key, value: key }]),
        delete: () => engine.write([{ type: "delete", column: a, key }]),
        "write of nothing": () => engine.write([]),
        flush: () => engine.flush(),
      };
      for (const [name, call] of Object.entries(calls)) await rejects(call, "READ_ONLY", name);
      sameRows(await drain(engine.scan(a)), numberedRows(3), "the rows");
    });
    return;
  }

  test("refuses to write what is not bytes", [], async (engine) => {
    const write = (operation: unknown) => engine.write([operation] as Parameters<Engine["write"]>[0]);
    for (const wrong of NOT_BYTES) {
      const operations = [
        { type: "put", column: a, key: wrong, value: key },
        { type: "put", column: a, key, value: wrong },
        { type: "delete", column: a, key: wrong },
        { type: "deleteRange", column: a, gte: wrong, lt: bytes(9) },
        { type: "deleteRange", column: a, gte: key, lt: wrong },
      ];
      for (const operation of operations) {
        await rejects(() => write(operation), "INVALID_ARGUMENT", `${operation.type} of ${typeof wrong}`);
      }
    }
    for (const wrong of [undefined, null, {}, { type: "merge", column: a, key }]) {
      await rejects(() => write(wrong), "INVALID_ARGUMENT", "no operation");
    }
    await rejects(() => engine.write({} as []), "INVALID_ARGUMENT", "no array");
    sameRows(await drain(engine.scan(a)), [], "nothing was written");
  });
};

/** Fails unless a call is refused with an error that names these column families and the unknown one. */
async function namesColumns(call: () => unknown, columns: readonly string[], what: string): Promise<void> {
  const message = await rejects(call, "UNKNOWN_COLUMN_FAMILY", what);
  for (const part of ["nowhere", ...columns]) same(message.includes(part), true, `${message} names ${part}`);
}
