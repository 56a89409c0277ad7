import { bytes, type Decoded, option, str, struct, textual } from "../codec/index.js";

/** An event that an application emitted. The document only names the type; its JSON has these fields. From 9 bytes. */
export const Event = struct("Event", {
  /** The event's name. */
  kind: str,
  /** The payload as JSON text; empty for an event without fields. */
  data: textual(bytes),
  /** Name of the method that handles it, or null. */
  handler: option(str),
});
export type Event = Decoded<typeof Event>;
