import { bytes, type Decoded, option, str, struct } from "../codec/index.js";

/**
 * An event that an application emitted. The document names the type only; the fields are those of its JSON.
 * From 9 bytes.
 */
export const Event = struct("Event", { kind: str, data: bytes, handler: option(str) });
export type Event = Decoded<typeof Event>;
