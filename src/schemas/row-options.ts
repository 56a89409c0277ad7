/** What rows hold that have no type of their own. */
import { equalBytes } from "../bytes/order.js";
import type { Codec } from "../codec/index.js";
import { indexStateKey } from "../digests/index.js";
import { type ContextPrivateState, type ContextState, type Generic, genericScope } from "../keys/index.js";

/** Bytes of an entity's id. */
const ID = 32;

/**
 * Index rows of State and PrivateState: the value decodes as `index`, is canonical, and SHA-256(00 ‖ id) is the state key. Entry rows
 * hold the application's own data, which nothing here can decode.
 */
export function indexRows(index: Codec<{ readonly id: Uint8Array }>) {
  return {
    holds: {
      codec: index as Codec<unknown>,
      where: (key: ContextState | ContextPrivateState, value: Uint8Array): boolean => {
        // The id comes first: most rows are seen to be none without trying to decode them.
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

/** Rows of Generic are secret unless their scope is known, and is not. */
export const secretScopes = { secret: ({ scope }: Generic): boolean => genericScope(scope)?.secret ?? true };
