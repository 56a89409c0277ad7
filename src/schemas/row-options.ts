/** Options of rows whose codec is raw bytes. */
import { equalBytes } from "../bytes/order.js";
import type { Codec } from "../codec/index.js";
import { indexStateKey } from "../digests/index.js";
import {
  type Alias,
  type ContextPrivateState011,
  type ContextState011,
  type Generic,
  genericScope,
} from "../keys/index.js";

/** Bytes of an entity's id. */
const ID = 32;

/**
 * Index rows of State and PrivateState: the value decodes as `index`, is canonical, and SHA-256(00 ‖ id) is the state
 * key. Entry rows hold the application's own data, which cannot be decoded.
 */
export function indexRows(index: Codec<{ readonly id: Uint8Array }>) {
  return {
    holds: {
      codec: index as Codec<unknown>,
      where: (key: ContextState011 | ContextPrivateState011, value: Uint8Array): boolean => {
        // The id comes first, which rules out most rows without decoding them.
        const id = value.subarray(0, ID);
        if (id.length < ID || !equalBytes(indexStateKey(id), key.stateKey)) return false;
        try {
          return index.canonical(value);
        } catch {
          return false;
        }
      },
    },
  };
}

/** Since core-0.11 the node fails where it reads an alias with other characters. */
export const plainAliases = {
  refused: ({ name }: Alias): string | undefined =>
    /^[A-Za-z0-9._-]+$/.test(name)
      ? undefined
      : "a name of ASCII letters, digits, full stops, underscores and hyphens, at least one",
};

/** Rows of Generic are secret unless their scope is known and not secret. */
export const secretScopes = { secret: ({ scope }: Generic): boolean => genericScope(scope)?.secret ?? true };
