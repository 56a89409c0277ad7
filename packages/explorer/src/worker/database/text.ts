/** Texts in answers. */
import { beginning } from "merostore/internal";

/** Returns whether a text is an id: 32 bytes in hex. */
export function isId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{64}$/.test(text);
}

/** A text, or its first characters. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${beginning(text, most)}…` : text;
}

/** A value of JSON as text: a string as it is. */
export function jsonText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
