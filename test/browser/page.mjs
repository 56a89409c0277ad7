/**
 * The program of the page: opens the database that a person picks and says what is in it. What is imported is what a
 * page of one's own would import, and its bundle is what the test looks at.
 */
import { isMerostoreError, rowToJson, storeOn, toHex } from "merostore";
import { ContextMeta } from "merostore/core-0.11";
import { httpFiles, openFiles, pickedFiles } from "merostore/engine/files";

/** The form in which errors leave the page. */
function plain(error) {
  if (isMerostoreError(error)) return { name: error.name, code: error.code, message: error.message };
  return { name: "unexpected", message: String(error?.stack ?? error) };
}

async function all(scan) {
  const rows = [];
  for await (const chunk of scan.chunks()) rows.push(...chunk);
  return rows;
}

const sameBytes = (a, b) =>
  a !== undefined && a.length === b.length && a.every((byte, index) => byte === b[index]);

/** The rows of a column family as lines of JSON, and whether they are the same by key and from the last to the first. */
async function readColumn(store, name) {
  try {
    const rows = await all(store.raw.scan(name));
    const values = await store.raw.getMany(
      name,
      rows.map(({ key }) => key),
    );
    const backwards = (await all(store.raw.scan(name, {}, { reverse: true }))).reverse();
    const lines = (options) => rows.map((row) => JSON.stringify(rowToJson(store.schema, name, row, options)));
    return {
      name,
      revealed: lines({ revealSecrets: true }),
      redacted: lines({}),
      byKey: values.filter((value, index) => sameBytes(value, rows[index].value)).length,
      backwards: backwards.filter(
        (row, index) => sameBytes(row.key, rows[index]?.key ?? []) && sameBytes(row.value, rows[index].value),
      ).length,
    };
  } catch (error) {
    return { name, revealed: [], redacted: [], error: plain(error) };
  }
}

/** The number of rows of a kind, and of those that do not decode. */
async function readKind(store, { kind, key }) {
  try {
    const entries = await all(store.table(key).scan());
    return {
      kind,
      rows: entries.length,
      undecodable: entries.filter(({ error }) => error !== undefined).length,
    };
  } catch (error) {
    return { kind, rows: 0, undecodable: 0, error: plain(error) };
  }
}

/** A value with its types: the last context and its root hash. */
async function readContext(store) {
  const found = await store.table(ContextMeta).last();
  return found?.value && { contextId: toHex(found.key.contextId), rootHash: toHex(found.value.rootHash) };
}

async function read(files) {
  try {
    const store = await storeOn(await openFiles(await files()));
    const begin = performance.now();
    const kinds = [];
    for (const row of store.schema.rows) kinds.push(await readKind(store, row));
    const seconds = (performance.now() - begin) / 1000;
    const columns = [];
    for (const name of store.columns) columns.push(await readColumn(store, name));
    const context = columns.some(({ error }) => error) ? undefined : await readContext(store);
    const { warnings, schema } = store;
    await store.close();
    return { revision: schema.name, warnings, kinds, columns, context, seconds };
  } catch (error) {
    return { error: plain(error) };
  }
}

/** The rows of a database whose rows have no schema: `column key value` in hexadecimal. */
async function readRaw(files) {
  try {
    const engine = await openFiles(await files());
    const rows = [];
    for (const column of engine.columns)
      for (const { key, value } of await all(engine.scan(column)))
        rows.push(`${column} ${toHex(key)} ${toHex(value)}`);
    await engine.close();
    return { rows };
  } catch (error) {
    return { error: plain(error) };
  }
}

for (const input of document.querySelectorAll("input")) {
  input.addEventListener("change", () => {
    globalThis.readAgain = () => (globalThis.isRaw ? readRaw : read)(() => pickedFiles(input.files));
    globalThis.picked = globalThis.readAgain();
  });
}

globalThis.readUrl = (url) => read(() => httpFiles(url, { timeout: 2000 }));

/** The parts of Node that a page must not have for the test to mean something. */
globalThis.ofNode = ["process", "require", "Buffer"].filter((name) => name in globalThis);
