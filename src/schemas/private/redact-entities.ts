/** The JSON form of a value without the private entities in it. */
import { fromHex } from "../../bytes/hex.js";
import type { IdTable } from "../../bytes/id-table.js";
import type { Json } from "../../codec/index.js";

type Fields = { readonly [name: string]: Json };

const REDACTED = "redacted";

/** Hex text with at least the length of an id. */
const HEX = /^(?:[0-9a-f]{2}){32,}$/;

/**
 * Redacts the private entities in a value: objects with the id of one (an index row, a child, an action with its data)
 * and longer bytes that contain one become `"redacted"`, and so do the events of the same delta.
 *
 * @param plain the JSON form with bytes in hex
 * @param shown the JSON form of the same value, as shown
 */
export function redactEntities(plain: Json, shown: Json, ids: IdTable): Json {
  const redacted = redact(plain, shown, ids);
  if (!isFields(redacted) || !("events" in redacted) || redacted.events === null) return redacted;
  return { ...redacted, events: REDACTED };
}

function redact(plain: Json, shown: Json, ids: IdTable): Json {
  if (typeof plain === "string") return carriesEntity(plain, ids) ? REDACTED : shown;
  // A redacted value has no parts.
  if (typeof plain !== "object" || plain === null || typeof shown !== "object" || shown === null)
    return shown;
  if (Array.isArray(plain))
    return plain.map((one: Json, at) => redact(one, (shown as Json[])[at] as Json, ids));
  const fields = Object.entries(plain as Fields);
  if (fields.some(([name, field]) => isId(name, ids) || isId(field, ids))) return REDACTED;
  // The keys of a map may be shown in another form, but their order is the same.
  const parts = Object.entries(shown as Fields);
  return Object.fromEntries(
    fields.map(([, field], at) => {
      const [name, part] = parts[at] as [string, Json];
      return [name, redact(field, part, ids)];
    }),
  );
}

/** @internal Whether a text is the hex form of bytes with one of these ids in them. */
export function carriesEntity(text: string, ids: IdTable): boolean {
  return HEX.test(text) && ids.isIn(fromHex(text));
}

function isId(value: Json, ids: IdTable): boolean {
  return typeof value === "string" && value.length === 64 && carriesEntity(value, ids);
}

function isFields(value: Json): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
