import type { ByteRange, Engine } from "../engine.js";
import { rejects, same, sameRows } from "./assert.js";
import { type Behaviour, bytes, columnsOf, drain, numberedRows, numberKey, puts } from "./suite.js";

/** What is not bytes, and what a native engine would take for bytes or read past. */
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

export const argumentsBehaviour: Behaviour = (test, factory) => {
  const [a] = columnsOf(factory);
  const key = numberKey(0);

  test("names the column families that there are when one is unknown", [], async (engine) => {
    const calls: Record<string, () => unknown> = {
      get: () => engine.get("nowhere", key),
      getMany: () => engine.getMany("nowhere", [key]),
      "getMany of nothing": () => engine.getMany("nowhere", []),
      scan: () => drain(engine.scan("nowhere")),
      "scan of nothing": () => drain(engine.scan("nowhere", {}, { limit: 0 })),
      approximateSize: () => engine.approximateSize("nowhere"),
    };
    if (factory.writable) calls.write = () => engine.write([{ type: "delete", column: "nowhere", key }]);
    for (const [name, call] of Object.entries(calls)) {
      const message = await rejects(call, "UNKNOWN_COLUMN_FAMILY", name);
      for (const part of ["nowhere", ...columnsOf(factory)])
        same(message.includes(part), true, `${message} names ${part}`);
    }
  });

  test("refuses keys and bounds that are not bytes", puts(a, numberedRows(3)), async (engine) => {
    for (const wrong of NOT_BYTES as Uint8Array[]) {
      await rejects(() => engine.get(a, wrong), "INVALID_ARGUMENT", `get ${typeof wrong}`);
      await rejects(() => engine.getMany(a, [key, wrong]), "INVALID_ARGUMENT", `getMany ${typeof wrong}`);
      if (wrong === undefined) continue;
      for (const range of [{ from: wrong }, { to: wrong }] as ByteRange[]) {
        await rejects(() => drain(engine.scan(a, range)), "INVALID_ARGUMENT", `scan ${typeof wrong}`);
        await rejects(() => engine.approximateSize(a, range), "INVALID_ARGUMENT", `size ${typeof wrong}`);
      }
    }
    await rejects(
      () => engine.getMany(a, key as unknown as Uint8Array[]),
      "INVALID_ARGUMENT",
      "getMany of a key",
    );
    sameRows(await drain(engine.scan(a)), numberedRows(3), "the rows");
  });

  test("refuses a limit that is not a whole number from 0", puts(a, numberedRows(3)), async (engine) => {
    for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "3", null, 2n] as number[]) {
      await rejects(() => drain(engine.scan(a, {}, { limit })), "INVALID_ARGUMENT", `limit ${String(limit)}`);
    }
  });

  if (!factory.writable) return;

  test("refuses to write what is not bytes", [], async (engine) => {
    const write = (operation: unknown) => engine.write([operation] as Parameters<Engine["write"]>[0]);
    for (const wrong of NOT_BYTES) {
      const operations = [
        { type: "put", column: a, key: wrong, value: key },
        { type: "put", column: a, key, value: wrong },
        { type: "delete", column: a, key: wrong },
        { type: "deleteRange", column: a, from: wrong, to: bytes(9) },
        { type: "deleteRange", column: a, from: key, to: wrong },
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
