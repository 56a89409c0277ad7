/** A fault of an export is found and named, and leaves nothing behind. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { isMerostoreError } from "../../src/errors.js";
import { core010, type Schema } from "../../src/schemas/index.js";
import {
  copyDatabase,
  type ImportOptions,
  importExport,
  readExport,
  schemaOfExport,
} from "../../src/transfer/index.js";
import { fixtureLines, fixturePath } from "../support/fixtures.js";
import { folderOfEachTest } from "../support/folder-of-each-test.js";
import { exportText, partsOf, sealed, sourceOf } from "../support/transfer.js";

const folder = folderOfEachTest();

/** A small export with rows of several kinds and column families. */
let whole = "";
let head = "";
let rows: readonly string[] = [];
let tail = "";
beforeAll(async () => {
  whole = await exportText(fixturePath("core-0.10/node-a", "db"), {
    columns: ["Meta", "Config", "Identity", "Blobs", "Application", "Group"],
  });
  ({ head, rows, tail } = partsOf(whole));
});

/** The error of reading; undefined if there is none. */
async function readingFails(text: string | Uint8Array, schema?: Schema): Promise<string | undefined> {
  try {
    const reading = await readExport(sourceOf(text)());
    for await (const _ of reading.rows(schema ?? schemaOfExport(reading.header)));
    return undefined;
  } catch (error) {
    if (!isMerostoreError(error, "EXPORT_INVALID")) throw error;
    return error.message;
  }
}

/** Expects that an import fails with this error and leaves nothing behind. */
async function expectRefusal(
  text: string | Uint8Array,
  says: RegExp,
  options: ImportOptions = {},
): Promise<void> {
  const path = join(folder.path, "on", "the", "way", "db");
  await expect(importExport(sourceOf(text), path, options)).rejects.toThrow(
    expect.objectContaining({ code: "EXPORT_INVALID", message: expect.stringMatching(says) }),
  );
  expect(readdirSync(folder.path)).toEqual([]);
}

/** The lines with `remove` of them, from `at` on, replaced. */
function spliced(at: number, remove: number, ...added: readonly string[]): readonly string[] {
  return rows.toSpliced(at, remove, ...added);
}

const joined = (...lines: readonly (string | readonly string[])[]) => `${lines.flat().join("\n")}\n`;
const first = (): string => rows[0] as string;

type Case = readonly [what: string, text: () => string | Uint8Array, says: RegExp];

it("the original export is valid", async () => {
  expect(await readingFails(whole)).toBeUndefined();
  expect(sealed(head, rows)).toBe(whole);
  expect(rows.length).toBeGreaterThan(50);
});

describe("a truncated file", () => {
  it("between any two lines, or anywhere within one, is refused", async () => {
    const bytes = new TextEncoder().encode(whole);
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
    for (const end of ends.slice(0, -1)) {
      expect(await readingFails(bytes.subarray(0, end)), `after byte ${end}`).toMatch(
        /counts is missing.*truncated/,
      );
    }
    for (let end = 1; end < bytes.length; end += 997) {
      if (ends.includes(end)) continue;
      expect(await readingFails(bytes.subarray(0, end)), `after byte ${end}`).toMatch(
        /line \d+ has no end.*truncated/,
      );
    }
    expect(await readingFails(bytes.subarray(0, -1))).toMatch(/has no end/);
    expect(await readingFails("")).toMatch(/empty/);
  });

  it("leaves no database and no folder", async () => {
    const lines = whole.split(/(?<=\n)/);
    for (const count of [1, 2, lines.length >> 1, lines.length - 1]) {
      await expectRefusal(lines.slice(0, count).join(""), /counts is missing/);
    }
    for (const length of [1, 100, whole.length >> 1, whole.length - 1]) {
      await expectRefusal(whole.slice(0, length), /no end/);
    }
    await expectRefusal("", /the file is empty/);
  });
});

describe("changed lines", () => {
  it("one changed digit of any value, key or part is detected", async () => {
    for (const field of ["value", "key", "decoded", "parts"]) {
      for (const [at, line] of rows.entries()) {
        const start = line.indexOf(`"${field}":`);
        const digit = /[0-9a-f](?=[0-9a-f]*")/.exec(line.slice(start + field.length + 3));
        if (start < 0 || digit === null) continue;
        const place = start + field.length + 3 + digit.index;
        const changed = `${line.slice(0, place)}${line[place] === "1" ? "2" : "1"}${line.slice(place + 1)}`;
        const says = await readingFails(joined(head, spliced(at, 1, changed), tail));
        expect(says, `${field} of row ${at}`).toMatch(/^line \d+: /);
      }
    }
  });

  it("a missing, added, repeated or moved line is detected", async () => {
    const last = rows.length - 1;
    for (const at of [0, 1, rows.length >> 1, last]) {
      await expectRefusal(
        joined(head, spliced(at, 1), tail),
        /the file has \d+ rows, but this line counts \d+/,
      );
      await expectRefusal(joined(head, spliced(at, 0, rows[at] as string), tail), /must be in the order/);
      const swap = Math.min(at, last - 1);
      const swapped = spliced(swap, 2, rows[swap + 1] as string, rows[swap] as string);
      await expectRefusal(joined(head, swapped, tail), /must be in the order/);
      await expectRefusal(sealed(head, swapped), /must be in the order/);
    }
    const added = JSON.stringify({ column: "Group", kind: null, key: "ff", parts: null, value: "00" });
    await expectRefusal(joined(head, rows, added, tail), /lines are missing or were added/);
    await expectRefusal(
      joined(head, rows, tail, tail),
      /line \d+: the line with the counts must be the last line/,
    );
    await expectRefusal(
      joined(head, rows, tail, ""),
      /line \d+: the line with the counts must be the last line/,
    );
    await expectRefusal(joined(head, first(), "", rows.slice(1), tail), /line 3: this is not (a )?JSON/);
  });

  it("wrong counts and a wrong hash are detected", async () => {
    const right = JSON.parse(tail) as { rows: number; columns: Record<string, number>; sha256: string };
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ ...right, rows: right.rows + 1 }, /the file has \d+ rows, but this line counts \d+/],
      [{ ...right, rows: `${right.rows}` }, /counts/],
      [
        { ...right, columns: { ...right.columns, Meta: 2 } },
        /the counts of column families do not match the rows/,
      ],
      [
        { ...right, columns: { ...right.columns, State: 0 } },
        /the counts of column families do not match the rows/,
      ],
      [{ ...right, columns: null }, /the counts of column families do not match the rows/],
      [{ ...right, sha256: right.sha256.toUpperCase() }, /the hash does not match: rows were changed/],
      [{ ...right, sha256: `0${right.sha256.slice(1)}` }, /hash/],
      [{ ...right, sha256: null }, /hash/],
    ];
    for (const [trailer, says] of wrong)
      await expectRefusal(joined(head, rows, JSON.stringify(trailer)), says);
  });
});

it("accepts a file whose line ends a program has made CR LF, and still detects a change in it", async () => {
  const crlf = whole.replaceAll("\n", "\r\n");
  expect(await readingFails(crlf)).toBeUndefined();
  const other = JSON.stringify({ ...(JSON.parse(first()) as object), more: 1 });
  expect(await readingFails(crlf.replace(first(), other))).toContain(
    "the hash does not match: rows were changed",
  );
});

describe("well-formed lines with invalid content", () => {
  const changed = (fields: object) => JSON.stringify({ ...(JSON.parse(first()) as object), ...fields });

  it.each<Case>([
    ["no JSON", () => first().slice(0, -1), /line 2: this is not JSON$/],
    ["no object", () => "[]", /line 2: this is not a JSON object/],
    ["no text", () => '"text"', /line 2: this is not a JSON object/],
    ["no key", () => changed({ key: undefined }), /line 2: `key` is missing/],
    ["a key that is no hex", () => changed({ key: "0g" }), /line 2: `key` is not hex text/],
    ["half a byte", () => changed({ value: "012" }), /line 2: `value` is not hex text/],
    ["no value", () => changed({ value: undefined }), /line 2: `value` is missing/],
    ["a value that is null", () => changed({ value: null }), /line 2: `value` is missing/],
    [
      "an unknown column family",
      () => changed({ column: "Mets" }),
      /line 2: the first line does not name the column family in `column`/,
    ],
    ["no column family", () => changed({ column: 1 }), /line 2: the first line does not name/],
    [
      "another kind",
      () => changed({ kind: "GroupMeta" }),
      /line 2: `kind` is wrong: in core-0\.10 the key belongs to ContextMeta/,
    ],
    ["no kind", () => changed({ kind: null }), /the key belongs to ContextMeta/],
    [
      "a value of too many bytes",
      () => changed({ value: `${"00".repeat(200)}` }),
      /the value does not decode in core-0\.10/,
    ],
  ])("%s", async (_, line, says) => {
    await expectRefusal(joined(head, line() as string, rows.slice(1), tail), says);
  });

  it("invalid UTF-8", async () => {
    const bytes = new TextEncoder().encode(whole);
    bytes[bytes.indexOf(0x7b, head.length)] = 0xff;
    await expectRefusal(bytes, /line 2: this is not (a )?JSON/);
  });
});

it("a value that decodes only at another key is refused", async () => {
  const of = partsOf(await exportText(fixturePath("core-1.0/every-kind", "db"), { columns: ["Delta"] }));
  const compact = of.rows.find((line) => line.includes('"kind":"v1"')) as string;
  const { key, value, ...fields } = JSON.parse(compact) as { readonly key: string; readonly value: string };
  // The id of a row in Borsh comes first in its value.
  const moved = JSON.stringify({ ...fields, key: key.slice(0, 64) + value.slice(0, 64), value });
  expect(await readingFails(sealed(of.head, [compact]))).toBeUndefined();
  expect(await readingFails(sealed(of.head, [moved]))).toMatch(/the value does not decode in core-1\.0/);
});

describe("an invalid first line", () => {
  const changed = (fields: object) => JSON.stringify({ ...(JSON.parse(head) as object), ...fields });

  it.each<Case>([
    [
      "rows.jsonl of a fixture",
      () => joined(fixtureLines("core-0.10/node-b")),
      /line 1: this is not an export of merostore/,
    ],
    ["a text", () => "hello\n", /line 1: this is not (a )?JSON/],
    [
      "a database's file",
      () => readFileSync(join(fixturePath("core-0.10/tables", "db"), "CURRENT")),
      /line 1: this is not (a )?JSON/,
    ],
    [
      "another version",
      () => sealed(changed({ version: 2 }), rows),
      /the format has version 2, but only version 1 can be read/,
    ],
    [
      "no version",
      () => sealed(changed({ version: undefined }), rows),
      /the format has no version, but only/,
    ],
    [
      "no revision",
      () => sealed(changed({ revision: undefined }), rows),
      /line 1: `revision`, .* is missing/,
    ],
    [
      "a later revision",
      () => sealed(changed({ revision: "core-0.12" }), rows),
      /unknown revision "core-0\.12"/,
    ],
    [
      "several revisions, unnamed",
      () => sealed(changed({ revision: "mixed" }), rows),
      /unknown revision "mixed"/,
    ],
    [
      "several revisions, one of them later",
      () => sealed(changed({ revision: "mixed", families: { Meta: "core-0.12" } }), rows),
      /unknown revision/,
    ],
    [
      "families that are none",
      () => sealed(changed({ revision: "mixed", families: null }), rows),
      /`families`/,
    ],
    ["no columns", () => sealed(changed({ columns: undefined }), rows), /line 1: .*`columns`/],
    ["columns without a name", () => sealed(changed({ columns: ["Meta", ""] }), rows), /line 1: .*`columns`/],
    [
      "columns that are there twice",
      () => sealed(changed({ columns: [...core010.columns, "Meta"] }), rows),
      /line 1: .*`columns`/,
    ],
    [
      "a selection of one member",
      () => sealed(changed({ selection: { members: "6d" } }), rows),
      /`selection`/,
    ],
    ["members that are not ids", () => sealed(changed({ selection: { members: [5] } }), rows), /`selection`/],
    [
      "a selection without members",
      () => sealed(changed({ selection: { members: [] } }), rows),
      /`selection`/,
    ],
    ["no word about secrets", () => sealed(changed({ redacted: undefined }), rows), /line 1: .*`redacted`/],
    ["commands for a terminal", () => sealed(changed({ revision: "\u001b[2J" }), rows), /revision "\?\[2J"/],
  ])("%s", async (_, text, says) => {
    await expectRefusal(text(), says);
  });
});

describe("rows of another revision", () => {
  it("are refused if another revision is named", async () => {
    for (const schema of [core010]) {
      const newer = await exportText(fixturePath("core-0.11/node-a", "db"));
      await expectRefusal(
        newer,
        /line \d+: (in core-0\.10 this is|the value does not decode in core-0\.10)/,
        { schema },
      );
    }
    const newer = partsOf(await exportText(fixturePath("core-0.11/node-b", "db")));
    const relabelled = newer.head.replace("core-0.11", "core-0.10");
    await expectRefusal(sealed(relabelled, newer.rows), /core-0\.10/);
  });
});

describe("an export without secrets", () => {
  it("is refused, unless rows without values may be skipped", async () => {
    const text = await exportText(fixturePath("core-0.10/node-b", "db"), { revealSecrets: false });
    const all = partsOf(text).rows;
    const without = all.filter((line) => !("value" in (JSON.parse(line) as object)));
    expect(without.length).toBeGreaterThan(3);
    await expectRefusal(text, /made without secrets.*--reveal-secrets.*--without-secrets/);

    const path = join(folder.path, "db");
    const imported = await importExport(sourceOf(text), path, { withoutSecrets: true });
    expect(imported).toEqual({ rows: all.length - without.length, withoutValue: without.length });
    const back = partsOf(await exportText(path, { revealSecrets: false, schema: core010 }));
    expect(back.rows).toEqual(all.filter((line) => !without.includes(line)));
  });
});

it("an engine for a new database on a server, which is one itself", async () => {
  const copying = copyDatabase(
    fixturePath("core-0.10/node-a", "db"),
    "postgres://nobody@127.0.0.1:1/nodes?node=a",
    {
      newEngine: "rocksdb",
    },
  );
  await expect(copying).rejects.toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^newEngine is for a folder/),
    }),
  );
});
