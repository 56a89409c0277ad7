/**
 * The program of a worker that writes a database in the private file system of its site: one message is one opening of it, and its answer
 * has the rows that it then shows. What is imported is what a page of one's own would import.
 */
import { isMerostoreError, toHex } from "merostore";
import { openOriginFolder } from "merostore/engine/files";
import { batchOf, COUNT, FAMILIES, rowsAfter } from "../engines/files/batches.mjs";

const COLUMNS = ["a", "Zoë"];
const text = new TextEncoder();

async function rowsOf(engine) {
  const rows = [];
  for (const column of engine.columns)
    for await (const { key, value } of engine.scan(column))
      rows.push(`${column} ${toHex(key)} ${toHex(value)}`);
  return rows;
}

/** Batches that depend on the number of the opening: puts, deletions, and range deletions. */
async function write(engine, turn) {
  for (let batch = 0; batch < 40; batch++) {
    const operations = Array.from({ length: 25 }, (_, at) => ({
      type: "put",
      column: at % 3 === 0 ? "a" : "Zoë",
      key: text.encode(`key ${(batch * 77 + at * 13 + turn) % 900}`),
      value: new Uint8Array((at * 31) % 400).fill(turn + at),
    }));
    operations.push({ type: "delete", column: "a", key: text.encode(`key ${batch}`) });
    if (batch % 10 === 9)
      operations.push({
        type: "deleteRange",
        column: "Zoë",
        gte: text.encode("key 1"),
        lt: text.encode(`key 1${turn}`),
      });
    await engine.write(operations, { sync: batch % 5 === 0 });
  }
}

const tasks = {
  async turn({ folder, turn, flushes }) {
    const engine = await openOriginFolder(folder, turn === 0 ? { create: true, columns: COLUMNS } : {});
    const before = await rowsOf(engine);
    const snapshot = await engine.snapshot();
    await write(engine, turn);
    for (let flush = 0; flush < flushes; flush++) {
      await engine.flush();
      await engine.write([
        { type: "put", column: "a", key: text.encode(`flush ${flush}`), value: text.encode("x") },
      ]);
    }
    const kept = await rowsOf({
      columns: engine.columns,
      scan: (column) => snapshot.scan(column),
    });
    await snapshot.close();
    const rows = await rowsOf(engine);
    const { warnings } = engine;
    await engine.close();
    return { before, kept, rows, warnings };
  },
  /** Opens it twice, and creates it where it is. */
  async refused({ folder }) {
    const codes = [];
    const refusal = async (open) =>
      codes.push(
        await open().then(
          () => "opened",
          (error) => error.code ?? String(error),
        ),
      );
    const engine = await openOriginFolder(folder);
    await refusal(() => openOriginFolder(folder));
    await engine.close();
    await refusal(() => openOriginFolder(folder, { create: true, columns: [] }));
    await (await openOriginFolder(folder)).close();
    return codes;
  },
  /** Writes a batch, and ends as a closed page does. */
  async ended({ folder }) {
    const engine = await openOriginFolder(folder);
    await engine.write([{ type: "put", column: "a", key: text.encode("ended"), value: text.encode("x") }], {
      sync: true,
    });
    return await rowsOf(engine);
  },
  /** Creates it unless it is there, and writes batch after batch until the page goes. Tells when it begins, and each batch. */
  async endless({ folder, first, untilFlush }) {
    globalThis.postMessage({ acknowledged: first - 1 });
    const engine = await openEndless(folder);
    for (let number = first; ; number++) {
      const operations = batchOf(number).map((one) => ({
        ...one,
        type: one.value === undefined ? "delete" : "put",
      }));
      await engine.write(operations, { sync: number % 3 === 0 });
      globalThis.postMessage({ acknowledged: number });
      if (number % untilFlush === 0) await engine.flush();
    }
  },
  /** The number of batches in it, and a column family that is not as they left it. */
  async batches({ folder }) {
    const engine = await openEndless(folder);
    const count = await engine.get(FAMILIES[0], COUNT);
    const number = count === undefined ? 0 : new DataView(count.buffer, count.byteOffset).getUint32(0);
    const rows = await rowsOf(engine);
    const expected = FAMILIES.flatMap((column) =>
      rowsAfter(number, column).map(({ key, value }) => `${column} ${toHex(key)} ${toHex(value)}`),
    );
    await engine.close();
    return { number, rows, isWhole: JSON.stringify(rows) === JSON.stringify(expected) };
  },
};

async function openEndless(folder) {
  try {
    return await openOriginFolder(folder, { acceptLogLoss: "unfinished" });
  } catch (error) {
    if (error.code !== "NOT_A_DATABASE") throw error;
    return openOriginFolder(folder, { create: true, columns: FAMILIES });
  }
}

globalThis.onmessage = async ({ data: { task, name, ...given } }) => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(name, { create: true });
  try {
    globalThis.postMessage({ answer: await tasks[task]({ folder, ...given }) });
  } catch (error) {
    const { code } = isMerostoreError(error) ? error : {};
    globalThis.postMessage({
      error: code === undefined ? String(error?.stack ?? error) : `${code}: ${error.message}`,
    });
  }
};
