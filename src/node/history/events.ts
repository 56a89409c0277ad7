/** The events of an application in deltas. */

import { toHex } from "../../bytes/hex.js";
import type { Json } from "../../codec/index.js";
import { orUndefined } from "../../errors.js";
import type { Event } from "../../payloads/index.js";

/** An event that an application emitted. */
export interface DeltaEvent {
  /** Its name. */
  readonly name: string;
  /** The payload as it is stored, normally JSON text in UTF-8; empty for an event without one. */
  readonly data: Uint8Array;
  /** The payload as JSON text; undefined for an event without a payload, and if the payload is not JSON. */
  readonly json: string | undefined;
  /** Name of the method that handles it; undefined if no method does. */
  readonly handler: string | undefined;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The events in a delta's JSON list; undefined if the bytes are not a list of events. */
export function parseEvents(bytes: Uint8Array): readonly DeltaEvent[] | undefined {
  const list: unknown = orUndefined(() => JSON.parse(decoder.decode(bytes)));
  if (!Array.isArray(list)) return undefined;
  const events = list.map(parseEvent);
  return events.every((event) => event !== undefined) ? events : undefined;
}

/** An event of the documented revision, whose deltas contain events as fields. */
export function eventOf({ kind, data, handler }: Event): DeltaEvent {
  return { name: kind, data, json: jsonText(data), handler: handler ?? undefined };
}

function parseEvent(event: unknown): DeltaEvent | undefined {
  if (typeof event !== "object" || event === null) return undefined;
  const { kind, data, handler = null } = event as Readonly<Record<string, unknown>>;
  if (typeof kind !== "string" || !isByteList(data)) return undefined;
  if (handler !== null && typeof handler !== "string") return undefined;
  return eventOf({ kind, data: Uint8Array.from(data), handler });
}

function isByteList(data: unknown): data is readonly number[] {
  return Array.isArray(data) && data.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
}

function jsonText(data: Uint8Array): string | undefined {
  return orUndefined(() => {
    const text = decoder.decode(data);
    JSON.parse(text);
    return text;
  });
}

/**
 * An event in JSON. If a number in the payload has more digits than JavaScript keeps, `text` has the JSON text in place
 * of `payload`. If the payload is not JSON, `bytes` has it in hex.
 */
export function eventToJson({ name, data, json, handler }: DeltaEvent): { readonly [field: string]: Json } {
  const of = { name, handler: handler ?? null };
  if (json === undefined) return data.length === 0 ? { ...of, payload: null } : { ...of, bytes: toHex(data) };
  const payload = JSON.parse(json) as Json;
  return JSON.stringify(payload) === json ? { ...of, payload } : { ...of, text: json };
}
