import type { Id } from "../bytes/id.js";
import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { byte, id32, paddedText, partsOf } from "./part.js";

/** The kind of id that an alias names: the first byte of its key. */
export const AliasKind = {
  /** A context; the scope is 32 zero bytes. */
  Context: 1,
  /** An identity; the scope is its context's id. */
  Identity: 2,
  /** An application; the scope is 32 zero bytes. */
  Application: 3,
} as const;

/** The parts of an {@link Alias}. */
export interface AliasParts {
  /** The kind of the named thing: an {@link AliasKind}, 1 byte. */
  readonly aliasKind: number;
  /** The context of an identity, or {@link noScope}; 32 bytes. */
  readonly scope: Id;
  /** The alias itself: UTF-8 of at most 50 bytes without NUL. */
  readonly name: string;
}

const part = partsOf<AliasParts>();

/** The scope of an alias without one: 32 zero bytes. */
export const noScope: Uint8Array = new Uint8Array(32);

/**
 * A name for an id. `kind (1) ‖ scope (32) ‖ name (50, UTF-8, padded with 00)`, 83 bytes. Rows of one kind and scope
 * are sorted by name.
 */
export class Alias extends keyParts(
  "Alias",
  Column.Alias,
  undefined,
  part(byte("aliasKind", AliasKind)),
  part(id32("scope", "none")),
  part(paddedText("name", 50)),
) {}
