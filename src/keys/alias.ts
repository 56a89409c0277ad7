import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { byte, id32, paddedText } from "./part.js";

/** What an alias names: the first byte of its key. */
export const AliasKind = {
  /** A context; the scope is 32 zero bytes. */
  Context: 1,
  /** An identity; the scope is its context's id. */
  Identity: 2,
  /** An application; the scope is 32 zero bytes. */
  Application: 3,
} as const;

/** The scope of an alias that has none: 32 zero bytes. */
export const noScope: Uint8Array = new Uint8Array(32);

/**
 * A name for an id. `kind (1) ‖ scope (32) ‖ name (50, UTF-8, padded with 00)`, 83 bytes.
 * Inside one kind and scope the rows lie in the order of their names.
 */
export class Alias extends keyParts(
  "Alias",
  Column.Alias,
  undefined,
  byte("aliasKind", AliasKind),
  id32("scope", "none"),
  paddedText("name", 50),
) {}
