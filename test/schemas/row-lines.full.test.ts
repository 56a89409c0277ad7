/** A row as a line of text is its JSON form, whatever its bytes are. */
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { toJsonLine } from "../../src/bytes/visible.js";
import { type Codec, type JsonOptions, JsonText } from "../../src/codec/index.js";
import { revisions, rowsToLines, rowToJson } from "../../src/schemas/index.js";
import { distinct, fixtureRows } from "../support/fixtures.js";
import { randomNumbers, randomValue } from "../support/random-values.js";

const decoder = new TextDecoder();

const types = revisions.flatMap((schema) =>
  Object.entries(schema.types).map(([name, codec]) => ({
    name: `${schema.name} ${name}`,
    codec: codec as Codec<unknown>,
  })),
);

const shown: readonly JsonOptions[] = [{}, { redactSecrets: true }, { base58: true }];

/** The text of a value, begun with little memory and after something else. */
function textOf(codec: Codec<unknown>, bytes: Uint8Array, options: JsonOptions): string {
  const text = new JsonText(options, 1);
  text.raw("é");
  const done = codec.decodeAsText(bytes, text);
  const written = decoder.decode(text.finish());
  return done ? written : `${written} and no more`;
}

function expectedText(codec: Codec<unknown>, bytes: Uint8Array, options: JsonOptions): string {
  try {
    return `é${toJsonLine(codec.toJson(codec.decode(bytes), options))}`;
  } catch {
    return "é and no more";
  }
}

it.each(types)("the text of a $name is its JSON form, also of bytes that are changed", ({ codec }) => {
  const random = randomNumbers(20_261_121);
  const found: string[] = [];
  const expected: string[] = [];
  for (let run = 0; run < 25; run++) {
    const bytes = codec.encode(randomValue(codec, random)).slice();
    const changed = bytes.slice();
    if (bytes.length > 0) changed[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    const cut = bytes.subarray(0, Math.floor(random() * bytes.length));
    for (const given of [bytes, changed, cut, Uint8Array.of(...bytes, 0)])
      for (const options of shown) {
        found.push(textOf(codec, given, options));
        expected.push(expectedText(codec, given, options));
      }
  }
  expect(found).toEqual(expected);
});

describe.each(distinct)("$name", ({ name, schema }) => {
  it.each([{}, { revealSecrets: true }, { revealSecrets: true, base58: true }])(
    "rows are the same as lines: %o",
    (options) => {
      const found: string[] = [];
      const expected: string[] = [];
      for (const { column, key, value } of fixtureRows(name)) {
        const whole = { key: fromHex(key), value: fromHex(value) };
        // Most values do not decode without their first byte, and some keys without it are of no kind.
        const rows = [
          whole,
          { ...whole, value: whole.value.subarray(1) },
          { ...whole, key: whole.key.subarray(1) },
        ];
        found.push(decoder.decode(rowsToLines(schema, column, rows, options).text));
        expected.push(rows.map((row) => `${toJsonLine(rowToJson(schema, column, row, options))}\n`).join(""));
      }
      expect(found).toEqual(expected);
    },
  );
});
