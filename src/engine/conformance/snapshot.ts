import { rejects, sameBytes, sameRows } from "./assert.js";
import { columnsOf, drain, type EngineBehaviour, numberedRows, numberKey, put, puts, utf8 } from "./suite.js";

export const snapshotBehaviour: EngineBehaviour = (test, factory) => {
  const columns = columnsOf(factory);
  const [a] = columns;
  const key = numberKey(0);
  const rows = columns.flatMap((column) => puts(column, numberedRows(2000)));

  test("reads through a snapshot", rows, async (engine) => {
    const snapshot = await engine.snapshot();
    sameBytes(await snapshot.get(a, numberKey(7)), utf8("value 7"), "get");
    sameBytes((await snapshot.getMany(a, [numberKey(9), numberKey(9999)]))[0], utf8("value 9"), "getMany");
    sameRows(await drain(snapshot.scan(a)), numberedRows(2000), "scan");
    sameRows(
      await drain(snapshot.scan(a, {}, { limit: 1, reverse: true })),
      numberedRows(2000).slice(-1),
      "reverse",
    );
    await rejects(() => snapshot.get("nowhere", key), "UNKNOWN_COLUMN_FAMILY", "an unknown column family");
    await snapshot.close();
  });

  test("refuses a snapshot after its close, which may be called twice", rows, async (engine) => {
    const snapshot = await engine.snapshot();
    const scan = snapshot.scan(a);
    const started = snapshot.scan(a).chunks();
    await started.next();
    await snapshot.close();
    await snapshot.close();
    await rejects(() => snapshot.get(a, key), "CLOSED", "get");
    await rejects(() => snapshot.getMany(a, [key]), "CLOSED", "getMany");
    await rejects(() => drain(snapshot.scan(a)), "CLOSED", "scan");
    await rejects(() => drain(scan), "CLOSED", "a scan from before");
    await rejects(() => started.next(), "CLOSED", "a scan under way");
    sameBytes(await engine.get(a, key), utf8("value 0"), "the engine goes on");
  });

  test("closes snapshots with the engine", rows, async (engine) => {
    const snapshot = await engine.snapshot();
    await engine.close();
    await rejects(() => snapshot.get(a, key), "CLOSED", "get");
    await snapshot.close();
  });

  if (!factory.writable) return;

  test("sees one moment in all column families", rows, async (engine) => {
    const added = numberKey(9999);
    const early = await engine.snapshot();
    await engine.write(
      columns.flatMap((column) => [put(column, key, utf8("new")), put(column, added, utf8("added"))]),
    );
    const late = await engine.snapshot();
    await engine.write([{ type: "deleteRange", column: a, gte: key, lt: numberKey(5000) }]);
    for (const column of columns) {
      sameBytes(await early.get(column, key), utf8("value 0"), `early, ${column}`);
      sameBytes(await early.get(column, added), undefined, `early, added to ${column}`);
      sameBytes(await late.get(column, key), utf8("new"), `late, ${column}`);
      sameBytes(await late.get(column, added), utf8("added"), `late, added to ${column}`);
    }
    sameRows(await drain(early.scan(a)), numberedRows(2000), "early scan");
    sameRows(await drain(engine.scan(a)), [{ key: added, value: utf8("added") }], "the engine");
    await early.close();
    sameBytes(await late.get(a, numberKey(1999)), utf8("value 1999"), "late, after the early one is closed");
    await late.close();
  });

  test("is taken at the moment of the call", rows, async (engine) => {
    const snapshots: ReturnType<typeof engine.snapshot>[] = [];
    for (let at = 0; at < 5; at++) {
      await engine.write(columns.map((column) => put(column, key, utf8(`${at}`))));
      snapshots.push(engine.snapshot());
    }
    for (const [at, opening] of snapshots.entries()) {
      const snapshot = await opening;
      for (const column of columns)
        sameBytes(await snapshot.get(column, key), utf8(`${at}`), `${column} in snapshot ${at}`);
      await snapshot.close();
    }
  });
};
