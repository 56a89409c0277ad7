import { EncodeError, type Json } from "../../codec/index.js";
import { invalidArgument, MerostoreError } from "../../errors.js";
import type { AnyKey } from "../../keys/index.js";
import { type AnyRow, checkAccepted, checkAcceptedValue } from "../../schemas/index.js";
import type { Store } from "../../store/index.js";
import { command } from "../arguments/command.js";
import { kindsOfAlias, withIds, withWholeIds } from "../arguments/ids.js";
import { text } from "../arguments/option-kinds.js";
import { dryRun, force, idLook, json, writing } from "../arguments/options.js";
import { parseHex, parseKey } from "../arguments/parts.js";
import { lookFirst, openDatabase } from "../database/database.js";
import { changeOf, printChange, remarkChange, typedWriting, warnOfSecrets } from "./change.js";
import { saidAgainst, warnOfOperations } from "./signed-rows.js";

/** Writes one row, after checking key and value against the schema. */
export const put = command({
  words: "put <db> <kind> [parts...]",
  description: "write one row, checked against the schema",
  writes: true,
  options: {
    value: text("<json>", "the value in its JSON form"),
    valueHex: text("<hex>", "the value's bytes; they must decode"),
    force,
    dryRun,
    json,
    ...writing,
    ...idLook,
  },
  help: `Stop the node first: only one process can write. The JSON form of a value is what "show --json" shows as "decoded";
a row without a value is written with null. Where the value has an id, a name or the first digits of an id will do.
Bytes of --value-hex are written as they are.

Examples:
  merostore put node/data GroupDefaultCaps groupId=HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC \\
    --value '{"capabilities":4}'
  merostore put node/data Alias aliasKind=context scope=none name=staging \\
    --value '"lobby"'
  merostore put node/data GroupContextIndex groupId=HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC \\
    contextId=DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp --value null
  merostore put node/data GroupMember groupId=HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC \\
    account=4qCxBtQDkAC6BeDiG4kPVM1t9oophm57Fd4bMwadvyko --value-hex 0100000100

The command checks key and value first: if one is wrong, it writes nothing. It shows what was there before and what is
there now, secrets redacted, and the command that undoes the change. --dry-run shows the same and writes nothing.

Members, roles, capabilities and other rows of groups follow from signed operations. A value that contradicts the
operations needs --force; a dry run without it ends with status 2, as the command would.`,

  async run(terminal, { db, kind, parts }, options) {
    const { value: text, valueHex: hex, dryRun } = options;
    if ((text === undefined) === (hex === undefined)) {
      throw invalidArgument("give the value either as --value JSON or as --value-hex HEX");
    }
    const place = { db, options: typedWriting(options) };
    const { revision, value, canonical, change, against } = await lookFirst(db, options, async (store) => {
      const { schema } = store;
      const row = schema.row(kind);
      const key = parseKey(row.key, await withWholeIds(store, row.key, parts));
      checkAccepted(row, key);
      const value =
        text === undefined ? parseHex("--value-hex", hex ?? "") : await encodeJson(store, row, key, text);
      const codec = row.valueAt(key);
      // Bytes are written unchanged, even if a node would encode the value differently.
      const decoded = codec.decode(value);
      checkAcceptedValue(row, key, decoded);
      const canonical = codec.canonical(value);
      const change = await changeOf(store, place, row, key, value);
      const against = change.same ? undefined : await saidAgainst(store, row, key, decoded);
      return { revision: schema.name, value, canonical, change, against };
    });
    const status = warnOfOperations(terminal, kind, against, options);
    warnOfSecrets(terminal, db, change, "writing over this row");
    if (!dryRun && !change.same) {
      const { row, key } = change;
      await using store = await openDatabase(terminal, db, { ...options, revision }, true);
      const operation = { type: "put", column: row.column, key: key.bytes, value } as const;
      await store.raw.write([operation], { sync: true });
    }
    await printChange(terminal, db, change, options);
    remarkChange(terminal, `wrote ${kind}`, value.length, { dryRun, same: change.same });
    if (!canonical) terminal.remark("a node reads this value, but would write it as other bytes");
    return status;
  },
});

/** The text of a value that may be the hex of its bytes. */
const HEX = /^"?(?:[0-9a-f]{2})+"?$/i;

/** Encodes a JSON form. If a row may have raw bytes or a type, an object is a value of that type. */
async function encodeJson(store: Store, row: AnyRow, key: AnyKey, text: string): Promise<Uint8Array> {
  const hint = HEX.test(text) ? "; bytes in hex: --value-hex" : "";
  const json = parseJson(text, hint);
  const held = typeof json === "object" ? row.alternativeAt(key) : undefined;
  const codec = held ?? row.valueAt(key);
  const check = (given: Json): unknown => {
    try {
      return codec.fromJson(given);
    } catch (error) {
      if (!(error instanceof EncodeError) || error.found !== "no such field") throw error;
      const { path, expected } = error;
      throw new MerostoreError("ENCODE_FAILED", `--value lacks a field; ${path}: expected ${expected}`, {
        cause: error,
      });
    }
  };
  try {
    return codec.encode(codec.fromJson(await withIds(store, json, check, kindsOfAlias(key))));
  } catch (error) {
    if (hint === "" || !(error instanceof EncodeError)) throw error;
    throw new MerostoreError(error.code, `${error.message}${hint}`, { cause: error });
  }
}

function parseJson(text: string, hint: string): Json {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (cause) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      `--value is not JSON; a text needs quotes: --value '"name"'${hint}`,
      { cause },
    );
  }
  const name = repeatedName(text);
  if (name !== undefined) throw invalidArgument(`--value has the field ${name} twice`);
  return json;
}

/** A name that an object of a JSON text has twice; `JSON.parse` would use the last one. Undefined if there is none. */
function repeatedName(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, typed, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined && typed !== undefined) {
      const name = JSON.parse(typed) as string;
      if (open.at(-1)?.has(name)) return typed;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}
