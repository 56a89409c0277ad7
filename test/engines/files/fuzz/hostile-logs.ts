/** Write batches and version edits that no writer writes, in well-sealed logs. */

import { concatAll } from "../../../../src/bytes/concat.js";
import { hostileNumbers, internalKey, join, prefixed, toBytes, u32, u64, varint } from "./byte-writer.js";
import { database, type Hostile, LOG, MANIFEST } from "./databases.js";
import { batch, change, edit, log, physical } from "./logs.js";
import { dataBlock, table } from "./tables.js";

const put = change.put(1, "key100", "value");

/** Batches with wrong numbers. */
export function* batches(): Generator<Hostile> {
  const withBatches = (name: string, ...batches: Uint8Array[]): Hostile => ({
    name,
    files: database({ batches: [batch(1, 1, put), ...batches, batch(50, 1, put)] }),
  });
  for (const number of hostileNumbers) {
    const sequence = number % 2n ** 64n;
    yield withBatches(`sequence number ${sequence}`, batch(sequence, 1, put));
    yield withBatches(
      `sequence number ${sequence} and a range`,
      batch(sequence, 1, change.deleteRange(1, "a", "z")),
    );
    yield withBatches(`${number} changes`, batch(2, Number(number % 2n ** 32n), put));
    yield withBatches(`family ${number}`, batch(2, 1, change.put(number, "key", "value")));
    for (let tag = 0; tag < 26; tag++) {
      const name = `tag ${tag} with length ${number}`;
      yield withBatches(name, batch(2, 1, Uint8Array.of(tag), varint(number), "key101", "value"));
      yield withBatches(`${name} in family 1`, batch(2, 1, Uint8Array.of(tag, 1), varint(number), "key101"));
    }
  }
  for (let tag = 0; tag < 256; tag++)
    yield withBatches(`tag ${tag}`, batch(2, 1, Uint8Array.of(tag), prefixed("key"), prefixed("")));
  yield withBatches("a range that ends before it begins", batch(2, 1, change.deleteRange(1, "z", "a")));
  yield withBatches("numbers that go back", batch(500, 1, put), batch(2, 1, put));
  yield withBatches("nothing", new Uint8Array(0));
  yield withBatches("many changes", batch(2, 40_000, ...new Array(40_000).fill(Uint8Array.of(0, 0))));
}

/** Physical records out of order, of all types. */
export function* records(): Generator<Hostile> {
  const whole = physical(1, batch(1, 1, put));
  const withLog = (name: string, parts: Uint8Array[]): Hostile => ({
    name,
    files: database({ log: concatAll(parts) }),
  });
  const withManifest = (name: string, parts: Uint8Array[]): Hostile => {
    const files = new Map(database({}));
    files.set(MANIFEST, concatAll([files.get(MANIFEST) as Uint8Array, concatAll(parts)]));
    return { name: `MANIFEST: ${name}`, files };
  };
  for (let type = 0; type < 256; type++) {
    for (const payload of [new Uint8Array(0), u32(0), u32(7), batch(2, 1, put)]) {
      const record = physical(type, payload);
      const name = `type ${type} with ${payload.length} bytes`;
      yield withLog(name, [record]);
      yield withLog(`${name} after another`, [whole, record]);
      yield withLog(`${name} between parts`, [physical(2, whole), record, physical(4, whole)]);
      yield withManifest(name, [record]);
    }
  }
  const parts = Array.from({ length: 150_000 }, () => physical(3, new Uint8Array(0)));
  for (const length of [5, 20]) {
    yield withLog(`${length} bytes of a record`, [whole, whole.subarray(0, length)]);
    yield withManifest(`${length} bytes of a record`, [whole.subarray(0, length)]);
  }
  yield withLog(
    "a record of many parts",
    inBlocks([physical(2, batch(1, 1, put)), ...parts, physical(4, u32(0))]),
  );
  yield withManifest(
    "a record of many parts",
    inBlocks([physical(2, u32(0)), ...parts, physical(4, u32(0))]),
  );
}

/** Small records with the padding that blocks need. */
function inBlocks(records: readonly Uint8Array[]): Uint8Array[] {
  let at = 0;
  return records.flatMap((record) => {
    const left = 32_768 - (at % 32_768);
    const padding = left < record.length ? [new Uint8Array(left)] : [];
    at += record.length + (padding[0]?.length ?? 0);
    return [...padding, record];
  });
}

/** Version edits with impossible numbers, names and orders. */
export function* edits(): Generator<Hostile> {
  const bytes = table({ data: [{ contents: dataBlock(["key100", "key101"], 5) }] });
  const withEdits = (name: string, ...edits: Uint8Array[]): Hostile => ({
    name,
    files: database({ tables: [{ bytes }], batches: [batch(1, 1, put)], edits }),
  });
  const file = { level: 0, number: 10, size: bytes.length };
  const inA = (...fields: Uint8Array[]) => join(edit.column(1), ...fields);
  for (const number of hostileNumbers) {
    for (const field of ["level", "number", "size", "smallestSequence", "largestSequence"] as const) {
      yield withEdits(`a file with ${field} ${number}`, inA(edit.newFile({ ...file, [field]: number })));
      yield withEdits(
        `a file more with ${field} ${number}`,
        inA(edit.newFile({ ...file, number: 11, [field]: number })),
      );
    }
    const sequence = number % 2n ** 56n;
    for (const [smallest, largest] of [
      [internalKey("key100", sequence, 1), internalKey("key101", 5, 1)],
      [internalKey("key102", sequence, 15), internalKey("key101", sequence, 15)],
      [internalKey("", sequence, 255), internalKey("", 0, 0)],
    ] as const) {
      yield withEdits(`bounds with ${number}`, inA(edit.newFile({ ...file, smallest, largest })));
    }
    for (const name of ["logNumber", "nextFile", "lastSequence", "column", "remaining"] as const) {
      yield withEdits(`${name} ${number}`, edit[name](number));
      yield withEdits(`${name} ${number} in a`, inA(edit[name](number)));
    }
    yield withEdits(`family ${number} more`, join(edit.column(number), edit.add("c")));
    yield withEdits(`family ${number} dropped`, join(edit.column(number), edit.drop()));
    yield withEdits(`a file ${number} deleted`, inA(edit.deletedFile(number, number)));
    for (let tag = 1; tag < 80; tag++) {
      yield withEdits(
        `a file with field ${tag} of ${number}`,
        inA(edit.newFile({ ...file, fields: [join(varint(tag), prefixed(varint(number)))] })),
      );
    }
  }
  for (let tag = 0; tag < 512; tag++) {
    yield withEdits(`tag ${tag}`, varint(tag));
    yield withEdits(`tag ${tag} with numbers`, join(varint(tag), Uint8Array.of(1, 1, 1, 1, 0, 0, 0, 0)));
  }
  for (const tag of hostileNumbers) yield withEdits(`tag ${tag}`, join(varint(tag), prefixed("x")));
  for (const name of ["", "__proto__", "constructor", "a", "b", "default", "\0", "x".repeat(100_000)]) {
    yield withEdits(`family ${name.slice(0, 20)}`, join(edit.column(7), edit.add(name)));
    yield withEdits(`family ${name.slice(0, 20)} twice`, join(edit.column(1), edit.add(name)));
    yield withEdits(`order ${name.slice(0, 20)}`, edit.comparator(name));
  }
  yield withEdits("default dropped", join(edit.column(0), edit.drop()));
  yield withEdits(
    "many families",
    ...Array.from({ length: 3_000 }, (_, at) => join(edit.column(9 + at), edit.add(`f${at}`))),
  );
  yield withEdits("many edits", ...Array.from({ length: 30_000 }, () => new Uint8Array(0)));
}

/** CURRENT and OPTIONS with other content. */
export function* texts(): Generator<Hostile> {
  const long = 200_000;
  for (const current of [
    "",
    "\n",
    "MANIFEST-000006",
    "MANIFEST-4\n",
    "../x\n",
    `${MANIFEST}\n\n`,
    "M".repeat(long),
    `${LOG}\n`,
  ]) {
    yield { name: `CURRENT ${current.slice(0, 20)}`, files: database({ current }) };
  }
  const head = '[CFOptions "a"]';
  const texts = ["", head, '[CFOptions "', `${head}${" ".repeat(long)}x`, `${head}${"\n".repeat(long)}x`];
  texts.push('"]'.repeat(long), `[CFOptions "${'"] '.repeat(long)}x`, `${'[CFOptions "\n'.repeat(long / 4)}`);
  texts.push(`[CFOptions "${"\\".repeat(long)}"]`, `${`${head}\n`.repeat(long / 10)}`, '[CFOptions "c"]\n');
  for (const options of texts)
    yield { name: `OPTIONS ${options.slice(0, 20)}`, files: database({ options }) };
  const bytes = Uint8Array.from({ length: 10_000 }, (_, at) => at % 256);
  yield { name: "OPTIONS of bytes", files: database({ options: bytes }) };
  yield { name: "CURRENT of bytes", files: database({ current: bytes }) };
  yield { name: "a log of bytes", files: database({ log: bytes }) };
  yield { name: "an empty record", files: database({ log: log([new Uint8Array(0), u64(1), toBytes("x")]) }) };
}
