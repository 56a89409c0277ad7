import { toHex } from "../../bytes/hex.js";
import { size } from "../../bytes/quantity.js";
import { Column } from "../../columns/index.js";
import { invalidArgument, isMerostoreError } from "../../errors.js";
import {
  type Explanation,
  explainRow,
  explainValue,
  revisionOf,
  revisions,
  type Schema,
} from "../../schemas/index.js";
import { command, type OptionValues } from "../arguments/command.js";
import { isPlace, shownLocation } from "../arguments/location.js";
import { choice, flag, text } from "../arguments/option-kinds.js";
import { revealSecrets, revisionNames } from "../arguments/options.js";
import { keyOfZeros, parseHex } from "../arguments/parts.js";
import { fitted } from "../output/lines.js";
import { table } from "../output/table.js";
import { inline, shellWord, short } from "../output/text.js";

const options = {
  type: text("<name>", "a value of this type"),
  revision: choice("<name>", revisionNames, "instead of the newest in which the bytes decode"),
  json: flag("one JSON object for the key and one for the value"),
  revealSecrets,
};

type Options = OptionValues<typeof options>;

/**
 * Shows bytes beside fields: the key and value of a row, or a value of a named type. Status 1 if they do not decode;
 * the output has the place and the reason.
 */
export const explain = command({
  words: "explain [bytes...]",
  description: "show bytes beside fields, with offsets; where decoding stopped, and why",
  usage: "[options] COLUMN KEYHEX [VALUEHEX]\n       merostore explain [options] --type NAME HEX",
  options,
  help: `Examples:
  merostore explain Group 29fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05 04000000
  merostore explain --type UpgradePolicy 02013c0000000000000000000000
  merostore explain --type GroupMemberRole 02 --revision documented

"merostore schema" lists column families and types. No database is opened, so nothing tells whether a value of State or
Delta belongs to a private collection: such values are shown. 
Status 1 if the bytes do not decode.`,

  async run(terminal, { bytes }, options) {
    const { type } = options;
    const { revision, explanations } = explainAs(options, (schema) =>
      type === undefined ? explainWords(schema, bytes) : [explainType(schema, type, bytes)],
    );
    for (const one of explanations) {
      if (options.json) await terminal.json({ revision, ...toJson(one, options) });
      else await terminal.lines(fitted(toText(one, revision, options), terminal.width));
    }
    return decodes(explanations) ? 0 : 1;
  },
});

/** The explanation in the named revision, or in the newest revision that decodes the bytes. */
function explainAs(
  options: Options,
  explain: (schema: Schema) => Explanation[],
): { readonly revision: string; readonly explanations: readonly Explanation[] } {
  const names =
    options.revision === undefined ? revisions.map(({ name }) => name).toReversed() : [options.revision];
  const found: { readonly revision: string; readonly explanations: readonly Explanation[] }[] = [];
  let failure: unknown;
  for (const revision of names) {
    try {
      found.push({ revision, explanations: explain(revisionOf(revision) as Schema) });
    } catch (error) {
      // Another revision may have a name that this one lacks.
      if (!isMerostoreError(error, "UNKNOWN_NAME") && !isMerostoreError(error, "UNKNOWN_COLUMN_FAMILY"))
        throw error;
      failure ??= error;
    }
  }
  const best = found.find(({ explanations }) => decodes(explanations)) ?? found[0];
  if (best === undefined) throw failure;
  return best;
}

function decodes(explanations: readonly Explanation[]): boolean {
  return explanations.every(({ stopped }) => stopped === undefined);
}

function explainWords(schema: Schema, words: readonly string[]): Explanation[] {
  const [column, key, value, ...rest] = words;
  if (column !== undefined && !Object.hasOwn(Column, column) && isPlace(column))
    throw invalidArgument(
      `explain opens no database, it takes bytes: "merostore show ${shellWord(shownLocation(column))} KIND part=value --json" prints those of a row; ${USAGE}`,
    );
  if (column === undefined || key === undefined || rest.length > 0) throw invalidArgument(USAGE);
  const bytes = value === undefined ? undefined : parseHex("VALUEHEX", value);
  return explainRow(schema, column, parseHex("KEYHEX", key), bytes);
}

function explainType(schema: Schema, name: string, words: readonly string[]): Explanation {
  const [hex, ...rest] = words;
  if (hex === undefined || rest.length > 0) throw invalidArgument(USAGE);
  const value = explainValue(schema.type(name), parseHex("HEX", hex));
  // The key decides about secrets in rows of some kinds. Without a key, the value counts as secret.
  const row = schema.rows.find(({ kind }) => kind === name);
  if (row?.secret(keyOfZeros(row.key)) !== true || row.value.secret) return value;
  return { ...value, pieces: value.pieces.map((piece) => ({ ...piece, secret: true })) };
}

function toText(
  { title, bytes, pieces, stopped, canonical }: Explanation,
  revision: string,
  options: Options,
): string[] {
  const rows = pieces.map((piece) => {
    const hidden = piece.secret && !options.revealSecrets;
    const size = piece.end - piece.offset;
    const hex =
      hidden && piece.value !== undefined
        ? `${size} secret ${size === 1 ? "byte" : "bytes"}`
        : excerpt(bytes.subarray(piece.offset, piece.own));
    const value = piece.value === undefined ? "" : hidden ? "redacted" : inline(piece.value);
    return [`${piece.offset}`, `${size}`, `${"  ".repeat(piece.depth)}${piece.name}`, piece.type, value, hex];
  });
  return [
    `${title} of ${revision}, ${size(bytes.length)}`,
    ...table([["offset", "size", "field", "type", "value", "bytes"], ...rows], [0, 1]).map(
      (line) => `  ${line}`,
    ),
    ...(stopped === undefined ? [] : [`  stopped at byte ${stopped.offset}: ${stopped.reason}`]),
    ...(canonical === false
      ? ["  not canonical: the node reads these bytes, but writes this value with other bytes"]
      : []),
  ];
}

function toJson({ title, bytes, pieces, stopped, canonical }: Explanation, options: Options): object {
  return {
    title,
    size: bytes.length,
    fields: pieces.map(({ offset, end, depth, name, type, value, secret, own }) => {
      const hidden = secret && !options.revealSecrets;
      const leaf = value === undefined ? {} : { value: hidden ? "redacted" : value };
      const hex = hidden ? {} : { bytes: toHex(bytes.subarray(offset, own)) };
      return { offset, size: end - offset, depth, name, type, ...leaf, ...hex };
    }),
    ...(stopped && { stopped }),
    ...(canonical !== undefined && { canonical }),
  };
}

function excerpt(bytes: Uint8Array): string {
  return bytes.length <= 16 ? toHex(bytes) : short(toHex(bytes));
}

const USAGE = "write: explain COLUMN KEYHEX [VALUEHEX], or: explain --type NAME HEX";
