import type { Engine } from "../engine.js";
import { rejects, same, sameRows } from "./assert.js";
import {
  columnsOf,
  drain,
  type EngineBehaviour,
  numberedRows,
  numberKey,
  put,
  puts,
  type ReaderBehaviour,
} from "./suite.js";

export const readerLifecycleBehaviour: ReaderBehaviour = (test, factory) => {
  const [a] = columnsOf(factory);
  const key = numberKey(0);
  const rows = puts(a, numberedRows(5000));

  test("refuses every read after close, which may be called twice", rows, async (reader) => {
    const scan = reader.scan(a);
    const started = reader.scan(a)[Symbol.asyncIterator]();
    await started.next();
    same(reader.isClosed, false, "isClosed before");
    const closing = [reader.close(), reader.close()];
    same(reader.isClosed, true, "isClosed at once");
    await rejects(() => started.next(), "CLOSED", "a scan under way, at once");
    await Promise.all(closing);
    await reader.close();
    same(reader.isClosed, true, "isClosed");
    const calls: Record<string, () => unknown> = {
      get: () => reader.get(a, key),
      getMany: () => reader.getMany(a, [key]),
      "getMany of nothing": () => reader.getMany(a, []),
      scan: () => drain(reader.scan(a)),
      "a scan from before": () => drain(scan),
      "a scan under way": () => started.next(),
    };
    for (const [name, call] of Object.entries(calls)) await rejects(call, "CLOSED", name);
  });

  test("closes while a scan is under way, whose pending next() is refused", rows, async (reader) => {
    const chunks = reader.scan(a).chunks();
    await chunks.next();
    const pending = chunks.next();
    const refused = rejects(() => pending, "CLOSED", "the pending next()");
    await reader.close();
    await refused;
    same((await chunks.next()).done, true, "the scan is over");
  });

  test("closes while a scan is opening", rows, async (reader) => {
    const pending = reader.scan(a).chunks().next();
    const refused = rejects(() => pending, "CLOSED", "the pending next()");
    await reader.close();
    await refused;
  });
};

export const lifecycleBehaviour: EngineBehaviour = (test, factory) => {
  const columns = columnsOf(factory);
  const [a] = columns;
  const key = numberKey(0);

  test("declares what it can do", [], async (engine) => {
    same(typeof engine.capabilities.engine, "string", "its name");
    same(engine.capabilities.writable, factory.writable, "writable");
    const { writable, persistent, syncedWrites } = engine.capabilities;
    same(typeof syncedWrites, "boolean", "type of syncedWrites");
    const { changes = false } = engine.capabilities;
    if (changes) same([typeof engine.changes, typeof engine.sequence].join(), "function,number", "changes");
    if (syncedWrites) same(writable && persistent, true, "what is synced is written and persistent");
    same(engine.warnings.length, 0, "number of warnings");
  });

  test("refuses every other call after close", [], async (engine) => {
    await Promise.all([engine.close(), engine.close()]);
    await engine.close();
    const calls: Record<string, () => unknown> = {
      write: () => engine.write([put(a, key, key)]),
      "write of nothing": () => engine.write([]),
      snapshot: () => engine.snapshot(),
      approximateSize: () => engine.approximateSize(a),
      flush: () => engine.flush(),
    };
    for (const [name, call] of Object.entries(calls)) await rejects(call, "CLOSED", name);
    if (engine.unflushed !== undefined)
      await rejects(async () => engine.unflushed?.(a), "CLOSED", "unflushed");
  });

  test("can be disposed of", [], async (engine) => {
    await engine[Symbol.asyncDispose]();
    await rejects(() => engine.get(a, key), "CLOSED", "get");
  });

  if (!factory.writable) return;

  test("waits for writes and reads under way", [], async (engine) => {
    const writing = Array.from({ length: 20 }, (_, at) => engine.write([put(a, numberKey(at), key)]));
    const reading = engine.get(a, numberKey(0));
    await engine.close();
    await Promise.all([...writing, reading]);
  });

  const { reopen } = factory;
  if (reopen === undefined) return;

  test("keeps its rows over a close, flushed or not, synced or not", [], async (engine) => {
    for (const column of columns) await engine.write(puts(column, numberedRows(1500)));
    await engine.flush();
    for (const column of columns) {
      await engine.write([
        put(column, numberKey(0), numberKey(1)),
        { type: "delete", column, key: numberKey(1) },
      ]);
      await engine.write([put(column, numberKey(1500), numberKey(2))], { sync: true });
    }
    same(engine.capabilities.persistent, true, "persistent");
    await engine.close();
    let again: Engine | undefined;
    try {
      again = await reopen.call(factory, engine);
      same(again.columns.join(), engine.columns.join(), "the column families");
      const wanted = numberedRows(1500).filter((_, at) => at !== 1);
      wanted[0] = { key: numberKey(0), value: numberKey(1) };
      wanted.push({ key: numberKey(1500), value: numberKey(2) });
      for (const column of columns) sameRows(await drain(again.scan(column)), wanted, column);
    } finally {
      await again?.close();
    }
  });
};
