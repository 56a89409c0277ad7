import { MerostoreError } from "../errors.js";
import { command } from "./command.js";
import { openDatabase } from "./database.js";
import { withWholeIds } from "./ids.js";
import { text } from "./option-kinds.js";
import { base58, json, reading, revealSecrets, utc } from "./options.js";
import { parseHex, parseKey } from "./parts.js";
import { rowText } from "./row-text.js";
import { rowForm, withPrivateEntities } from "./rows.js";

/** Prints one row. Status 1 if the row is absent, 3 if its value does not decode. */
export const get = command({
  words: "get <db> [kind] [parts...]",
  description: "one row",
  options: {
    column: text("<name>", "with --key: the column family"),
    key: text("<hex>", "with --column: the key's bytes"),
    ...reading,
    json,
    base58,
    utc,
    revealSecrets,
  },
  help: `Parts are written part=value, ids in hex or base58. "merostore schema" lists the kinds and their parts.

Examples:
  merostore get node/data ContextMeta contextId=DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp
  merostore get node/data Alias aliasKind=context scope=none name=lobby
  merostore get node/data --column Meta --key b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443

Dates are shown in local time, or with --utc in UTC. In JSON they are numbers.

Status 1 if the row does not exist, 3 if its value does not decode.`,

  async run(terminal, { db, kind, parts }, options) {
    const { column: family, key: hex } = options;
    const byBytes = family !== undefined && hex !== undefined;
    if ((kind === undefined) !== byBytes || (!byBytes && (family !== undefined || hex !== undefined))) {
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        "name a row either by KIND part=value …, or by --column NAME --key HEX",
      );
    }
    await using store = await openDatabase(terminal, db, options);
    const keyClass = kind === undefined ? undefined : store.schema.row(kind).key;
    const key =
      keyClass === undefined
        ? parseHex("--key", hex ?? "")
        : parseKey(keyClass, await withWholeIds(store, keyClass, parts)).bytes;
    const column = keyClass?.COLUMN ?? family ?? "";
    const value = await store.raw.get(column, key);
    if (value === undefined) {
      terminal.remark(`merostore: no such row in ${column}`);
      return 1;
    }
    const shown = await withPrivateEntities(store, column, options);
    const row = rowForm(store.schema, column, { key, value }, shown);
    if (options.json) await terminal.line(JSON.stringify(row));
    else for (const line of rowText(row, terminal.width)) await terminal.line(line);
    if (row.error === undefined) return 0;
    terminal.remark(`merostore: ${row.error}`);
    return 3;
  },
});
